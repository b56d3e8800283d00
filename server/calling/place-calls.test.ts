import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listBroadcastDetails } from '../../contract/broadcast-results.ts';
import { getBroadcast, updateBroadcast } from '../../contract/broadcasts.ts';
import { bindAttempt, bindVerdict } from '../calls/bind-attempt.ts';
import { createCall } from '../calls/create-call.ts';
import { recordPlaced } from '../calls/record-placed.ts';
import { type CallKey, callWords, retryMinutes, writeCallKey } from '../calls/rules.ts';
import { asSystem } from '../db.ts';
import { signTwilio } from '../outside/twilio-signature.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import {
  aCallDraft,
  aRecording,
  callAtAnyHour,
  callsOf,
  phoneOf,
  resultsOf,
  send,
} from '../testing/calls.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';

const callers = Array.from({ length: 12 }, (_, index) => `186555510${String(index).padStart(2, '0')}`);
let serial = -1;
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp(Object.fromEntries(callers.map((phone) => [phone, 'twilio' as const])), {
    CALL_STARTS_PER_SECOND: '200',
    CALL_LINES: '100',
  });
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 25, CallStartsPerSecond: 1000 });
});
beforeEach(async () => {
  serial += 1;
  const phone = callers[serial] ?? '';
  account = await buildAccount(app, { numbers: { [phone]: 'twilio' } });
  await callAtAnyHour(app, account);
  await app.sandbox.faults({ ResetAfterAccept: 0, ReceiptLost: 0, ReceiptDuplicate: 0, Outage: false });
});

const status = async (BroadcastID: number) =>
  (await app.call(getBroadcast, { params: { BroadcastID } }, account.owner)).body;

/** Waits until everybody has been called once. */
async function called(id: number, count: number) {
  return app.until(async () => {
    const results = await resultsOf(app, id);
    const isDone = Object.values(results).every(
      ({ result, attempts }) => attempts > 0 && result !== 'not_yet_called',
    );
    return Object.keys(results).length === count && isDone && results;
  });
}

describe('a broadcast that calls', () => {
  it('plays to people, leaves messages with machines, and shows the results of the others', async () => {
    const people = ['0101', '0145', '0146', '0147', '0148', '0149', '0155'];
    const id = await aCallDraft(app, account, people.map(phoneOf), { Retries: 0 });
    const sent = await send(app, account, id);
    expect([sent.status, sent.body]).toEqual([200, expect.objectContaining({ BroadcastID: id })]);
    const results = await called(id, people.length);
    expect(results).toEqual({
      '0101': { result: 'live_answer', attempts: 1, charged: 1 },
      '0145': { result: 'voicemail', attempts: 1, charged: 2 },
      '0146': { result: 'busy', attempts: 1, charged: 0 },
      '0147': { result: 'no_answer', attempts: 1, charged: 0 },
      '0148': { result: 'invalid', attempts: 1, charged: 0 },
      '0149': { result: 'message_rejected', attempts: 1, charged: 0 },
      '0155': { result: 'call_failed', attempts: 1, charged: 0 },
    });
    await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
    expect(await status(id)).toMatchObject({
      LivePersonTotal: 1,
      AnsweringMachineTotal: 1,
      BusyNoAnswerTotal: 2,
      InvalidNumberTotal: 2,
      IncompleteCallTotal: 1,
      Credits: { Reserved: 0, Settled: 3 },
    });
    const [live] = await callsOf(app, phoneOf('0101'));
    expect(live?.Troubles).toEqual([]);
    expect(live?.Heard[0]?.Seconds).toBeGreaterThan(19);
    const [machine] = await callsOf(app, phoneOf('0145'));
    expect(machine?.Heard.at(-1)?.Seconds).toBeGreaterThan(39);
  });

  it('asks a survey, connects people who press 0, and stops calls for those who press 9', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into transfer_numbers (account_id, phone, status, user_id)
      values (${account.accountId}, '14235550199', 'Approved', ${account.owner.userId})
      returning transfer_number_id as id`.execute(app.database.system);
    const people = ['0151', '0152', '0153', '0154', '0159'];
    const id = await aCallDraft(app, account, people.map(phoneOf), {
      BroadcastType: 'Survey',
      IsTransfer: true,
      TransferNumber: { ID: rows[0]?.id ?? 0 },
      TransferLines: 1,
    });
    expect((await send(app, account, id)).status).toBe(200);
    await called(id, people.length);
    await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
    expect(await status(id)).toMatchObject({
      LivePersonTotal: 5,
      SurveyResponseTotal: 3,
      TransferTotal: 1,
      TransferLinesUp: 0,
      SurveyResponses: [
        { ID: 1, Label: '*1', Count: 2 },
        { ID: 2, Label: '*2', Count: 1 },
      ],
    });
    const consent = await sql<{ channel: string; state: string; source: string; wording: string }>`
      select channel, state, source, wording from consent_ledger
      where account_id = ${account.accountId} and phone = ${`1${phoneOf('0154')}`}`.execute(
      app.database.system,
    );
    expect(consent.rows).toEqual([
      { channel: 'voice', state: 'out', source: 'call', wording: expect.stringContaining('Pressed 9') },
    ]);
  });

  it('counts the keys that a typed survey offers, and asks again after any other', async () => {
    const text = 'This is Oak School. Will you come at 6:30? For yes, press star 1. For no, press star 3.';
    const id = await aCallDraft(app, account, [phoneOf('0151'), phoneOf('0152')], {
      BroadcastType: 'Survey',
      Audio: { AudioID: await aRecording(app, account, { text }) },
    });
    expect((await send(app, account, id)).status).toBe(200);
    await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
    // 0152 presses *2, which isn't offered.
    expect(await status(id)).toMatchObject({
      LivePersonTotal: 2,
      SurveyResponses: [{ ID: 1, Label: '*1', Count: 1 }],
    });
    const heard = (await callsOf(app, phoneOf('0152'))).at(-1)?.Heard.map(({ Text }) => Text) ?? [];
    expect(heard).toContain(callWords.again);
  });

  it('calls again after five minutes, at most as often as configured', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0146')], { Retries: 1 });
    await send(app, account, id);
    await called(id, 1);
    const due = await sql<{ minutes: number }>`
      select extract(epoch from due_at - now()) / 60 as minutes from call_queue where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    expect(Number(due.rows[0]?.minutes)).toBeGreaterThan(retryMinutes - 0.5);
    // Not busy before the last attempt: it is waiting, and everybody is counted once.
    await app.until(async () => (await status(id)).RetryingCallTotal === 1);
    expect(await status(id)).toMatchObject({
      ...{ CallTotal: 1, CallsUp: 0, BusyNoAnswerTotal: 0 },
      ...{ WaitingCallTotal: 1, IncompleteCallTotal: 1 },
    });
    const tab = async (callresultcategory: 'BusyNoAnswer' | 'Incomplete') => {
      const asked = { params: { BroadcastID: id }, query: { callresultcategory } };
      return (await app.call(listBroadcastDetails, asked, account.owner)).body.Items;
    };
    expect(await tab('BusyNoAnswer')).toEqual([]);
    expect(await tab('Incomplete')).toMatchObject([
      { CallResultCategory: 'Incomplete', CallResult: 'busy', NextCallTime: expect.any(String) },
    ]);
    await sql`update call_queue set due_at = now() where broadcast_id = ${id}`.execute(app.database.system);
    await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
    expect(await resultsOf(app, id)).toEqual({ '0146': { result: 'busy', attempts: 2, charged: 0 } });
    expect(await status(id)).toMatchObject({ BusyNoAnswerTotal: 1, RetryingCallTotal: 0 });
    expect(await tab('BusyNoAnswer')).toMatchObject([
      { CallResultCategory: 'BusyNoAnswer', NextCallTime: null },
    ]);
  });

  it('stops when it is paused, continues when it is resumed, and calls nobody once canceled', async () => {
    const phones = Array.from({ length: 12 }, (_, index) => `423556${1000 + index}`);
    const id = await aCallDraft(app, account, phones, { CallThrottle: 1 });
    await send(app, account, id);
    await app.until(async () => Object.values(await resultsOf(app, id)).some(({ attempts }) => attempts > 0));
    const change = (BroadcastStatus: 'Paused' | 'Broadcasting' | 'Canceled') =>
      app.call(updateBroadcast, { params: { BroadcastID: id }, body: { BroadcastStatus } }, account.owner);
    expect((await change('Paused')).body.BroadcastStatus).toBe('Paused');
    const attempts = async () =>
      Object.values(await resultsOf(app, id)).reduce((sum, row) => sum + row.attempts, 0);
    await app.until(async () => (await status(id)).CallsUp === 0);
    const before = await attempts();
    await app.drain();
    expect(await attempts()).toBe(before);
    // The next one rings until the broadcast is canceled, and then stops.
    await app.sandbox.control('PUT', '/settings', { CallSpeed: 1 });
    await change('Broadcasting');
    await app.until(async () => (await attempts()) > before);
    await change('Canceled');
    await app.until(async () => (await status(id)).CallsUp === 0);
    await app.sandbox.control('PUT', '/settings', { CallSpeed: 25 });
    const after = Object.values(await resultsOf(app, id));
    expect(after.some(({ result, attempts: many }) => result === 'canceled' && many === 0)).toBe(true);
    const called = after.filter(({ attempts: many }) => many > 0);
    expect(called.filter(({ result }) => result === 'canceled')).toHaveLength(1);
    expect(called.filter(({ result }) => result !== 'canceled')).toHaveLength(before);
    const calls = (await Promise.all(phones.map((phone) => callsOf(app, phone)))).flat();
    expect(calls.filter(({ Result, Heard }) => Result === 'Canceled' && Heard.length === 0)).toHaveLength(1);
    expect((await status(id)).Credits.Reserved).toBe(0);
  });

  it('never calls twice for one attempt when the provider’s answers and webhooks are lost', async () => {
    await app.sandbox.faults({
      ResetAfterAccept: 0.5,
      ReceiptDuplicate: 0.3,
      ReceiptLost: 0.2,
      Channel: 'calls',
    });
    const phones = Array.from({ length: 40 }, (_, index) => `423557${1000 + index}`);
    const id = await aCallDraft(app, account, phones);
    await send(app, account, id);
    // A test doesn't wait for lost webhooks: active calls are checked soon.
    await app.until(async () => {
      await sql`update call_queue set look_at = least(look_at, now() + interval '1 second')
        where broadcast_id = ${id} and state <> 'waiting'`.execute(app.database.system);
      return (await status(id)).BroadcastStatus === 'Completed';
    });
    const results = Object.values(await resultsOf(app, id));
    expect(results.filter(({ result }) => result === 'live_answer')).toHaveLength(40);
    const times = await Promise.all(phones.map(async (phone) => (await callsOf(app, phone)).length));
    expect(Math.max(...times)).toBe(1);
    expect((await app.sandbox.stats()).CallsRepeated).toBe(0);
  });

  it('waits for a provider that is down, and restarts what a killed worker had only claimed', async () => {
    const pace = (perSecond: number) =>
      sql`update call_pace set starts_per_second = ${perSecond}`.execute(app.database.system);
    await pace(5);
    await app.sandbox.faults({ Outage: true });
    const phones = Array.from({ length: 20 }, (_, index) => `423559${1000 + index}`);
    const id = await aCallDraft(app, account, phones, { Retries: 0 });
    await send(app, account, id);
    const waiting = () =>
      sql<{ many: number }>`select count(*)::int as many from call_queue
        where broadcast_id = ${id} and state = 'waiting' and attempt = 0`.execute(app.database.system);
    await app.until(async () => {
      const results = Object.values(await resultsOf(app, id));
      return results.filter(({ attempts }) => attempts > 0).length >= 3;
    });
    // Few are in doubt; the others wait, including two whose worker is killed before their start.
    const left = (await waiting()).rows[0]?.many ?? 0;
    expect(left).toBeGreaterThan(5);
    await sql`update call_queue set state = 'claimed', lease_id = gen_random_uuid(), look_at = now()
      where (account_id, call_id) in (select account_id, call_id from call_queue
        where broadcast_id = ${id} and state = 'waiting' limit 2)`.execute(app.database.system);
    await app.sandbox.faults({ Outage: false });
    await pace(200);
    await app.until(async () => {
      // Two minutes later the ones in doubt still haven't been found.
      await sql`update call_attempts a set placed_at = placed_at - interval '3 minutes' from call_queue q
        where q.broadcast_id = ${id} and q.state = 'doubt' and q.account_id = a.account_id and q.call_id = a.call_id
          and a.placed_at > now() - interval '2 minutes'`.execute(app.database.system);
      await sql`update call_queue set look_at = now() where broadcast_id = ${id} and state = 'doubt'`.execute(
        app.database.system,
      );
      return (await status(id)).BroadcastStatus === 'Completed';
    });
    const results = Object.values(await resultsOf(app, id));
    const failed = results.filter(({ result }) => result === 'call_failed');
    expect(results.filter(({ result }) => result === 'live_answer')).toHaveLength(20 - failed.length);
    expect(failed.length).toBeLessThanOrEqual(20 - left);
    expect(failed.every(({ attempts, charged }) => attempts === 1 && charged === 0)).toBe(true);
    const times = await Promise.all(phones.map(async (phone) => (await callsOf(app, phone)).length));
    expect(Math.max(...times)).toBe(1);
  });

  it('hangs up a second call of an attempt, and records a connection after the call’s end', async () => {
    const id = await aCallDraft(app, account, ['4235581000']);
    await send(app, account, id);
    const attempt = await app.until(async () => {
      const { rows } = await sql<CallKey & { sid: string | null }>`
        select a.account_id as "accountId", a.call_id as "callId", a.attempt, a.nonce, a.sid
        from call_attempts a join calls c using (account_id, call_id)
        where c.broadcast_id = ${id} and a.sid is not null and a.ended_at is null`.execute(
        app.database.system,
      );
      return rows[0];
    });
    const ask = async (CallSid: string, at = 'answered', more: Record<string, string> = {}) => {
      const url = `${app.url}/hooks/twilio/voice?key=${writeCallKey(attempt)}&at=${at}`;
      const form = new URLSearchParams({ CallSid, From: '+14235550100', To: '+14235581000', ...more });
      const signature = signTwilio(testCredentials.TWILIO_AUTH_TOKEN, url, form);
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      };
      return (await fetch(url, { method: 'POST', headers, body: form.toString() })).text();
    };
    const second = await ask('CA00000000000000000000000000000099');
    expect(second).toContain('<Hangup/>');
    expect(second).not.toContain('<Play>');
    await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
    // The transferred person hung up first: this comes after the end of the call, and from no other call.
    const dial = { DialCallStatus: 'completed', DialBridged: 'true', DialCallDuration: '7' };
    await ask('CA00000000000000000000000000000099', 'transferred', dial);
    expect((await status(id)).TransferTotal).toBe(0);
    expect(await ask(attempt.sid ?? '', 'transferred', dial)).toContain('<Hangup/>');
    expect(await status(id)).toMatchObject({ TransferTotal: 1, TransferLinesUp: 0 });
  });
});

it('leaves a message after a greeting that is longer than the message', async () => {
  const AudioID = await aRecording(app, account, { seconds: 8 });
  const id = await aCallDraft(app, account, [phoneOf('0138')], { Audio: { AudioID } });
  await send(app, account, id);
  await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
  expect(await resultsOf(app, id)).toMatchObject({ '0138': { result: 'voicemail', charged: 2 } });
});

it('plays the voicemail message once when the verdict comes twice', async () => {
  const phone = phoneOf('0145');
  const id = await aCallDraft(app, account, [phone]);
  const before = (await callsOf(app, phone)).length;
  await send(app, account, id);
  const attempt = await app.until(async () => {
    const { rows } = await sql<CallKey & { sid: string }>`
      select a.account_id as "accountId", a.call_id as "callId", a.attempt, a.nonce, a.sid
      from call_attempts a join calls c using (account_id, call_id)
      where c.broadcast_id = ${id} and a.voicemail_at is not null and a.ended_at is null`.execute(
      app.database.system,
    );
    return rows[0];
  });
  const url = `${app.url}/hooks/twilio/machine?key=${writeCallKey(attempt)}`;
  const form = new URLSearchParams({ CallSid: attempt.sid, AnsweredBy: 'machine_end_beep' });
  const signature = signTwilio(testCredentials.TWILIO_AUTH_TOKEN, url, form);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  };
  await fetch(url, { method: 'POST', headers, body: form.toString() });
  await app.until(async () => (await status(id)).BroadcastStatus === 'Completed');
  const calls = await callsOf(app, phone);
  expect(calls).toHaveLength(before + 1);
  expect(calls.at(-1)?.Heard.filter(({ Into }) => Into === 'Mailbox')).toHaveLength(1);
});

it('a placed call and its webhook, which arrive at the same time, don’t deadlock', async () => {
  const { accountId } = account;
  const callId = await asSystem(app.database, async (trx) => {
    const made = await createCall(trx, {
      ...{ accountId, userId: account.owner.userId, provider: 2, phone: '14235550101' },
      callerId: callers[serial] ?? '',
      task: { kind: 'verify', code: '1' },
    });
    await sql`insert into call_attempts (account_id, call_id, attempt, nonce, provider)
      values (${accountId}, ${made}, 1, 1, 2)`.execute(trx);
    await sql`update call_queue set state = 'placing', attempt = 1, look_at = now() + interval '1 hour'
      where account_id = ${accountId} and call_id = ${made}`.execute(trx);
    return made;
  });
  const key = { accountId, callId, attempt: 1 };
  let placed: Promise<void> | undefined;
  await asSystem(app.database, async (trx) => {
    // The webhook has locked the attempt; recording the placed call has to wait for it without holding locks.
    await sql`select from call_attempts where account_id = ${accountId} and call_id = ${callId} for update`.execute(
      trx,
    );
    placed = recordPlaced(app.database.system, key, { sid: 'CA1', lookSeconds: 3600 });
    await app.until(async () => {
      const { rows } = await sql<{ many: number }>`
        select count(*)::int as many from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted and locktype in ('transactionid', 'tuple')`.execute(
        app.database.system,
      );
      return (rows[0]?.many ?? 0) > 0;
    });
    expect(await bindAttempt(trx, { ...key, nonce: 1 }, 'CA1', { isUp: true })).toBe(true);
  });
  await placed;
  const { rows } = await sql<{ state: string; sid: string }>`
    select q.state, a.sid from call_queue q join call_attempts a using (account_id, call_id)
    where q.account_id = ${accountId} and q.call_id = ${callId}`.execute(app.database.system);
  expect(rows).toEqual([{ state: 'up', sid: 'CA1' }]);
  // Machines press no keys.
  const verdict = async (sid: string) =>
    (await bindVerdict(app.database.system, { ...key, nonce: 1 }, sid, 'machine'))?.answeredBy;
  expect([await verdict('CA1'), await verdict('CA2')]).toEqual(['machine', undefined]);
  await sql`update calls set keys = '*1' where account_id = ${accountId} and call_id = ${callId}`.execute(
    app.database.system,
  );
  expect(await verdict('CA1')).toBe('human');
});
