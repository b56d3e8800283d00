// Labs as it runs elsewhere: a page that takes the token Muster sent somebody with, and asks Muster whose it is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequest, isRecord, send } from './http.ts';

/** False when the path is none of Labs'. */
export async function serveLabs(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  if (path !== '/labs') return false;
  if (request.method !== 'GET') throw new BadRequest(`${request.method} is not possible here.`, 405);
  const query = new URL(request.url ?? '/', 'http://sandbox').searchParams;
  const name = await redeem(query.get('from') ?? '', query.get('LoginToken') ?? '');
  response.setHeader('cache-control', 'no-store');
  send(response, name === undefined ? 403 : 200, 'text/html; charset=utf-8', pageOf(name));
  return true;
}

/** The name of the user, or undefined for a token that isn't good. Only a Muster on this machine is asked. */
async function redeem(from: string, token: string): Promise<string | undefined> {
  if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/.test(from)) return undefined;
  const answer = await fetch(`${from}/proxy/public/singlesignon/logintokens/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ LoginToken: token }),
  }).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  const user: unknown = await answer.json();
  return isRecord(user) ? `${user.FirstName} ${user.LastName}` : undefined;
}

function pageOf(name: string | undefined): string {
  const words =
    name === undefined
      ? 'That link is no longer good. Open Labs from Muster again.'
      : `Hello ${name}. You are signed in to Labs.`;
  const escaped = words.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Labs</title>
<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}
body{font:16px/24px system-ui,sans-serif;margin:15vh auto;max-width:480px;padding:0 16px}</style>
<h1>Labs</h1><p>${escaped}</p>`;
}
