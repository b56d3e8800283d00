import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  deleteBroadcastDetails,
  getBroadcastProgress,
  listBroadcastDetails,
} from '../../contract/broadcast-results.ts';
import { updateBroadcast } from '../../contract/broadcasts.ts';
import { pathOf, prefixOf } from '../../contract/call-address.ts';
import { callingRefusals, uploadBroadcastAudio, uploadBroadcastAudioVM } from '../../contract/calling.ts';
import { addContact } from '../../contract/contacts.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { createRepeating } from '../../contract/repeating-broadcasts.ts';
import { listPhoneHistory } from '../../contract/reports.ts';
import { recipientProblemMessages } from '../../contract/states/recipient-problem.ts';
import { unsupportedAudio } from '../../contract/uploads/audio.ts';
import { writeMuLawWav } from '../audio/code-mulaw.ts';
import { feedCalls } from '../broadcasts/feed/feed-calls.ts';
import { summarizeCalls } from '../broadcasts/recipients/judge-calls.ts';
import { callWords } from '../calls/rules.ts';
import { asAccount } from '../db.ts';
import type { BuiltAccount } from '../testing/builders.ts';
import {
  aCallDraft,
  callingAccount,
  callingApp,
  callsOf,
  phoneOf,
  readBroadcast,
  resultsOf,
  send,
} from '../testing/calls.ts';
import { refusalOf, type TestApp } from '../testing/test-app.ts';
import { keyOf, openSocket } from '../testing/test-socket.ts';
import { waitUntil } from '../testing/wait-until.ts';

const callers = Array.from({ length: 30 }, (_, index) => `186555540${String(index).padStart(2, '0')}`);
let serial = -1;
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await callingApp(callers);
});
beforeEach(async () => {
  serial += 1;
  account = await callingAccount(app, callers[serial] ?? '');
});

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `4235${60 + serial}${1000 + index}`);
const read = (id: number) => readBroadcast(app, account, id);
const completed = (id: number) => app.until(async () => (await read(id)).BroadcastStatus === 'Completed');
const change = (BroadcastID: number, body: object) =>
  app.call(updateBroadcast, { params: { BroadcastID }, body }, account.owner);
const begun = (id: number) =>
  app.until(async () => Object.values(await resultsOf(app, id)).some(({ attempts }) => attempts > 0));

const landlines = (...phones: string[]) =>
  sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
    select ${account.accountId}, '1' || phone, true, 'landline' from unnest(${phones}::text[]) phone`.execute(
    app.database.system,
  );

async function textNumberId(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select text_number_id as id from text_numbers where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** Takes these phones out of a broadcast that was sent; returns how many. */
async function takeOut(BroadcastID: number, phones: string[]): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select recipient_id as id from broadcast_recipients
    where broadcast_id = ${BroadcastID} and phone = any(${phones.map((phone) => `1${phone}`)}::text[])`.execute(
    app.database.system,
  );
  const Selection = { Type: 'Selected' as const, Items: rows.map(({ id }) => id) };
  const { status, body } = await app.call(
    deleteBroadcastDetails,
    { params: { BroadcastID }, query: {}, body: { Selection } },
    account.owner,
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.RemovedCount;
}

it('a machine that hangs up before it could be classified hasn’t answered', async () => {
  const id = await aCallDraft(app, account, [phoneOf('0157'), phoneOf('0150')], { Retries: 0 });
  await send(app, account, id);
  await completed(id);
  expect(await resultsOf(app, id)).toEqual({
    // Hung up after five seconds: a person.
    '0150': { result: 'live_answer', attempts: 1, charged: 1 },
    '0157': { result: 'no_answer', attempts: 1, charged: 0 },
  });
});

it('people who have not been called yet can be removed, and their credits return', async () => {
  const phones = people(6);
  const id = await aCallDraft(app, account, phones, { CallThrottle: 1 });
  await send(app, account, id);
  await begun(id);
  const { body } = await app.call(
    deleteBroadcastDetails,
    {
      params: { BroadcastID: id },
      query: { callresultcategory: 'NotCompleted' },
      body: { Selection: { Type: 'SelectedAll' } },
    },
    account.owner,
  );
  expect(body.RemovedCount).toBeGreaterThan(3);
  await completed(id);
  const results = Object.values(await resultsOf(app, id));
  expect(results).toHaveLength(6 - body.RemovedCount);
  expect(await read(id)).toMatchObject({
    CallTotal: 6 - body.RemovedCount,
    PhoneNumberCount: 6 - body.RemovedCount,
    Credits: { Reserved: 0, Settled: results.length },
  });
});

it('a person who was taken out isn’t called after an edit, and the credits return once', async () => {
  const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  const [landline = '', mobile = '', stays = ''] = people(3);
  await landlines(landline);
  const id = await aCallDraft(app, account, [landline, mobile, stays], {
    startOption: 'START_LATER',
    StartDate: `${day}T10:00:00`,
  });
  await send(app, account, id);
  expect(await takeOut(id, [landline, mobile])).toBe(2);
  expect(await read(id)).toMatchObject({ PhoneNumberCount: 1, LeftOutCount: 2, Credits: { Reserved: 2 } });
  const { body } = await change(id, { StartDate: `${day}T11:00:00` });
  expect(body).toMatchObject({ PhoneNumberCount: 1, LeftOutCount: 2, Credits: { Reserved: 2 } });
  await resultsOf(app, id);
  await sql`update broadcasts set start_at = now(), next_call_at = now() where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await completed(id);
  expect(Object.keys(await resultsOf(app, id))).toEqual([stays.slice(-4)]);
});

it.each(['Announcement', 'SMSOrAnnouncement', 'SMSAndAnnouncement'] as const)(
  'the phone of a person who was taken out of a %s isn’t called for somebody else after an edit',
  async (BroadcastType) => {
    const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
    const [shared = '', stays = ''] = people(2);
    const id = await aCallDraft(app, account, [shared, stays], {
      ...{ startOption: 'START_LATER', StartDate: `${day}T10:00:00`, BroadcastType },
      ...(BroadcastType === 'Announcement'
        ? {}
        : { TextMessage: 'School is closed.', TextNumberID: await textNumberId() }),
    });
    // Somebody else has the same phone.
    const Items = [{ Name: 'Twin Sample', PrimaryPhone: shared }];
    await app.call(addDraftNumbers, { params: { DraftBroadcastID: id }, body: { Items } }, account.owner);
    await send(app, account, id);
    expect(await read(id)).toMatchObject({ PhoneNumberCount: 2 });
    expect(await takeOut(id, [shared])).toBe(1);
    const { body } = await change(id, { StartDate: `${day}T11:00:00` });
    expect(body).toMatchObject({
      PhoneNumberCount: 1,
      CallTotal: BroadcastType === 'SMSOrAnnouncement' ? 0 : 1,
    });
    const { rows } = await sql<{ call_state: string; problem: string }>`
      select distinct call_state, problem from broadcast_recipients
      where broadcast_id = ${id} and phone = ${`1${shared}`}`.execute(app.database.system);
    expect(rows).toEqual([{ call_state: 'excluded', problem: 'excluded' }]);
    await change(id, { BroadcastStatus: 'Canceled' });
  },
);

it('a new start is at least five minutes ahead and inside the calling window', async () => {
  const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  const id = await aCallDraft(app, account, people(1), {
    startOption: 'START_LATER',
    StartDate: `${day}T10:00:00`,
  });
  await send(app, account, id);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  expect(refusalOf(await change(id, { StartDate: inMinutes(3) }))).toMatchObject({
    status: 400,
    Errors: [{ Field: 'StartDate', Message: 'Start Time must be at least 5 minutes from now' }],
  });
  expect((await change(id, { StartDate: inMinutes(60) })).status).toBe(200);
  await sql`update broadcasts set calling_start = '09:00', calling_stop = '17:00'
    where broadcast_id = ${id}`.execute(app.database.system);
  expect(refusalOf(await change(id, { StartDate: `${day}T20:00:00` }))).toMatchObject({
    status: 400,
    Errors: [{ Field: 'StartDate', Message: 'Choose a Start Time within your Calling Window' }],
  });
  await change(id, { BroadcastStatus: 'Canceled' });
});

it('counts each person who is taken out once, whether they lose a text, a call or both', async () => {
  const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  const all = people(5);
  await landlines(...all.slice(0, 2));
  const some = all.slice(0, 4);
  const later = { startOption: 'START_LATER' as const, StartDate: `${day}T10:00:00` };
  const texts = { TextMessage: 'School is closed.', TextNumberID: await textNumberId() };
  // Two are called because they can't be texted, and two are texted.
  const either = await aCallDraft(app, account, all, {
    ...later,
    ...texts,
    BroadcastType: 'SMSOrAnnouncement',
  });
  await send(app, account, either);
  expect(await takeOut(either, some)).toBe(4);
  const both = await aCallDraft(app, account, all, {
    ...later,
    ...texts,
    BroadcastType: 'SMSAndAnnouncement',
  });
  await send(app, account, both);
  // Two of the rows are one contact with two phones.
  const contact = await app.call(
    addContact,
    { body: { FirstName: 'Ada', PrimaryPhone: all[0], SecondaryPhone: all[1] } },
    account.owner,
  );
  await sql`update broadcast_recipients set person_id = ${contact.body.PersonID}
    where broadcast_id = ${both} and phone = any(${all.slice(0, 2).map((phone) => `1${phone}`)}::text[])`.execute(
    app.database.system,
  );
  expect(await takeOut(both, some)).toBe(3);
  for (const id of [either, both]) await change(id, { BroadcastStatus: 'Canceled' });
});

it('on a monthly plan, people who are called count until they are taken out or never called', async () => {
  const [landline = '', second = '', out = '', ...others] = people(9);
  await landlines(landline, second);
  await sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at)
    values (${account.accountId}, ${`1${out}`}, 'out', now())`.execute(app.database.system);
  await sql`update accounts set type_id = 1, monthly_level = 50, subscription_cycle_start_at = now() - interval '1 day'
    where account_id = ${account.accountId}`.execute(app.database.system);
  const countedPeople = async () => {
    const { rows } = await sql<{ many: number }>`
      select unique_call_count as many from accounts where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    return rows[0]?.many;
  };
  const id = await aCallDraft(app, account, [landline, second, out, ...others], { CallThrottle: 1 });
  const socket = await openSocket(app.url, await keyOf(app, account.owner));
  await send(app, account, id);
  expect(await countedPeople()).toBe(8);
  // Open pages show the new count.
  await socket.heard({ type: 'credits.changed' });
  await begun(id);
  const taken = await takeOut(id, others.slice(-1));
  expect([taken, await countedPeople()]).toEqual([1, 7]);
  await change(id, { BroadcastStatus: 'Canceled' });
  const called = Object.values(await resultsOf(app, id)).filter(({ attempts }) => attempts > 0).length;
  expect(called).toBeGreaterThan(0);
  expect(await countedPeople()).toBe(called);
  // The call that was up goes on to its end, and a second one would find the line busy.
  await app.until(async () => (await read(id)).CallsUp === 0);
  // Whoever was called counts once, also when they are called again.
  const again = await aCallDraft(app, account, [landline, second, out, ...others]);
  await send(app, account, again);
  expect(await countedPeople()).toBe(8);
  await completed(again);
});

it('an estimate for a draft that was just sent doesn’t change who is called', async () => {
  const [phone = ''] = people(1);
  const day = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  const id = await aCallDraft(app, account, [phone], {
    startOption: 'START_LATER',
    StartDate: `${day}T10:00:00`,
  });
  await send(app, account, id);
  // It was asked for with another type while the broadcast was still a draft.
  await asAccount(app.database, account.accountId, (trx) =>
    summarizeCalls(trx, account.accountId, id, 'SMSOrAnnouncement'),
  );
  const { rows } = await sql<{ call_state: string }>`
    select call_state from broadcast_recipients where broadcast_id = ${id}`.execute(app.database.system);
  expect(rows).toEqual([{ call_state: 'called' }]);
});

it('calls at a time can change while calls are active', async () => {
  const id = await aCallDraft(app, account, people(30), { CallThrottle: 1 });
  await send(app, account, id);
  await begun(id);
  await app.until(async () => (await read(id)).CallsUp === 1);
  expect(refusalOf(await change(id, { CallThrottle: 7 })).status).toBe(400);
  const changed = await change(id, { CallThrottle: 20 });
  expect(changed.body.CallThrottle).toBe(20);
  await app.until(async () => (await read(id)).CallsUp > 5);
  await app.until(async () => (await read(id)).EstimatedEnd !== null);
  await completed(id);
  expect((await app.sandbox.stats()).CallsAtOnce).toBeLessThanOrEqual(21);
  expect(refusalOf(await change(id, { CallThrottle: 20 })).Message).toBe(callingRefusals.nothingToCall);
  const { Items } = (
    await app.call(
      listBroadcastDetails,
      { params: { BroadcastID: id }, query: { callresultcategory: 'All' } },
      account.owner,
    )
  ).body;
  expect(Items.every(({ CallSeconds }) => (CallSeconds ?? 0) > 10)).toBe(true);
  // The chart counts each of them once.
  const { Calls } = (await app.call(getBroadcastProgress, { params: { BroadcastID: id } }, account.owner))
    .body;
  expect(Calls.StepSeconds).toBe(60);
  expect(Calls.Items.reduce((sum, { LiveAnswer }) => sum + LiveAnswer, 0)).toBe(30);
});

it('a start outside the calling window is refused in an edit too', async () => {
  const dayAfter = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 });
  await sql`update users set calling_start = '09:00', calling_stop = '21:00', time_zone = 'America/New_York'
    where account_id = ${account.accountId}`.execute(app.database.system);
  const id = await aCallDraft(app, account, [phoneOf('0101')], {
    startOption: 'START_LATER',
    StartDate: `${dayAfter}T10:00:00`,
  });
  expect((await send(app, account, id)).status).toBe(200);
  const early = await change(id, { StartDate: `${dayAfter}T05:00:00` });
  expect(refusalOf(early).Message).toBe('Choose a Start Time within your Calling Window');
  const later = await change(id, { StartDate: `${dayAfter}T20:00:00` });
  expect(later.body.BroadcastStatus).toBe('Scheduled');
  const { rows } = await sql<{ at: string; until: string; due: string }>`
    select (start_at at time zone 'America/New_York')::time::text as at,
      (call_until at time zone 'America/New_York')::time::text as until,
      (next_call_at at time zone 'America/New_York')::time::text as due
    from broadcasts where broadcast_id = ${id}`.execute(app.database.system);
  expect(rows).toEqual([{ at: '20:00:00', until: '21:00:00', due: '20:00:00' }]);
  expect((await read(id)).Credits.Reserved).toBe(2);
});

it('a caller ID that the provider refuses pauses the broadcast with the reason', async () => {
  // Verified here once, and no longer by the provider.
  await sql`insert into caller_ids (account_id, phone, status, user_id)
    values (${account.accountId}, '14235559876', 'Verified', ${account.owner.userId})`.execute(
    app.database.system,
  );
  const id = await aCallDraft(app, account, people(3), { CallerID: '4235559876' });
  expect((await send(app, account, id)).status).toBe(200);
  await app.until(async () => (await read(id)).BroadcastStatus === 'Paused');
  expect((await read(id)).HeldReason).toContain('caller ID');
  expect(Object.values(await resultsOf(app, id)).every(({ attempts }) => attempts === 0)).toBe(true);
});

it('an account that may no longer send calls nobody, and continues when it may', async () => {
  const setStatus = (status: number) =>
    sql`update accounts set status_id = ${status} where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
  const id = await aCallDraft(app, account, people(6), { CallThrottle: 1 });
  expect((await send(app, account, id)).status).toBe(200);
  // All of them are calls by now, and one line is in use.
  await begun(id);
  await setStatus(1);
  await app.until(async () => (await read(id)).BroadcastStatus === 'Paused');
  expect((await read(id)).HeldReason).toContain('suspended');
  const countAttempts = async () =>
    Object.values(await resultsOf(app, id)).filter(({ attempts }) => attempts > 0).length;
  expect(await countAttempts()).toBeLessThan(6);
  await setStatus(0);
  await change(id, { BroadcastStatus: 'Broadcasting' });
  await completed(id);
  expect(await countAttempts()).toBe(6);
});

it('a repeating broadcast calls each time', async () => {
  const draft = await aCallDraft(app, account, [], {
    startOption: 'REPEATING',
    StartDate: `${Temporal.Now.plainDateISO('America/New_York').add({ days: 1 })}T09:00:00`,
    RepeatingBroadcastSchedule: {
      Interval: 1,
      IntervalFrequency: 'days',
      DaysOfWeek: [],
      EndDateTime: null,
    },
  });
  await app.call(
    addDraftNumbers,
    { params: { DraftBroadcastID: draft }, body: { Items: [{ PrimaryPhone: phoneOf('0101') }] } },
    account.owner,
  );
  const series = await app.call(createRepeating, { body: { DraftBroadcastID: draft } }, account.owner);
  expect([series.status, series.body]).toEqual([200, expect.anything()]);
  await sql`update repeating_broadcasts set next_at = now() where repeating_id = ${series.body.RepeatingBroadcastID}`.execute(
    app.database.system,
  );
  const id = await app.until(async () => {
    const { rows } = await sql<{ id: number }>`
      select broadcast_id as id from broadcasts
      where repeating_id = ${series.body.RepeatingBroadcastID} and status in ('broadcasting', 'sent', 'completed')`.execute(
      app.database.system,
    );
    return rows[0]?.id;
  });
  await completed(id);
  expect(await resultsOf(app, id)).toMatchObject({ '0101': { result: 'live_answer', attempts: 1 } });
});

it('a file is uploaded straight to a broadcast as its message', async () => {
  const id = await aCallDraft(app, account, [phoneOf('0101')], { Audio: null, AudioVM: null });
  const upload = async (call: typeof uploadBroadcastAudio | typeof uploadBroadcastAudioVM, bytes: Buffer) => {
    const answer = await fetch(app.url + prefixOf(call) + pathOf(call, { BroadcastID: id }), {
      method: 'POST',
      headers: { cookie: account.owner.cookie, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    });
    return { status: answer.status, body: (await answer.json()) as { AudioID: number; Message: string } };
  };
  const bad = await upload(uploadBroadcastAudio, Buffer.from('not a sound at all'));
  expect(bad.body.Message).toBe(unsupportedAudio);
  const tone = (hz: number) => Float32Array.from({ length: 12 * 8000 }, (_, n) => Math.sin(n / hz) / 3);
  const live = await upload(uploadBroadcastAudio, writeMuLawWav(tone(4)));
  const machine = await upload(uploadBroadcastAudioVM, writeMuLawWav(tone(7)));
  expect([live.status, machine.status]).toEqual([200, 200]);
  expect((await send(app, account, id)).status).toBe(200);
  await completed(id);
  const whole = await read(id);
  expect([whole.Audio?.AudioID, whole.AudioVM?.AudioID]).toEqual([live.body.AudioID, machine.body.AudioID]);
});

it('does not call a number that was found to be no phone after Send', async () => {
  const bad = (phone: string) =>
    sql`insert into phone_lookups (account_id, phone, is_valid, line_type) values (${account.accountId}, ${`1${phone}`}, false, 'unknown')`.execute(
      app.database.system,
    );
  const [before = '', after = '', good = ''] = people(3);
  await bad(before);
  const id = await aCallDraft(app, account, [before, after, good]);
  await send(app, account, id);
  await bad(after);
  await completed(id);
  expect(await resultsOf(app, id)).toMatchObject({
    [after.slice(-4)]: { result: 'invalid', attempts: 0, charged: 0 },
    [good.slice(-4)]: { result: 'live_answer' },
  });
  expect(await callsOf(app, before)).toEqual([]);
  const history = await app.call(listPhoneHistory, { params: { Number: good }, query: {} }, account.owner);
  expect(history.body.Items).toMatchObject([
    { Kind: 'call', Status: 'live_answer', Broadcast: { BroadcastID: id }, Seconds: expect.any(Number) },
  ]);
});

it('a person who finds no free transfer line is called back, and is abandoned until then', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into transfer_numbers (account_id, phone, status, user_id)
    values (${account.accountId}, '14235550198', 'Approved', ${account.owner.userId})
    returning transfer_number_id as id`.execute(app.database.system);
  const phone = people(1)[0] ?? '';
  // Slower than the others: it waits for a key as long as on a telephone, and a busy machine presses late.
  const setSpeed = (CallSpeed: number) => app.sandbox.control('PUT', '/settings', { CallSpeed });
  await setSpeed(10);
  onTestFinished(async () => void (await setSpeed(25)));
  const id = await aCallDraft(app, account, [phone], {
    IsTransfer: true,
    TransferNumber: { ID: rows[0]?.id ?? 0 },
    TransferLines: 1,
  });
  expect((await send(app, account, id)).status).toBe(200);
  // Another call uses the only line.
  await app.until(async () => Object.keys(await resultsOf(app, id)).length === 1);
  await sql`insert into calls (account_id, purpose, broadcast_id, recipient_id, phone, caller_id, result, is_over, holds_line,
      transfer_asked_at)
    select account_id, 'test', broadcast_id, null, '14235550111', caller_id, 'live_answer', true, true, now()
    from broadcasts where broadcast_id = ${id}`.execute(app.database.system);
  const current = async () => (await callsOf(app, phone)).at(-1);
  const press = async (said: string, Keys: string) => {
    const call = await waitUntil(async () => {
      const now = await current();
      return now?.Heard.some(({ Text }) => Text?.includes(said)) && now;
    });
    await app.sandbox.control('POST', `/phones/${phone}/calls/${call.CallID}`, { Do: 'Press', Keys });
  };
  await press(callWords.optOut, '0');
  await press(callWords.offerCallback, '1');
  await app.until(async () => (await current())?.State === 'Ended');
  await app.drain();
  expect(await read(id)).toMatchObject({ AbandonedTotal: 1, WaitingCallTotal: 1, LivePersonTotal: 1 });
  expect(await callsOf(app, phone)).toHaveLength(1);
  await sql`update calls set holds_line = false where broadcast_id = ${id}`.execute(app.database.system);
  await app.until(async () => (await callsOf(app, phone)).length === 2);
  await press(callWords.callback, '1');
  await completed(id);
  expect(await read(id)).toMatchObject({
    AbandonedTotal: 0,
    TransferTotal: 1,
    LivePersonTotal: 1,
    Credits: { Reserved: 0, Settled: 1 },
  });
});

describe('a person who waits to be called back has heard the message', () => {
  const set = (id: number, columns: string) =>
    sql`update broadcasts set ${sql.raw(columns)} where broadcast_id = ${id}`.execute(app.database.system);
  it.each([
    ['it is canceled', (id: number) => change(id, { BroadcastStatus: 'Canceled' })],
    ['its window closes', (id: number) => set(id, "call_until = now() - interval '1 second'")],
    [
      'they ask not to be called',
      () =>
        sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at)
          values (${account.accountId}, ${`1${people(1)[0]}`}, 'out', now())`.execute(app.database.system),
    ],
  ])('also when %s', async (_, meanwhile) => {
    const [phone = '', another = ''] = people(2);
    const id = await aCallDraft(app, account, [phone, another]);
    await send(app, account, id);
    await feedCalls(app.database);
    // As endAttempt leaves the first one; the other one hasn't been called.
    await sql`with heard as (
        update calls set attempts = 1, result = 'live_answer', callback_at = now()
        where broadcast_id = ${id} and phone = ${`1${phone}`} returning account_id, call_id)
      update call_queue q set attempt = 1 from heard h
      where q.account_id = h.account_id and q.call_id = h.call_id`.execute(app.database.system);
    await meanwhile(id);
    await app.until(async () => (await read(id)).Credits.Settled > 0);
    expect(await resultsOf(app, id)).toMatchObject({
      [phone.slice(-4)]: { result: 'live_answer', attempts: 1, charged: 1 },
    });
    await app.until(async () => (await read(id)).Credits.Reserved === 0);
  });
});

it('calls wait while all transfer lines are in use, once too many have found none', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into transfer_numbers (account_id, phone, status, user_id)
    values (${account.accountId}, '14235550197', 'Approved', ${account.owner.userId})
    returning transfer_number_id as id`.execute(app.database.system);
  const id = await aCallDraft(app, account, people(4), {
    CallThrottle: 1,
    IsTransfer: true,
    TransferNumber: { ID: rows[0]?.id ?? 0 },
    TransferLines: 1,
  });
  await send(app, account, id);
  await begun(id);
  await sql`insert into calls (account_id, purpose, broadcast_id, phone, caller_id, result, is_over, holds_line,
      transfer_asked_at, abandoned_at)
    select account_id, 'test', broadcast_id, '14235550111', caller_id, 'live_answer', true, holds, now(),
      case when not holds then now() end
    from broadcasts, unnest(array[true, false]) holds where broadcast_id = ${id}`.execute(
    app.database.system,
  );
  await app.until(async () => (await read(id)).CallsUp === 0);
  const before = Object.values(await resultsOf(app, id)).reduce((sum, { attempts }) => sum + attempts, 0);
  await app.drain();
  await app.drain();
  const after = Object.values(await resultsOf(app, id)).reduce((sum, { attempts }) => sum + attempts, 0);
  expect([before < 5, after]).toEqual([true, before]);
  await change(id, { TransferLines: 2 });
  await completed(id);
});

it('a person who has had another broadcast since Send isn’t called, and costs nothing', async () => {
  const phone = phoneOf('0101');
  // Both were created before either had called.
  const ids = [await aCallDraft(app, account, [phone]), await aCallDraft(app, account, [phone])];
  await sql`update accounts set most_broadcasts = 1, most_broadcasts_days = 7
    where account_id = ${account.accountId}`.execute(app.database.system);
  for (const id of ids) expect((await send(app, account, id)).status).toBe(200);
  for (const id of ids) await completed(id);
  const results = await Promise.all(ids.map((id) => resultsOf(app, id)));
  expect(results.map((of) => of['0101'])).toEqual(
    expect.arrayContaining([
      { result: 'live_answer', attempts: 1, charged: 1 },
      { result: 'canceled', attempts: 0, charged: 0 },
    ]),
  );
  const { rows } = await sql<{ note: string; reserved: number }>`
    select c.note, a.credit_reserved as reserved from calls c join accounts a on a.account_id = c.account_id
    where c.account_id = ${account.accountId} and c.result = 'canceled'`.execute(app.database.system);
  expect(rows).toEqual([{ note: recipientProblemMessages.too_often, reserved: 0 }]);
});
