import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateUser } from '../../contract/accounts.ts';
import { addPushToken, deletePushToken, listNotifications } from '../../contract/notifications.ts';
import { updateTextNumber } from '../../contract/numbers.ts';
import { asSystem } from '../db.ts';
import { firebaseService } from '../outside/push-firebase.ts';
import { readSubscription } from '../outside/push-web.ts';
import { type BuiltUser, buildUser } from '../testing/builders.ts';
import { refusalOf } from '../testing/test-app.ts';
import { armNotices } from './arm-notices.ts';
import { type PushServices, sendPushes } from './send-pushes.ts';
import {
  account,
  answers,
  app,
  got,
  localUrl,
  makeDue,
  numberId,
  openBrowser,
  origin,
  push,
  type Request,
  receive,
  services,
  setUp,
  startAfresh,
  subscribe,
  waiting,
} from './testing/push-steps.ts';

beforeAll(setUp);
beforeEach(startAfresh);

it('sends a notification that only this browser can read, signed with the installation’s key', async () => {
  await sql`insert into contacts (account_id, first_name, last_name, primary_phone)
    values (${account.accountId}, 'Renee', 'Castellano', '14235550143')`.execute(app.database.system);
  const browser = openBrowser('one');
  await subscribe(account.owner, browser.token);
  const ConversationID = await receive('Where is the bus?');
  await push();
  expect(got).toHaveLength(1);
  const { path, headers, body } = got[0] as Request;
  expect(path).toBe('/one');
  expect(headers).toMatchObject({
    ttl: '14400',
    urgency: 'high',
    topic: `c${ConversationID}`,
    'content-encoding': 'aes128gcm',
  });
  expect(browser.decrypt(body)).toEqual({
    ConversationID,
    Title: 'Renee Castellano',
    Body: 'Where is the bus?',
    UnreadCount: 1,
  });
  expect(body.toString('latin1')).not.toContain('bus');
  const listed = await app.call(listNotifications, {}, account.owner);
  expect(readVapid(headers.authorization ?? '')).toEqual({
    key: listed.body.Push.PublicKey,
    aud: origin,
    sub: 'mailto:muster@example.org',
    isSigned: true,
  });
  expect(await waiting()).toEqual([]);
});

/** RFC 8292: whose key it is, for whom, and whether the signature is valid for that key. */
function readVapid(header: string) {
  const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = createVerify('sha256')
    .update(`${head}.${claims}`)
    .verify({ key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { key, aud, sub, isSigned };
}

it('of several texts of a conversation one notification is sent, with the latest', async () => {
  const browser = openBrowser('one');
  await subscribe(account.owner, browser.token);
  await receive('First');
  await receive('Second');
  await receive('Another', '14235550144');
  await push();
  // Sent in parallel, in any order.
  const bodies = got.map(({ body }) => browser.decrypt(body) as { Title: string });
  bodies.sort((a, b) => a.Title.localeCompare(b.Title));
  expect(bodies).toEqual([
    expect.objectContaining({ Title: '(423) 555-0143', Body: 'Second', UnreadCount: 2 }),
    expect.objectContaining({ Title: '(423) 555-0144', Body: 'Another', UnreadCount: 2 }),
  ]);
});

it('in a flood a browser gets the latest twenty, and more once those are sent', async () => {
  const browser = openBrowser('one');
  await subscribe(account.owner, browser.token);
  const { accountId } = account;
  const { rows } = await sql<{ conversationId: number; messageId: number }>`
    with text as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body)
      select ${accountId}, ${numberId}, '1423555' || i, true, 'received', 'inbound', 'Answer ' || i from generate_series(2001, 2050) i
      returning message_id, phone
    )
    insert into conversations (account_id, text_number_id, phone, unread_count, last_message_id)
    select ${accountId}, ${numberId}, phone, 1, message_id from text
    returning conversation_id as "conversationId", last_message_id as "messageId"`.execute(
    app.database.system,
  );
  const texts = rows.map((row) => ({ ...row, accountId, textNumberId: numberId }));
  await asSystem(app.database, (trx) => armNotices(trx, texts));
  expect(await waiting()).toHaveLength(20);
  await receive('One more');
  expect(await waiting()).toHaveLength(20);
  await push();
  const told = got.map(({ body }) => (browser.decrypt(body) as { ConversationID: number }).ConversationID);
  const latest = rows.toSorted((a, b) => b.messageId - a.messageId).slice(0, 20);
  expect(told.sort()).toEqual(latest.map((row) => row.conversationId).sort());
  await receive('And another');
  await push();
  expect(got).toHaveLength(21);
});

describe('nobody is notified', () => {
  const cases: [string, (user: BuiltUser) => Promise<unknown>][] = [
    [
      'who wants no disturbance',
      (user) => app.call(updateUser, { body: { BrowserNotificationsDoNotDisturb: true } }, user),
    ],
    [
      'of a number with browser notifications off',
      (user) =>
        app.call(
          updateTextNumber,
          { params: { TextNumberID: numberId }, body: { BrowserNotificationsEnabled: false } },
          user,
        ),
    ],
    [
      'who may not use the number',
      (user) =>
        sql`delete from user_text_numbers where user_id = ${user.userId}`.execute(app.database.system),
    ],
    [
      'whose session was ended elsewhere',
      (user) => sql`delete from sessions where user_id = ${user.userId}`.execute(app.database.system),
    ],
    [
      'whose session has run out',
      (user) =>
        sql`update sessions set expires_at = now() where user_id = ${user.userId}`.execute(
          app.database.system,
        ),
    ],
    [
      'who is switched off',
      (user) =>
        sql`update users set is_active = false where user_id = ${user.userId}`.execute(app.database.system),
    ],
  ];
  it.each(cases)('%s', async (_, change) => {
    const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [numberId] });
    await subscribe(user, openBrowser('one').token);
    await change(user);
    await receive('Hello');
    expect(await waiting()).toEqual([]);
    await push();
    expect(got).toEqual([]);
  });

  it.each(cases.filter(([name]) => !name.includes('number with')))(
    '%s by the time it is sent',
    async (_, change) => {
      const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [numberId] });
      await subscribe(user, openBrowser('one').token);
      await receive('Hello');
      await change(user);
      await push();
      expect([got, await waiting()]).toEqual([[], []]);
    },
  );

  it('about texts that were read meanwhile', async () => {
    await subscribe(account.owner, openBrowser('one').token);
    await receive('Hello');
    await sql`update conversations set unread_count = 0`.execute(app.database.system);
    await push();
    expect([got, await waiting()]).toEqual([[], []]);
  });
});

describe('responses of the push service', () => {
  it.each([404, 410])('%i: the browser is forgotten with all that waits for it', async (status) => {
    await subscribe(account.owner, openBrowser('gone').token);
    await subscribe(account.owner, openBrowser('here').token);
    answers.set('/gone', status);
    await receive('Hello');
    await receive('Hello', '14235550144');
    await push();
    expect(got.filter(({ path }) => path === '/here')).toHaveLength(2);
    const left = await app.database.system.selectFrom('push_tokens').select('token').execute();
    expect(left.map(({ token }) => readSubscription(token)?.endpoint)).toEqual([`${origin}/here`]);
    expect(await waiting()).toEqual([]);
  });

  it.each([429, 500, 503])('%i: tried again later, five times', async (status) => {
    await subscribe(account.owner, openBrowser('busy').token);
    answers.set('/busy', status);
    await receive('Hello');
    for (let tries = 1; tries < 5; tries++) {
      await push();
      expect(await waiting()).toEqual([{ attempts: tries }]);
      await makeDue();
    }
    await push();
    expect(await waiting()).toEqual([]);
    expect(got).toHaveLength(5);
  });

  it('413: this notification is dropped, the browser stays', async () => {
    await subscribe(account.owner, openBrowser('strict').token);
    answers.set('/strict', 413);
    await receive('Hello');
    await push();
    expect(await waiting()).toEqual([]);
    answers.delete('/strict');
    await receive('Hello again');
    await push();
    expect(got).toHaveLength(2);
  });

  it('a text that arrives while the previous one is being sent is sent too', async () => {
    const browser = openBrowser('one');
    await subscribe(account.owner, browser.token);
    await receive('First');
    const service = services.WebPush;
    if (service === undefined) throw new Error('no service');
    const slow: PushServices = {
      WebPush: {
        ...service,
        async send(...notice) {
          const outcome = await service.send(...notice);
          if (got.length === 1) await receive('Second');
          return outcome;
        },
      },
    };
    while ((await sendPushes(app.database, async () => slow, 10)) > 0);
    expect(got.map(({ body }) => browser.decrypt(body))).toEqual([
      expect.objectContaining({ Body: 'First' }),
      expect.objectContaining({ Body: 'Second' }),
    ]);
  });

  it('a worker that died with it: sent again when its lease has expired', async () => {
    await subscribe(account.owner, openBrowser('one').token);
    await receive('Hello');
    await sql`update push_queue set attempts = 1, lease_until = now() + interval '60 seconds'`.execute(
      app.database.system,
    );
    await push();
    expect(got).toEqual([]);
    await sql`update push_queue set lease_until = now() - interval '1 second'`.execute(app.database.system);
    await push();
    expect(got).toHaveLength(1);
  });
});

describe('tokens', () => {
  it('the same browser is one row, and belongs to its last user', async () => {
    const { token } = openBrowser('one');
    const other = await buildUser(app, account.accountId, 'admin');
    const first = await subscribe(account.owner, token);
    expect(await subscribe(other, token)).toBe(first);
    const params = { PushTokenID: first };
    expect((await app.call(deletePushToken, { params }, account.owner)).status).toBe(404);
    expect((await app.call(deletePushToken, { params }, other)).status).toBe(200);
    expect((await app.call(deletePushToken, { params }, other)).status).toBe(404);
  });

  it('belongs to the session that subscribed it, which finds it among its own', async () => {
    const id = await subscribe(account.owner, openBrowser('one').token);
    const own = async () => (await app.call(listNotifications, {}, account.owner)).body.Push.PushTokenIDs;
    expect(await own()).toEqual([id]);
    await sql`update push_tokens set session_id = null`.execute(app.database.system);
    expect(await own()).toEqual([]);
  });

  it('twenty per user; the oldest are deleted', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 22; i++) ids.push(await subscribe(account.owner, openBrowser(`b${i}`).token));
    const left = await app.database.system.selectFrom('push_tokens').select('push_token_id').execute();
    expect(left.map((row) => row.push_token_id).sort((a, b) => a - b)).toEqual(ids.slice(2));
  });

  const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
  it.each([
    'not json',
    '{}',
    JSON.stringify({ endpoint: 'http://push.example.org/1', keys }),
    JSON.stringify({ endpoint: 'https://127.0.0.1/1', keys }),
    JSON.stringify({ endpoint: 'https://[::1]/1', keys }),
    JSON.stringify({ endpoint: 'https://169.254.169.254/latest', keys }),
    JSON.stringify({ endpoint: 'https://push.example.org/1', keys: { ...keys, auth: 'short' } }),
  ])('%s is refused', async (Token) => {
    const reply = await app.call(addPushToken, { body: { Token, Provider: 'WebPush' } }, account.owner);
    expect(refusalOf(reply)).toMatchObject({
      status: 422,
      Message: 'Notices can’t be brought to this browser.',
    });
  });

  it('Firebase’s are refused if it isn’t configured', async () => {
    const reply = await app.call(addPushToken, { body: { Token: 'abc' } }, account.owner);
    expect(refusalOf(reply)).toMatchObject({ status: 422 });
  });
});

describe('Firebase', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const path = '/v1/projects/muster-test/messages:send';
  const notice = { ConversationID: 7, Title: 'Renee', Body: 'Hello', UnreadCount: 3 };
  const service = () =>
    firebaseService(
      {
        project_id: 'muster-test',
        client_email: 'muster@muster-test.example',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
        token_uri: `${localUrl}/token`,
      },
      localUrl,
    );

  it('requests access once with a signed token, and sends the notification as data', async () => {
    const firebase = service();
    expect(await firebase.send('token-1', notice, 'c7')).toBe('sent');
    expect(await firebase.send('token-2', notice, 'c7')).toBe('sent');
    expect(got.map((request) => request.path)).toEqual(['/token', path, path]);
    const form = new URLSearchParams(got[0]?.body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    const { iat, ...claim } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(claim).toEqual({
      iss: 'muster@muster-test.example',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: `${localUrl}/token`,
      exp: iat + 3600,
    });
    expect(got[1]?.headers.authorization).toBe('Bearer access-1');
    expect(JSON.parse(got[1]?.body.toString() ?? '')).toEqual({
      message: {
        token: 'token-1',
        data: { ConversationID: '7', Title: 'Renee', Body: 'Hello', UnreadCount: '3' },
        webpush: { headers: { TTL: '14400', Urgency: 'high', Topic: 'c7' } },
      },
    });
  });

  it.each([
    [404, 'gone'],
    [400, 'refused'],
    [503, { laterMs: 5000 }],
    [401, { laterMs: 5000 }],
  ])('%i: %j', async (status, outcome) => {
    answers.set(path, status);
    expect(await service().send('token-1', notice, 'c7')).toEqual(outcome);
  });

  it('that can’t be reached is tried later', async () => {
    const firebase = firebaseService(
      { project_id: 'p', client_email: 'e', private_key: 'no key', token_uri: 'http://127.0.0.1:1' },
      'http://127.0.0.1:1',
    );
    expect(await firebase.send('token-1', notice, 'c7')).toEqual({ laterMs: 5000 });
  });
});

it('tells the browser how to subscribe, and keeps its keys', async () => {
  const first = await app.call(listNotifications, {}, account.owner);
  expect(first.body).toMatchObject({
    DoNotDisturb: false,
    Push: { Provider: 'WebPush', PublicKey: expect.stringMatching(/^[\w-]{87}$/), FirebaseConfig: null },
  });
  const elsewhere = await fetch(`${await app.startSecondWeb()}/proxy/api/notifications`, {
    headers: { cookie: account.owner.cookie },
  });
  expect(await elsewhere.json()).toMatchObject({ Push: first.body.Push });
});
