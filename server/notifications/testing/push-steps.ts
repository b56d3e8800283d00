import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { sql } from 'kysely';
import { Agent } from 'undici';
import { expect } from 'vitest';
import { addPushToken } from '../../../contract/notifications.ts';
import { readConfig } from '../../config.ts';
import { asSystem } from '../../db.ts';
import { webPushService } from '../../outside/push-web.ts';
import { type BuiltAccount, type BuiltUser, buildAccount } from '../../testing/builders.ts';
import { closeFirstAtEnd } from '../../testing/closers.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { armNotices } from '../arm-notices.ts';
import { getVapidKeys } from '../queries.ts';
import { type PushServices, sendPushes } from '../send-pushes.ts';

/**
 * Shared by the tests of push notifications: a push service that records its requests, and browsers that can
 * decrypt them.
 */
export interface Request {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const number = '14235550100';
export const origin = 'https://push.example.org';
export let app: TestApp;
export let account: BuiltAccount;
export let numberId: number;
let server: Server;
export let localUrl: string;
export let services: PushServices;
export const got: Request[] = [];
/** The push service's responses, by path; 201 by default. */
export const answers = new Map<string, number>();

/** For `beforeAll` of a file that uses these steps. */
export async function setUp(): Promise<void> {
  app = await testApp();
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = request.url ?? '';
    got.push({ path, headers: request.headers, body: Buffer.concat(pieces) });
    if (path === '/token') {
      response.end(JSON.stringify({ access_token: 'access-1', expires_in: 3600 }));
      return;
    }
    response.writeHead(answers.get(path) ?? 201).end(answers.get(path) === 404 ? 'UNREGISTERED' : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  localUrl = `http://127.0.0.1:${port}`;
  // Every name resolves to this server: everything except TLS is as with a real push service.
  const dispatcher = new Agent({
    connect: (_options, connected) => {
      const socket = connect(port, '127.0.0.1', () => connected(null, socket));
      socket.once('error', (error) => connected(error, null));
    },
  });
  const keys = await getVapidKeys(app.database, readConfig({ DATABASE_URL: app.database.url }));
  services = { WebPush: webPushService(keys, 'mailto:muster@example.org', dispatcher) };
  closeFirstAtEnd(async () => {
    await services.WebPush?.close();
    server.close();
  });
}

/** For `beforeEach`: another organization, and no push from before. */
export async function startAfresh(): Promise<void> {
  await sql`update text_numbers set released_at = now()`.execute(app.database.system);
  await sql`delete from push_tokens`.execute(app.database.system);
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  numberId = account.numbers[number] ?? 0;
  got.length = 0;
  answers.clear();
}

/** A browser that can read the pushes to it. */
export function openBrowser(name: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const endpoint = `${origin}/${name}`;
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
  return {
    token: JSON.stringify({ endpoint, expirationTime: null, keys }),
    /** RFC 8188 and 8291, from the receiver's side. */
    decrypt(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + keyLength);
      const secret = ecdh.computeSecret(sender);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
      const input = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const derive = (name: string, size: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, size));
      const sealed = body.subarray(21 + keyLength);
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      // The text ends with the delimiter of the last record.
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}

export async function subscribe(user: BuiltUser, token: string): Promise<number> {
  const reply = await app.call(addPushToken, { body: { Token: token, Provider: 'WebPush' } }, user);
  expect(reply.status).toBe(200);
  return reply.body.PushTokenID;
}

/** Inbound texts as applyInbound writes and announces them; the same phone is the same conversation. */
export async function receive(body: string, phone = '14235550143'): Promise<number> {
  return asSystem(app.database, async (trx) => {
    const { accountId } = account;
    const thread = { account_id: accountId, text_number_id: numberId, phone };
    const { message_id: messageId } = await trx
      .insertInto('messages')
      .values({ ...thread, is_inbound: true, status: 'received', origin: 'inbound', body })
      .returning('message_id')
      .executeTakeFirstOrThrow();
    const { conversation_id: conversationId } = await trx
      .insertInto('conversations')
      .values({ ...thread, unread_count: 1, last_message_id: messageId })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'text_number_id', 'phone']).doUpdateSet({
          unread_count: sql`conversations.unread_count + 1`,
          last_message_id: messageId,
        }),
      )
      .returning('conversation_id')
      .executeTakeFirstOrThrow();
    await armNotices(trx, [{ accountId, textNumberId: numberId, conversationId, messageId }]);
    return conversationId;
  });
}

export async function push(): Promise<void> {
  while ((await sendPushes(app.database, async () => services, 10)) > 0);
}

export async function waiting(): Promise<{ attempts: number }[]> {
  return app.database.system
    .selectFrom('push_queue')
    .select('attempts')
    .where('account_id', '=', account.accountId)
    .execute();
}

export const makeDue = () => sql`update push_queue set send_at = now()`.execute(app.database.system);
