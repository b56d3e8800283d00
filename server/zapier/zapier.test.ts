import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey, updateApiKey } from '../../contract/api-keys.ts';
import { addContact } from '../../contract/contacts.ts';
import { addList } from '../../contract/lists.ts';
import { addTemplate } from '../../contract/templates.ts';
import { listWebhooks } from '../../contract/webhooks.ts';
import { hookScopes } from '../../contract/zapier.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const phone = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let zapier: ZapierApp;
let groupId: number;

type Perform = (z: object, bundle: object) => Promise<Record<string, unknown> & Record<string, unknown>[]>;
interface ZapierApp {
  authentication: { test: Perform };
  beforeRequest: ((request: { headers: Record<string, string> }, z: object, bundle: object) => object)[];
  triggers: Record<string, { operation: Record<string, Perform> }>;
  creates: Record<string, { operation: { perform: Perform } }>;
  searches: Record<string, { operation: { perform: Perform } }>;
}

beforeAll(async () => {
  app = await testApp({ [phone]: 'infobip' }, { OUTSIDE_ALLOWED_HOSTS: '127.0.0.1:9' });
  account = await buildAccount(app, { numbers: { [phone]: 'infobip' } });
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', account.accountId)
    .execute();
  // The definition in the form in which people upload it.
  const file = join(import.meta.dirname, '../../docs/zapier/index.js');
  zapier = (await import(pathToFileURL(file).href)).default;
  const { body } = await app.call(addList, { body: { ListName: 'Parents' } }, account.owner);
  groupId = body.ListID;
});

async function makeKey(Scopes: string[]): Promise<string> {
  const body = { Name: 'Zapier', Scopes: Scopes as never };
  return (await app.call(createApiKey, { body }, account.owner)).body.Key;
}

class ZapierError extends Error {
  status: number;
  constructor(message: string, _code: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The object that Zapier passes in: it makes the requests, with the definition's preparation before each. */
function run(perform: Perform | undefined, key: string, given: object = {}, more: object = {}) {
  const bundle = { authData: { url: app.url, key }, inputData: given, meta: { zap: { id: '7' } }, ...more };
  const z = {
    errors: { Error: ZapierError },
    async request(asked: {
      url: string;
      method: string;
      params?: Record<string, string>;
      body?: object;
      headers: Record<string, string>;
    }) {
      for (const before of zapier.beforeRequest) before(asked, z, bundle);
      const query = new URLSearchParams(asked.params).toString();
      const answer = await fetch(asked.url + (query === '' ? '' : `?${query}`), {
        method: asked.method,
        headers: Object.fromEntries(Object.entries(asked.headers).filter(([, value]) => value !== undefined)),
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      });
      const text = await answer.text();
      return { status: answer.status, data: text === '' ? undefined : JSON.parse(text) };
    },
  };
  if (perform === undefined) throw new Error('the definition lacks this');
  return perform(z, bundle);
}

const trigger = (name: string, part: string) => zapier.triggers[name]?.operation[part];
const action = (name: string) => zapier.creates[name]?.operation.perform;

it('connects with a key, and explains an invalid one', async () => {
  const key = await makeKey(['contacts:read']);
  expect((await run(zapier.authentication.test, key)).UserID).toBe(account.owner.userId);
  await expect(run(zapier.authentication.test, `${key}x`)).rejects.toThrow('This API key isn’t complete.');
});

describe('hooks', () => {
  it('are subscribed and unsubscribed as webhooks, limited to what the key may read', async () => {
    const key = await makeKey(['webhooks:write', 'conversations:read']);
    const targetUrl = 'http://127.0.0.1:9/hooks/standard/1';
    const subscribeData = await run(trigger('text_received', 'performSubscribe'), key, {}, { targetUrl });
    const listed = await app.call(listWebhooks, {}, account.owner);
    expect(listed.body.Items).toMatchObject([
      { WebhookID: subscribeData.HookID, Url: targetUrl, EventTypes: ['message.received'], MadeBy: 'zapier' },
    ]);
    await expect(run(trigger('contact_added', 'performSubscribe'), key, {}, { targetUrl })).rejects.toThrow(
      'it needs the scope contacts:read',
    );
    await run(trigger('text_received', 'performUnsubscribe'), key, {}, { subscribeData });
    expect((await app.call(listWebhooks, {}, account.owner)).body.Items).toEqual([]);
    // An error is reported for the field under the caller's name of it.
    const inward = await fetch(`${app.url}/api/v1/zapier/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Event: 'message.received', TargetUrl: 'https://10.0.0.1/hook' }),
    });
    expect([inward.status, await inward.json()]).toMatchObject([
      400,
      { Errors: [{ Field: 'TargetUrl', Message: 'The address is in a private network.' }] },
    ]);
    const subscribe = async (body: object) => {
      const reply = await fetch(`${app.url}/api/v1/zapier/hooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return ((await reply.json()) as { Message: string }).Message;
    };
    expect(await subscribe({ Event: 'message.received', TargetUrl: 'https://me:pw@example.org/x' })).toBe(
      'Leave the name and password out of the address.',
    );
    expect(await subscribe({ Event: 'nope', TargetUrl: 'https://example.org/x' })).toMatch(
      /^Event must be one of: message\.received, /,
    );
    expect(await subscribe({ Event: 'message.received' })).toBe('TargetUrl is missing');
    expect(await subscribe({ Event: 'message.received', TargetUrl: 7 })).toBe('TargetUrl must be a string');
    const reader = await makeKey(['conversations:read']);
    await expect(
      run(trigger('text_received', 'performSubscribe'), reader, {}, { targetUrl }),
    ).rejects.toThrow('it needs the scope webhooks:write');
  });

  it('end with the key that subscribed them, and get no more than it may read', async () => {
    const targetUrl = 'http://127.0.0.1:9/hooks/standard/2';
    const keep = await makeKey(['webhooks:write', 'contacts:read']);
    const lost = await makeKey(['webhooks:write', 'contacts:read']);
    const narrowed = await makeKey(['webhooks:write', 'contacts:read']);
    for (const key of [keep, lost, narrowed])
      await run(trigger('contact_added', 'performSubscribe'), key, {}, { targetUrl });
    const keys = (await app.call(listApiKeys, {}, account.owner)).body.Items;
    const idOf = (key: string) => keys.find(({ Prefix }) => key.startsWith(Prefix))?.ApiKeyID ?? 0;
    const body = {
      Name: 'Zapier',
      Scopes: ['webhooks:write' as const],
      Addresses: [],
      ExpireTimestamp: null,
    };
    const narrow = await app.call(
      updateApiKey,
      { params: { ApiKeyID: idOf(narrowed) }, body },
      account.owner,
    );
    expect(narrow.status).toBe(200);
    await app.call(revokeApiKey, { params: { ApiKeyID: idOf(lost) } }, account.owner);
    const tell = async (PrimaryPhone: string) => {
      await app.call(addContact, { body: { FirstName: 'Ed', LastName: '', PrimaryPhone } }, account.owner);
      await app.drain();
      const { rows } = await sql<{ key: number; many: number }>`
        select w.api_key_id as key, count(*)::int as many from webhook_endpoints w
        join webhook_deliveries d using (account_id, endpoint_id) where w.url = ${targetUrl} group by 1`.execute(
        app.database.system,
      );
      return rows;
    };
    expect(await tell('4235550171')).toEqual([{ key: idOf(keep), many: 1 }]);
    const { body: listed } = await app.call(listWebhooks, {}, account.owner);
    expect(listed.Items.map(({ Url, IsEnabled }) => [Url, IsEnabled])).toEqual([
      [targetUrl, true],
      [targetUrl, true],
    ]);
    // Without its user a key is invalid, and so is everything that it subscribed.
    await sql`update api_keys set expires_at = now() where api_key_id = ${idOf(keep)}`.execute(
      app.database.system,
    );
    expect(await tell('4235550172')).toEqual([{ key: idOf(keep), many: 1 }]);
    const { body: after } = await app.call(listWebhooks, {}, account.owner);
    expect(after.Items[0]).toMatchObject({ IsEnabled: false, OffReason: 'key' });
  });

  it('show a sample of each event, and read deliveries', async () => {
    const key = await makeKey(['webhooks:write', ...new Set(Object.values(hookScopes))]);
    for (const [name, { operation }] of Object.entries(zapier.triggers)) {
      if (operation.performSubscribe === undefined) continue;
      const [sample] = await run(operation.performList, key);
      expect([name, sample]).toEqual([name, expect.objectContaining({ id: 'sample-0' })]);
    }
    const posted = {
      type: 'message.received',
      timestamp: '2026-03-10T14:46:08.000Z',
      data: { Message: 'Hi' },
    };
    const rawRequest = { headers: { 'Http-Webhook-Id': 'msg_1' } };
    expect(
      await run(trigger('text_received', 'perform'), key, {}, { cleanedRequest: posted, rawRequest }),
    ).toEqual([{ id: 'msg_1', timestamp: posted.timestamp, Message: 'Hi' }]);
  });
});

describe('actions', () => {
  it('add, find and group contacts, which polling then sees', async () => {
    const key = await makeKey(['contacts:write']);
    const given = { first_name: 'Renee', last_name: 'Castellano', phone: '4235550143', once: 'row 1' };
    const added = await run(action('add_contact'), key, given);
    expect((await run(action('add_contact'), key, given)).id).toBe(added.id);
    const [found] = await run(zapier.searches.find_contact?.operation.perform, key, { words: 'castellano' });
    expect(found?.id).toBe(added.id);
    await run(action('add_to_group'), key, { contact: added.id, group: groupId });
    const seen = await run(trigger('contact_in_group', 'perform'), key, { group: groupId });
    expect(seen.map(({ id }) => id)).toEqual([added.id]);
    const groups = await run(trigger('group_choices', 'perform'), key);
    expect(groups.map(({ ListName }) => ListName)).toContain('Parents');
  });

  it('send one text, however often Zapier repeats the step', async () => {
    const key = await makeKey(['conversations:send', 'numbers:read']);
    const [number] = await run(trigger('text_number_choices', 'perform'), key);
    const given = {
      text_number: number?.id,
      phone: '4235550143',
      message: 'The bus is late.',
      once: 'row 1',
    };
    const first = await run(action('send_text'), key, given);
    expect((await run(action('send_text'), key, given)).id).toBe(first.id);
    // Another step of the same Zap, for the same record.
    const other = await run(action('send_text'), key, { ...given, message: 'It comes at nine.' });
    expect(other.id).not.toBe(first.id);
    await app.drain();
    const texts = await app.database.system
      .selectFrom('messages')
      .select('body')
      .orderBy('message_id')
      .execute();
    expect(texts).toEqual([{ body: 'The bus is late.' }, { body: 'It comes at nine.' }]);
    await expect(run(action('send_text'), key, { ...given, phone: '12', once: '' })).rejects.toThrow();
  });

  it('start one broadcast from a saved text', async () => {
    const key = await makeKey(['broadcasts:send', 'contacts:read', 'library:read', 'numbers:read']);
    await app.call(
      addContact,
      { body: { FirstName: 'Marcus', PrimaryPhone: '4235550144', ListIDs: [groupId] } },
      account.owner,
    );
    const template = await app.call(
      addTemplate,
      { body: { TemplateName: 'Early dismissal', TemplateText: 'School ends at noon.' } },
      account.owner,
    );
    const given = {
      ...{ group: groupId, saved_text: template.body.TemplateID, text_number: account.numbers[phone] },
      once: 'row 1',
    };
    const sent = await run(action('start_broadcast'), key, given);
    expect((await run(action('start_broadcast'), key, given)).id).toBe(sent.id);
    const listed = await run(trigger('broadcast_sent', 'perform'), key);
    expect(listed).toMatchObject([{ id: sent.id, BroadcastName: 'Early dismissal', PhoneNumberCount: 2 }]);
    // Without the access level for sending, it stops before anything is sent.
    const drafter = await makeKey(['broadcasts:write', 'contacts:read', 'library:read']);
    await expect(run(action('start_broadcast'), drafter, { ...given, once: '' })).rejects.toThrow(
      'it needs the scope broadcasts:send',
    );
  });
});
