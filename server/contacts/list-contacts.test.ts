import { beforeAll, describe, expect, it } from 'vitest';
import { getContact, listContacts, type SelectionQuery } from '../../contract/contacts.ts';
import { asAccount } from '../db.ts';
import type { Actor } from '../serve.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { contactsShown } from './queries.ts';

let app: TestApp;
let account: BuiltAccount;
let teacher: BuiltUser;
let group: number;
let segment: number;
let foreignGroup: number;
/** PersonIDs by first name. */
const people = new Map<string, number>();

const everyone = 0;
const unfiled = -1;
const deleted = -2;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' });
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip' } });
  teacher = await buildUser(app, account.accountId, 'user');
  const other = await buildAccount(app);
  const field = await app.database.system
    .insertInto('custom_fields')
    .values({ account_id: account.accountId, name: 'Homeroom' })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  const contact = (first_name: string, last_name: string, more: object = {}) => ({
    account_id: account.accountId,
    first_name,
    last_name,
    ...more,
  });
  const rows = await app.database.system
    .insertInto('contacts')
    .values([
      contact('Ana', 'de Souza', { primary_phone: '14235550101', notes: 'Bus 4' }),
      contact('ben', 'Adams', { primary_phone: '14235550102', secondary_phone: '18655550102' }),
      contact('Cy', 'adams', { primary_phone: '447700900123', created_by_user_id: teacher.userId }),
      contact('Dee', 'Zed_100%', {}),
      contact('Éva', 'Núñez', {
        primary_phone: '14235550105',
        custom_data: JSON.stringify({ [field.field_id]: 'Room Ümlaut' }),
      }),
      contact('Gone', 'Long Ago', { primary_phone: '14235550104', deleted_at: new Date() }),
      { account_id: other.accountId, first_name: 'Foreign', last_name: 'Person' },
    ])
    .returning(['person_id', 'first_name', 'sort_name'])
    .execute();
  for (const row of rows) people.set(row.first_name, row.person_id);
  group = await createGroup(account.accountId, 'Bus riders');
  foreignGroup = await createGroup(other.accountId, 'Theirs');
  segment = await createGroup(account.accountId, 'Adamses', {
    Match: 'all',
    Rules: [{ Kind: 'field', Field: 'lastname', Is: 'equals', Value: 'Adams' }],
  });
  await app.database.system
    .insertInto('group_members')
    .values(
      [0, 2].map((index) => ({
        account_id: account.accountId,
        group_id: group,
        person_id: rows[index]?.person_id ?? 0,
        sort_name: rows[index]?.sort_name ?? '',
      })),
    )
    .execute();
  await app.database.system
    .insertInto('phone_consents')
    .values([
      { account_id: account.accountId, phone: '14235550101', text_state: 'out' },
      { account_id: account.accountId, phone: '14235550102', text_state: 'in', voice_state: 'out' },
    ])
    .execute();
  await app.database.system
    .insertInto('phone_lookups')
    .values({
      account_id: account.accountId,
      phone: '14235550105',
      is_valid: true,
      line_type: 'landline',
      carrier_name: 'Bell',
    })
    .execute();
});

async function createGroup(account_id: number, name: string, asked?: object): Promise<number> {
  const row = await app.database.system
    .insertInto('groups')
    .values({ account_id, name, colour: 3, segment: asked === undefined ? null : JSON.stringify(asked) })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  return row.group_id;
}

interface Query {
  q?: string;
  page?: number;
  pagesize?: number;
  sortby?: 'name' | '-name' | 'newest' | 'oldest';
  consent?: 'optedin' | 'optedout' | 'notasked' | 'donotcall';
  problem?: 'true' | 'false';
  next?: string;
}

async function list(query: Query = {}, as: BuiltUser = account.owner, ListID = everyone) {
  const { body } = await app.call(listContacts, { params: { ListID }, query }, as);
  return { ...body, names: body.Items.map((item) => item.FirstName) };
}

it('lists everyone of the account by last name, then first, whatever the letters; nobody who was deleted', async () => {
  expect(await list()).toMatchObject({
    names: ['ben', 'Cy', 'Ana', 'Éva', 'Dee'],
    Size: 5,
    IsMore: false,
    IsSimilar: false,
    Next: null,
  });
});

it('gives a contact with its phones as they travel, its groups, its fields and what its phone has allowed', async () => {
  const { Items } = await list();
  expect(Items.find((item) => item.FirstName === 'Ana')).toEqual({
    PersonID: people.get('Ana'),
    FirstName: 'Ana',
    LastName: 'de Souza',
    Notes: 'Bus 4',
    PrimaryPhone: '4235550101',
    SecondaryPhone: '',
    TertiaryPhone: '',
    PrimaryPhoneTextable: true,
    SecondaryPhoneTextable: false,
    TertiaryPhoneTextable: false,
    PrimaryPhoneError: 'This number has opted out of receiving texts.',
    PrimaryPhoneOptedIn: false,
    PrimaryPhoneOptedOut: true,
    CustomData: {},
    Lists: [{ ListID: group, ListName: 'Bus riders', Colour: 3 }],
    LastTextTimestamp: null,
    LastTextStatus: '',
    CreateTimestamp: expect.any(String),
  });
  expect(Items.find((item) => item.FirstName === 'ben')).toMatchObject({
    SecondaryPhone: '8655550102',
    SecondaryPhoneTextable: true,
    PrimaryPhoneOptedIn: true,
    PrimaryPhoneOptedOut: false,
    PrimaryPhoneError: '',
    Lists: [],
  });
  expect(Items.find((item) => item.FirstName === 'Cy')).toMatchObject({ PrimaryPhone: '447700900123' });
  expect(Items.find((item) => item.FirstName === 'Éva')).toMatchObject({
    CustomData: { Homeroom: 'Room Ümlaut' },
    PrimaryPhoneTextable: false,
    PrimaryPhoneError: 'This number is not a textable number.',
  });
});

it('says when the primary phone was last texted, and how it went if badly, to those who may use the number', async () => {
  const numberId = account.numbers['14235550100'] ?? 0;
  const text = async (phone: string, status: 'phone_unreachable' | 'delivered') => {
    const { message_id } = await app.database.system
      .insertInto('messages')
      .values({
        account_id: account.accountId,
        text_number_id: numberId,
        phone,
        is_inbound: false,
        status,
        body: 'Hello',
        created_at: '2026-03-01T10:00:00Z',
      })
      .returning('message_id')
      .executeTakeFirstOrThrow();
    await app.database.system
      .insertInto('conversations')
      .values({
        account_id: account.accountId,
        text_number_id: numberId,
        phone,
        last_message_id: message_id,
        last_message_at: '2026-03-01T10:00:00Z',
      })
      .execute();
  };
  await text('447700900123', 'phone_unreachable');
  await text('14235550102', 'delivered');
  const seen = await list();
  const at = '2026-03-01T10:00:00.000Z';
  expect(seen.Items.find(({ FirstName }) => FirstName === 'Cy')).toMatchObject({
    LastTextTimestamp: at,
    LastTextStatus: 'phone_unreachable',
  });
  expect(seen.Items.find(({ FirstName }) => FirstName === 'ben')).toMatchObject({
    LastTextTimestamp: at,
    LastTextStatus: '',
  });
  expect((await list({}, teacher)).Items[0]).toMatchObject({ FirstName: 'Cy', LastTextTimestamp: null });
});

it('gives one contact with what is known of each phone, and who shares it', async () => {
  const { accountId, owner } = await buildAccount(app);
  const made = await app.database.system
    .insertInto('contacts')
    .values([
      {
        account_id: accountId,
        first_name: 'Hal',
        primary_phone: '14235550111',
        secondary_phone: '14235550112',
        created_by_user_id: owner.userId,
      },
      { account_id: accountId, first_name: 'Ida', tertiary_phone: '14235550111' },
      {
        account_id: accountId,
        first_name: 'Jo',
        primary_phone: '14235550111',
        secondary_phone: '14235550111',
      },
      { account_id: accountId, first_name: 'Kit', primary_phone: '14235550111', deleted_at: new Date() },
    ])
    .returning('person_id')
    .execute();
  await app.database.system
    .insertInto('phone_consents')
    .values({ account_id: accountId, phone: '14235550111', text_state: 'in', voice_state: 'out' })
    .execute();
  await app.database.system
    .insertInto('consent_events')
    .values([
      { account_id: accountId, phone: '14235550111', channel: 'both', state: 'in', source: 'import' },
      { account_id: accountId, phone: '14235550111', channel: 'voice', state: 'out', source: 'call' },
    ])
    .execute();
  await app.database.system
    .insertInto('phone_lookups')
    .values({ account_id: accountId, phone: '14235550112', is_valid: false, line_type: 'unknown' })
    .execute();
  const PersonID = made[0]?.person_id ?? 0;
  const { body } = await app.call(getContact, { params: { PersonID } }, owner);
  expect(body).toMatchObject({ FirstName: 'Hal', IsDeleted: false, FileName: '' });
  expect(body.CreatedBy).toMatch(/^Pat Number/);
  expect(body.Phones).toEqual([
    {
      PhoneNumber: '4235550111',
      PhoneTextable: true,
      PhoneError: '',
      PhoneTextOptInStatus: 'OptedIn',
      PhoneSMSAuthorizationMethod: 'import',
      DoNotCallPhone: true,
      GlobalDoNotCallPhone: false,
      LineType: '',
      CarrierName: '',
      SharedWith: 2,
    },
    expect.objectContaining({
      PhoneNumber: '4235550112',
      PhoneTextable: false,
      PhoneTextOptInStatus: 'None',
      GlobalDoNotCallPhone: true,
      LineType: 'unknown',
      SharedWith: 0,
    }),
  ]);
  for (const as of [account.owner, await buildUser(app, accountId, 'user')]) {
    expect((await app.call(getContact, { params: { PersonID } }, as)).status).toBe(404);
  }
});

describe('pages', () => {
  it('by number, with the size of the whole', async () => {
    expect(await list({ pagesize: 3 })).toMatchObject({ names: ['ben', 'Cy', 'Ana'], Size: 5 });
    expect(await list({ pagesize: 3, page: 2 })).toMatchObject({
      names: ['Éva', 'Dee'],
      Size: 5,
      Next: null,
    });
    expect(await list({ pagesize: 3, page: 3 })).toMatchObject({ names: [], Size: 5 });
  });

  const byName = ['ben', 'Cy', 'Ana', 'Éva', 'Dee'];
  const byAge = ['Ana', 'ben', 'Cy', 'Dee', 'Éva'];
  it.each([
    ['name', byName],
    ['-name', byName.toReversed()],
    ['oldest', byAge],
    ['newest', byAge.toReversed()],
  ] as const)('by cursor, sorted by %s: every row once, in order', async (sortby, expected) => {
    for (const query of [{}, { problem: 'false' }, { q: 'a' }] as const) {
      const whole = await list({ sortby, ...query });
      if (!('problem' in query) && !('q' in query)) expect(whole.names).toEqual(expected);
      else expect(whole.names).toEqual(expected.filter((name) => whole.names.includes(name)));
      const walked: string[] = [];
      let next: string | undefined;
      do {
        const page = await list({ sortby, pagesize: 2, ...query, ...(next === undefined ? {} : { next }) });
        expect(page.Size).toBe(whole.Size);
        walked.push(...page.names);
        next = page.Next ?? undefined;
      } while (next !== undefined);
      expect(walked).toEqual(whole.names);
    }
  });

  it('of a group and of the deleted, in every order', async () => {
    expect(await list({ sortby: 'newest' }, account.owner, group)).toMatchObject({ names: ['Cy', 'Ana'] });
    expect(await list({ sortby: '-name' }, account.owner, group)).toMatchObject({ names: ['Ana', 'Cy'] });
    expect(await list({ sortby: 'newest' }, account.owner, deleted)).toMatchObject({
      names: ['Gone'],
      Size: 1,
    });
  });

  it('refuses a cursor that is none', async () => {
    for (const next of ['x', 'bnVsbA', Buffer.from('["a\\u0000",1]').toString('base64url'), 'WyJhIiwtMV0']) {
      const reply = await app.call(listContacts, { params: { ListID: 0 }, query: { next } }, account.owner);
      expect(refusalOf(reply)).toMatchObject({ status: 400, Message: 'next is not a place in this list' });
    }
  });

  it('goes on from a name of the longest letters', async () => {
    const { accountId, owner } = await buildAccount(app);
    const name = '𝕏'.repeat(50);
    await app.database.system
      .insertInto('contacts')
      .values([1, 2].map(() => ({ account_id: accountId, first_name: '漢'.repeat(50), last_name: name })))
      .execute();
    const first = await list({ pagesize: 1 }, owner);
    const second = await list({ pagesize: 1, next: first.Next ?? '' }, owner);
    expect(second.Items.map(({ PersonID }) => PersonID)).toEqual([(first.Items[0]?.PersonID ?? 0) + 1]);
  });
});

describe('search', () => {
  it.each([
    ['ADAMS', ['ben', 'Cy']],
    ['ben ad', ['ben']],
    ['ad ben', ['ben']],
    ['souza', ['Ana']],
    ['s', ['Ana']],
    ['an', ['Ana']],
    ['na', []],
    ['nunez', ['Éva']],
    ['NÚÑ eva', ['Éva']],
    ['umlaut', ['Éva']],
    ['bus 4', ['Ana']],
    ['(423) 555-0101', ['Ana']],
    ['+1 865 555 0102', ['ben']],
    ['1 423 555 0101', ['Ana']],
    ['865', ['ben']],
    ['7700 900', ['Cy']],
    ['_', ['Dee']],
    ['100%', ['Dee']],
    ['%', ['Dee']],
    ['\\', []],
    ['gone', []],
    ['foreign', []],
  ])('%j', async (q, found) => {
    expect(await list({ q })).toMatchObject({ names: found, Size: found.length, IsSimilar: false });
  });

  it('keeps the size of all that was found beside a page of it', async () => {
    expect(await list({ q: 'adams', pagesize: 1 })).toMatchObject({ names: ['ben'], Size: 2 });
  });

  it('within a group, the unfiled, a segment, the deleted', async () => {
    expect(await list({ q: 'adams' }, account.owner, group)).toMatchObject({ names: ['Cy'], Size: 1 });
    expect(await list({ q: 'adams' }, account.owner, unfiled)).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ q: 'ben' }, account.owner, segment)).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ q: 'long ago' }, account.owner, deleted)).toMatchObject({ names: ['Gone'], Size: 1 });
    expect(await list({ q: '555-0104' }, account.owner, deleted)).toMatchObject({ names: ['Gone'] });
    expect(await list({ q: 'ana' }, account.owner, deleted)).toMatchObject({ names: [], Size: 0 });
  });

  it('shows what is near when nothing holds the words', async () => {
    expect(await list({ q: 'adasm' })).toMatchObject({ Size: 2, IsSimilar: true, IsMore: false });
    expect(await list({ q: 'sousa' })).toMatchObject({ names: ['Ana'], IsSimilar: true });
    expect(await list({ q: 'adasm' }, account.owner, group)).toMatchObject({
      names: ['Cy'],
      IsSimilar: true,
    });
    expect(await list({ q: 'adasm' }, teacher)).toMatchObject({ names: ['Cy'], IsSimilar: true });
    expect(await list({ q: 'xqzwvy' })).toMatchObject({ names: [], Size: 0, IsSimilar: false });
    const first = await list({ q: 'adasm', pagesize: 1 });
    const second = await list({ q: 'adasm', pagesize: 1, next: first.Next ?? '' });
    expect([...first.names, ...second.names].sort()).toEqual(['Cy', 'ben']);
    expect(second.Next).toBeNull();
  });
});

describe('filters', () => {
  it.each([
    ['optedin', ['ben']],
    ['optedout', ['Ana']],
    ['notasked', ['Cy', 'Éva']],
    ['donotcall', ['ben']],
  ] as const)('consent %s', async (consent, found) => {
    expect(await list({ consent })).toMatchObject({ names: found, Size: found.length });
  });

  it('whose phone can’t be texted, or who have none; and the others', async () => {
    expect(await list({ problem: 'true' })).toMatchObject({ names: ['Ana', 'Éva', 'Dee'], Size: 3 });
    expect(await list({ problem: 'false' })).toMatchObject({ names: ['ben', 'Cy'], Size: 2 });
  });

  it('beside a search and a group', async () => {
    expect(await list({ q: 'adams', consent: 'optedin' })).toMatchObject({ names: ['ben'], Size: 1 });
    expect(await list({ consent: 'optedout' }, account.owner, group)).toMatchObject({ names: ['Ana'] });
  });

  it('an organization that requires opt-in can text only who has opted in', async () => {
    const strict = await buildAccount(app);
    await app.database.system
      .updateTable('accounts')
      .set({ require_text_opt_in: true })
      .where('account_id', '=', strict.accountId)
      .execute();
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: strict.accountId, first_name: 'Flo', primary_phone: '14235550109' })
      .execute();
    const { Items } = await list({ problem: 'true' }, strict.owner);
    expect(Items.map(({ PrimaryPhoneError }) => PrimaryPhoneError)).toEqual([
      "This number hasn't opted-in to receiving texts.",
    ]);
  });
});

it('of a group: its members; of the unfiled: who is in none; of the deleted; of a segment: whom it finds', async () => {
  expect(await list({}, account.owner, group)).toMatchObject({ names: ['Cy', 'Ana'], Size: 2 });
  expect(await list({}, account.owner, unfiled)).toMatchObject({ names: ['ben', 'Éva', 'Dee'], Size: 3 });
  expect(await list({}, account.owner, deleted)).toMatchObject({ names: ['Gone'], Size: 1 });
  expect(await list({}, account.owner, segment)).toMatchObject({ names: ['ben', 'Cy'], Size: 2 });
});

it('who doesn’t see all contacts sees those one has added', async () => {
  expect(await list({}, teacher)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({}, teacher, group)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({}, teacher, segment)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({}, teacher, unfiled)).toMatchObject({ names: [], Size: 0 });
  expect(await list({}, teacher, deleted)).toMatchObject({ names: [], Size: 0 });
  expect(await list({ q: 'adams' }, teacher)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({ q: 'ben' }, teacher)).toMatchObject({ names: [], Size: 0 });
  const seesAll = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: true });
  expect((await list({}, seesAll)).Size).toBe(5);
});

it('a group that isn’t there, is deleted or is another account’s is not found', async () => {
  const gone = await createGroup(account.accountId, 'Gone');
  await app.database.system
    .updateTable('groups')
    .set({ deleted_at: new Date() })
    .where('group_id', '=', gone)
    .execute();
  for (const ListID of [gone + 1000, gone, foreignGroup]) {
    const { status } = await app.call(listContacts, { params: { ListID } }, account.owner);
    expect([ListID, status]).toEqual([ListID, 404]);
  }
  const { status } = await app.call(listContacts, { params: { ListID: -3 } }, account.owner);
  expect(status).toBe(400);
});

describe('contactsShown', () => {
  const actorOf = (canSeeAllRoster: boolean): Actor => ({
    accountId: account.accountId,
    userId: teacher.userId,
    sessionId: 0,
    role: 'user',
    name: '',
    timeZone: 'UTC',
    canSeeAllRoster,
    address: '',
  });

  async function shown(actor: Actor, listId: number, query: SelectionQuery, within?: [number, number]) {
    return asAccount(app.database, account.accountId, async (trx) => {
      const range = within && { firstId: within[0], lastId: within[1] };
      const condition = await contactsShown(trx, actor, listId, query, range);
      const rows = await trx
        .selectFrom('contacts as c')
        .select('c.first_name')
        .where(condition as never)
        .execute();
      return rows.map(({ first_name }) => first_name).sort();
    });
  }

  it('means exactly what the list shows', async () => {
    const seesAll = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: true });
    const queries: Query[] = [
      {},
      { q: 'adams' },
      { q: 'a' },
      { q: '423 555' },
      { q: 'adasm' },
      { q: 'gone' },
      { q: 'xqzwvy' },
      { consent: 'notasked' },
      { problem: 'true' },
      { q: 'a', problem: 'false' },
    ];
    for (const ListID of [everyone, unfiled, deleted, group, segment]) {
      for (const query of queries) {
        for (const user of [seesAll, teacher]) {
          const { names } = await list(query, user, ListID);
          const { q = '', consent, problem } = query;
          const meant = await shown(actorOf(user === seesAll), ListID, {
            q,
            consent,
            problem: problem === undefined ? undefined : problem === 'true',
          });
          // What is only near to a search is shown, and is never meant by "all".
          expect([ListID, query, meant]).toEqual([ListID, query, q === 'adasm' ? [] : names.sort()]);
        }
      }
    }
  });

  it('within a range of ids; never what is only near, when slices have changed what was meant', async () => {
    const ben = people.get('ben') ?? 0;
    expect(await shown(actorOf(true), everyone, { q: 'adams' }, [ben, ben])).toEqual(['ben']);
    expect(await shown(actorOf(true), everyone, { q: '' }, [ben, ben + 1])).toEqual(['Cy', 'ben']);
    expect(await shown(actorOf(true), everyone, { q: 'adasm' }, [0, ben + 100])).toEqual([]);
  });
});
