import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getAccount } from '../contract/accounts.ts';
import type { CallDefinition } from '../contract/call.ts';
import { pathOf, prefixOf, queryOf } from '../contract/call-address.ts';
import { listConversations } from '../contract/conversations.ts';
import { nowMs } from './clock.ts';
import type { Config } from './config.ts';
import { addressOf } from './serve.ts';

/** A page that is slower than this goes out without its replies, and the browser asks for them. */
const mostMs = 300;
/** After one that was slower, all pages are plain for so long: a slow database would otherwise get each call twice. */
export const plainForMs = 10_000;

const addressOfCall = (call: CallDefinition, query: Record<string, unknown>) =>
  prefixOf(call) + pathOf(call) + queryOf(query);
const account = addressOfCall(getAccount, { include: 'currentuser' });
const conversations = addressOfCall(listConversations, { isDone: false, notags: true, pagesize: 15 });

/**
 * The service worker of the first versions tries to keep each page that it opens, so it gets one without replies. The
 * header belongs to the registration: a later worker may have set it before an older process brought the first one
 * back. That one can't keep the page either, because of its `Vary: *` (app.ts).
 */
const workerVersion = '2';

/** A reply with its address; undefined if the call was refused. */
type Answer = [string, unknown] | undefined;

/** The addresses of the replies that a page begins with. Undefined for a page that has none. */
function repliesOf({ method, url, headers }: FastifyRequest): string[] | undefined {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  const worker = headers['service-worker-navigation-preload'] ?? workerVersion;
  // Not what a script or the service worker fetches: such a reply may be kept.
  if (method !== 'GET' || mode !== 'navigate' || dest !== 'document' || worker !== workerVersion) return;
  const [, page, search] = /^\/(inbox|emergency)\/?(\?.*)?$/.exec(url) ?? [];
  if (page === undefined) return;
  return page === 'inbox' && search === undefined ? [account, conversations] : [account];
}

/**
 * `/inbox` and `/emergency` with the replies that they begin with, for somebody who is signed in: the browser draws the
 * texts before it has loaded the application, which public/first-replies.js then starts. The replies are those of the
 * calls themselves, with the request's own cookie, so access is decided where it always is.
 */
export function pageWithReplies(
  http: FastifyInstance,
  config: Config,
): (request: FastifyRequest, html: string, scripts: readonly string[]) => Promise<string | undefined> {
  async function ask(request: FastifyRequest, url: string): Promise<Answer> {
    const { cookie = '', 'user-agent': agent = '', 'accept-language': language = '' } = request.headers;
    const reply = await http.inject({
      url,
      remoteAddress: addressOf(request),
      headers: {
        ...{ host: request.host, accept: 'application/json', cookie },
        ...{ 'user-agent': agent, 'accept-language': language },
        ...(config.TRUST_PROXY ? { 'x-forwarded-for': addressOf(request) } : {}),
      },
    });
    return reply.statusCode === 200 ? [url, reply.json()] : undefined;
  }

  let plainUntilMs = 0;
  return async (request, html, scripts) => {
    const asked = repliesOf(request);
    if (asked === undefined || scripts.length === 0 || nowMs() < plainUntilMs) return undefined;
    const replies = await Promise.race([
      Promise.all(asked.map((url) => ask(request, url))).catch((): Answer[] => []),
      delay(mostMs, undefined, { ref: false }),
    ]);
    if (replies === undefined) plainUntilMs = nowMs() + plainForMs;
    // Without an account there is no session, or a limited one.
    if (replies?.[0] === undefined) return undefined;
    const given = Object.fromEntries(replies.filter((reply) => reply !== undefined));
    return withReplies(html, { Scripts: scripts, Replies: given });
  };
}

function withReplies(html: string, content: unknown): string {
  const json = JSON.stringify(content).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const [head = '', ...rest] = html
    .replace('<html ', '<html data-replies ')
    // The application is started after the first paint.
    .replace(/^ *<(script type="module"|link rel="modulepreload").*\n/gm, '')
    .split('</body>');
  const data = `<script type="application/json" id="first-replies">${json}</script>`;
  return [`${head}${data}\n    <script src="/first-replies.js"></script>\n  `, ...rest].join('</body>');
}
