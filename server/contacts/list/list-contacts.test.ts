import { beforeAll, expect, it } from 'vitest';
import { getContact, listContacts } from '../../../contract/contacts.ts';
import { buildAccount, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildRoster, deleted, type Roster, unfiled } from '../testing/build-roster.ts';

let app: TestApp;
let account: Roster['account'];
let teacher: Roster['teacher'];
let group: number;
let segment: number;
let foreignGroup: number;
let people: Roster['people'];
let createGroup: Roster['createGroup'];
let list: Roster['list'];

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' });
  ({ account, teacher, group, segment, foreignGroup, people, createGroup, list } = await buildRoster(app, {
    '14235550100': 'infobip',
  }));
});

it('lists everyone in the account by last name, then first, in any script, but nobody deleted', async () => {
  expect(await list()).toMatchObject({
    names: ['ben', 'Cy', 'Ana', 'Éva', 'Dee'],
    Size: 5,
    IsMore: false,
    IsSimilar: false,
    Next: null,
  });
});

it('returns a contact with its phones in the API’s format, groups, fields and consent', async () => {
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
    Lists: [{ ListID: group, ListName: 'Bus riders', Color: 3 }],
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

it('shows when the primary phone was last texted, and failures, to the number’s users', async () => {
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

it('returns one contact with the details of each phone, and who shares it', async () => {
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
    .insertInto('consent_ledger')
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

it('of a group: its members; Unfiled: those in no group; Deleted; of a segment: its matches', async () => {
  expect(await list({}, account.owner, group)).toMatchObject({ names: ['Cy', 'Ana'], Size: 2 });
  expect(await list({}, account.owner, unfiled)).toMatchObject({ names: ['ben', 'Éva', 'Dee'], Size: 3 });
  expect(await list({}, account.owner, deleted)).toMatchObject({ names: ['Gone'], Size: 1 });
  expect(await list({}, account.owner, segment)).toMatchObject({ names: ['ben', 'Cy'], Size: 2 });
});

it('a user who doesn’t see all contacts sees those they added', async () => {
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

it('a group that doesn’t exist, is deleted or is another account’s is not found', async () => {
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
