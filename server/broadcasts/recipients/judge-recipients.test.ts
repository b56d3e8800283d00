/** Recipients who get it and who don't: each reason, their order, one text per person and one per phone. */
import { beforeAll, expect, it } from 'vitest';
import type { TextStatusCode } from '../../../contract/delivery/text-status.ts';
import * as recipientCalls from '../../../contract/draft-recipients.ts';
import { updateDraft } from '../../../contract/drafts.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createDraftSteps>;
let draft: number;

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' });
});

async function fresh(): Promise<void> {
  account = await buildAccount(app, { numbers: {} });
  steps = createDraftSteps(app, account);
  draft = await steps.begin();
}

async function setAccount(values: object): Promise<void> {
  await app.database.system
    .updateTable('accounts')
    .set(values)
    .where('account_id', '=', account.accountId)
    .execute();
}

async function consent(phone: string, text_state: 'in' | 'out'): Promise<void> {
  await app.database.system
    .insertInto('phone_consents')
    .values({ account_id: account.accountId, phone, text_state })
    .execute();
}

async function lookUp(phone: string, line_type: 'landline' | 'mobile', is_valid = true): Promise<void> {
  await app.database.system
    .insertInto('phone_lookups')
    .values({ account_id: account.accountId, phone, line_type, is_valid })
    .execute();
}

async function newNumber(phone: string): Promise<number> {
  const row = await app.database.system
    .insertInto('text_numbers')
    .values({ account_id: account.accountId, phone, aggregator_id: 5, registration_status: 'Registered' })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  return row.text_number_id;
}

let minute = 0;
/** Texts to a phone, the oldest first. */
async function texted(
  text_number_id: number,
  phone: string,
  statuses: (TextStatusCode | 'received')[],
): Promise<void> {
  for (const status of statuses) {
    minute += 1;
    await app.database.system
      .insertInto('messages')
      .values({
        account_id: account.accountId,
        text_number_id,
        phone,
        is_inbound: status === 'received',
        status,
        body: 'Hello',
        created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      })
      .execute();
  }
}

it('names the first reason that applies, in this order', async () => {
  await fresh();
  const number = await newNumber('14235550110');
  await setAccount({ require_text_opt_in: true, is_free_trial: true });
  const failed: TextStatusCode[] = ['number_unavailable', 'phone_unreachable', 'number_unavailable'];
  const [landline, out, noConsent, unverified, unreachable, good] = [
    '14235550201',
    '14235550202',
    '14235550203',
    '14235550204',
    '14235550205',
    '14235550206',
  ];
  // Every person has every later problem too.
  await lookUp(landline, 'landline');
  await consent(landline, 'out');
  await consent(out, 'out');
  for (const phone of [unverified, unreachable, good]) await consent(phone, 'in');
  for (const phone of [unreachable, good]) {
    await app.database.system
      .insertInto('verified_phones')
      .values({ account_id: account.accountId, phone })
      .execute();
  }
  for (const phone of [landline, out, noConsent, unverified, unreachable])
    await texted(number, phone, failed);
  const people = [null, landline, out, noConsent, unverified, unreachable, good, good];
  const ids = await steps.addContacts(people.map((phone, index) => ({ first: `P${index}`, phone })));
  const { body } = await steps.addLists(draft, [await steps.addGroup('All', ids)]);
  expect(body).toMatchObject({ Status: 'Complete', WorkID: null, AddedCount: 8, LeftOutCount: 7 });
  expect(await steps.list(draft)).toEqual([
    ['P0', 'invalid'],
    ['P1', 'not_textable'],
    ['P2', 'opted_out'],
    ['P3', 'not_opted_in'],
    ['P4', 'not_verified'],
    ['P5', 'unreachable'],
    ['P6', null],
    ['P7', 'duplicate'],
  ]);
  const items = await steps.items(draft);
  expect(items.map(({ PrimaryPhoneError }) => PrimaryPhoneError)).toEqual([
    'Must be 10 digits; use only numbers',
    'This number is not a textable number.',
    'This number has opted out of receiving texts.',
    "This number hasn't opted-in to receiving texts.",
    'During the free trial, you can text only verified numbers.',
    'The last three texts to this number weren’t delivered.',
    '',
    'One phone, one message. The first name in the group is used.',
  ]);
  expect(items[7]?.DuplicateOf).toEqual({ RecipientID: items[6]?.RecipientID, Name: 'P6' });
});

it('requires an opt-in when the account needs an explicit one', async () => {
  await fresh();
  await setAccount({ explicit_opt_in_required: true });
  await consent('14235550202', 'in');
  await steps.paste(draft, ['4235550201', '4235550202']);
  expect(await steps.leftOut(draft)).toEqual({ not_opted_in: 1 });
});

it('treats a phone as unreachable after three failed texts in a row from any number', async () => {
  await fresh();
  const [one, two] = [await newNumber('14235550111'), await newNumber('14235550112')];
  const phones = ['4235550301', '4235550302', '4235550303', '4235550304', '4235550305'];
  await texted(one, '14235550301', ['delivered', 'phone_unreachable', 'number_unavailable']);
  await texted(one, '14235550301', ['number_unavailable']);
  // A text from them in between isn't one of ours.
  await texted(one, '14235550302', ['number_unavailable', 'number_unavailable', 'received']);
  await texted(two, '14235550302', ['number_unavailable']);
  await texted(one, '14235550303', ['number_unavailable', 'number_unavailable']);
  await texted(one, '14235550304', ['number_unavailable', 'number_unavailable', 'number_unavailable']);
  await texted(two, '14235550304', ['delivered']);
  await texted(one, '14235550305', ['spam_rejected', 'number_unavailable', 'number_unavailable']);
  await steps.paste(draft, phones);
  expect((await steps.list(draft)).map(([, problem]) => problem)).toEqual([
    'unreachable',
    'unreachable',
    null,
    null,
    null,
  ]);
});

it('texts a person’s first phone that accepts texts, and nobody twice', async () => {
  await fresh();
  await lookUp('14235550401', 'landline');
  await lookUp('14235550402', 'mobile', false);
  await lookUp('14235550403', 'mobile');
  const ids = await steps.addContacts([
    { first: 'Third', phone: '14235550401', second: '14235550402', third: '14235550403' },
    { first: 'Unknown', phone: '14235550401', second: '14235550404' },
    { first: 'None', phone: '14235550401', second: '14235550402' },
    { first: 'Second', phone: null, second: '14235550405' },
    { first: 'First', phone: '14235550406', second: '14235550407', third: '14235550408' },
  ]);
  await steps.addLists(draft, [await steps.addGroup('All', ids)]);
  const items = await steps.items(draft);
  expect(items.map(({ FirstName, PrimaryPhone, Problem }) => [FirstName, PrimaryPhone, Problem])).toEqual([
    ['Third', '4235550403', null],
    ['Unknown', '4235550404', null],
    ['None', '4235550401', 'not_textable'],
    ['Second', '4235550405', null],
    ['First', '4235550406', null],
  ]);
});

it('does not use another phone of a person who opted out', async () => {
  await fresh();
  await consent('14235550501', 'out');
  const ids = await steps.addContacts([{ first: 'Out', phone: '14235550501', second: '14235550502' }]);
  await steps.addLists(draft, [await steps.addGroup('All', ids)]);
  expect(await steps.list(draft)).toEqual([['Out', 'opted_out']]);
});

it('sends to the first recipient of a phone, within an addition and across them', async () => {
  await fresh();
  const ids = await steps.addContacts([
    { first: 'Ann', phone: '14235550601' },
    { first: 'Bob', phone: '14235550601' },
    { first: 'Cy', phone: '14235550602' },
  ]);
  const group = await steps.addGroup('Parents', ids);
  await steps.addLists(draft, [group]);
  await steps.paste(draft, ['(423) 555-0602', '+1 423 555 0603', '423.555.0603']);
  await steps.addLists(draft, [group]);
  expect(await steps.list(draft)).toEqual([
    ['Ann', null],
    ['Bob', 'duplicate'],
    ['Cy', null],
    ['4235550602', 'duplicate'],
    ['4235550603', null],
    ['4235550603', 'duplicate'],
    ['Ann', 'duplicate'],
    ['Bob', 'duplicate'],
    ['Cy', 'duplicate'],
  ]);
  const items = await steps.items(draft);
  expect(items[3]?.DuplicateOf?.Name).toBe('Cy');
  expect(items[8]?.DuplicateOf?.RecipientID).toBe(items[2]?.RecipientID);
  const { Total, Good, LeftOut } = await steps.summary(draft);
  expect({ Total, Good, LeftOut }).toEqual({
    Total: 9,
    Good: 3,
    LeftOut: [{ Problem: 'duplicate', Count: 6 }],
  });
});

it('locates people by their area code, and assumes the account’s location for others', async () => {
  await fresh();
  await steps.paste(draft, ['2125550101', '2125550102', '6055550101', '3125550101', '8005550101']);
  const { Zones } = await steps.summary(draft);
  expect(Zones).toEqual([
    { Zones: ['America/New_York'], Label: 'Eastern Time', Count: 3 },
    { Zones: ['America/Chicago'], Label: 'Central Time', Count: 1 },
    { Zones: ['America/Chicago', 'America/Denver'], Label: 'Central Time and Mountain Time', Count: 1 },
  ]);
});

it('knows which numbers can be texted, whatever the broadcast does', async () => {
  await fresh();
  await lookUp('14235550801', 'landline');
  await lookUp('14235550802', 'mobile', false);
  await consent('14235550803', 'out');
  await steps.paste(draft, ['4235550801', '4235550802', '4235550803', '4235550804', '4235550804', 'x']);
  const textable = async () =>
    (await steps.items(draft)).map(({ PrimaryPhoneTextable }) => PrimaryPhoneTextable);
  const expected = [false, false, true, true, true, false];
  expect(await textable()).toEqual(expected);
  // The landline gets a call, so nothing is wrong with it there.
  const body = { BroadcastType: 'Announcement' as const };
  await app.call(updateDraft, { params: { DraftBroadcastID: draft }, body }, account.owner);
  expect((await steps.list(draft)).map(([, problem]) => problem)[0]).toBeNull();
  expect(await textable()).toEqual(expected);
});

it('adds by hand whoever the broadcast can call, even a landline or somebody who opted out of texts', async () => {
  await fresh();
  await consent('14235550902', 'out');
  await lookUp('14235550901', 'landline');
  const params = { DraftBroadcastID: draft };
  await app.call(updateDraft, { params, body: { BroadcastType: 'Announcement' } }, account.owner);
  for (const PrimaryPhone of ['4235550901', '4235550902']) {
    const added = await app.call(
      recipientCalls.addDraftContact,
      { params, body: { PrimaryPhone, FirstName: 'Jo' } },
      account.owner,
    );
    expect(added.body).toMatchObject({ PrimaryPhone, Problem: null });
  }
});

it('refuses an invalid number at its field when one person is added by hand', async () => {
  await fresh();
  await consent('14235550702', 'out');
  await lookUp('14235550703', 'landline');
  const add = (PrimaryPhone: string, FirstName = 'Jo') =>
    app.call(
      recipientCalls.addDraftContact,
      { params: { DraftBroadcastID: draft }, body: { PrimaryPhone, FirstName } },
      account.owner,
    );
  const good = await add('(423) 555-0701');
  expect(good.body).toMatchObject({
    FirstName: 'Jo',
    PrimaryPhone: '4235550701',
    Problem: null,
    Source: 'Typed',
  });
  const sentences = await Promise.all(
    ['12', '4235550702', '4235550703', '+1 (423) 555 0701'].map(async (phone) => {
      const { status, body } = await add(phone);
      return [status, (body as unknown as { Errors: object[] }).Errors];
    }),
  );
  expect(sentences).toEqual([
    [400, [{ Field: 'PrimaryPhone', Message: 'Must be 10 digits; use only numbers' }]],
    [400, [{ Field: 'PrimaryPhone', Message: 'This number has opted out of receiving texts.' }]],
    [400, [{ Field: 'PrimaryPhone', Message: 'This number is not a textable number.' }]],
    [400, [{ Field: 'PrimaryPhone', Message: 'This number has already been added to your broadcast.' }]],
  ]);
  expect(await steps.list(draft)).toEqual([['Jo', null]]);
});
