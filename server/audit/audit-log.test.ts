import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccountUser } from '../../contract/account-users.ts';
import { listAuditLog } from '../../contract/audit-log.ts';
import { login } from '../../contract/auth.ts';
import { addContact, addCustomField, deleteCustomField, updateContact } from '../../contract/contacts.ts';
import { addList, deleteList, updateList } from '../../contract/lists.ts';
import { ownersAndAdmins } from '../../contract/permissions.ts';
import { updateAccountSecurity } from '../../contract/second-factors.ts';
import { asAccount, asSystem } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser, password } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner, testDb } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { sealEvents } from './seal-events.ts';
import { describeVerdict, verifySeals } from './verify-seals.ts';

let app: TestApp;
let account: BuiltAccount;
let admin: BuiltUser;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  admin = await buildUser(app, account.accountId, 'admin');
});

type Query = Parameters<typeof read>[0];
async function read(
  query: {
    q?: string;
    who?: 'system' | number;
    what?: 'contacts' | 'security' | 'broadcasts';
    object?: number;
  } & {
    'date-from'?: string;
    'date-to'?: string;
    entry?: string;
    pagesize?: number;
    next?: string;
  } = {},
  as: BuiltUser = account.owner,
) {
  const reply = await app.call(listAuditLog, { query }, as);
  expect(reply.status).toBe(200);
  return reply.body;
}
const kindsOf = async (query: Query, as?: BuiltUser) => (await read(query, as)).Items.map(({ Kind }) => Kind);
const happened = (
  events: Parameters<typeof recordEvents>[2],
  by: { userId?: number; address?: string; agent?: string } = {},
) =>
  asAccount(app.database, account.accountId, (trx) =>
    recordEvents(trx, { accountId: account.accountId, ...by }, events),
  );

describe('the audit log', () => {
  it('shows the details of a call: who, from where, to what, before and after, newest first', async () => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    };
    const as = { ...account.owner, headers };
    const { body } = await app.call(
      addContact,
      { body: { FirstName: 'Joanne', LastName: 'Pruitt', PrimaryPhone: '4235550171' } },
      as,
    );
    await app.call(updateAccountSecurity, { body: { RequiresSecondFactor: true } }, as);
    await app.call(updateAccountSecurity, { body: { RequiresSecondFactor: false } }, as);
    const { Items, KeptMonths } = await read();
    expect(KeptMonths).toBe(24);
    expect(Items.slice(0, 3)).toMatchObject([
      {
        Kind: 'security.updated',
        Changes: [{ Field: 'Requires second factor', Before: 'On', After: 'Off' }],
      },
      {
        Kind: 'security.updated',
        Changes: [{ Field: 'Requires second factor', Before: 'Off', After: 'On' }],
      },
      {
        Kind: 'contact.created',
        What: 'Added a contact',
        Area: 'contacts',
        Who: { Kind: 'user', UserID: account.owner.userId },
        Address: '127.0.0.1',
        Agent: 'Chrome on Windows',
        Object: { ID: body.PersonID, Name: 'Joanne Pruitt' },
        Count: 1,
      },
    ]);
    const [, second] = Items;
    expect((await read({ entry: second?.EntryID ?? '' })).Items).toEqual([second]);
  });

  it('names the text numbers that a user could use before and can use now', async () => {
    const own = await buildAccount(app, { numbers: { '14235550161': 'infobip', '14235550162': 'infobip' } });
    const other = await buildUser(app, own.accountId, 'user');
    const [first = 0, second = 0] = Object.values(own.numbers);
    const name = (id: number, text: string) =>
      sql`update text_numbers set name = ${text} where text_number_id = ${id}`.execute(app.database.system);
    await name(first, 'Main office');
    await name(second, '');
    const use = (TextNumbers: number[]) =>
      app.call(updateAccountUser, { params: { UserID: other.userId }, body: { TextNumbers } }, own.owner);
    await use([first]);
    await use([first, second]);
    const { Items } = await read({ pagesize: 1 }, own.owner);
    expect(Items[0]?.Changes).toEqual([
      { Field: 'Text numbers', Before: 'Main office', After: 'Main office, (423) 555-0162' },
    ]);
  });

  it('shows before and after of everything that a call adds, changes or deletes', async () => {
    const as = account.owner;
    const group = await app.call(addList, { body: { ListName: 'Choir' } }, as);
    const params = { ListID: group.body.ListID };
    await app.call(updateList, { params, body: { ListName: 'Singers', Color: 3 } }, as);
    await app.call(deleteList, { params }, as);
    const field = await app.call(addCustomField, { body: { Name: 'Bus' } }, as);
    await app.call(deleteCustomField, { params: { FieldID: field.body.FieldID } }, as);
    const contact = await app.call(
      addContact,
      { body: { FirstName: 'Ana', LastName: 'Smith', PrimaryPhone: '4235550172', Notes: 'Private' } },
      as,
    );
    await app.call(
      updateContact,
      {
        params: { PersonID: contact.body.PersonID },
        body: { FirstName: 'Ana', LastName: 'Smith-Lane', PrimaryPhone: '4235550173', Notes: 'Else' },
      },
      as,
    );
    const { Items } = await read({ pagesize: 7 });
    const changes = Items.map(({ Kind, Changes }) => [
      Kind,
      ...Changes.map(({ Field, Before, After }) => `${Field}: ${Before} to ${After}`),
    ]);
    expect(changes).toEqual([
      [
        'contact.updated',
        'Notes: … to …',
        'Last name: Smith to Smith-Lane',
        'Primary phone: (423) 555-0172 to (423) 555-0173',
      ],
      [
        'contact.created',
        'Notes: … to …',
        'Last name: (empty) to Smith',
        'First name: (empty) to Ana',
        'Primary phone: (empty) to (423) 555-0172',
      ],
      ['customField.deleted', 'Name: Bus to (empty)'],
      ['customField.created', 'Name: (empty) to Bus'],
      ['group.deleted', 'Color: 3 to (empty)', 'List name: Singers to (empty)'],
      ['group.updated', 'Color: 0 to 3', 'List name: Choir to Singers'],
      ['group.created', 'Color: (empty) to 0', 'List name: (empty) to Choir'],
    ]);
  });

  it('is for owners and admins, and for their own account', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const refused = await app.call(listAuditLog, {}, user);
    expect(refusalOf(refused)).toMatchObject({ status: 403, Message: ownersAndAdmins });
    expect((await app.call(listAuditLog, {}, admin)).status).toBe(200);
    const other = await buildAccount(app);
    const theirs = (await read({}, other.owner)).Items;
    expect(theirs).toEqual([]);
    const [mine] = (await read()).Items;
    expect((await read({ entry: mine?.EntryID ?? '' }, other.owner)).Items).toEqual([]);
  });

  it('is filtered by who, what, object, day and words, alone and together', async () => {
    const [dana, marcus] = [
      await buildUser(app, account.accountId, 'user'),
      await buildUser(app, account.accountId, 'user'),
    ];
    await sql`update users set first_name = 'Marcus', last_name = 'Bell' where user_id = ${marcus.userId}`.execute(
      app.database.system,
    );
    await happened(
      [
        { kind: 'contact.updated', id: 901 },
        { kind: 'broadcast.sent', id: 55 },
      ],
      dana,
    );
    await happened([{ kind: 'contact.updated', id: 902 }], marcus);
    await happened([{ kind: 'broadcast.completed', id: 55 }]);
    expect(await kindsOf({ who: dana.userId })).toEqual(['broadcast.sent', 'contact.updated']);
    expect(await kindsOf({ who: dana.userId, what: 'contacts' })).toEqual(['contact.updated']);
    expect(await kindsOf({ what: 'broadcasts', object: 55 })).toEqual([
      'broadcast.completed',
      'broadcast.sent',
    ]);
    expect(await kindsOf({ what: 'contacts', object: 902 })).toEqual(['contact.updated']);
    expect(await kindsOf({ who: 'system' })).toEqual(['broadcast.completed']);
    expect(await kindsOf({ q: 'marcus bell' })).toEqual(['contact.updated']);
    expect(await kindsOf({ q: 'sent a broadcast' })).toEqual(['broadcast.sent']);
    expect(await kindsOf({ q: 'nothing like it' })).toEqual([]);
    expect(await kindsOf({ q: 'marcus', who: dana.userId })).toEqual([]);
    const { format } = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
    // From a minute ago, which is yesterday if a day has just begun.
    const days = { 'date-from': format(Date.now() - 60_000), 'date-to': format(Date.now()) };
    expect(await kindsOf({ who: dana.userId, ...days })).toHaveLength(2);
    expect(await kindsOf({ who: dana.userId, 'date-to': '2026-01-01' })).toEqual([]);
    expect(await kindsOf({ who: dana.userId, 'date-from': '2099-01-01' })).toEqual([]);
  });

  it('is paged without a gap or a repeat, also where many events have the same timestamp', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    await happened(
      Array.from({ length: 25 }, (_, index) => ({
        kind: index % 2 === 0 ? 'contact.updated' : 'tag.updated',
        id: index + 1,
      })),
      user,
    );
    const seen: number[] = [];
    let next: string | undefined;
    do {
      const page = await read({ who: user.userId, pagesize: 7, ...(next === undefined ? {} : { next }) });
      seen.push(...page.Items.map((entry) => entry.Object?.ID ?? 0));
      next = page.Next ?? undefined;
    } while (next !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  it('counts each day of a page whole, with the same filters, wherever the page is cut', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    // Three days in New York: the evening of the first is the next day in UTC.
    const days = { '2026-03-10': 3, '2026-03-09': 5, '2026-03-08': 2 };
    for (const [day, count] of Object.entries(days))
      for (let hour = 0; hour < count; hour += 1)
        await sql`insert into events (account_id, created_at, kind, actor_kind, user_id, subject_id)
          values (${account.accountId}, (${day}::date + time '23:59' - ${hour} * interval '1 hour') at time zone 'America/New_York',
            ${hour === 0 ? 'tag.updated' : 'contact.updated'}, 'user', ${user.userId}, 7)`.execute(
          app.database.system,
        );
    const paged = async (query: Query) => {
      const counts: Record<string, number>[] = [];
      let next: string | null = null;
      do {
        const page = await read({ who: user.userId, ...query, ...(next === null ? {} : { next }) });
        counts.push(Object.fromEntries(page.Days.map((day) => [day.Date, day.Count])));
        next = page.Next;
      } while (next !== null);
      return counts;
    };
    expect(await paged({ pagesize: 50 })).toEqual([days]);
    expect(await paged({ pagesize: 4 })).toEqual([
      { '2026-03-10': 3, '2026-03-09': 5 },
      { '2026-03-09': 5 },
      { '2026-03-08': 2 },
    ]);
    expect(await paged({ pagesize: 1, what: 'contacts', object: 7, 'date-from': '2026-03-09' })).toEqual([
      { '2026-03-10': 2 },
      { '2026-03-10': 2 },
      ...Array.from({ length: 4 }, () => ({ '2026-03-09': 4 })),
    ]);
  });

  it('is searched by the words on the reader’s page, in Spanish too', async () => {
    const reader = await buildUser(app, account.accountId, 'admin');
    const user = await buildUser(app, account.accountId, 'user');
    await happened(
      [{ kind: 'security.updated' }, { kind: 'tag.updated' }, { kind: 'password.changed' }],
      user,
    );
    const found = (q: string) => kindsOf({ q, who: user.userId }, reader);
    expect(await found('changed the')).toEqual(['security.updated']);
    await sql`update users set language_id = 2 where user_id = ${reader.userId}`.execute(app.database.system);
    expect(await found('Cambió una etiqueta')).toEqual(['tag.updated']);
    // As people type it, without accents.
    expect(await found('CONTRASENA cambio')).toEqual(['password.changed']);
    expect(await found('changed the')).toEqual([]);
    const file = await fetch(`${app.url}/proxy/api/account/auditlog/csv?who=${user.userId}&q=etiqueta`, {
      headers: { cookie: reader.cookie },
    });
    expect(await file.text()).toContain('Cambió una etiqueta');
  });

  it('keeps no text’s words and no secret, whatever a verb passes to it', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    await happened(
      [{ kind: 'user.updated', changes: { Password: ['old-1', 'new-2'], AutoReplyMessage: ['a', 'b'] } }],
      user,
    );
    const [entry] = (await read({ who: user.userId })).Items;
    expect(JSON.stringify(entry)).not.toMatch(/old-1|new-2/);
    expect(entry?.Changes).toHaveLength(2);
    await app.call(login, { body: { UserName: user.userName, Password: password } });
    const text = JSON.stringify((await read({ who: user.userId })).Items);
    expect(text).toContain('session.started');
    expect(text).not.toContain(password);
  });

  it('comes as a CSV file with the same filters, and that is recorded', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const events = Array.from({ length: 1_200 }, (_, index) => ({
      kind: 'contact.updated' as const,
      id: index + 1,
      changes: { FirstName: ['=1+1', 'Ann'] },
    }));
    await happened(events, { userId: user.userId, agent: 'Safari on iPhone', address: '203.0.113.24' });
    const answer = await fetch(`${app.url}/proxy/api/account/auditlog/csv?who=${user.userId}`, {
      headers: { cookie: admin.cookie },
    });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines).toHaveLength(1_201);
    expect(lines[1]).toContain('First name: =1+1 → Ann,203.0.113.24,Safari on iPhone');
    expect(await kindsOf({ who: admin.userId, what: 'security' })).toEqual(['auditLog.exported']);
  });

  it('a contact that was changed appears under its current name', async () => {
    const { body } = await app.call(
      addContact,
      { body: { FirstName: 'Old', PrimaryPhone: '4235550172' } },
      admin,
    );
    await sql`update contacts set first_name = 'New' where person_id = ${body.PersonID}`.execute(
      app.database.system,
    );
    const { Items } = await read({ what: 'contacts', object: body.PersonID });
    expect(Items.at(-1)?.Object?.Name).toBe('New');
  });
});

describe('audit events can’t be changed', () => {
  it('by neither role of the application, nor a partition of it', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname::text as name from pg_class c
      where (c.relname = 'events' or c.oid in (select inhrelid from pg_inherits where inhparent = 'events'::regclass))
        and exists (
          select from unnest(array['muster_app', 'muster_system']) as role,
            unnest(array['update', 'delete', 'truncate', 'references', 'trigger']) as may
          where has_table_privilege(role, c.oid, may))`.execute(app.database.system);
    expect(rows).toEqual([]);
    for (const statement of [
      sql`update event_seals set event_count = 0`,
      sql`delete from event_seals`,
      sql`truncate event_seals`,
      sql`truncate events`,
      sql`alter table events disable row level security`,
    ]) {
      await expect(statement.execute(app.database.system)).rejects.toThrow(/permission denied|must be owner/);
      await expect(statement.execute(app.database.app)).rejects.toThrow(/permission denied|must be owner/);
    }
  });

  it('without breaking the seals: changed, removed, added, or the seal itself', async () => {
    const database = await testDb();
    const { account_id: accountId } = await database.system
      .insertInto('accounts')
      .values({ company_name: 'Maple' })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    const record = (id: number) =>
      asSystem(database, (trx) =>
        recordEvents(trx, { accountId, userId: 7 }, [
          { kind: 'contact.updated', id, changes: { Name: ['a', 'b'] } },
        ]),
      );
    let sealed = 0;
    // Transactions of other databases in the same cluster hold the seal up too.
    const seal = (count: number) =>
      waitUntil(async () => {
        sealed += (await asSystem(database, (trx) => sealEvents(trx, 2)))?.count ?? 0;
        return sealed >= count;
      });
    for (let id = 1; id <= 5; id += 1) await record(id);
    await seal(5);
    await record(6);
    const verdict = await verifySeals(database);
    expect(verdict).toMatchObject({ isIntact: true, events: 5, unsealed: 1, dropped: 0 });
    expect(describeVerdict(verdict)).toContain('is as it was sealed: 5 events under 3 seals');

    /** Makes the change as the database’s owner, checks, and rolls it back. */
    const afterwards = async (change: string, back: string) => {
      await asOwner(database.url, (client) => client.query(change));
      const found = await verifySeals(database);
      await asOwner(database.url, (client) => client.query(back));
      expect((await verifySeals(database)).isIntact).toBe(true);
      return found;
    };
    const third = 'subject_id = 3';
    expect(
      await afterwards(
        `update events set user_id = 8 where ${third}`,
        `update events set user_id = 7 where ${third}`,
      ),
    ).toMatchObject({ isIntact: false, broken: { sealId: 2, expected: 2, found: 2 } });
    expect(
      await afterwards(
        `update events set changes = '{"Name": ["a", "c"]}' where ${third}`,
        `update events set changes = '{"Name": ["a", "b"]}' where ${third}`,
      ),
    ).toMatchObject({ isIntact: false, broken: { sealId: 2 } });
    expect(
      await afterwards(
        `create table aside as select * from events where ${third}; delete from events where ${third}`,
        'insert into events overriding system value select * from aside; drop table aside',
      ),
    ).toMatchObject({ isIntact: false, broken: { sealId: 2, found: 1 } });
    const added = await afterwards(
      `insert into events overriding system value
        select account_id, event_id + 1000, created_at, epoch, xact_id, kind, actor_kind, user_id, address, 99, null,
          null, 1, null, agent from events where ${third}`,
      'delete from events where subject_id = 99',
    );
    expect(added).toMatchObject({ isIntact: false, broken: { expected: 2 } });
    expect(describeVerdict(added)).toContain('The audit log was changed. Seal 2 does not fit');
    await asOwner(database.url, (client) =>
      client.query('update event_seals set hash = sha256(hash) where seal_id = 1'),
    );
    expect(await verifySeals(database)).toMatchObject({ isIntact: false, broken: { sealId: 1, found: 2 } });
  });

  it('is sealed by a job every minute, once each', async () => {
    await app.until(async () => {
      await sql`select enqueue('seal_events', '{}', null, null, 1, 0)`.execute(app.database.system);
      return (await verifySeals(app.database)).unsealed === 0;
    });
    const verdict = await verifySeals(app.database);
    expect(verdict.isIntact).toBe(true);
    const { rows } = await sql<{ events: number; sealed: number }>`
      select (select count(*)::int from events) as events,
        (select sum(event_count)::int from event_seals) as sealed`.execute(app.database.system);
    expect(rows[0]?.sealed).toBe(rows[0]?.events);
  });
});
