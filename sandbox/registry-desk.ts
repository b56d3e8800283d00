// The registry's desk (for the page and for scripts), its link in mails, the register of EINs, and websites that exist
// nowhere else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequest, isRecord, readBody, send, sendJson } from './http.ts';
import { parseCarrierNumber } from './numbers.ts';
import type { Application, Registry } from './registry.ts';
import { usualReasons } from './registry.ts';

/** False if the path is none of these. */
export async function serveDesk(
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (path === '/registry/requests' && method === 'GET') {
    sendJson(response, 200, {
      Items: registry.memory.applications.map(composeItem),
      DecisionSeconds: registry.decisionSeconds,
      Reasons: usualReasons,
    });
    return true;
  }
  const id = /^\/registry\/requests\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined && method === 'POST') {
    refuseStrangers(request);
    await decide(registry, request, response, decodeURIComponent(id));
    return true;
  }
  if (path === '/registry/settings' && method === 'PUT') {
    refuseStrangers(request);
    const { DecisionSeconds } = await readObject(request);
    if (typeof DecisionSeconds !== 'number' || !(DecisionSeconds >= 0 && DecisionSeconds <= 86_400))
      throw new BadRequest('DecisionSeconds must be a number from 0 (never) to 86400.');
    registry.decisionSeconds = DecisionSeconds;
    sendJson(response, 200, { DecisionSeconds });
    return true;
  }
  if (path === '/registry/numbers' && method === 'POST') {
    refuseStrangers(request);
    const { Number: raw, Provider: provider } = await readObject(request);
    const number = parseCarrierNumber(String(raw));
    if (number === undefined || (provider !== 'infobip' && provider !== 'twilio'))
      throw new BadRequest('Number and Provider (infobip or twilio) are needed.');
    registry.sell(number, provider, 'bought elsewhere');
    sendJson(response, 201, { Number: number, Provider: provider });
    return true;
  }
  const token = /^\/registry\/confirm\/([0-9a-f]{32})$/.exec(path)?.[1];
  if (token !== undefined && method === 'GET') {
    const isKnown = registry.confirm(token);
    const words = isKnown
      ? 'Thank you. Your email address is verified.'
      : 'This link was used already or has expired.';
    send(response, isKnown ? 200 : 404, 'text/html; charset=utf-8', page('The Campaign Registry', words));
    return true;
  }
  if (path === '/registry/inbound' && method === 'POST') {
    const form = new URLSearchParams((await readBody(request)).toString());
    registry.hear(parseCarrierNumber((form.get('From') ?? '').trim()) ?? '', form.get('Body') ?? '');
    send(response, 200, 'text/xml', '<Response/>');
    return true;
  }
  const ein = /^\/nonprofits\/api\/v2\/organizations\/(\d{9})\.json$/.exec(path)?.[1];
  if (ein !== undefined && method === 'GET') {
    const organization = organizations[ein];
    if (organization === undefined) sendJson(response, 404, { status: 404, error: 'Not Found' });
    else sendJson(response, 200, { organization: { ein: Number(ein), ...organization } });
    return true;
  }
  if (path.startsWith('/sites/') && method === 'GET') {
    serveSite(response, path.slice('/sites/'.length));
    return true;
  }
  return false;
}

function composeItem(application: Application) {
  const { id, kind, name, state, submittedAt, reason, decideAt, provider } = application;
  return {
    RequestID: id,
    Kind: kind,
    Name: name,
    State: state,
    SubmittedAt: submittedAt,
    Reason: reason,
    Provider: provider,
    DecidesAt: decideAt === 0 || state !== 'Pending' ? null : new Date(decideAt).toISOString(),
  };
}

async function decide(
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  const { Decision, Reason = '' } = await readObject(request);
  if (Decision !== 'Approve' && Decision !== 'Reject')
    throw new BadRequest('Decision must be Approve or Reject.');
  if (typeof Reason !== 'string' || Reason.length > 500)
    throw new BadRequest('Reason must be text of at most 500 characters.');
  sendJson(response, 200, composeItem(registry.decide(id, Decision, Reason.trim())));
}

async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse((await readBody(request)).toString('utf8') || '{}');
  } catch {
    throw new BadRequest('The request is not valid JSON.');
  }
  if (!isRecord(value)) throw new BadRequest('The request must be a JSON object.');
  return value;
}

function refuseStrangers({ headers: { origin, host } }: IncomingMessage): void {
  if (origin !== undefined && URL.parse(origin)?.host !== host)
    throw new BadRequest('This page may not use the sandbox.', 403);
}

/** Organizations that the register of EINs knows. */
const organizations: Readonly<Record<string, Record<string, string>>> = {
  '621047793': {
    name: 'Harlow Creek School District',
    address: '410 Mill Street',
    city: 'Harlow Creek',
    state: 'TN',
    zipcode: '37343',
    website: 'https://www.hcsd.example',
  },
  '621234567': {
    name: 'Hamilton Corporation',
    address: '3074 Hickory Valley Road',
    city: 'Chattanooga',
    state: 'TN',
    zipcode: '37421',
    website: 'https://hamilton.example',
  },
  '621998877': {
    name: 'Maple Grove Public Library',
    address: '25 Library Lane',
    city: 'Maple Grove',
    state: 'TN',
    zipcode: '37064',
    website: 'https://www.maplegrove.example',
  },
  '580566256': {
    name: 'Second Street Church',
    address: '12 Second Street',
    city: 'Knoxville',
    state: 'TN',
    zipcode: '37902',
    website: 'https://secondstreet.example',
  },
  '135562308': {
    name: 'Riverbend Youth Soccer League',
    address: '88 Riverbend Road',
    city: 'Nashville',
    state: 'TN',
    zipcode: '37209',
    website: 'https://riverbendsoccer.example',
  },
};

/** Any host under .example has a website, except these. */
function serveSite(response: ServerResponse, at: string): void {
  const [host = ''] = at.split('/');
  const target = at === 'www.moved.example/home' ? undefined : movedTo[host];
  const [kind] = host.split('.');
  if (target !== undefined) response.writeHead(302, { location: target }).end();
  else if (kind === 'broken') send(response, 500, 'text/html', page('Error', 'Something broke.'));
  else if (kind === 'missing') send(response, 404, 'text/html', page('Not found', 'Nothing here.'));
  else if (kind === 'empty') send(response, 200, 'text/html', '');
  // A silent one is never answered.
  else if (kind !== 'silent') {
    const words = `Welcome to ${host}. Sign up for our texts here.`;
    send(response, 200, 'text/html; charset=utf-8', page(host, words));
  }
}

const movedTo: Readonly<Record<string, string>> = {
  'moved.example': 'https://www.moved.example/home',
  'loop.example': 'https://loop.example/again',
  'inside.example': 'http://127.0.0.1/admin',
};

function page(title: string, words: string): string {
  const plain = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${plain(title)}</title></head><body style="font-family:system-ui,sans-serif;margin:4rem auto;max-width:32rem"><h1>${plain(title)}</h1><p>${plain(words)}</p></body></html>`;
}
