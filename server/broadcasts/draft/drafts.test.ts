/** Drafts: what the wizard saves, who sees it and who may change it. */
import { beforeAll, expect, it } from 'vitest';
import * as recipientCalls from '../../../contract/draft-recipients.ts';
import * as calls from '../../../contract/drafts.ts';
import { mergeDraft } from '../../../contract/template-merges.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from './testing/draft-steps.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  owner = account.owner;
});

async function setUser({ userId }: BuiltUser, values: object): Promise<void> {
  await app.database.system.updateTable('users').set(values).where('user_id', '=', userId).execute();
}

function get(DraftBroadcastID: number, as = owner) {
  return app.call(calls.getDraft, { params: { DraftBroadcastID } }, as);
}

it('begins as a group text, saves the given fields and leaves the rest', async () => {
  const { body: begun } = await app.call(calls.createDraft, { body: { BroadcastName: ' Snow day ' } }, owner);
  expect(begun).toMatchObject({
    BroadcastName: 'Snow day',
    BroadcastType: 'GroupSMS',
    startOption: 'START_IMMEDIATELY',
    TextNumberID: null,
    PerMinute: null,
    Step: 1,
    TextNumberCount: 0,
    IsAdding: false,
  });
  const { DraftBroadcastID } = begun;
  const body = {
    TextNumberID: account.numbers[number] ?? null,
    TextMessage: 'Closed {{FirstName}}',
    IncludeSignature: true,
    IsTextSurvey: true,
    TextSurveyAutoReplies: [{ Label: 'Yes' as const, Message: 'Thanks' }],
    startOption: 'REPEATING' as const,
    StartDate: '2026-12-01T08:00:00',
    RepeatingBroadcastSchedule: { Interval: 2, IntervalFrequency: 'weeks' as const, DaysOfWeek: ['Monday'] },
    PerMinute: 500 as const,
    Step: 3,
  };
  await app.call(calls.updateDraft, { params: { DraftBroadcastID }, body }, owner);
  await app.call(calls.updateDraft, { params: { DraftBroadcastID }, body: { Step: 4 } }, owner);
  expect((await get(DraftBroadcastID)).body).toMatchObject({
    ...body,
    BroadcastName: 'Snow day',
    TextSurveyAutoReplies: [
      { Label: 'Yes', Message: 'Thanks' },
      { Label: 'No', Message: '' },
    ],
    Step: 4,
  });
  const type = { BroadcastTypeDesc: 'SMS' as const, IsTextSurvey: false };
  const changed = await app.call(calls.updateDraftType, { params: { DraftBroadcastID }, body: type }, owner);
  expect(changed.body).toMatchObject({ BroadcastType: 'SMS', IsTextSurvey: false });
  const cleared = await app.call(
    calls.updateDraft,
    {
      params: { DraftBroadcastID },
      body: { StartDate: null, RepeatingBroadcastSchedule: null, PerMinute: null },
    },
    owner,
  );
  expect(cleared.body).toMatchObject({ StartDate: null, RepeatingBroadcastSchedule: null, PerMinute: null });
});

it('accepts the form’s other names for a number, a start and answers', async () => {
  const { body: begun } = await app.call(
    calls.createDraft,
    { body: { BroadcastType: 'SMSAndSurvey' } },
    owner,
  );
  expect(begun.CheckCallingWindow).toBe(true);
  const params = { DraftBroadcastID: begun.DraftBroadcastID };
  const put = (body: Partial<calls.DraftForm>) => app.call(calls.updateDraft, { params, body }, owner);
  const { body } = await put({
    BroadcastType: 'SMS',
    TextPhoneNumber: '(423) 555-0100',
    StartDate: '2026-12-01',
    startTimeText: '5:30 PM',
    YesAutoReply: 'Thanks',
    NoAutoReply: 'Too bad',
  });
  expect(body).toMatchObject({
    TextNumberID: account.numbers[number],
    StartDate: '2026-12-01T17:30:00',
    CheckCallingWindow: false,
    TextSurveyAutoReplies: [
      { Label: 'Yes', Message: 'Thanks' },
      { Label: 'No', Message: 'Too bad' },
    ],
  });
  expect(refusalOf(await put({ StartDate: '2026-12-01', startTimeText: '17:77' }))).toMatchObject({
    status: 400,
  });
  expect((await put({ TextPhoneNumber: '(423) 555-0999' })).status).toBe(404);
  expect((await put({ TemplateName: 'Nobody saved this' })).status).toBe(404);
});

it('accepts only values that exist and that the user may use', async () => {
  const { DraftBroadcastID } = (await app.call(calls.createDraft, { body: {} }, owner)).body;
  const other = await buildAccount(app, { numbers: {} });
  const refusal = async (body: calls.DraftForm | object) =>
    refusalOf(await app.call(calls.updateDraft, { params: { DraftBroadcastID }, body }, owner)).status;
  expect(await refusal({ TextNumberID: 999_999 })).toBe(404);
  expect(await refusal({ TemplateID: 999_999 })).toBe(404);
  expect(await refusal({ Media: [{ MediaID: 999_999 }] })).toBe(404);
  expect(await refusal({ StartDate: 'tomorrow' })).toBe(400);
  expect(await refusal({ BroadcastType: 'Telegram' as 'SMS' })).toBe(400);
  expect(await refusal({ BroadcastName: 'x'.repeat(51) })).toBe(400);
  expect((await get(DraftBroadcastID, other.owner)).status).toBe(404);
  await app.database.system
    .updateTable('text_numbers')
    .set({ can_create_broadcast: false })
    .where('phone', '=', number)
    .execute();
  expect(await refusal({ TextNumberID: account.numbers[number] ?? 0 })).toBe(400);
  await app.database.system
    .updateTable('text_numbers')
    .set({ can_create_broadcast: true })
    .where('phone', '=', number)
    .execute();
});

it('is visible to its creator, and to those who see all broadcasts', async () => {
  const maker = await buildUser(app, account.accountId, 'user');
  const colleague = await buildUser(app, account.accountId, 'admin');
  const begun = await app.call(calls.createDraft, { body: { BroadcastName: 'Mine' } }, maker);
  const { DraftBroadcastID } = begun.body;
  const names = async (as: BuiltUser) => {
    const { body } = await app.call(calls.listDrafts, { query: { q: 'mine' } }, as);
    return body.Items.map(({ BroadcastName }) => BroadcastName);
  };
  expect([await names(maker), await names(owner), await names(colleague)]).toEqual([['Mine'], ['Mine'], []]);
  expect((await get(DraftBroadcastID, colleague)).status).toBe(404);
  await setUser(colleague, { can_see_all_broadcasts: true });
  expect((await get(DraftBroadcastID, colleague)).status).toBe(200);
  // Somebody else's number is not theirs to send from.
  const stolen = await app.call(
    calls.updateDraft,
    { params: { DraftBroadcastID }, body: { TextNumberID: account.numbers[number] ?? 0 } },
    maker,
  );
  expect(stolen.status).toBe(404);
});

it('keeps that its recipients were confirmed until they or its type change', async () => {
  const { body: begun } = await app.call(
    calls.createDraft,
    { body: { BroadcastType: 'Announcement', TextNumberID: account.numbers[number] ?? null } },
    owner,
  );
  const { DraftBroadcastID } = begun;
  const params = { DraftBroadcastID };
  const { paste, remove, items } = createDraftSteps(app, account);
  await paste(DraftBroadcastID, ['4235550101', '4235550102']);
  const put = (body: Partial<calls.DraftForm>) => app.call(calls.updateDraft, { params, body }, owner);
  const isConfirmed = async () => (await get(DraftBroadcastID)).body.RecipientsConfirmed;
  const confirm = async () =>
    expect((await put({ RecipientsConfirmed: true })).body.RecipientsConfirmed).toBe(true);
  expect(await isConfirmed()).toBe(false);

  await confirm();
  await put({ BroadcastName: 'Late start', BroadcastType: 'Announcement', Step: 3 });
  expect(await isConfirmed()).toBe(true);

  // As many people, but others.
  const [first, second] = await items(DraftBroadcastID);
  await remove(DraftBroadcastID, { Type: 'Selected', Items: [first?.RecipientID ?? 0] });
  await paste(DraftBroadcastID, ['4235550103']);
  expect(await isConfirmed()).toBe(false);

  await confirm();
  const body = {
    RecipientID: second?.RecipientID ?? 0,
    PrimaryPhone: '4235550104',
    FirstName: '',
    LastName: '',
  };
  await app.call(recipientCalls.updateDraftContact, { params, body: { ...body, CustomData: {} } }, owner);
  expect(await isConfirmed()).toBe(false);

  await confirm();
  await put({ BroadcastType: 'Survey' });
  expect(await isConfirmed()).toBe(false);

  await confirm();
  const type = { BroadcastTypeDesc: 'SMSAndSurvey' as const, IsTextSurvey: true };
  await app.call(calls.updateDraftType, { params, body: type }, owner);
  expect(await isConfirmed()).toBe(false);

  // A merge counts as no change of the recipients.
  await put({ TextMessage: 'Hello {{FirstName|you}}', RecipientsConfirmed: true });
  await app.call(mergeDraft, { params, body: {} }, owner);
  await app.drain();
  expect(await isConfirmed()).toBe(true);
});

it('can’t be changed by users who may not create broadcasts', async () => {
  const user = await buildUser(app, account.accountId, 'user');
  const { DraftBroadcastID } = (await app.call(calls.createDraft, { body: {} }, user)).body;
  await setUser(user, { can_create_broadcast: false });
  const params = { DraftBroadcastID };
  const Selection = { Type: 'SelectedAll' as const };
  const replies = await Promise.all([
    app.call(calls.createDraft, { body: {} }, user),
    app.call(calls.updateDraft, { params, body: { Step: 2 } }, user),
    app.call(recipientCalls.addDraftContact, { params, body: { PrimaryPhone: '4235550101' } }, user),
    app.call(recipientCalls.removeDraftContacts, { params, body: { Selection } }, user),
    app.call(recipientCalls.contactsToNewDraft, { params: { ListID: 0 }, body: { Selection } }, user),
    app.call(calls.deleteDraft, { params }, user),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  expect((await get(DraftBroadcastID, user)).status).toBe(200);
});

it('lists drafts by key, the latest first, and removes one that is deleted', async () => {
  const other = await buildAccount(app, { numbers: {} });
  const steps = createDraftSteps(app, other);
  const ids = [await steps.begin(), await steps.begin(), await steps.begin()];
  await steps.paste(ids[0] ?? 0, ['4235550101', 'x']);
  const page = async (next?: string) =>
    (await app.call(calls.listDrafts, { query: { pagesize: 2, next } }, other.owner)).body;
  const first = await page();
  expect(first.Items.map(({ DraftBroadcastID }) => DraftBroadcastID)).toEqual([ids[0], ids[2]]);
  expect(first.Items[0]?.TotalTextNumberCount).toBe(2);
  const second = await page(first.Next ?? undefined);
  expect([second.Items.map(({ DraftBroadcastID }) => DraftBroadcastID), second.Next]).toEqual([
    [ids[1]],
    null,
  ]);
  await app.call(calls.deleteDraft, { params: { DraftBroadcastID: ids[2] ?? 0 } }, other.owner);
  expect((await page()).Items.map(({ DraftBroadcastID }) => DraftBroadcastID)).toEqual([ids[0], ids[1]]);
  expect((await get(ids[2] ?? 0, other.owner)).status).toBe(404);
});
