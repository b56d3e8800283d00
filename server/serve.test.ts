import { beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '../contract/accounts.ts';
import { getSetup, login } from '../contract/auth.ts';
import {
  createConversation,
  listConversations,
  sendTextMessage,
  updateConversation,
  viewConversation,
} from '../contract/conversations.ts';
import { errorBody } from '../contract/error-body.ts';
import { serveOperations } from './operations.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser, password } from './testing/builders.ts';
import { refusalOf, type TestApp, testApp } from './testing/test-app.ts';
import { asOwner } from './testing/test-db.ts';
import { freePort } from './testing/test-sandbox.ts';
import { waitUntil } from './testing/wait-until.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let ConversationID: number;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' }, { TRUST_PROXY: '1' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  ConversationID = (await write('4235550101', 'Hello')).body.ConversationID;
});

function write(
  PrimaryPhone: string,
  Message: string,
  as: { cookie: string } = account.owner,
  headers: Record<string, string> = {},
) {
  const body = {
    TextNumberID: account.numbers[number] ?? 0,
    LastMessage: { Contact: { PrimaryPhone }, Message },
  };
  return app.call(createConversation, { body }, { cookie: as.cookie, headers });
}

async function textsTo(phone: string): Promise<number> {
  const rows = await app.database.system
    .selectFrom('messages')
    .select('message_id')
    .where('phone', '=', phone)
    .execute();
  return rows.length;
}

/** A request as raw bytes: for cases that app.call would normalize. */
function post(path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(app.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', cookie: account.owner.cookie, ...headers },
  });
}

describe('cross-site requests', () => {
  const change = (headers: Record<string, string>) =>
    app.call(
      updateConversation,
      { params: { ConversationID }, body: { IsDone: true } },
      { cookie: account.owner.cookie, headers },
    );

  it.each([
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('a change with %j is refused', async (headers) => {
    expect(refusalOf(await change(headers as Record<string, string>))).toMatchObject({
      status: 403,
      ErrorCode: 1005,
    });
    const rows = await app.database.system.selectFrom('conversations').select('is_done').execute();
    expect(rows).not.toContainEqual({ is_done: true });
  });

  it('a sign-in from another site is refused too', async () => {
    const reply = await app.call(
      login,
      { body: { UserName: account.owner.userName, Password: password } },
      { headers: { origin: 'https://elsewhere.example' } },
    );
    expect(refusalOf(reply)).toMatchObject({ status: 403, ErrorCode: 1005 });
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('reading is refused only across sites', async () => {
    const read = async (site?: string) =>
      (
        await app.call(
          getUser,
          {},
          { ...account.owner, ...(site === undefined ? {} : { headers: { 'sec-fetch-site': site } }) },
        )
      ).status;
    expect(await read()).toBe(200);
    expect(await read('same-origin')).toBe(200);
    expect(await read('same-site')).toBe(200);
    expect(await read('none')).toBe(200);
    expect(await read('cross-site')).toBe(403);
  });

  it('our own pages and programs may change things', async () => {
    for (const headers of [
      {},
      { origin: app.url },
      { origin: app.url, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await change(headers as Record<string, string>)).status).toBe(200);
    }
  });
});

describe('a deadlock', () => {
  it('makes the call start over: it succeeds, and has one effect', async () => {
    await write('4235550109', 'First');
    await asOwner(app.databaseUrl, async (other) => {
      // The other transaction detects deadlocks later, so that ours is the one that is aborted.
      await other.query("set deadlock_timeout = '1min'");
      await other.query('begin');
      await other.query('select from accounts where account_id = $1 for update', [account.accountId]);
      const sent = write('4235550109', 'Second');
      await waitUntil(async () => {
        const waiting = await asOwner(app.databaseUrl, (client) =>
          client.query(`select from pg_locks join pg_stat_activity using (pid)
            where datname = current_database() and not granted and transactionid is not null`),
        );
        return waiting.rowCount !== 0;
      });
      await other.query("select from conversations where phone = '14235550109' for update");
      await other.query('commit');
      expect((await sent).status).toBe(200);
    });
    expect(await textsTo('14235550109')).toBe(2);
  });
});

describe('an idempotency key', () => {
  it('with the same request has one effect and the same reply', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await write('4235550110', 'Once', account.owner, headers);
    const second = await write('4235550110', 'Once', account.owner, headers);
    expect(first.status).toBe(200);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await textsTo('14235550110')).toBe(1);
  });

  it('also when twenty come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        write('4235550111', 'Once', account.owner, { 'idempotency-key': 'key-2' }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.TextMessageID)).size).toBe(1);
    expect(await textsTo('14235550111')).toBe(1);
  });

  it('with another body, or for another call, is refused', async () => {
    const headers = { 'idempotency-key': 'key-3' };
    await write('4235550112', 'Once', account.owner, headers);
    expect(refusalOf(await write('4235550112', 'Twice', account.owner, headers))).toMatchObject({
      status: 409,
      ErrorCode: 1011,
    });
    const elsewhere = await app.call(
      sendTextMessage,
      { params: { ConversationID }, body: { Message: 'Once' } },
      { cookie: account.owner.cookie, headers },
    );
    expect(elsewhere.status).toBe(409);
    expect(await textsTo('14235550112')).toBe(1);
  });

  it('of a refused call is free again', async () => {
    const headers = { 'idempotency-key': 'key-4' };
    const consent = { account_id: account.accountId, phone: '14235550113', text_state: 'out' } as const;
    await app.database.system.insertInto('phone_consents').values(consent).execute();
    expect((await write('4235550113', 'Hello', account.owner, headers)).status).toBe(422);
    await app.database.system
      .updateTable('phone_consents')
      .set({ text_state: null })
      .where('phone', '=', '14235550113')
      .execute();
    expect((await write('4235550113', 'Hello', account.owner, headers)).status).toBe(200);
    expect(await textsTo('14235550113')).toBe(1);
  });

  it('belongs to one user', async () => {
    const headers = { 'idempotency-key': 'key-5' };
    const colleague = await buildUser(app, account.accountId, 'admin');
    const mine = await write('4235550114', 'From one', account.owner, headers);
    const theirs = await write('4235550114', 'From two', colleague, headers);
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    expect(await textsTo('14235550114')).toBe(2);
  });

  it('has at least one and at most 200 characters', async () => {
    expect((await write('4235550115', 'Hi', account.owner, { 'idempotency-key': '' })).status).toBe(400);
    const long = { 'idempotency-key': 'x'.repeat(201) };
    expect((await write('4235550115', 'Hi', account.owner, long)).status).toBe(400);
    expect(await textsTo('14235550115')).toBe(0);
  });

  it('that is missing lets the same request have its effect twice', async () => {
    await write('4235550116', 'Twice');
    await write('4235550116', 'Twice');
    expect(await textsTo('14235550116')).toBe(2);
  });
});

describe('invalid bodies', () => {
  const path = `/proxy/api/conversations/${1}/textmessages`;

  it('too large: 413, and nothing happened', async () => {
    const answer = await post(path, JSON.stringify({ Message: 'x'.repeat(1024 * 1024) }));
    expect([answer.status, errorBody.parse(await answer.json()).ErrorCode]).toEqual([413, 413]);
  });

  it('of a public call over 8 kB: 413', async () => {
    const signIn = (length: number) =>
      post('/proxy/public/login', JSON.stringify({ UserName: 'nobody', Password: 'x'.repeat(length) }));
    expect((await signIn(8 * 1024)).status).toBe(413);
    expect((await signIn(7 * 1024)).status).not.toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'jsonx'])(
    'of type %s: 415',
    async (type) => {
      const answer = await post(path, '{"Message":"hi"}', { 'content-type': type });
      expect([answer.status, errorBody.parse(await answer.json()).ErrorCode]).toEqual([415, 415]);
    },
  );

  it('of a JSON type with parameters: accepted', async () => {
    const answer = await post(
      `/proxy/api/conversations/${ConversationID}/textmessages`,
      '{"Message":"A type with parameters"}',
      { 'content-type': 'application/json; charset=utf-8' },
    );
    expect(answer.status).toBe(200);
  });

  it('with a missing field: named', async () => {
    const answer = await post(
      '/proxy/api/conversations',
      '{"TextNumberID":1,"LastMessage":{"Message":"Hi"}}',
    );
    expect(answer.status).toBe(400);
    const { Message, Errors } = errorBody.parse(await answer.json());
    expect(Message).toBe('LastMessage.Contact is missing');
    expect(Errors?.[0]).toEqual({ Field: 'LastMessage.Contact', Message });
  });

  it('with a prototype in it: harmless', async () => {
    const answer = await post(
      '/proxy/public/login',
      '{"__proto__":{"UserName":"a","Password":"b","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(answer.status).toBe(400);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(errorBody.parse(await answer.json()).Errors?.map(({ Field }) => Field)).toEqual([
      'UserName',
      'Password',
    ]);
  });

  it('with the character that PostgreSQL can’t store: 400, anywhere', async () => {
    const statuses = await Promise.all([
      app.call(listConversations, { query: { q: 'a\0b' } }, account.owner),
      app.call(login, { body: { UserName: 'a\0', Password: 'b' } }),
      write('4235550117', 'nothing \0 here'),
      fetch(`${app.url}/media/%00`),
      post('/proxy/api/media/image/a%00.png', 'x', { 'content-type': 'image/png' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 404, 400]);
  });

  it.each(['0000-01-01', '2026-02-30', '99999-01-01', 'yesterday'])('with the date %s: 400', async (date) => {
    const reply = await app.call(listConversations, { query: { 'date-from': date } }, account.owner);
    expect(reply.status).toBe(400);
  });

  it('with an invalid Next cursor: 400', async () => {
    for (const text of ['x', '2026-99-99T00:00:00Z|1', '0000-01-01T00:00:00Z|1', '2026-01-01T00:00:00Z|x']) {
      const next = Buffer.from(text).toString('base64url');
      const reply = await app.call(listConversations, { query: { next } }, account.owner);
      expect([text, reply.status]).toEqual([text, 400]);
    }
  });
});

describe('every reply', () => {
  const addresses = [
    '/proxy/public/setup',
    '/proxy/api/user',
    '/proxy/api/nothing-here',
    '/healthz',
    '/media/unknown',
    '/some/page',
    '/%zz',
  ];

  it('carries the security headers', async () => {
    for (const address of addresses) {
      const { headers } = await fetch(app.url + address);
      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
          const [name = '', ...values] = part.split(' ');
          return [name, values.join(' ')];
        }),
      );
      // The card processor's script is the only external one; in tests the sandbox serves it.
      const scripts = `'self' ${new URL(app.sandbox.url).origin}`;
      expect([address, policy.get('script-src')]).toEqual([address, scripts]);
      expect(policy.get('default-src')).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect(policy.get('object-src')).toBe("'none'");
      expect(policy.get('base-uri')).toBe("'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('requires TLS for a year, but only with TLS', async () => {
    const secure = await testApp({}, { PUBLIC_URL: 'https://muster.example.org' });
    const { headers } = await fetch(`${secure.url}/healthz`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  it('has its own id, which a client can’t choose', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const { headers } = await fetch(`${app.url}/proxy/api/user`, { headers: { 'x-request-id': 'mine' } });
        return headers.get('x-request-id');
      }),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of a call is never cached', async () => {
    const reply = await app.call(getUser, {}, account.owner);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('for a missing path is an error in our format', async () => {
    const answer = await fetch(`${app.url}/proxy/api/nothing-here`);
    expect(answer.status).toBe(404);
    expect(errorBody.parse(await answer.json())).toMatchObject({ ErrorCode: 404, ErrorType: 'Display' });
  });

  it('about an internal error contains no details', async () => {
    await asOwner(app.databaseUrl, (client) =>
      client.query('alter table conversation_views rename to hidden_views'),
    );
    const reply = await app.call(viewConversation, { params: { ConversationID } }, account.owner);
    await asOwner(app.databaseUrl, (client) =>
      client.query('alter table hidden_views rename to conversation_views'),
    );
    expect([reply.status, reply.body]).toEqual([
      500,
      { ErrorCode: 500, ErrorType: 'Unknown', Message: 'Unknown error' },
    ]);
    const after = await app.call(viewConversation, { params: { ConversationID } }, account.owner);
    expect(after.status).toBe(200);
  });
});

describe('public calls', () => {
  it('are limited by address, all of them together', async () => {
    const ask = (address: string) => app.call(getSetup, {}, { headers: { 'x-forwarded-for': address } });
    const first = await Promise.all(Array.from({ length: 240 }, () => ask('198.51.100.1')));
    expect(first.filter(({ status }) => status !== 200)).toEqual([]);
    const refused = refusalOf(await ask('198.51.100.1'));
    expect(refused).toMatchObject({ status: 429, ErrorCode: 1002 });
    const { RetryAfterSeconds } = refused.ExtendedData as { RetryAfterSeconds: number };
    expect(RetryAfterSeconds).toBeGreaterThan(0);
    expect(RetryAfterSeconds).toBeLessThanOrEqual(60);
    const signIn = await app.call(
      login,
      { body: { UserName: account.owner.userName, Password: password } },
      { headers: { 'x-forwarded-for': '198.51.100.1' } },
    );
    expect(signIn.status).toBe(429);
    expect((await ask('198.51.100.2')).status).toBe(200);
  });

  it('do not limit signed-in calls', async () => {
    const reply = await app.call(
      getUser,
      {},
      { cookie: account.owner.cookie, headers: { 'x-forwarded-for': '198.51.100.1' } },
    );
    expect(reply.status).toBe(200);
  });
});

describe('operations', () => {
  it('/metrics is not on the public port', async () => {
    const answer = await fetch(`${app.url}/metrics`);
    expect(await answer.text()).not.toContain('muster_');
    expect(answer.status).toBe(404);
  });

  it('/healthz and /readyz report that everything is fine', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await fetch(app.url + path)).status).toBe(200);
  });

  it('/metrics includes calls, waiting texts and jobs that used up their tries', async () => {
    await asOwner(app.databaseUrl, async (client) => {
      await client.query(
        "select graphile_worker.add_job('sweep_old_rows', run_at => now() + interval '1 day')",
      );
      await client.query(
        "update graphile_worker._private_jobs set attempts = max_attempts where run_at > now() + interval '1 hour'",
      );
    });
    const address = { port: await freePort(), host: '127.0.0.1' };
    const operations = await serveOperations({ ...app.context, isReady: () => true }, address);
    const text = await (await fetch(`http://127.0.0.1:${address.port}/metrics`)).text();
    await operations.close();
    expect(text).toMatch(/muster_call_seconds_count\{call="getUser",status="200"\} \d+/);
    expect(text).toMatch(/^muster_jobs_stuck 1$/m);
    expect(text).toMatch(/^muster_outbox_rows [1-9]\d*$/m);
  });
});

it('a role that a user no longer has no longer applies', async () => {
  const user: BuiltUser = await buildUser(app, account.accountId, 'user');
  expect((await app.call(listConversations, {}, user)).status).toBe(403);
  await app.database.system
    .updateTable('users')
    .set({ role: 'admin' })
    .where('user_id', '=', user.userId)
    .execute();
  expect((await app.call(listConversations, {}, user)).body.Items.length).toBeGreaterThan(0);
});
