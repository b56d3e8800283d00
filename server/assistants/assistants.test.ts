import { beforeAll, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../contract/api-keys.ts';
import { addContact } from '../../contract/contacts.ts';
import { addList } from '../../contract/lists.ts';
import { scopes } from '../../contract/scopes.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const phone = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let groupId: number;

beforeAll(async () => {
  app = await testApp({ [phone]: 'infobip' });
  account = await buildAccount(app, { numbers: { [phone]: 'infobip' } });
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', account.accountId)
    .execute();
  const { body: group } = await app.call(addList, { body: { ListName: 'Parents' } }, account.owner);
  groupId = group.ListID;
  for (const [FirstName, PrimaryPhone] of [
    ['Renee', '4235550143'],
    ['Marcus', '4235550144'],
  ] as const) {
    const body = { FirstName, LastName: 'Castellano', PrimaryPhone, ListIDs: [groupId] };
    await app.call(addContact, { body }, account.owner);
  }
});

async function makeKey(Scopes: readonly string[], Addresses: string[] = []) {
  const body = { Name: 'Assistant', Scopes: Scopes as never, Addresses };
  return (await app.call(createApiKey, { body }, account.owner)).body;
}

let serial = 0;

/** A request by a client of the 2025 protocol: JSON-RPC in one POST. */
async function ask(key: string, method: string, params: object = {}) {
  serial += 1;
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: serial, method, params }),
  });
  const text = await answer.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: answer.status, body: json === '' ? undefined : JSON.parse(json) };
}

const use = async (key: string, name: string, given: object = {}) =>
  (await ask(key, 'tools/call', { name, arguments: given })).body.result;

const toolsOf = async (key: string): Promise<string[]> =>
  (await ask(key, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name);

it('introduces itself and offers the tools that the key’s scopes allow; none of them sends', async () => {
  const { Key } = await makeKey(scopes);
  const hello = await ask(Key, 'initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  expect(hello.body.result).toMatchObject({
    serverInfo: { name: 'muster' },
    instructions: expect.stringContaining('You can’t send anything'),
  });
  expect(await toolsOf(Key)).toEqual([
    ...['find_contacts', 'list_groups', 'list_text_numbers', 'list_saved_texts', 'prepare_broadcast'],
    ...['preview_broadcast', 'list_broadcasts', 'get_broadcast_results'],
  ]);
  const reader = await makeKey(['broadcasts:read']);
  expect(await toolsOf(reader.Key)).toEqual([
    ...['preview_broadcast', 'list_broadcasts', 'get_broadcast_results'],
  ]);
});

it('prepares a broadcast with its cost and a link, and sends nothing even with a key that could', async () => {
  const { Key } = await makeKey(scopes);
  const { structuredContent: found } = await use(Key, 'list_groups', { query: 'Parents' });
  expect(found.groups).toContainEqual({ group_id: groupId, name: 'Parents', people: 2 });
  const { structuredContent: draft } = await use(Key, 'prepare_broadcast', {
    ...{ name: 'Early dismissal', message: 'School ends at noon today.', group_ids: [groupId] },
    text_number_id: account.numbers[phone],
  });
  expect(draft).toMatchObject({
    ...{ is_sent: false, recipients: 2, credits: 2, problem: null, balance: 1000 },
    link: expect.stringMatching(/\/broadcasts\/create\?draft=\d+$/),
  });
  const { structuredContent: again } = await use(Key, 'preview_broadcast', { draft_id: draft.draft_id });
  expect(again).toMatchObject({ draft_id: draft.draft_id, recipients: 2 });
  const { structuredContent: sent } = await use(Key, 'list_broadcasts');
  expect(sent.broadcasts).toEqual([]);
  await app.drain();
  expect(await app.database.system.selectFrom('messages').select('message_id').execute()).toEqual([]);
});

it('finds contacts, and explains refusals in words', async () => {
  const { Key } = await makeKey(['contacts:read', 'broadcasts:write']);
  const { structuredContent: found } = await use(Key, 'find_contacts', { query: 'renee' });
  expect(found).toMatchObject({ total: 1, contacts: [{ name: 'Renee Castellano', phone: '4235550143' }] });
  const refused = await use(Key, 'preview_broadcast', { draft_id: 999_999 });
  expect(refused).toMatchObject({ isError: true, content: [{ text: 'That draft is no longer here.' }] });
  const wrong = await use(Key, 'prepare_broadcast', { name: '', message: 'x' });
  expect(JSON.stringify(wrong)).toContain('name');
});

it('requires a valid key, from an address that it is limited to', async () => {
  const { ApiKeyID, Key } = await makeKey(['contacts:read']);
  expect((await ask('mk_live_nothing', 'tools/list')).status).toBe(401);
  expect((await ask(Key, 'tools/list')).status).toBe(200);
  await app.call(revokeApiKey, { params: { ApiKeyID } }, account.owner);
  expect((await ask(Key, 'tools/list')).status).toBe(401);
  const elsewhere = await makeKey(['contacts:read'], ['203.0.113.0/24']);
  expect((await ask(elsewhere.Key, 'tools/list')).status).toBe(403);
  // A browser that opens the URL is not a client of the protocol.
  const page = await fetch(`${app.url}/mcp`);
  expect(page.status).toBe(401);
});
