import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '../../contract/api-keys.ts';
import { listAuditLog } from '../../contract/audit-log.ts';
import { everyCall } from '../../contract/calls.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { scopeOf, scopes } from '../../contract/scopes.ts';
import { createSequence } from '../../contract/sequences.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { aRecording } from '../testing/calls.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { comparableAddress, makeKey, readKey } from './rules.ts';

const phone = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [phone]: 'infobip' }, { TRUST_PROXY: '1', API_CALLS_PER_MINUTE: '300' });
  account = await openAccount({ [phone]: 'infobip' });
});

async function openAccount(numbers: Record<string, 'infobip'> = {}): Promise<BuiltAccount> {
  const built = await buildAccount(app, { numbers });
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', built.accountId)
    .execute();
  return built;
}

async function make(
  given: Partial<{ Name: string; Scopes: string[]; Addresses: string[]; ExpireTimestamp: string }> = {},
  by: BuiltUser = account.owner,
): Promise<{ ApiKeyID: number; Key: string }> {
  const body = { Name: 'Bus tracker', Scopes: ['contacts:write'], ...given } as never;
  const { status, body: reply } = await app.call(createApiKey, { body }, by);
  expect([status, reply]).toEqual([200, { ApiKeyID: expect.any(Number), Key: expect.any(String) }]);
  return reply;
}

/** A program's request: no cookie, no browser. */
async function ask(
  method: string,
  path: string,
  key: string | undefined,
  more: { body?: unknown; headers?: Record<string, string>; at?: string } = {},
) {
  const answer = await fetch(`${more.at ?? app.url}/api/v1${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
}

const rowOf = (ApiKeyID: number) =>
  app.database.system
    .selectFrom('api_keys')
    .selectAll()
    .where('api_key_id', '=', ApiKeyID)
    .executeTakeFirstOrThrow();

async function mailsAbout(
  kind: string,
): Promise<{ to_address: string; subject: string; body_text: string }[]> {
  return app.database.system
    .selectFrom('mails')
    .select(['to_address', 'subject', 'body_text'])
    .where('kind', '=', kind)
    .where('account_id', '=', account.accountId)
    .orderBy('mail_id')
    .execute();
}

const contact = { FirstName: 'Renee', LastName: 'Castellano', PrimaryPhone: '4235550143' };
const everyone = '/lists/0/contacts';

describe('the text of a key', () => {
  it('has a name, a secret and a checksum that detects every one-character typo', () => {
    const { text, publicId, secretHash } = makeKey();
    expect(text).toMatch(/^mk_live_[0-9a-f]{16}_[0-9A-Za-z]{49}$/);
    expect(readKey(text)).toEqual({ publicId, secretHash });
    expect(makeKey().text).not.toBe(text);
    for (let index = 0; index < text.length; index += 1) {
      const other = text[index] === 'a' ? 'b' : 'a';
      expect(readKey(text.slice(0, index) + other + text.slice(index + 1))).toBeUndefined();
    }
    expect(readKey(text.slice(0, -1))).toBeUndefined();
    expect(readKey(`${text}0`)).toBeUndefined();
  });

  it('accepts addresses in any notation', () => {
    expect(comparableAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(comparableAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(comparableAddress('unknown')).toBeNull();
  });
});

describe('creating a key', () => {
  it('shows it once, keeps only a hash, tells the owner by mail and the audit log', async () => {
    const { ApiKeyID, Key } = await make({ Addresses: ['203.0.113.7/24', '127.0.0.1', '::1', '127.0.0.1'] });
    const row = await rowOf(ApiKeyID);
    expect(row.secret_hash).toEqual(readKey(Key)?.secretHash);
    expect([...row.addresses].sort()).toEqual(['127.0.0.1', '203.0.113.0/24', '::1']);
    const secret = Key.split('_')[3] ?? 'none';
    const { rows } = await sql<{ found: number }>`
      select count(*)::int as found from api_keys k, events e, mails m, idempotency_keys i
      where concat(k::text, e::text, m::text, i::text) like ${`%${secret}%`}`.execute(app.database.system);
    expect(rows[0]?.found).toBe(0);

    const list = await app.call(listApiKeys, {}, account.owner);
    expect(list.body.Items[0]).toMatchObject({
      ...{ ApiKeyID, Name: 'Bus tracker', Scopes: ['contacts:write'], IsMine: true, IsExpired: false },
      ...{ Prefix: Key.slice(0, 24), LastUsedTimestamp: null, ExpireTimestamp: null, OldSecretUntil: null },
    });
    expect(JSON.stringify(list.body)).not.toContain(secret);
    const [mail] = await mailsAbout('api-key');
    expect(mail).toMatchObject({
      to_address: `${account.owner.userName}@example.org`,
      subject: 'A new API key: Bus tracker',
    });
    expect(mail?.body_text).toContain('/settings/developers');
    const log = await app.call(listAuditLog, { query: { what: 'integrations' } }, account.owner);
    expect(log.body.Items[0]).toMatchObject({
      ...{ Kind: 'apiKey.created', What: 'Made an API key', Object: { ID: ApiKeyID, Name: 'Bus tracker' } },
      Who: { Kind: 'user' },
    });
  });

  it('requires identity confirmation, API access and a manager', async () => {
    const body = { Name: 'Bus tracker', Scopes: ['contacts:read' as const] };
    await app.database.system
      .updateTable('sessions')
      .set({ confirmed_at: sql`now() - interval '1 hour'` })
      .where('user_id', '=', account.owner.userId)
      .execute();
    expect(refusalOf(await app.call(createApiKey, { body }, account.owner)).ErrorCode).toBe(1014);
    await app.database.system
      .updateTable('sessions')
      .set({ confirmed_at: sql`now()` })
      .where('user_id', '=', account.owner.userId)
      .execute();
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(createApiKey, { body }, user)).status).toBe(403);
    const shut = await buildAccount(app);
    expect((await app.call(createApiKey, { body }, shut.owner)).status).toBe(403);
    const past = { ...body, ExpireTimestamp: '2020-01-01T00:00:00.000Z' };
    expect(refusalOf(await app.call(createApiKey, { body: past }, account.owner)).Errors).toEqual([
      { Field: 'ExpireTimestamp', Message: 'Choose a time in the future' },
    ]);
  });

  it('tells the owners by mail when it may do more than before, not when it may do less', async () => {
    const { ApiKeyID } = await make({
      ...{ Name: 'Widened', Scopes: ['contacts:write', 'library:read'], Addresses: ['203.0.113.0/24'] },
    });
    const change = async (Scopes: string[], Addresses: string[]) => {
      const body = { Name: 'Widened', Scopes, Addresses } as never;
      expect((await app.call(updateApiKey, { params: { ApiKeyID }, body }, account.owner)).status).toBe(200);
      const mails = await mailsAbout('api-key');
      return mails.filter(({ subject }) => subject === 'An API key may do more: Widened');
    };
    expect(await change(['contacts:read'], ['203.0.113.0/24'])).toHaveLength(0);
    const [mail] = await change(['contacts:read', 'broadcasts:send'], ['203.0.113.0/24']);
    expect(mail?.body_text).toContain('It can be used from 203.0.113.0/24.');
    expect(await change(['contacts:read', 'broadcasts:send'], [])).toHaveLength(2);
    expect(await change(['contacts:read', 'broadcasts:send'], ['203.0.113.9'])).toHaveLength(2);
  });

  it('can be changed and given a new secret only by its creator; every manager can revoke it', async () => {
    const own = await openAccount();
    const admin = await buildUser(app, own.accountId, 'admin');
    const { ApiKeyID } = await make({}, own.owner);
    const params = { ApiKeyID };
    const body = { Name: 'Mine', Scopes: ['contacts:write' as const] };
    const sentence = 'Only the person who made a key can change it. You can revoke it.';
    expect(refusalOf(await app.call(updateApiKey, { params, body }, admin)).Message).toBe(sentence);
    expect(refusalOf(await app.call(rotateApiKey, { params, body: {} }, admin)).Message).toBe(sentence);
    expect((await app.call(revokeApiKey, { params }, admin)).status).toBe(200);
    expect((await app.call(revokeApiKey, { params }, admin)).status).toBe(404);
  });
});

describe('using a key', () => {
  it('makes the calls that pages make, as its user, and the audit log shows it', async () => {
    const { ApiKeyID, Key } = await make({ Name: 'Student information system' });
    const added = await ask('POST', '/contacts', Key, { body: contact });
    expect([added.status, added.body]).toEqual([200, expect.objectContaining({ FirstName: 'Renee' })]);
    const list = await ask('GET', `${everyone}?q=castellano`, Key);
    expect([list.status, list.body.Items.length]).toEqual([200, 1]);
    expect(Object.fromEntries(list.headers)).toMatchObject({
      ...{ 'ratelimit-limit': '300', 'ratelimit-remaining': '298', 'ratelimit-policy': '300;w=60' },
      'cache-control': 'no-store',
    });
    expect(Number(list.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    const log = await app.call(listAuditLog, { query: { what: 'contacts' } }, account.owner);
    expect(log.body.Items[0]).toMatchObject({
      ...{ Kind: 'contact.created', Agent: 'API key “Student information system”' },
      Who: { Kind: 'key', UserID: account.owner.userId },
    });
    const { last_used_at, last_used_address } = await rowOf(ApiKeyID);
    expect(last_used_address).toBe('127.0.0.1');
    await ask('GET', everyone, Key);
    expect((await rowOf(ApiKeyID)).last_used_at).toEqual(last_used_at);
    await sql`update api_keys set last_used_at = now() - interval '2 minutes' where api_key_id = ${ApiKeyID}`.execute(
      app.database.system,
    );
    await ask('GET', everyone, Key);
    expect((await rowOf(ApiKeyID)).last_used_at?.getTime()).toBeGreaterThanOrEqual(
      last_used_at?.getTime() ?? 0,
    );
  });

  it('ignores cookies and the request’s origin; the pages’ prefix ignores keys', async () => {
    const { Key } = await make();
    const { cookie } = account.owner;
    expect(refusalOf(await ask('GET', everyone, undefined, { headers: { cookie } }))).toMatchObject({
      ...{ status: 401, ErrorCode: 1020 },
    });
    const elsewhere = { origin: 'https://example.org', 'sec-fetch-site': 'cross-site' };
    const added = await ask('POST', '/contacts', Key, {
      body: { ...contact, PrimaryPhone: '4235550144' },
      headers: elsewhere,
    });
    expect(added.status).toBe(200);
    const page = await fetch(`${app.url}/proxy/api${everyone}`, {
      headers: { authorization: `Bearer ${Key}` },
    });
    expect(page.status).toBe(401);
  });

  it('is limited to its scopes, and to the rights of its user', async () => {
    const reader = await make({ Scopes: ['contacts:read'] });
    const refused = refusalOf(await ask('POST', '/contacts', reader.Key, { body: contact }));
    expect(refused).toMatchObject({
      ...{ status: 403, ErrorCode: 1025, ExtendedData: { NeedsScope: 'contacts:write' } },
      Message:
        'This API key isn’t allowed to do this: it needs the scope contacts:write. Change the key under Settings, Developers.',
    });
    expect((await ask('GET', everyone, reader.Key)).status).toBe(200);
    expect((await ask('GET', '/broadcasts', reader.Key)).status).toBe(403);
    // Calls that aren't offered to keys aren't found there.
    for (const path of ['/apikeys', '/sessions', '/creditcard', '/account/users/summary'])
      expect([path, (await ask('GET', path, reader.Key)).status]).toEqual([path, 404]);
    expect(refusalOf(await ask('GET', '/apikeys', reader.Key))).toMatchObject({
      Message:
        'There is no such call for API keys. Check its method and path: the reference at /api/docs lists all of them.',
    });

    // Its user is an admin who may not see everybody's contacts; deleting from Everyone requires both.
    const admin = await buildUser(app, account.accountId, 'admin', { canSeeAllRoster: false });
    const { Key } = await make({ Scopes: [...scopes] }, admin);
    const all = await ask('GET', everyone, Key);
    expect([all.status, all.body.Items]).toEqual([200, []]);
    expect((await ask('GET', '/user', Key)).body.Denied).toMatchObject({
      manageCard: expect.any(String),
      manageApiKeys: 'The API key isn’t allowed to do this.',
    });
    await sql`update users set role = 'user' where user_id = ${admin.userId}`.execute(app.database.system);
    expect((await ask('GET', '/account/auditlog', Key)).status).toBe(403);
    await sql`update users set is_active = false where user_id = ${admin.userId}`.execute(
      app.database.system,
    );
    expect((await ask('GET', everyone, Key)).status).toBe(401);
  });

  it('changes what is started only if it may send', async () => {
    await sql`update accounts set features = '{DripCampaignsBeta}', quiet_hours_on = false
      where account_id = ${account.accountId}`.execute(app.database.system);
    const { Key } = await make({ Scopes: ['broadcasts:write'] });
    const begun = await ask('POST', '/sequences', Key, { body: {} });
    const { DraftBroadcastID, SequenceID } = begun.body as { DraftBroadcastID: number; SequenceID: number };
    const steps = [{ message: 'See you at the meeting', date: '2099-01-10', time: '3:30 PM' }];
    const change = (message: string) =>
      ask('PUT', `/sequences/${SequenceID}`, Key, { body: { steps: [{ ...steps[0], message }] } });
    const written = await change('A draft may be written');
    expect(written.status, JSON.stringify(written.body)).toBe(200);
    const Items = [{ PrimaryPhone: '4235550177', Name: 'Ana Diaz' }];
    await app.call(addDraftNumbers, { params: { DraftBroadcastID }, body: { Items } }, account.owner);
    const form = { draftBroadcastId: DraftBroadcastID, name: 'Reminders', steps };
    const started = await app.call(
      createSequence,
      { body: { ...form, textNumberId: account.numbers[phone] ?? 0 } },
      account.owner,
    );
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    const added = await ask('POST', `/sequences/${SequenceID}/steps`, Key, {
      body: { message: 'Anything', date: '2099-01-11', time: '3:30 PM' },
    });
    for (const refused of [added, await change('Anything')]) {
      expect(refusalOf(refused)).toMatchObject({
        ...{ status: 403, ErrorCode: 1025, ExtendedData: { NeedsScope: 'broadcasts:send' } },
      });
    }
    const { rows } = await sql<{ body: string }>`
      select body from sequence_steps where sequence_id = ${SequenceID}`.execute(app.database.system);
    expect(rows).toEqual([{ body: 'See you at the meeting' }]);
    expect((await ask('POST', `/sequences/${SequenceID}/pause`, Key, { body: {} })).status).toBe(200);

    // A broadcast that waits for its message starts when it gets one.
    const { body: draft } = await ask('POST', '/draft-broadcasts', Key, { body: {} });
    const id = (draft as { DraftBroadcastID: number }).DraftBroadcastID;
    const give = async () =>
      ask('PUT', `/broadcasts/${id}/Audio`, Key, { body: { AudioID: await aRecording(app, account) } });
    expect((await give()).status).toBe(200);
    await sql`update broadcasts set status = 'needs_message', audio_id = null where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    expect(refusalOf(await give()).ExtendedData).toEqual({ NeedsScope: 'broadcasts:send' });
  });

  it('is refused for every offered call that isn’t in its scopes', async () => {
    const own = await openAccount();
    const { Key } = await make({ Scopes: ['audit:read'] }, own.owner);
    await sql`update api_keys set scopes = '{}' where account_id = ${own.accountId}`.execute(
      app.database.system,
    );
    const wrong: string[] = [];
    for (const { name, call } of everyCall) {
      const needed = scopeOf(name, call);
      const { status } = await ask(call.method, call.path.replace(/:\w+/g, '1'), Key);
      const expected = needed === undefined ? [404] : needed === 'any' ? [200, 404] : [403];
      if (!expected.includes(status)) wrong.push(`${name} ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('invalid keys', () => {
  it('a stolen key is refused everywhere once it is revoked, and its users are notified', async () => {
    const { ApiKeyID, Key } = await make({ Name: 'Stolen' });
    const other = await app.startSecondWeb();
    expect((await ask('GET', everyone, Key)).status).toBe(200);
    expect((await ask('GET', everyone, Key, { at: other })).status).toBe(200);
    await app.call(revokeApiKey, { params: { ApiKeyID } }, account.owner);
    for (const at of [app.url, other]) {
      expect(refusalOf(await ask('GET', everyone, Key, { at }))).toMatchObject({
        status: 401,
        ErrorCode: 1022,
      });
    }
    const list = await app.call(listApiKeys, {}, account.owner);
    expect(list.body.Items.map((item) => item.ApiKeyID)).not.toContain(ApiKeyID);
    expect((await mailsAbout('api-key')).at(-1)?.subject).toBe('An API key was revoked: Stolen');
  });

  it('a mistyped key costs no query', async () => {
    const { Key } = await make();
    const typo = Key.slice(0, -8) + (Key.at(-8) === 'x' ? 'y' : 'x') + Key.slice(-7);
    await asOwner(app.databaseUrl, async (client) => {
      await client.query('begin');
      // A reader of the keys would now wait until the end of this transaction.
      await client.query('lock table api_keys in access exclusive mode');
      expect(refusalOf(await ask('GET', everyone, typo))).toMatchObject({ status: 401, ErrorCode: 1021 });
      expect(refusalOf(await ask('GET', everyone, 'secret'))).toMatchObject({ status: 401, ErrorCode: 1021 });
      await client.query('rollback');
    });
    const answer = await ask('GET', everyone, undefined);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Muster"');
  });

  it('a key used from a wrong address is refused, and reported once a day', async () => {
    const { ApiKeyID, Key } = await make({ Name: 'Office', Addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => ask('GET', everyone, Key, { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.9')).status).toBe(200);
    expect((await from('2001:db8:1::5')).status).toBe(200);
    for (let time = 0; time < 3; time += 1) {
      expect(refusalOf(await from('198.51.100.4'))).toMatchObject({
        ...{ status: 403, ErrorCode: 1024, ExtendedData: { Address: '198.51.100.4' } },
      });
    }
    const mails = await mailsAbout('api-key-refused');
    expect(mails.map(({ subject }) => subject)).toEqual([
      'An API key was tried from a wrong address: Office',
    ]);
    expect(mails[0]?.body_text).toContain('198.51.100.4');
    const { body } = await app.call(listApiKeys, {}, account.owner);
    expect(body.Items.find((item) => item.ApiKeyID === ApiKeyID)?.RefusedAddress).toBe('198.51.100.4');
  });

  it('an expired key is refused with what to do', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { ApiKeyID, Key } = await make({ ExpireTimestamp: soon });
    expect((await ask('GET', everyone, Key)).status).toBe(200);
    await sql`update api_keys set expires_at = now() where api_key_id = ${ApiKeyID}`.execute(
      app.database.system,
    );
    expect(refusalOf(await ask('GET', everyone, Key))).toMatchObject({ status: 401, ErrorCode: 1023 });
  });

  it('a new secret works at once, the old one for the requested time', async () => {
    const { ApiKeyID, Key } = await make();
    const params = { ApiKeyID };
    const first = await app.call(rotateApiKey, { params, body: { OverlapHours: 24 } }, account.owner);
    expect((await ask('GET', everyone, first.body.Key)).status).toBe(200);
    expect((await ask('GET', everyone, Key)).status).toBe(200);
    await sql`update api_keys set old_secret_until = now() where api_key_id = ${ApiKeyID}`.execute(
      app.database.system,
    );
    expect((await ask('GET', everyone, Key)).status).toBe(401);
    const second = await app.call(rotateApiKey, { params, body: { OverlapHours: 0 } }, account.owner);
    expect((await ask('GET', everyone, first.body.Key)).status).toBe(401);
    expect((await ask('GET', everyone, second.body.Key)).status).toBe(200);
  });

  it('a flood is refused at the limit without a query, and the reply says when to continue', async () => {
    const { Key } = await make({ Name: 'Flood' });
    const answers = await Promise.all(Array.from({ length: 305 }, () => ask('GET', '/user', Key)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(300);
    await asOwner(app.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table api_keys in access exclusive mode');
      const over = await ask('GET', '/user', Key);
      expect(refusalOf(over)).toMatchObject({ status: 429, ErrorCode: 1027 });
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(over.headers.get('ratelimit-remaining')).toBe('0');
      await client.query('rollback');
    });
  });

  it('a flood of invalid keys uses one query at a time; its network’s valid keys get through', async () => {
    const office = { headers: { 'x-forwarded-for': '192.0.2.1' } };
    const unknown = () => ask('GET', '/user', makeKey().text, office);
    const statuses = [];
    for (let time = 0; time < 62; time += 1) statuses.push((await unknown()).status);
    expect([statuses[0], statuses[59], statuses.at(-1)]).toEqual([401, 401, 429]);

    // Never used before, so that this process can't know it.
    const right = await make({ Name: 'Office' });
    const revoked = await make({ Name: 'Old office' });
    await app.call(revokeApiKey, { params: { ApiKeyID: revoked.ApiKeyID } }, account.owner);
    const wrongSecret = makeKey(readKey(right.Key)?.publicId).text;
    await asOwner(app.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table api_keys in access exclusive mode');
      const flood = Array.from({ length: 40 }, unknown);
      const others = [right.Key, revoked.Key, wrongSecret].map((key) => ask('GET', '/user', key, office));
      const elsewhere = ask('GET', '/user', right.Key);
      // The flood waits for one query, others have their own.
      const waiting = async () => {
        const { rows } = await client.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      };
      await waitUntil(async () => (await waiting()) >= 2);
      expect(await waiting()).toBe(2);
      await client.query('rollback');
      expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([429]));
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 429, 429]);
      expect((await elsewhere).status).toBe(200);
    });
    // A new secret is recognized at once, and the old one as long as it is valid.
    const params = { ApiKeyID: right.ApiKeyID };
    const { body } = await app.call(rotateApiKey, { params, body: { OverlapHours: 24 } }, account.owner);
    for (const key of [right.Key, body.Key])
      expect((await ask('GET', '/user', key, office)).status).toBe(200);
  });
});

describe('Idempotency-Key of a program', () => {
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('has one effect and the same reply, for every call that changes something', async () => {
    const { Key } = await make({ Scopes: ['contacts:write', 'conversations:send'] });
    const body = { ...contact, PrimaryPhone: '4235550145' };
    const first = await ask('POST', '/contacts', Key, { body, ...withKey('a') });
    expect([first.status, (await ask('POST', '/contacts', Key, { body, ...withKey('a') })).body]).toEqual([
      200,
      first.body,
    ]);
    expect(refusalOf(await ask('POST', '/contacts', Key, { body: contact, ...withKey('a') }))).toMatchObject({
      ...{ status: 422, ErrorCode: 1017 },
    });
    // Also where pages send none.
    const path = `/contacts/${first.body.PersonID}`;
    const change = { body: { ...body, LastName: 'Bell' }, ...withKey('b') };
    expect((await ask('PUT', path, Key, change)).status).toBe(200);
    expect((await ask('PUT', path, Key, { ...change, body: { ...body, LastName: 'Ball' } })).status).toBe(
      422,
    );
    // Another key of the same user has its own.
    const other = await make();
    const fresh = { ...contact, PrimaryPhone: '4235550147' };
    expect((await ask('POST', '/contacts', other.Key, { body: fresh, ...withKey('a') })).status).toBe(200);
    await sql`update idempotency_keys set created_at = now() - interval '4 days'`.execute(
      app.database.system,
    );
    await app.sweep();
    expect((await ask('PUT', path, Key, { ...change, body: { ...body, LastName: 'Ball' } })).status).toBe(
      200,
    );
  });

  it('refuses a repeat while the first one runs', async () => {
    const { Key } = await make();
    const body = { ...contact, PrimaryPhone: '4235550146' };
    await asOwner(app.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table contacts in exclusive mode');
      const running = ask('POST', '/contacts', Key, { body, ...withKey('slow') });
      // The first one holds its key and waits for the table.
      await waitUntil(async () => {
        const { rows } = await client.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      const second = await ask('POST', '/contacts', Key, { body, ...withKey('slow') });
      expect(refusalOf(second)).toMatchObject({ status: 409, ErrorCode: 1018 });
      await client.query('rollback');
      expect((await running).status).toBe(200);
    });
    expect((await ask('POST', '/contacts', Key, { body, ...withKey('slow') })).status).toBe(200);
  });
});
