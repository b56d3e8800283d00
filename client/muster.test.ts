import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../contract/api-keys.ts';
import { everyCall } from '../contract/calls.ts';
import { scopeOf, scopes } from '../contract/scopes.ts';
import { type BuiltAccount, buildAccount } from '../server/testing/builders.ts';
import { type TestApp, testApp } from '../server/testing/test-app.ts';
import { createMuster, each, MusterError } from './muster.ts';
import { type Operations, operations } from './operations.gen.ts';

let app: TestApp;
let account: BuiltAccount;
let key: string;
let muster: Operations;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  await app.database.system
    .updateTable('accounts')
    .set({ is_api_authorized: true })
    .where('account_id', '=', account.accountId)
    .execute();
  const made = await app.call(createApiKey, { body: { Name: 'Client', Scopes: [...scopes] } }, account.owner);
  key = made.body.Key;
  muster = createMuster({ url: app.url, key });
});

const person = (PrimaryPhone: string) => ({ FirstName: 'Renee', LastName: 'Castellano', PrimaryPhone });

it('has every call that a key can make, and no other', () => {
  const names = Object.values(operations).flatMap((group) => Object.keys(group));
  const offered = everyCall
    .filter(({ name, call }) => scopeOf(name, call) !== undefined)
    .map(({ name }) => name);
  expect(names.sort()).toEqual(offered.sort());
});

describe('calls', () => {
  it('send params, query and body, and give the reply', async () => {
    const { PersonID } = await muster.contacts.addContact({ body: person('4235550150') });
    const found = await muster.contacts.listContacts({ params: { ListID: 0 }, query: { q: 'castellano' } });
    expect(found.Items.map((item) => item.PersonID)).toEqual([PersonID]);
    expect((await muster.accounts.getUser()).UserID).toBe(account.owner.userId);
  });

  it('read lists page by page', async () => {
    for (const phone of ['4235550151', '4235550152', '4235550153'])
      await muster.contacts.addContact({ body: { ...person(phone), AllowDuplicate: true } });
    const seen = [];
    for await (const { PersonID } of each((next) =>
      muster.contacts.listContacts({
        params: { ListID: 0 },
        query: { pagesize: 2, ...(next === undefined ? {} : { next }) },
      }),
    ))
      seen.push(PersonID);
    expect(new Set(seen).size).toBe(4);
  });

  it('give files as they come', async () => {
    const response = await muster.consents.downloadOptOuts();
    expect(await response.text()).toContain(',');
  });

  it('throw what Muster refused, with code, fields and what to do', async () => {
    const wrong = createMuster({ url: app.url, key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` });
    await expect(wrong.accounts.getUser()).rejects.toMatchObject({ status: 401, code: 1021 });
    const refused = await muster.contacts
      .addContact({ body: person('12') })
      .catch((error: unknown) => error as MusterError);
    expect(refused).toBeInstanceOf(MusterError);
    expect(refused).toMatchObject({ status: 400, requestId: expect.any(String) });
    expect((refused as MusterError).errors.map(({ Field }) => Field)).toContain('PrimaryPhone');
  });
});

describe('what is lost on the way', () => {
  /** The server does its work, and the reply is lost the first times. */
  function losing(times: number, how: () => Response | Promise<never>) {
    const keys: (string | null)[] = [];
    let left = times;
    const lossy: typeof fetch = async (address, init) => {
      const answer = await fetch(address, init);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      left -= 1;
      return left >= 0 ? how() : answer;
    };
    return { keys, client: createMuster({ url: app.url, key, fetch: lossy }) };
  }

  it('is sent again with the same Idempotency-Key and has one effect', async () => {
    const { keys, client } = losing(1, () => Promise.reject(new TypeError('connection lost')));
    const { PersonID } = await client.contacts.addContact({ body: person('4235550160') });
    expect(keys.length).toBe(2);
    expect(new Set(keys).size).toBe(1);
    const found = await muster.contacts.listContacts({ params: { ListID: 0 }, query: { q: '4235550160' } });
    expect(found.Items.map((item) => item.PersonID)).toEqual([PersonID]);
  });

  it('waits as long as Retry-After says, and gives up after so many tries', async () => {
    const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
    const { keys, client } = losing(2, busy);
    await client.accounts.getUser();
    expect(keys.length).toBe(3);
    const hopeless = losing(9, busy);
    await expect(hopeless.client.accounts.getUser()).rejects.toMatchObject({ status: 503 });
    expect(hopeless.keys.length).toBe(4);
  });
});
