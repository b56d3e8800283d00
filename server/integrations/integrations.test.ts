/**
 * Integrations with the systems that the sandbox simulates. Real servers:
 * server/outside/real-sources.test.ts. Long because every test needs the same organization and the same
 * people in the other system, which are set up once.
 */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addContact, deleteContact, listContacts } from '../../contract/contacts.ts';
import { listDraftContacts } from '../../contract/draft-recipients.ts';
import { createDraft } from '../../contract/drafts.ts';
import * as calls from '../../contract/integrations.ts';
import { listLists } from '../../contract/lists.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { seal } from './open-source.ts';
import { integrationIds as ids, isTooManyLeaving } from './rules.ts';

interface Person {
  id: string;
  first: string;
  last: string;
  phone: string;
  morePhones?: string[];
  groups: string[];
}

let app: TestApp;
let account: BuiltAccount;
let first: Person[];

beforeAll(async () => {
  app = await testApp();
  Object.assign(app.context.config, { INTEGRATIONS_PLAYED_AT: app.sandbox.url });
  first = ((await (await app.sandbox.control('GET', '/sources/people')).json()) as { Items: Person[] }).Items;
});

beforeEach(async () => {
  account = await buildAccount(app);
  await setPeople(first);
  await app.sandbox.control('PUT', '/sources/people', { IsDown: false, TokenSeconds: 3_600, MostMembers: 0 });
});

async function setPeople(people: Person[]): Promise<void> {
  await app.sandbox.control('PUT', '/sources/people', { Items: people });
}

function login(IntegrationID: number, body: Record<string, string> = {}) {
  return app.call(calls.loginIntegration, { params: { IntegrationID }, body }, account.owner);
}

const sheet = () => login(ids.sheet, { SheetUrl: `${app.sandbox.url}/sheet.csv` });

async function groupsOf(IntegrationID: number) {
  const { body, status } = await app.call(
    calls.listIntegrationGroups,
    { params: { IntegrationID } },
    account.owner,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body.Items;
}

async function keep(IntegrationID: number, ...names: string[]) {
  const groups = await groupsOf(IntegrationID);
  const Groups = groups
    .filter(({ GroupName }) => names.includes(GroupName))
    .map(({ GroupID }) => ({ GroupID }));
  expect(Groups).toHaveLength(names.length);
  const reply = await app.call(
    calls.keepIntegrationGroups,
    { params: { IntegrationID }, body: { Groups } },
    account.owner,
  );
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await app.drain();
}

async function find(IntegrationID: number) {
  const { body } = await app.call(calls.listIntegrations, {}, account.owner);
  return body.Items.find((one) => one.IntegrationID === IntegrationID);
}

async function sync(IntegrationID: number) {
  await app.call(calls.syncIntegration, { params: { IntegrationID } }, account.owner);
  await app.drain();
  const { body } = await app.call(calls.listIntegrationSyncs, { params: { IntegrationID } }, account.owner);
  const [last] = body.Items;
  if (last === undefined) throw new Error('no sync');
  return last;
}

const counts = (added: number, changed: number, left: number) => ({
  AddedCount: added,
  ChangedCount: changed,
  LeftCount: left,
});

async function members(name: string): Promise<string[]> {
  const { body } = await app.call(listLists, {}, account.owner);
  const ListID = body.Items.find(({ ListName }) => ListName === name)?.ListID;
  if (ListID === undefined) return [];
  const found = await app.call(listContacts, { params: { ListID }, query: { pagesize: 100 } }, account.owner);
  return found.body.Items.map(({ FirstName, LastName }) => `${FirstName} ${LastName}`).sort();
}

const inGroup = (people: Person[], name: string) =>
  people
    .filter(({ groups }) => groups.includes(name))
    .map(({ first: f, last }) => `${f} ${last}`)
    .sort();

/** Goes through the page where the user signs in, and returns. */
async function signIn(IntegrationID: number, choice: 'Allow' | 'Don’t allow' = 'Allow') {
  const { body } = await login(IntegrationID);
  const { RedirectUrl } = body.LoginInstructions.Data;
  const page = await (await fetch(RedirectUrl)).text();
  const links = [...page.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, href = '', text = '']) => ({
    href: href.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    text,
  }));
  const link = links.find(({ text }) => text === choice);
  let back = new URL(link?.href ?? '', RedirectUrl);
  if (choice === 'Allow') {
    const answer = await fetch(back, { redirect: 'manual' });
    back = new URL(answer.headers.get('location') ?? '');
  }
  expect(back.pathname).toBe('/automation/callback');
  const Query = back.search.slice(1);
  const reply = await app.call(calls.finishIntegrationLogin, { body: { Query } }, account.owner);
  return { Query, reply };
}

/** The steps of a person in the demo, where the forms are prefilled. */
async function connect(kind: keyof typeof ids): Promise<void> {
  if (kind === 'google' || kind === 'microsoft') {
    await signIn(ids[kind]);
    return;
  }
  const { Model } = (await find(ids[kind]))?.LoginInstructions.Data ?? { Model: [] };
  const body = Object.fromEntries(Model.map(({ Name, Value }) => [Name, Value]));
  expect((await login(ids[kind], body)).body).toMatchObject({ Connected: true });
}

/** Number of people that the other system has returned since the last time. */
async function told(): Promise<number> {
  const { Told } = (await (await app.sandbox.control('GET', '/sources/people')).json()) as { Told: number };
  return Told;
}

describe('connecting', () => {
  it('lists the available ones, in the specification’s words', async () => {
    const { body } = await app.call(calls.listIntegrations, { query: { type: 'Contact' } }, account.owner);
    expect(body.Items.map(({ LoginInstructions }) => LoginInstructions.Name)).toEqual([
      ...['Google Contacts', 'Outlook contacts', 'CardDAV address book', 'LDAP directory', 'Published sheet'],
    ]);
    expect(body.Items[2]).toMatchObject({
      ...{ IntegrationID: 1, Connected: false, Type: 'Contact', Sync: null },
      Features: { HasGroupTypes: true, ContactFeatures: { Searchable: true } },
      LoginInstructions: {
        Data: {
          Model: [{ Name: 'ServerUrl' }, { Name: 'UserName' }, { Name: 'Password', IsSecret: true }],
          ...{ PostBackUrl: '/proxy/api/integrations/1/login', RedirectUrl: '', ShowInNewWindow: false },
        },
      },
    });
    const sso = await app.call(calls.listIntegrations, { query: { type: 'SSO' } }, account.owner);
    expect(sso.body.Items).toMatchObject([{ Type: 'SSO', Connected: false }]);
    const none = await app.call(calls.listIntegrations, { query: { connected: true } }, account.owner);
    expect(none.body.Size).toBe(0);
    Object.assign(app.context.config, { GOOGLE_CONTACTS_CLIENT_ID: undefined });
    expect(await find(ids.google)).toBeUndefined();
    Object.assign(app.context.config, { GOOGLE_CONTACTS_CLIENT_ID: 'muster' });
  });

  it('requires every field, and describes an error in a sentence', async () => {
    const empty = refusalOf(await login(ids.carddav, { ServerUrl: 'https://x.example', UserName: '' }));
    expect(empty).toMatchObject({ status: 400, Errors: [{ Field: 'UserName' }] });
    const at = { ServerUrl: `${app.sandbox.url}/carddav/`, UserName: 'office' };
    const wrong = refusalOf(await login(ids.carddav, { ...at, Password: 'guess' }));
    expect(wrong.Message).toBe(
      'There was an error logging into your CardDAV address book account. Please check any information you provided and try again.',
    );
    const problem = 'There was a problem connecting to your integration.';
    const inside = refusalOf(await login(ids.sheet, { SheetUrl: 'https://127.0.0.1:4444/people.csv' }));
    expect(inside.Message).toBe(
      `${problem} 127.0.0.1:4444 is in a private network. Ask whoever runs Muster to allow it.`,
    );
    const plain = refusalOf(await login(ids.sheet, { SheetUrl: 'http://sheets.example/people.csv' }));
    expect(plain.Message).toBe(`${problem} The address of sheets.example has to begin with https://.`);
    const ldap = refusalOf(
      await login(ids.ldap, {
        ServerUrl: 'ldaps://10.0.0.5',
        BaseDN: 'dc=x',
        UserName: 'cn=x',
        Password: 'x',
      }),
    );
    expect(ldap.Message).toContain('10.0.0.5:636 is in a private network.');
    await app.sandbox.control('PUT', '/sources/people', { IsDown: true });
    expect(refusalOf(await sheet()).Message).toContain('doesn’t answer. Try again in a few minutes.');
    expect(await find(ids.sheet)).toMatchObject({ Connected: false });
  });

  it('signs in at Google once, and reports that access was denied', async () => {
    const denied = await signIn(ids.google, 'Don’t allow');
    expect(refusalOf(denied.reply).Message).toContain(
      'There was an error logging into your Google Contacts account.',
    );
    const { Query, reply } = await signIn(ids.google);
    expect(reply.body).toMatchObject({ Connected: true, AccountName: 'office@harlowcreek.example' });
    const again = await app.call(calls.finishIntegrationLogin, { body: { Query } }, account.owner);
    expect(refusalOf(again).Message).toBe('This sign-in is over. Connect the integration again.');
    const { rows } = await sql<{ text: string }>`
      select encode(secret, 'escape') as text from integrations where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(rows[0]?.text).not.toContain('oken');
  });

  it('renews a token once, even for concurrent requests', async () => {
    await app.sandbox.control('PUT', '/sources/people', { TokenSeconds: 30 });
    await signIn(ids.google);
    await app.sandbox.control('PUT', '/sources/people', { TokenSeconds: 3_600 });
    const before = (await (await app.sandbox.control('GET', '/sources/people')).json()) as {
      Refreshes: number;
    };
    const all = await Promise.all([1, 2, 3, 4].map(() => groupsOf(ids.google)));
    for (const groups of all) expect(groups.map(({ GroupName }) => GroupName)).toContain('Volunteers');
    const after = (await (await app.sandbox.control('GET', '/sources/people')).json()) as {
      Refreshes: number;
    };
    expect(after.Refreshes - before.Refreshes).toBe(1);
  });

  it('is for users with permission, and each sees only their own connections', async () => {
    const user = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: false });
    const params = { IntegrationID: ids.sheet };
    const body = { SheetUrl: `${app.sandbox.url}/sheet.csv` };
    expect((await app.call(calls.loginIntegration, { params, body }, user)).status).toBe(403);
    expect((await sheet()).status).toBe(200);
    expect((await app.call(calls.listIntegrationGroups, { params }, user)).status).toBe(403);
    const other = await buildAccount(app);
    for (const call of [calls.listIntegrationGroups, calls.syncIntegration, calls.disconnectIntegration])
      expect((await app.call(call, { params }, other.owner)).status).toBe(404);
  });
});

describe('browsing', () => {
  it.each(['carddav', 'google', 'ldap', 'microsoft', 'sheet'] as const)(
    'reads groups and people of %s',
    async (kind) => {
      const IntegrationID = ids[kind];
      await connect(kind);
      const params = { IntegrationID };
      const types = await app.call(calls.listIntegrationGroupTypes, { params }, account.owner);
      expect(types.body.Size).toBe(kind === 'google' || kind === 'sheet' ? 0 : 2);
      const groups = await groupsOf(IntegrationID);
      const volunteers = groups.find(({ GroupName }) => GroupName === 'Volunteers');
      expect(volunteers).toMatchObject({ ContactCount: 8, ListID: null });
      const Group = volunteers?.GroupID ?? '';
      const page = await app.call(
        calls.listIntegrationContacts,
        { params: { ...params, Group } },
        account.owner,
      );
      expect(page.body.Items).toHaveLength(5);
      expect(page.body.Size).toBe(8);
      const query = { q: 'lindq', pagesize: 10 };
      const found = await app.call(
        calls.listIntegrationContacts,
        { params: { ...params, Group }, query },
        account.owner,
      );
      expect(found.body.Items).toMatchObject([
        { FirstName: 'Ada', LastName: 'Lindqvist', PrimaryPhoneError: '' },
      ]);
      await keep(IntegrationID, 'Volunteers');
      expect(await members('Volunteers')).toEqual(inGroup(first, 'Volunteers'));
    },
  );
});

it('reads everybody in a group, although the directory shows only the first', async () => {
  await app.sandbox.control('PUT', '/sources/people', { MostMembers: 3 });
  await connect('ldap');
  const groups = await groupsOf(ids.ldap);
  expect(groups.find(({ GroupName }) => GroupName === 'Volunteers')?.ContactCount).toBeNull();
  await keep(ids.ldap, 'Volunteers');
  expect(await members('Volunteers')).toEqual(inGroup(first, 'Volunteers'));
});

describe('synchronizing', () => {
  it('adds, changes and removes, shows it, and undoes it', async () => {
    await app.call(
      addContact,
      { body: { FirstName: 'Adelaide', LastName: '', PrimaryPhone: '4235557100' } },
      account.owner,
    );
    await signIn(ids.google);
    await keep(ids.google, 'Volunteers', 'Coaches');
    expect(await members('Volunteers')).toEqual(inGroup(first, 'Volunteers'));
    expect(await members('Coaches')).toEqual(inGroup(first, 'Coaches'));
    // Matched by phone: no second contact, and no opt-in by this.
    const { rows } = await sql<{ contacts: number; consents: number }>`
      select (select count(*) from contacts where account_id = ${account.accountId}) as contacts,
        (select count(*) from phone_consents where account_id = ${account.accountId}) as consents`.execute(
      app.database.system,
    );
    expect(rows[0]).toEqual({ contacts: 16, consents: 0 });
    await checkKeptContacts(app, account.accountId);
    expect(await sync(ids.google)).toMatchObject({ State: 'done', ...counts(0, 0, 0) });

    const changed = first.flatMap((person) => {
      if (person.first === 'Dev') return []; // a volunteer leaves
      if (person.first === 'Grace') return [{ ...person, last: 'Hollis-Reyes', phone: '+1 423-555-7999' }];
      if (person.first === 'Ben') return [{ ...person, groups: ['Volunteers'] }];
      return [person];
    });
    await setPeople([
      ...changed,
      { id: 'new', first: 'Nia', last: 'Brooks', phone: '(423) 555-7998', groups: ['Coaches'] },
      { id: 'none', first: 'No', last: 'Phone', phone: '', groups: ['Coaches'] },
    ]);
    const done = await sync(ids.google);
    expect(done).toMatchObject({ State: 'done', ...counts(1, 2, 1), SkippedCount: 1, CanUndo: true });
    expect(await members('Volunteers')).toEqual([...inGroup(changed, 'Volunteers')].sort());
    expect(await members('Coaches')).toContain('Nia Brooks');
    expect(await members('Coaches')).not.toContain('Ben Okafor');
    const params = { IntegrationID: ids.google, SyncID: done.SyncID };
    const { body } = await app.call(calls.listSyncChanges, { params }, account.owner);
    expect(Object.fromEntries(body.Items.map((one) => [one.FirstName, one]))).toMatchObject({
      Dev: { Kind: 'left', Left: ['Volunteers'] },
      Grace: { Kind: 'changed', Before: 'Grace Hollis, 14235557106', PrimaryPhone: '14235557999' },
      Ben: { Kind: 'changed', Joined: ['Volunteers'], Left: ['Coaches'] },
      Nia: { Kind: 'added', Joined: ['Coaches'] },
    });
    await checkKeptContacts(app, account.accountId);
    // A person who left is still a contact.
    const everyone = await app.call(
      listContacts,
      { params: { ListID: 0 }, query: { q: 'Dev Patel' } },
      account.owner,
    );
    expect(everyone.body.Size).toBe(1);

    const undone = await app.call(calls.undoSync, { params }, account.owner);
    expect(undone.body.Sync).toMatchObject({ State: 'undoing' });
    await app.drain();
    expect(await members('Volunteers')).toEqual(inGroup(first, 'Volunteers'));
    expect(await members('Coaches')).toEqual(inGroup(first, 'Coaches'));
    expect(await find(ids.google)).toMatchObject({ Sync: { State: 'paused', NextTimestamp: null } });
    await checkKeptContacts(app, account.accountId);
    expect((await app.call(calls.undoSync, { params }, account.owner)).status).toBe(409);
    // In the histories of contacts: the first sync found Adelaide, the second changed Dev, Grace and Ben.
    const { rows: marks } = await sql<{ kind: string; people: number }>`
      select kind, sum(cardinality(places))::int as people from mass_changes
      where account_id = ${account.accountId} group by kind, sync_id order by min(mass_change_id)`.execute(
      app.database.system,
    );
    expect(marks).toEqual([
      { kind: 'synced', people: 1 },
      { kind: 'synced', people: 3 },
      { kind: 'undone', people: 3 },
    ]);

    // Run again, it does the same; the volunteer who was restored stays.
    expect(await sync(ids.google)).toMatchObject({ State: 'done', ...counts(1, 2, 0) });
    expect(await members('Volunteers')).toContain('Dev Patel');
    const next = await find(ids.google);
    expect(next?.Sync).toMatchObject({ State: 'idle' });
    expect(Date.parse(next?.Sync?.NextTimestamp ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  it.each(['carddav', 'microsoft'] as const)('reads only the changes of %s', async (kind) => {
    await connect(kind);
    await keep(ids[kind], 'Volunteers');
    let before = await told();
    expect(await sync(ids[kind])).toMatchObject({ State: 'done', ...counts(0, 0, 0) });
    expect((await told()) - before).toBe(0);
    const people = first.flatMap((person) => {
      if (person.first === 'Dev') return [];
      if (person.first === 'Grace') return [{ ...person, phone: '+1 423-555-7999' }];
      // Into another folder, and another group.
      if (person.first === 'Jonas') return [{ ...person, groups: ['Board'] }];
      return [person];
    });
    people.push({ id: 'new', first: 'Nia', last: 'Brooks', phone: '(423) 555-7998', groups: ['Volunteers'] });
    await setPeople(people);
    before = await told();
    expect(await sync(ids[kind])).toMatchObject({ State: 'done', ...counts(1, 1, 2) });
    expect((await told()) - before).toBeLessThan(10);
    expect(await members('Volunteers')).toEqual(inGroup(people, 'Volunteers'));
    await checkKeptContacts(app, account.accountId);
    // An expired token: everybody is read again.
    await setPeople(first);
    await app.sandbox.control('PUT', '/sources/people', { Forget: true });
    expect(await sync(ids[kind])).toMatchObject({ State: 'done' });
    expect(await members('Volunteers')).toEqual(inGroup(first, 'Volunteers'));
  });

  it('asks before everybody would be removed', async () => {
    await sheet();
    await keep(ids.sheet, 'Board');
    const board = inGroup(first, 'Board');
    await setPeople(first.filter(({ groups }) => !groups.includes('Board')));
    expect(await sync(ids.sheet)).toMatchObject({ State: 'held' });
    expect(await members('Board')).toEqual(board);
    expect(await find(ids.sheet)).toMatchObject({
      Sync: { State: 'held', HeldCount: board.length, HeldOf: board.length, NextTimestamp: null },
    });
    const mails = await app.sandbox.mails(`${account.owner.userName}@example.org`);
    expect(mails.map(({ Subject }) => Subject)).toEqual([
      'A sync with Published sheet is waiting for your answer',
    ]);
    expect(mails[0]?.Text).toContain(`no longer has ${board.length} of the ${board.length} people`);
    const params = { IntegrationID: ids.sheet };
    const stay = await app.call(
      calls.decideIntegrationSync,
      { params, body: { GoAhead: false } },
      account.owner,
    );
    expect(stay.body.Sync).toMatchObject({ State: 'paused' });
    await app.drain();
    expect(await members('Board')).toEqual(board);
    expect(await sync(ids.sheet)).toMatchObject({ State: 'held' });
    await app.call(calls.decideIntegrationSync, { params, body: { GoAhead: true } }, account.owner);
    await app.drain();
    expect(await members('Board')).toEqual([]);
    const none = await app.call(
      calls.decideIntegrationSync,
      { params, body: { GoAhead: true } },
      account.owner,
    );
    expect(none.status).toBe(409);
    expect([isTooManyLeaving(0, 0), isTooManyLeaving(1, 1), isTooManyLeaving(4, 6)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([isTooManyLeaving(6, 10), isTooManyLeaving(5, 10)]).toEqual([true, false]);
  });

  it('asks before everybody would leave one of the groups', async () => {
    await connect('google');
    await keep(ids.google, 'My contacts', 'Board', 'Coaches');
    const board = inGroup(first, 'Board');
    await setPeople(
      first.map((person) => ({ ...person, groups: person.groups.filter((name) => name !== 'Board') })),
    );
    expect(await sync(ids.google)).toMatchObject({ State: 'held' });
    expect(await members('Board')).toEqual(board);
    expect((await find(ids.google))?.Sync).toMatchObject({
      ...{ State: 'held', HeldCount: board.length, HeldOf: board.length, HeldGroups: ['Board'] },
    });
    const mails = await app.sandbox.mails(`${account.owner.userName}@example.org`);
    expect(mails.at(-1)?.Text).toContain(
      `no longer has ${board.length} of the ${board.length} people in Board.`,
    );
    const params = { IntegrationID: ids.google };
    await app.call(calls.decideIntegrationSync, { params, body: { GoAhead: true } }, account.owner);
    await app.drain();
    expect(await members('Board')).toEqual([]);
    expect(await members('Coaches')).toEqual(inGroup(first, 'Coaches'));
  });

  it('loses nothing when the other system is down, and runs two concurrent syncs as one', async () => {
    await sheet();
    await keep(ids.sheet, 'Everyone in the sheet');
    await app.sandbox.control('PUT', '/sources/people', { IsDown: true });
    const failed = await sync(ids.sheet);
    expect(failed).toMatchObject({ State: 'failed', ...counts(0, 0, 0) });
    expect(failed.ErrorMessage).toContain('doesn’t answer');
    expect(await find(ids.sheet)).toMatchObject({
      Connected: true,
      Sync: { State: 'failed', PersonCount: 24 },
    });
    await app.sandbox.control('PUT', '/sources/people', { IsDown: false });
    const params = { IntegrationID: ids.sheet };
    await Promise.all([1, 2, 3].map(() => app.call(calls.syncIntegration, { params }, account.owner)));
    await Promise.all([app.drain(), app.drain()]);
    const { body } = await app.call(calls.listIntegrationSyncs, { params }, account.owner);
    expect(body.Items.map(({ State }) => State)).toEqual(['done', 'failed', 'done']);
  });

  it('sends one mail when access was revoked', async () => {
    await connect('carddav');
    await keep(ids.carddav, 'Board');
    const of = { accountId: account.accountId, integrationId: ids.carddav };
    const fields = { ServerUrl: `${app.sandbox.url}/carddav/`, UserName: 'office', Password: 'changed' };
    const secret = await seal(app.database, of, { fields });
    await app.database.system
      .updateTable('integrations')
      .set({ secret, connected_at: new Date() })
      .where('account_id', '=', account.accountId)
      .execute();
    // Other failures before and after it change nothing about that.
    await app.sandbox.control('PUT', '/sources/people', { IsDown: true });
    expect(await sync(ids.carddav)).toMatchObject({ State: 'failed' });
    await app.sandbox.control('PUT', '/sources/people', { IsDown: false });
    expect(await sync(ids.carddav)).toMatchObject({ State: 'failed' });
    await app.sandbox.control('PUT', '/sources/people', { IsDown: true });
    expect(await sync(ids.carddav)).toMatchObject({ State: 'failed' });
    await app.sandbox.control('PUT', '/sources/people', { IsDown: false });
    expect(await sync(ids.carddav)).toMatchObject({ State: 'failed' });
    const mails = await app.sandbox.mails(`${account.owner.userName}@example.org`);
    expect(mails.map(({ Subject }) => Subject)).toEqual(['CardDAV address book no longer lets Muster in']);
    const again = await login(ids.carddav, { ...fields, Password: 'harlow-creek' });
    expect(again.body).toMatchObject({ Connected: true, ConnectTimestamp: expect.any(String) });
    expect(await sync(ids.carddav)).toMatchObject({ State: 'done' });
  });

  it('undoes a sync that was interrupted and changed again what it had created', async () => {
    await connect('carddav');
    const ada = { id: 'twice', first: 'Ada', last: 'Early', phone: '14235558400', groups: ['Movers'] };
    // Two people there with one phone are one contact.
    const twin = { ...ada, id: 'twin', first: 'Twin' };
    await setPeople([ada, twin]);
    await keep(ids.carddav, 'Movers');
    const { rows } = await sql<{ id: number }>`
      update integration_syncs set state = 'running' where account_id = ${account.accountId}
      returning sync_id as id`.execute(app.database.system);
    await setPeople([{ ...ada, last: 'Late' }, twin]);
    const done = await sync(ids.carddav);
    expect(done).toMatchObject({ SyncID: rows[0]?.id, State: 'done', ...counts(1, 0, 0) });
    expect(await members('Movers')).toEqual(['Ada Late']);
    const params = { IntegrationID: ids.carddav, SyncID: done.SyncID };
    await app.call(calls.undoSync, { params }, account.owner);
    await app.drain();
    expect(await members('Movers')).toEqual([]);
    await checkKeptContacts(app, account.accountId);
    const everyone = await app.call(listContacts, { params: { ListID: 0 } }, account.owner);
    expect(everyone.body.Size).toBe(0);
  });

  it('follows phones that change places or are removed, and names that are removed', async () => {
    await connect('carddav');
    const person = (id: number, last: string, ...[phone = '', ...morePhones]: string[]) => {
      return { id: `m${id}`, first: `Person${id}`, last, phone, morePhones, groups: ['Movers'] };
    };
    const [a, b, c] = ['14235558100', '14235558200', '14235558300'];
    const of = (id: number, ...phones: (string | undefined)[]) =>
      phones.map((phone) => String(Number(phone) + id));
    await setPeople([
      person(1, 'Swaps', ...of(1, a, b)),
      person(2, 'Puts first', ...of(2, a)),
      person(3, 'Drops the first', ...of(3, a, b)),
      person(4, 'Drops the second', ...of(4, a, b)),
      person(5, 'Edited here', ...of(5, a, b)),
      person(6, 'Given here', ...of(6, a)),
    ]);
    await keep(ids.carddav, 'Movers');
    await sql`
      update contacts set tertiary_phone = '14235558305' where account_id = ${account.accountId} and first_name = 'Person5'`.execute(
      app.database.system,
    );
    await sql`
      update contacts set secondary_phone = '14235558206', last_name = 'Ours'
      where account_id = ${account.accountId} and first_name = 'Person6'`.execute(app.database.system);
    await setPeople([
      person(1, 'Swaps', ...of(1, b, a)),
      person(2, 'Puts first', ...of(2, c, a)),
      person(3, 'Drops the first', ...of(3, b)),
      person(4, '', ...of(4, a)),
      person(5, 'Edited here', ...of(5, b, a)),
      person(6, '', ...of(6, b, a)),
    ]);
    expect(await sync(ids.carddav)).toMatchObject({ State: 'done', ...counts(0, 6, 0) });
    const { rows } = await sql<{ last_name: string; phones: string[] }>`
      select last_name, array_remove(array[primary_phone, secondary_phone, tertiary_phone]::text[], null) as phones
      from contacts where account_id = ${account.accountId} order by first_name`.execute(app.database.system);
    expect(rows).toEqual([
      { last_name: 'Swaps', phones: of(1, b, a) },
      { last_name: 'Puts first', phones: of(2, c, a) },
      { last_name: 'Drops the first', phones: of(3, b) },
      { last_name: '', phones: of(4, a) },
      { last_name: 'Edited here', phones: of(5, b, a, c) },
      { last_name: 'Ours', phones: of(6, b, a) },
    ]);
    await checkKeptContacts(app, account.accountId);
  });

  it('keeps local changes: edits, deleted contacts, members added by hand', async () => {
    const { body: hand } = await app.call(
      addContact,
      { body: { FirstName: 'Byhand', LastName: '', PrimaryPhone: '4235551234' } },
      account.owner,
    );
    await sheet();
    await keep(ids.sheet, 'Coaches');
    const coaches = inGroup(first, 'Coaches');
    await sql`update contacts set notes = 'ours', first_name = 'Benjamin', updated_at = now()
      where account_id = ${account.accountId} and first_name = 'Ben'`.execute(app.database.system);
    await sql`
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${account.accountId}, g.group_id, c.person_id, c.sort_name from groups g, contacts c
      where g.account_id = ${account.accountId} and g.name = 'Coaches' and c.account_id = g.account_id
        and c.person_id = ${hand.PersonID}`.execute(app.database.system);
    const { rows } = await sql<{ id: number }>`
      select person_id as id from contacts where account_id = ${account.accountId} and first_name = 'Elena'`.execute(
      app.database.system,
    );
    await app.call(deleteContact, { params: { PersonID: rows[0]?.id ?? 0 } }, account.owner);
    await setPeople(
      first.map((person) => (person.first === 'Ivy' ? { ...person, last: 'Tran-Bell' } : person)),
    );
    await sync(ids.sheet);
    const now = await members('Coaches');
    expect(now).toContain('Benjamin Okafor');
    expect(now.map((name) => name.trim())).toContain('Byhand');
    expect(now).not.toContain('Elena Rossi');
    expect(now).toHaveLength(coaches.length);
  });
});

describe('into a broadcast', () => {
  it('adds groups and people as the other system currently has them', async () => {
    await sheet();
    const { body: draft } = await app.call(createDraft, { body: {} }, account.owner);
    const groups = await groupsOf(ids.sheet);
    const idOf = (name: string) => groups.find(({ GroupName }) => GroupName === name)?.GroupID ?? '';
    const params = { IntegrationID: ids.sheet, DraftBroadcastID: draft.DraftBroadcastID };
    const Items = [{ GroupID: idOf('Coaches') }, { GroupID: idOf('Board') }];
    const added = await app.call(
      calls.integrationGroupsToDraft,
      { params, body: { Selection: { Type: 'Selected', Items } } },
      account.owner,
    );
    const many = new Set([...inGroup(first, 'Coaches'), ...inGroup(first, 'Board')]).size;
    expect(added.body).toMatchObject({ Status: 'Complete', AddedCount: many, LeftOutCount: 0 });
    const Group = idOf('Volunteers');
    const page = await app.call(
      calls.listIntegrationContacts,
      { params: { IntegrationID: ids.sheet, Group }, query: { q: 'Ada' } },
      account.owner,
    );
    const one = await app.call(
      calls.integrationContactsToDraft,
      {
        params: { ...params, Group },
        body: {
          Selection: { Type: 'Selected', Items: [{ ContactID: page.body.Items[0]?.ContactID ?? '' }] },
        },
      },
      account.owner,
    );
    // Ada is on the board, too: each phone gets one text.
    expect(one.body).toMatchObject({ Status: 'Complete', AddedCount: 1, LeftOutCount: 1 });
    const rest = await app.call(
      calls.integrationContactsToDraft,
      { params: { ...params, Group }, query: { q: 'Dev' }, body: { Selection: { Type: 'SelectedAll' } } },
      account.owner,
    );
    expect(rest.body).toMatchObject({ AddedCount: 1, LeftOutCount: 0 });
    const listed = await app.call(
      listDraftContacts,
      { params: { DraftBroadcastID: draft.DraftBroadcastID }, query: { q: 'Dev' } },
      account.owner,
    );
    expect(listed.body.Items).toMatchObject([
      { FirstName: 'Dev', LastName: 'Patel', Source: 'Volunteers (Published sheet)' },
    ]);
    const none = await app.call(
      calls.integrationGroupsToDraft,
      { params, body: { Selection: { Type: 'Selected', Items: [] } } },
      account.owner,
    );
    expect(refusalOf(none).Message).toBe('Please select at least one group.');
  });
});

it('disconnects, and contacts stay', async () => {
  await sheet();
  await keep(ids.sheet, 'Coaches');
  const params = { IntegrationID: ids.sheet };
  expect((await app.call(calls.disconnectIntegration, { params }, account.owner)).status).toBe(200);
  expect(await find(ids.sheet)).toMatchObject({ Connected: false, Sync: null, AccountName: '' });
  expect(await members('Coaches')).toEqual(inGroup(first, 'Coaches'));
  expect((await app.call(calls.disconnectIntegration, { params }, account.owner)).status).toBe(404);
  const sso = await app.call(
    calls.disconnectIntegration,
    { params: { IntegrationID: ids.sso } },
    account.owner,
  );
  expect(refusalOf(sso).Message).toBe('Single sign-on is turned off in the security settings.');
});
