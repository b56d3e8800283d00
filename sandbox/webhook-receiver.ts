/**
 * Another system of the demo organization, which takes Muster's webhooks: it answers at once and remembers the last
 * ones. `/receiver/down` is one whose database is locked.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, send, sendJson } from './http.ts';

const kept = 100;
const received: { MessageID: string; Signature: string; Body: string }[] = [];

export function isReceiverPath(path: string): boolean {
  return path === '/receiver' || path.startsWith('/receiver/');
}

export async function serveReceiver(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method === 'GET') return sendJson(response, 200, { Items: received });
  const body = await readBody(request);
  if (path === '/receiver/down')
    return send(response, 500, 'text/plain; charset=utf-8', 'database is locked');
  received.push({
    MessageID: String(request.headers['webhook-id'] ?? ''),
    Signature: String(request.headers['webhook-signature'] ?? ''),
    Body: body.toString('utf8'),
  });
  if (received.length > kept) received.shift();
  send(response, 200, 'text/plain; charset=utf-8', 'ok');
}
