import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { changeConsent, lookUpPhoneNumbers } from '../../contract/consents.ts';
import { addContact, getContact, listContacts, updateContact } from '../../contract/contacts.ts';
import { addDraftNumbers, listDraftContacts } from '../../contract/draft-recipients.ts';
import { createDraft } from '../../contract/drafts.ts';
import { pasteContacts } from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

async function abroad(countryId: number): Promise<BuiltAccount> {
  const account = await buildAccount(app);
  await sql`update accounts set country_id = ${countryId} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  return account;
}

async function phonesOf({ accountId }: BuiltAccount): Promise<string[]> {
  const { rows } = await sql<{ phone: string }>`
    select primary_phone as phone from contacts where account_id = ${accountId} order by 1`.execute(
    app.database.system,
  );
  return rows.map(({ phone }) => phone);
}

// 212 555 0143 is a possible number in Mexico and Turkey, and 770 555 0143 one in the United Kingdom.
it.each([
  [3, '12125550143'],
  [4, '17705550143'],
  [14, '13108207129'],
  [27, '12125550143'],
])(
  'a number of the United States stays one in country %i, whatever is sent back',
  async (countryId, phone) => {
    const account = await abroad(countryId);
    const { owner } = account;
    const body = { FirstName: 'Ada', PrimaryPhone: `+${phone}` };
    const added = (await app.call(addContact, { body }, owner)).body;
    expect(added.PrimaryPhone).toBe(`+${phone}`);
    const { PersonID, PrimaryPhone } = added;
    const edited = await app.call(
      updateContact,
      { params: { PersonID }, body: { FirstName: 'Ida', PrimaryPhone } },
      owner,
    );
    expect([edited.status, edited.body.PrimaryPhone]).toEqual([200, `+${phone}`]);
    const listed = await app.call(listContacts, { params: { ListID: 0 } }, owner);
    expect(listed.body.Items.map((one) => one.PrimaryPhone)).toEqual([`+${phone}`]);

    // Pasted again it is the same contact.
    const Items = [{ Name: 'Ida', PrimaryPhone: `+${phone}` }];
    const pasted = await app.call(
      pasteContacts,
      { params: { ListID: 0 }, body: { Items, UserIndicatedConsentDeclared: true } },
      owner,
    );
    expect(pasted.body).toMatchObject({ CreatedCount: 0, ExistingCount: 1 });
    expect(await phonesOf(account)).toEqual([phone]);

    // The phone that is opted out is the one that the page showed.
    const shown =
      (await app.call(getContact, { params: { PersonID } }, owner)).body.Phones[0]?.PhoneNumber ?? '';
    const out = await app.call(
      changeConsent,
      { params: { Number: shown }, body: { Channel: 'text', State: 'out' } },
      owner,
    );
    expect(out.status).toBe(200);
    const { rows } = await sql`
    select phone, text_state from phone_consents where account_id = ${account.accountId} and text_state = 'out'`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ phone, text_state: 'out' }]);
    const looked = await app.call(lookUpPhoneNumbers, { body: { Source: [shown] } }, owner);
    expect(looked.body[shown]).toMatchObject({ Number: `+${phone}`, IsValid: true, OptedOut: true });
  },
);

it('a number as people in the United States write it is refused abroad, in a draft too', async () => {
  const { owner } = await abroad(4);
  const body = { FirstName: 'Ada', PrimaryPhone: '(770) 555-0143' };
  const added = await app.call(addContact, { body }, owner);
  expect([added.status, JSON.stringify(added.body)]).toEqual([
    400,
    expect.stringContaining('Must start with 44; no more than 12 digits; use only numbers'),
  ]);
  const { body: draft } = await app.call(createDraft, { body: {} }, owner);
  const params = { DraftBroadcastID: draft.DraftBroadcastID };
  await app.call(
    addDraftNumbers,
    { params, body: { Items: [{ PrimaryPhone: '+17705550143' }, { PrimaryPhone: '(770) 555-0144' }] } },
    owner,
  );
  const { body: recipients } = await app.call(listDraftContacts, { params }, owner);
  expect(recipients.Items.map(({ PrimaryPhone }) => PrimaryPhone).sort()).toEqual([
    '(770) 555-0144',
    '+17705550143',
  ]);
});

it('a number that the lookup found invalid is described in the country’s own words', async () => {
  const { accountId, owner } = await abroad(4);
  const body = { FirstName: 'Ada', PrimaryPhone: '+442079460958' };
  const { PersonID } = (await app.call(addContact, { body }, owner)).body;
  await sql`
    insert into phone_lookups (account_id, phone, is_valid, line_type)
    values (${accountId}, '442079460958', false, 'unknown')
    on conflict (account_id, phone) do update set is_valid = false`.execute(app.database.system);
  const problem = 'Must start with 44; no more than 12 digits; use only numbers';
  const { body: listed } = await app.call(listContacts, { params: { ListID: 0 } }, owner);
  expect(listed.Items.map(({ PrimaryPhoneError }) => PrimaryPhoneError)).toEqual([problem]);
  const { body: shown } = await app.call(getContact, { params: { PersonID } }, owner);
  expect(shown.Phones.map(({ PhoneError }) => PhoneError)).toEqual([problem]);
});
