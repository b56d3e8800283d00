import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { updateUser } from '../../contract/accounts.ts';
import { getBroadcast, listBroadcasts } from '../../contract/broadcasts.ts';
import { addTransferNumber, listCallerIds, listTransferNumbers } from '../../contract/calling.ts';
import { changeConsent, lookUpPhoneNumbers } from '../../contract/consents.ts';
import { addContact, getContact, listContacts, updateContact } from '../../contract/contacts.ts';
import { addDraftNumbers, listDraftContacts } from '../../contract/draft-recipients.ts';
import { createDraft, getDraft, getPreflight, updateDraft } from '../../contract/drafts.ts';
import { pasteContacts } from '../../contract/imports.ts';
import { listTextNumbers } from '../../contract/numbers.ts';
import {
  getOnboarding,
  getPlatformFreeTrial,
  sendMfa,
  sendSampleText,
  verifyMfa,
} from '../../contract/onboarding.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { aRecording, callAtAnyHour, send } from '../testing/calls.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
const codeNumber = '14235550191';
const callers = ['14235550120', '14235550121'] as const;
beforeAll(async () => {
  app = await testApp(
    { [codeNumber]: 'infobip', [callers[0]]: 'twilio', [callers[1]]: 'twilio' },
    { CODE_NUMBER: codeNumber, LOOKUPS: '1', CALL_LINES: '10' },
  );
});

async function abroad(
  countryId: number,
  options: Parameters<typeof buildAccount>[1] = {},
): Promise<BuiltAccount> {
  const account = await buildAccount(app, options);
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

// 423 555 0120 is a possible number in Mexico too.
it.each([
  [4, callers[0]],
  [3, callers[1]],
])('calls come from a number of the United States in country %i too', async (countryId, phone) => {
  const account = await abroad(countryId, { numbers: { [phone]: 'twilio' } });
  await callAtAnyHour(app, account);
  const { owner } = account;
  const wire = `+${phone}`;
  const { body: numbers } = await app.call(listTextNumbers, {}, owner);
  expect(numbers.Items.map(({ TextPhoneNumber }) => TextPhoneNumber)).toEqual([wire]);
  const { body: callerIds } = await app.call(listCallerIds, {}, owner);
  expect(callerIds.Items.map(({ PhoneNumber }) => PhoneNumber)).toEqual([wire]);
  // As the settings save it: it is the same number, and chosen.
  const chosen = await app.call(updateUser, { body: { CallerID: wire } }, owner);
  expect([chosen.status, chosen.body.CallerID]).toEqual([200, wire]);
  const again = await app.call(listCallerIds, {}, owner);
  expect(again.body.Items).toMatchObject([{ PhoneNumber: wire, IsDefault: true }]);

  const transfer = await app.call(addTransferNumber, { body: { PhoneNumber: wire } }, owner);
  expect(transfer.body).toMatchObject({ PhoneNumber: wire, Status: 'Approved' });
  const transfers = await app.call(listTransferNumbers, {}, owner);
  expect(transfers.body.Items.map(({ PhoneNumber }) => PhoneNumber)).toEqual([wire]);

  // The sender's own is in a draft that says nothing else, and survives being saved again.
  const body = {
    BroadcastName: 'Snow day',
    BroadcastType: 'Announcement' as const,
    Audio: { AudioID: await aRecording(app, account) },
    AudioVM: { AudioID: await aRecording(app, account) },
  };
  const draftId = (await app.call(createDraft, { body }, owner)).body.DraftBroadcastID;
  const params = { DraftBroadcastID: draftId };
  const draft = async () => (await app.call(getDraft, { params }, owner)).body.CallerID;
  expect(await draft()).toBe(wire);
  await app.call(updateDraft, { params, body: { CallerID: await draft() } }, owner);
  expect(await draft()).toBe(wire);
  const { body: preflight } = await app.call(getPreflight, { params }, owner);
  expect(preflight.Calls?.CallerID).toBe(wire);
  // A typed caller ID stays as it is, whatever it will be read as.
  for (const CallerID of ['14235550120', '07911 123456', '7911123456']) {
    await app.call(updateDraft, { params, body: { CallerID } }, owner);
    expect(await draft()).toBe(CallerID);
  }
  await app.call(updateDraft, { params, body: { CallerID: wire } }, owner);
  await app.call(addDraftNumbers, { params, body: { Items: [{ PrimaryPhone: '+14235550143' }] } }, owner);
  expect((await send(app, account, draftId)).status).toBe(200);
  const sent = await app.call(getBroadcast, { params: { BroadcastID: draftId } }, owner);
  expect(sent.body.CallerID).toBe(wire);
  const { body: list } = await app.call(listBroadcasts, {}, owner);
  expect(list.Items.map(({ CallerID }) => CallerID)).toEqual([wire]);
});

it('a phone of the United States is verified abroad, and takes a sample', async () => {
  const account = await abroad(4);
  const { owner } = account;
  await sql`update accounts set is_free_trial = true where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  await sql`insert into activations (account_id, phone) values (${account.accountId}, '14235550144')`.execute(
    app.database.system,
  );
  const wire = '+14235550144';
  const { body: onboarding } = await app.call(getOnboarding, {}, owner);
  expect(onboarding.Activation.Phone).toBe(wire);
  const sent = await app.call(sendMfa, { body: { Channel: 'sms', PhoneNumber: wire } }, owner);
  expect(sent.body.PhoneNumber).toBe(wire);
  const texts = await app.until(async () => {
    const came = await app.sandbox.messages('14235550144');
    return came.length > 0 && came;
  });
  const Code = /^\d{6}/.exec(texts.at(-1)?.Text ?? '')?.[0] ?? '';
  expect((await app.call(verifyMfa, { params: { Code } }, owner)).body.PhoneNumber).toBe(wire);
  expect((await app.call(getOnboarding, {}, owner)).body.mfaPhoneNumbers).toEqual([wire]);
  const { body: trial } = await app.call(getPlatformFreeTrial, {}, owner);
  expect(trial.mfaPhoneNumbers).toEqual([wire]);
  const [Message = ''] = trial.cannedPftMessages;
  const sample = await app.call(sendSampleText, { body: { PhoneNumber: wire, Message } }, owner);
  expect([sample.status, sample.body.PhoneNumber]).toEqual([200, wire]);
});
