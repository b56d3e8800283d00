import { sql } from 'kysely';
import { createBroadcast, getBroadcast } from '../../contract/broadcasts.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { createDraft, type DraftForm } from '../../contract/drafts.ts';
import { writeMuLawWav } from '../audio/code-mulaw.ts';
import { createAudio } from '../audio/create-audio.ts';
import { prepareSound } from '../audio/prepare-sound.ts';
import { asAccount } from '../db.ts';
import { createFileStore } from '../files.ts';
import { type BuiltAccount, buildAccount } from './builders.ts';
import { type TestApp, testApp } from './test-app.ts';

/** A call as the sandbox's telephone reports it. */
interface PhoneCall {
  CallID: string;
  State: 'Ringing' | 'InCall' | 'Voicemail' | 'Ended';
  Result: string | null;
  Heard: { At: string; Seconds: number; Text?: string; Into: string }[];
  Keys: string;
  Troubles: { Code: number; Message: string }[];
}

export async function callsOf(app: TestApp, phone: string): Promise<PhoneCall[]> {
  const answer = await app.sandbox.control('GET', `/phones/${phone}/calls`);
  return ((await answer.json()) as { Items: PhoneCall[] }).Items;
}

/**
 * A server that may start many calls per second, with a sandbox in which a call takes a twenty-fifth of its
 * time.
 */
export async function callingApp(callers: readonly string[]): Promise<TestApp> {
  const app = await testApp(Object.fromEntries(callers.map((phone) => [phone, 'twilio' as const])), {
    CALL_STARTS_PER_SECOND: '200',
  });
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 25, CallStartsPerSecond: 1000 });
  return app;
}

/** An account that calls from this number, at any hour. */
export async function callingAccount(app: TestApp, caller: string): Promise<BuiltAccount> {
  const account = await buildAccount(app, { numbers: { [caller]: 'twilio' } });
  await callAtAnyHour(app, account);
  return account;
}

/** One of the sandbox's phones whose number determines their behavior. */
export const phoneOf = (last: string) => `423555${last}`;

export async function readBroadcast(app: TestApp, account: BuiltAccount, BroadcastID: number) {
  return (await app.call(getBroadcast, { params: { BroadcastID } }, account.owner)).body;
}

/** A recording of this many seconds in the account's library. */
export async function aRecording(
  app: TestApp,
  { accountId, owner }: BuiltAccount,
  { seconds = 20, text }: { seconds?: number; text?: string } = {},
): Promise<number> {
  const samples = Float32Array.from(
    { length: seconds * 8000 },
    (_, index) => Math.sin(index / (4 + seconds / 50)) / 3,
  );
  const sound = await prepareSound({ bytes: writeMuLawWav(samples) }, true);
  const insert = await createAudio(createFileStore(`${app.dataDir}/media`), sound, {
    accountId,
    userId: owner.userId,
    name: `Message of ${seconds} s`,
    audioType: 'announcement',
    origin: text === undefined ? 'Upload' : 'Speech',
    ...(text === undefined ? {} : { speech: { text, voiceId: 'flite:rms', rate: 1 } }),
  });
  return asAccount(app.database, accountId, insert);
}

/** Calls at any hour, unless a test is about hours. */
export async function callAtAnyHour(app: TestApp, { accountId }: BuiltAccount): Promise<void> {
  await sql`update accounts set quiet_hours_on = false where account_id = ${accountId}`.execute(
    app.database.system,
  );
  await sql`update users set calling_start = '00:00', calling_stop = '23:59' where account_id = ${accountId}`.execute(
    app.database.system,
  );
}

/** A draft to these phones, with the two messages of 20 and 40 seconds and 50 calls at a time. */
export async function aCallDraft(
  app: TestApp,
  account: BuiltAccount,
  phones: string[],
  form: Partial<DraftForm> = {},
): Promise<number> {
  const { body } = await app.call(
    createDraft,
    {
      body: {
        BroadcastName: 'Snow day',
        BroadcastType: 'Announcement',
        CallerID: Object.keys(account.numbers)[0] ?? '',
        CallThrottle: 50,
        Audio: { AudioID: await aRecording(app, account) },
        AudioVM: { AudioID: await aRecording(app, account, { seconds: 40 }) },
        ...form,
      },
    },
    account.owner,
  );
  const params = { DraftBroadcastID: body.DraftBroadcastID };
  const Items = phones.map((PrimaryPhone) => ({ PrimaryPhone }));
  await app.call(addDraftNumbers, { params, body: { Items } }, account.owner);
  return body.DraftBroadcastID;
}

export async function send(app: TestApp, account: BuiltAccount, draftId: number) {
  return app.call(createBroadcast, { body: { DraftBroadcastID: draftId } }, account.owner);
}

/**
 * The result of each phone: its status, its attempts, and the pressed keys. Fails when credits don't add up:
 * those of a call are held until it is settled.
 */
export async function resultsOf(app: TestApp, broadcastId: number) {
  const { rows } = await sql<{ phone: string; result: string; attempts: number; charged: number }>`
    select phone, result, attempts, charged from calls where broadcast_id = ${broadcastId} order by phone`.execute(
    app.database.system,
  );
  const { rows: faults } = await sql<{ fault: string }>`
    select 'reserved ' || a.credit_reserved || ', held ' || h.held as fault
    from accounts a
    join broadcasts b on b.account_id = a.account_id and b.broadcast_id = ${broadcastId}
    cross join lateral (
      select coalesce(sum(c.credits) filter (where not c.is_over or q.state = 'over'), 0) + b.call_credits_unfed + b.credits_unfed as held
      from calls c left join call_queue q on q.account_id = c.account_id and q.call_id = c.call_id
      where c.account_id = b.account_id and c.broadcast_id = b.broadcast_id) h
    cross join lateral (
      select sum(e.reserved_delta) as reserved from credit_entries e
      where e.account_id = b.account_id and e.reference_kind = 'broadcast' and e.reference_ids = array[b.broadcast_id]) l
    where l.reserved <> h.held`.execute(app.database.system);
  if (faults[0]) throw new Error(`credits of calls don't add up: ${faults[0].fault}`);
  return Object.fromEntries(rows.map(({ phone, ...row }) => [phone.slice(-4), row]));
}
