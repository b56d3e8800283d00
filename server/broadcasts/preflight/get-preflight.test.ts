import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../../contract/accounts.ts';
import {
  createBroadcast,
  getMessagingLimits,
  hasScheduledEnhancedMessages,
  lookUpShortUrls,
  validateBroadcast,
} from '../../../contract/broadcasts.ts';
import { addDraftNumbers } from '../../../contract/draft-recipients.ts';
import { createDraft, getDraft, getPreflight, sendTest, updateDraft } from '../../../contract/drafts.ts';
import type { BroadcastType } from '../../../contract/money/units.ts';
import { nowMs, shiftClock } from '../../clock.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
const tollFree = '18445550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, {
    numbers: { [number]: 'infobip', [tollFree]: 'infobip' },
    credits: 500,
  });
});

/** 2026-11-16 is a Monday; only this process uses that clock. */
function setClock(to: string): void {
  shiftClock(Date.parse(to) - nowMs());
}
afterEach(() => shiftClock(Date.now() - nowMs()));

function setAccount(change: string) {
  return sql`update accounts set ${sql.raw(change)} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
}

async function draft(form: object, phones: string[]): Promise<number> {
  const made = await app.call(
    createDraft,
    {
      body: {
        BroadcastName: 'Snow day',
        TextMessage: 'No school.',
        TextNumberID: account.numbers[number] ?? null,
        ...form,
      },
    },
    account.owner,
  );
  expect([made.status, made.body]).toEqual([200, expect.anything()]);
  const { DraftBroadcastID } = made.body;
  const Items = phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: 'Pat Doe' }));
  if (Items.length > 0) {
    await app.call(addDraftNumbers, { params: { DraftBroadcastID }, body: { Items } }, account.owner);
  }
  return DraftBroadcastID;
}

async function preflight(DraftBroadcastID: number) {
  const reply = await app.call(getPreflight, { params: { DraftBroadcastID } }, account.owner);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body;
}

async function checks(form: object, phones = ['2125550101']) {
  const { Checks } = await preflight(await draft(form, phones));
  return Checks.map(({ Kind, Text }) => `${Kind}: ${Text}`);
}

const newYork = ['2125550101', '2125550102'];
const losAngeles = ['2135550101'];

describe('before Send', () => {
  it('says who gets it and when on their own clock, who doesn’t, and its cost', async () => {
    // 8:30 in New York, 5:30 in Los Angeles.
    setClock('2026-11-16T13:30:00Z');
    const id = await draft({ PerMinute: 5 }, [...newYork, ...newYork, ...losAngeles, '12']);
    const page = await preflight(id);
    expect(page.Summary).toMatchObject({
      Total: 6,
      Good: 3,
      LeftOut: [
        { Problem: 'duplicate', Count: 2 },
        { Problem: 'invalid', Count: 1 },
      ],
    });
    expect(page.Cost).toEqual({
      Credits: 3,
      Segments: [{ Segments: 1, Count: 3 }],
      Balance: 500,
      Reserved: 0,
      After: 497,
      IsFree: false,
    });
    expect(page.Plan.map(({ Label, Count }) => [Label, Count])).toEqual([
      ['Eastern Time', 2],
      ['Pacific Time', 1],
    ]);
    expect(page.Plan[0]?.Opens.slice(0, 16)).toBe('2026-11-16T13:30');
    expect(page.Plan[1]).toMatchObject({
      Opens: '2026-11-16T16:00:00.000Z',
      Done: '2026-11-16T16:00:12.000Z',
    });
    expect([page.Starts.slice(0, 16), page.Ends]).toEqual(['2026-11-16T13:30', '2026-11-16T16:00:12.000Z']);
    expect(page.QuietHours).toEqual({ IsOn: true, Start: '8:00 AM', Stop: '9:00 PM' });
    expect(page.Sample).toEqual({
      Name: 'Pat Doe',
      PhoneNumber: '2125550101',
      TextMessage: 'No school.',
      Segments: 1,
    });
    expect(page.Refusal).toBeNull();
    expect(page.Checks).toEqual([
      { Kind: 'ok', Text: '(423) 555-0100 is registered with the carriers.' },
      { Kind: 'ok', Text: 'Uses 3 of the 200,000 texts that carriers allow that day.' },
      { Kind: 'ok', Text: 'No shortened links.' },
      {
        Kind: 'ok',
        Text: 'Nobody gets it twice. 2 entries share their phone with another, and each phone gets one message.',
      },
      { Kind: 'ok', Text: 'Plain characters only.' },
      {
        Kind: 'warning',
        Text: '1 person in Pacific Time waits until quiet hours end and gets it at 8:00 AM or later.',
      },
    ]);
  });

  it('summarizes that people wait for quiet hours to end', async () => {
    setClock('2026-11-16T13:30:00Z');
    // Florida's west has two time zones in one area code.
    expect(await checks({}, [...newYork, '3125550101', '8505550101'])).toContain(
      'warning: 2 people in Central and Eastern & Central Time wait until quiet hours end and get it at 8:00 AM or later.',
    );
  });

  it('warns of what carriers block', async () => {
    setClock('2026-11-16T15:00:00Z');
    expect(await checks({ TextMessage: 'test' })).toContain(
      'warning: The word "test" by itself could lead to your number being blocked by phone carriers. We recommend sending messages that are similar to the messages you will send normally.',
    );
    expect(await checks({ TextMessage: 'See bit.ly/abc' })).toContain(
      'error: Carriers block bit.ly. Please change to a full URL.',
    );
    expect(await checks({ TextMessage: 'See ow.ly/abc' })).toContainEqual(
      expect.stringMatching(/^error: Your message/),
    );
    // Quotes are sent as plain characters, unless the draft keeps them.
    expect(await checks({ TextMessage: 'Bravo 🎉 “yes”' })).toContainEqual(
      expect.stringMatching(/^warning: 🎉 can’t be sent as plain characters/),
    );
    expect(await checks({ TextMessage: 'Bravo “yes”' })).toContain('ok: Plain characters only.');
    expect(await checks({ TextMessage: 'Bravo “yes”', KeepCharacters: true })).toContainEqual(
      expect.stringMatching(/^warning: “ ” can’t be sent as plain characters/),
    );
    expect(await checks({ TextNumberID: null })).toContain('error: Select a Text Phone Number');
    await setAccount('quiet_hours_on = false');
    expect(await checks({})).toContainEqual(expect.stringMatching(/^warning: Quiet hours are off/));
    await setAccount('quiet_hours_on = true');
    expect(await checks({})).toContain('ok: It starts between 8:00 AM and 9:00 PM local time for everyone.');
  });

  it('says what Send would refuse', async () => {
    const refusal = async (form: object, phones = newYork) =>
      (await preflight(await draft(form, phones))).Refusal;
    expect(await refusal({ BroadcastName: '' })).toEqual({
      ErrorCode: 400,
      Message: 'Enter a Broadcast Name',
    });
    expect(await refusal({}, [])).toMatchObject({ ErrorCode: 422 });
    expect(await refusal({ TextMessage: 'Hi {{FirstName}}' })).toMatchObject({ ErrorCode: 409 });
    const survey = (Message: string) => ({
      ...{ TextMessage: 'Will you come, {{FirstName}}?', IsTextSurvey: true },
      TextSurveyAutoReplies: [{ Label: 'Yes', Message }],
    });
    expect(await refusal(survey('x'.repeat(321)))).toMatchObject({ Message: "Can't exceed 320 characters." });
    expect(await refusal(survey('Thanks, {{FirstName}}!'))).toMatchObject({
      Message: 'Text cannot contain personalization',
    });
    await setAccount('messages_per_day = 1');
    expect(await refusal({})).toMatchObject({ ErrorCode: 422 });
    await setAccount('messages_per_day = null, credit_reserved = 499');
    expect(await refusal({})).toMatchObject({ ErrorCode: 4100 });
    await setAccount('credit_reserved = 0, type_id = 1, monthly_level = 1');
    expect(await refusal({})).toMatchObject({ ErrorCode: 4101 });
    await setAccount('type_id = 0');
  });

  it('spreads a toll-free number’s texts over the days that its caps allow', async () => {
    setClock('2026-11-16T15:00:00Z');
    await sql`
      insert into daily_texts (account_id, day, text_number_id, sent, credits)
      values (${account.accountId}, '2026-11-16', ${account.numbers[tollFree] ?? 0}, 1999, 1999)`.execute(
      app.database.system,
    );
    const page = await preflight(await draft({ TextNumberID: account.numbers[tollFree] }, newYork));
    expect(page.Ends.slice(0, 13)).toBe('2026-11-17T13');
    expect(page.Checks).toContainEqual({
      Kind: 'warning',
      Text: 'Toll-free numbers can send 2,000 texts like this per day. This broadcast takes 2 days.',
    });
  });
});

describe('the estimate', () => {
  it('is for the text, picture, number and start of the request', async () => {
    setClock('2026-11-16T15:00:00Z');
    const id = await draft({}, newYork);
    const ask = async (query: object) =>
      (await app.call(getDraft, { params: { DraftBroadcastID: id }, query }, account.owner)).body;
    expect(await ask({})).toMatchObject({
      MinCallUnitsRequired: 2,
      TextNumberCredits: 2,
      PotentialUniqueCount: 2,
    });
    expect(await ask({ textmessagelength: 321 })).toMatchObject({ MinCallUnitsRequired: 6 });
    expect(await ask({ isEnhanced: 'true' })).toMatchObject({ MinCallUnitsRequired: 4 });
    expect(await ask({ startdate: '2026-11-17T23:00:00' })).toMatchObject({
      Starts: '2026-11-18T13:00:00.000Z',
    });
    const empty = await draft({}, []);
    const none = await app.call(getDraft, { params: { DraftBroadcastID: empty } }, account.owner);
    expect(none.body).toMatchObject({ MinCallUnitsRequired: 0, Starts: null, Ends: null });
  });

  it('is for the type of the request', async () => {
    const id = await draft({}, ['2125550105', '2125550106']);
    // One of the two opted out of texts, and nobody out of calls.
    await sql`
      update broadcast_recipients set problem = 'opted_out'
      where broadcast_id = ${id} and recipient_id = (
        select min(recipient_id) from broadcast_recipients where broadcast_id = ${id})`.execute(
      app.database.system,
    );
    await sql`update broadcasts set summary_version = null where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    // On a monthly plan for two people, of whom one has been reached.
    await setAccount('type_id = 1, monthly_level = 2, unique_call_count = 1');
    const ask = async (broadcasttype?: BroadcastType) => {
      const { body } = await app.call(
        getDraft,
        { params: { DraftBroadcastID: id }, query: { broadcasttype } },
        account.owner,
      );
      const { BroadcastType, PotentialUniqueCount: reached, UniqueCountThresholdExceeded: isOver } = body;
      return [BroadcastType, body.VoiceNumberCount, reached, isOver];
    };
    expect(await ask()).toEqual(['GroupSMS', 0, 1, false]);
    expect(await ask('Announcement')).toEqual(['GroupSMS', 2, 2, true]);
    expect(await ask('SMSOrAnnouncement')).toEqual(['GroupSMS', 1, 2, true]);
    const params = { DraftBroadcastID: id };
    await app.call(updateDraft, { params, body: { BroadcastType: 'SMSOrAnnouncement' } }, account.owner);
    expect(await ask('GroupSMS')).toEqual(['SMSOrAnnouncement', 0, 1, false]);
    expect(await ask('Announcement')).toEqual(['SMSOrAnnouncement', 2, 2, true]);
    await setAccount('type_id = 0, unique_call_count = 0');
  });

  it('includes other broadcasts’ texts on that day', async () => {
    const start = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
    const form = { startOption: 'START_LATER', StartDate: `${start}T12:00:00` };
    const other = await draft(form, newYork);
    expect(
      (await app.call(createBroadcast, { body: { DraftBroadcastID: other } }, account.owner)).status,
    ).toBe(200);
    const mine = await draft(form, newYork);
    const { body } = await app.call(getDraft, { params: { DraftBroadcastID: mine } }, account.owner);
    expect(body.StartDateAllocatedTextCredits).toBe(2);
  });
});

describe('a test', () => {
  const test = (DraftBroadcastID: number, body: object = {}) =>
    app.call(sendTest, { params: { DraftBroadcastID }, body }, account.owner);

  it('goes to the user’s own phone as the first recipient gets it', async () => {
    const id = await draft({ TextMessage: 'Hi {{FirstName}}' }, newYork);
    expect(refusalOf(await test(id)).Message).toBe(
      'Add your own mobile number to your profile to send yourself a test.',
    );
    // Users without one are asked for it right there.
    expect((await test(id, { PhoneNumber: '423-555-0198' })).body.PhoneNumber).toBe('4235550198');
    expect(refusalOf(await test(id, { PhoneNumber: '12' })).Errors).toMatchObject([{ Field: 'PhoneNumber' }]);
    await sql`update users set phone = '(423) 555-0199' where user_id = ${account.owner.userId}`.execute(
      app.database.system,
    );
    expect((await test(id)).body).toEqual({ PhoneNumber: '4235550199', Credits: 1 });
    const texts = await app.until(async () => {
      const got = await app.sandbox.messages('14235550199');
      return got.length > 0 && got.map((text) => text.Text);
    });
    expect(texts).toEqual(['Hi Pat']);
    expect((await test(id, { RecipientID: 999_999_999 })).status).toBe(404);
  });

  it.each([
    [
      'in Jamaica, from the United States',
      1,
      '8765550143',
      "This number isn't in the US, Puerto Rico, or Canada",
    ],
    [
      'in California, from Austria',
      14,
      '13108207129',
      'Must start with 43; no more than 14 digits; use only numbers',
    ],
  ])('refuses a number %s, typed or in the profile', async (_, countryId, phone, Message) => {
    const id = await draft({}, newYork);
    await setAccount(`country_id = ${countryId}`);
    const setPhone = (own: string) =>
      sql`update users set phone = ${own} where user_id = ${account.owner.userId}`.execute(
        app.database.system,
      );
    try {
      expect(refusalOf(await test(id, { PhoneNumber: phone })).Errors).toEqual([
        { Field: 'PhoneNumber', Message },
      ]);
      await setPhone(phone);
      expect(refusalOf(await test(id)).status).toBe(422);
    } finally {
      await setPhone('(423) 555-0199');
      await setAccount('country_id = 1');
    }
  });

  it('is refused in a free trial until the phone is verified', async () => {
    const id = await draft({}, newYork);
    await setAccount('is_free_trial = true');
    expect((await test(id)).status).toBe(422);
    await setAccount('is_free_trial = false');
  });
});

describe('checks while typing', () => {
  it('finds shortened addresses and those that carriers block', async () => {
    const Text = 'ow.ly/a, https://bit.ly/b or https://example.org/c';
    const reply = await app.call(lookUpShortUrls, { body: { Text } }, account.owner);
    expect(reply.body).toEqual({
      UrlsFound: ['ow.ly/a', 'https://bit.ly/b'],
      BlackListedUrls: ['https://bit.ly/b'],
    });
  });

  it('checks a start on the user’s own clock', async () => {
    setClock('2026-11-16T15:00:00Z');
    const judge = (StartDate: string) => app.call(validateBroadcast, { body: { StartDate } }, account.owner);
    expect((await judge('2026-11-16T10:30:00')).body.StartDateValidation).toMatchObject({
      IsPast: false,
      StartDate: '2026-11-16T15:30:00.000Z',
    });
    expect((await judge('2026-11-16T09:30:00')).body.StartDateValidation.IsPast).toBe(true);
    expect(refusalOf(await judge('soon')).Message).toBe('There was an error validating your start date.');
  });

  it('refuses pictures on a monthly plan without the add-on that is charged for them', async () => {
    const { rows } = await sql<{ media_id: number }>`
      insert into media (account_id, public_key, content_type, file_name, byte_size, width, height, content_hash)
      values (${account.accountId}, gen_random_uuid()::text, 'image/gif', 'x.gif', 100, 10, 10, 'none')
      returning media_id`.execute(app.database.system);
    const id = await draft({}, ['2125550101']);
    await sql`update broadcasts set media_ids = array[${rows[0]?.media_id ?? 0}::bigint] where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    const refusal = async () => (await preflight(id)).Refusal?.Message ?? null;
    expect(await refusal()).toBeNull();
    await setAccount('type_id = 1, monthly_level = 500');
    expect(await refusal()).toMatch(
      /^On a monthly plan, broadcasts with pictures need the enhanced text add-on/,
    );
    const sent = await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, account.owner);
    expect(refusalOf(sent).status).toBe(422);
    await setAccount('is_monthly_mms_enabled = true');
    expect(await refusal()).toBeNull();
    await setAccount('type_id = 0, monthly_level = null, is_monthly_mms_enabled = false');
  });

  it('returns the limits, and whether pictures are scheduled', async () => {
    const limits = async () => (await app.call(getMessagingLimits, {}, account.owner)).body;
    const setRegistered = (status: string) =>
      sql`update text_numbers set registration_status = ${status} where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    const standard = { limitName: 'Standard', messagesPerDay: 6000 };
    await setRegistered('Registered');
    expect(await limits()).toEqual([standard, { limitName: 'Registered', messagesPerDay: 200_000 }]);
    // The limit that the registry granted this organization.
    await setAccount('messages_per_day = 2000');
    expect(await limits()).toEqual([standard, { limitName: 'Registered', messagesPerDay: 2000 }]);
    await setRegistered('Not Registered');
    expect(await limits()).toEqual([
      { limitName: 'Standard', messagesPerDay: 2000 },
      { limitName: 'Registered', messagesPerDay: 200_000 },
    ]);
    await setRegistered('Registered');
    await setAccount('messages_per_day = null');
    const has = async () => (await app.call(hasScheduledEnhancedMessages, {}, account.owner)).body;
    expect(await has()).toEqual({ HasScheduledEnhancedMessages: false });
    const id = await draft({}, []);
    await sql`update broadcasts set status = 'scheduled', media_ids = '{1}' where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    expect(await has()).toEqual({ HasScheduledEnhancedMessages: true });

    // The add-on that they need on a monthly plan can't be canceled before they are gone.
    const addOn = (IsMonthlyMMSEnabled: boolean) =>
      app.call(updateAccount, { body: { IsMonthlyMMSEnabled } }, account.owner);
    expect((await addOn(true)).status).toBe(403);
    const { accountId } = account;
    await sql`update accounts set type_id = 1 where account_id = ${accountId}`.execute(app.database.system);
    expect((await addOn(true)).body).toMatchObject({ IsMonthlyMMSEnabled: true });
    expect(refusalOf(await addOn(false)).Message).toBe(
      'Send, change or cancel your scheduled texts with pictures before you cancel the add-on.',
    );
    await sql`update broadcasts set status = 'canceled' where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    expect((await addOn(false)).body).toMatchObject({ IsMonthlyMMSEnabled: false });
    await sql`update accounts set type_id = 0 where account_id = ${accountId}`.execute(app.database.system);
  });
});
