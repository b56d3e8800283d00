// A help chat as vendors have them: a script for Muster's pages, which tells us who looks at which page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequest, isRecord, readBody, send, sendJson } from './http.ts';

export interface Visit {
  UserID: string;
  Name: string;
  Email: string;
  UserHash: string;
  Path: string;
  At: string;
}

const mostVisits = 1000;

/** The visits reported to the chat, the newest last. */
export class HelpChat {
  readonly visits: Visit[] = [];

  note(visit: Visit): void {
    this.visits.push(visit);
    if (this.visits.length > mostVisits) this.visits.shift();
  }
}

/**
 * Takes what Muster pushes on `globalThis.helpChat`, before it was loaded and after: ['identify', person],
 * ['page', path], ['open'], ['hide'].
 */
const script = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  let person = {};
  let panel;
  const commands = {
    identify(data) { person = data; },
    page(path) {
      void fetch(origin + '/help-chat/visits', {
        method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true,
        headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ ...person, Path: path }),
      }).catch(() => undefined);
    },
    open() {
      if (!panel) {
        panel = document.createElement('section');
        panel.setAttribute('role', 'dialog');
        panel.setAttribute('aria-label', 'Help chat');
        panel.style.cssText = 'position:fixed;right:16px;bottom:16px;z-index:2000;width:min(320px,calc(100vw - 32px));' +
          'padding:20px;border-radius:12px;border:1px solid #8883;background:Canvas;color:CanvasText;' +
          'font:14px/20px system-ui,sans-serif;box-shadow:0 8px 24px #0003';
        const words = document.createElement('p');
        words.style.margin = '0 0 12px';
        words.textContent = 'Hello ' + (person.Name || 'there') + '. This is the sandbox: nobody reads along here.';
        const close = document.createElement('button');
        close.type = 'button';
        close.textContent = 'Close';
        close.onclick = commands.hide;
        panel.append(words, close);
        document.body.append(panel);
      }
      panel.hidden = false;
      panel.querySelector('button').focus();
    },
    hide() { if (panel) panel.hidden = true; },
  };
  const waiting = globalThis.helpChat || [];
  const push = (...all) => { for (const [name, data] of all) commands[name]?.(data); };
  globalThis.helpChat = { push };
  push(...waiting);
})();
`;

/** False when the path is none of the chat's. */
export async function serveHelpChat(
  chat: HelpChat,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  if (path === '/help-chat.js') {
    response.setHeader('cache-control', 'no-cache');
    send(response, 200, 'text/javascript; charset=utf-8', script);
    return true;
  }
  if (path !== '/help-chat/visits') return false;
  if (request.method === 'GET') {
    sendJson(response, 200, { Items: chat.visits, Size: chat.visits.length });
    return true;
  }
  if (request.method !== 'POST') throw new BadRequest(`${request.method} is not possible here.`, 405);
  chat.note(readVisit((await readBody(request)).toString('utf8')));
  // Any page may load the script, and so tell us.
  response.setHeader('access-control-allow-origin', '*');
  response.writeHead(204).end();
  return true;
}

function readVisit(text: string): Visit {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new BadRequest('The request is not valid JSON.');
  }
  if (!isRecord(given)) throw new BadRequest('The request must be a JSON object.');
  const { UserID, Name, Email, UserHash, Path } = given;
  const word = (value: unknown) => (value === undefined ? '' : String(value).slice(0, 500));
  return {
    UserID: word(UserID),
    Name: word(Name),
    Email: word(Email),
    UserHash: word(UserHash),
    Path: word(Path),
    At: new Date().toISOString(),
  };
}
