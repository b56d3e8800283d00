import { sql } from 'kysely';
import { findActiveActor } from '../access/load-actor.ts';
import { hashPasswordHere } from '../auth/hash-password.ts';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { beginDraft } from '../broadcasts/draft/create-draft.ts';
import { addRecipients } from '../broadcasts/recipients/add-recipients.ts';
import { summarizeCalls } from '../broadcasts/recipients/judge-calls.ts';
import type { Trx } from '../db.ts';
import { mainNumbers } from './demo-numbers.ts';

interface CallPlan {
  name: string;
  type: 'Announcement' | 'Survey';
  audio: string;
  groups: string[];
  daysAgo: number;
  isTransfer?: true;
}

const plans: CallPlan[] = [
  {
    name: 'Schools closed, snow',
    type: 'Announcement',
    audio: 'Schools closed, snow',
    groups: ['Kindergarten', 'Grade 1'],
    daysAgo: 19,
  },
  {
    name: 'Who rides the bus?',
    type: 'Survey',
    audio: 'Bus count question',
    groups: ['Grade 2'],
    daysAgo: 6,
    isTransfer: true,
  },
];

const callerId = mainNumbers[1].phone;
const transferPhone = '14235550121';

/** Typed on a telephone of the sandbox to start a broadcast; README.md lists them. */
const demoLaunch = { id: '4711', pin: '730514', listId: '14', group: 'Bus 14 riders' } as const;

async function createPhoneLaunch(trx: Trx, accountId: number, ownerId: number): Promise<void> {
  await trx
    .insertInto('launch_ids')
    .values({
      account_id: accountId,
      user_id: ownerId,
      launch_id: demoLaunch.id,
      pin_hash: String(await hashPasswordHere({ password: demoLaunch.pin })),
    })
    .execute();
  await trx
    .updateTable('groups')
    .set({ phone_list_id: demoLaunch.listId })
    .where('account_id', '=', accountId)
    .where('name', '=', demoLaunch.group)
    .execute();
}

/** Finished broadcasts with calls, a transfer number, and a caller ID for everybody. */
export async function createCalls(
  trx: Trx,
  { accountId, ownerId }: { accountId: number; ownerId: number },
): Promise<void> {
  const owner = await findActiveActor(trx, accountId, ownerId);
  if (owner === undefined) throw new Error('the demo has no owner');
  await trx
    .updateTable('users')
    .set({ caller_id: callerId, call_throttle: 10 })
    .where('account_id', '=', accountId)
    .execute();
  const { transfer_number_id: transferId } = await trx
    .insertInto('transfer_numbers')
    .values({
      account_id: accountId,
      phone: transferPhone,
      status: 'Approved',
      is_default: true,
      user_id: ownerId,
    })
    .returning('transfer_number_id')
    .executeTakeFirstOrThrow();
  await createPhoneLaunch(trx, accountId, ownerId);
  for (const plan of plans) {
    const audio = await trx
      .selectFrom('audio')
      .select('audio_id')
      .where('account_id', '=', accountId)
      .where('name', '=', plan.audio)
      .executeTakeFirstOrThrow();
    const broadcastId = await beginDraft(trx, owner, {
      BroadcastName: plan.name,
      BroadcastType: plan.type,
      CheckCallingWindow: true,
      CallerID: callerId,
      voiceOption: 'select message',
      voiceType: 'select message',
      Audio: { AudioID: audio.audio_id },
      AudioVM: { AudioID: audio.audio_id },
      ...(plan.isTransfer ? { IsTransfer: true, TransferNumber: { ID: transferId }, TransferLines: 5 } : {}),
      Step: 4,
    });
    const groups = await trx
      .selectFrom('groups')
      .select('group_id')
      .where('account_id', '=', accountId)
      .where('name', 'in', plan.groups)
      .execute();
    await addRecipients(trx, owner, broadcastId, {
      kind: 'lists',
      listIds: groups.map(({ group_id }) => group_id),
    });
    const { called, reached } = await summarizeCalls(trx, accountId, broadcastId);
    await makeCalls(trx, { accountId, broadcastId, plan, called, reached });
  }
}

/** A number from 0 to 999 that is always the same for a phone. */
const lot = sql`(('x' || substr(md5(r.phone || 'calls'), 1, 6))::bit(24)::int % 1000)`;

/** Makes calls: a little over half are answered by people, a quarter by machines. */
async function makeCalls(
  trx: Trx,
  {
    accountId,
    broadcastId,
    plan,
    called,
    reached,
  }: { accountId: number; broadcastId: number; plan: CallPlan; called: number; reached: number },
): Promise<void> {
  const start = sql`(date_trunc('day', now()) - ${plan.daysAgo} * interval '1 day' + interval '22 hours 30 minutes')`;
  const isSurvey = plan.type === 'Survey';
  const { rows } = await sql<{ charged: number; ends: Date }>`
    with going as (
      select r.recipient_id, r.phone, ${lot} as lot, row_number() over (order by r.recipient_id) as place
      from broadcast_recipients r
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.call_state = 'called'
    ),
    judged as (
      select *, case when lot < 540 then 'live_answer' when lot < 810 then 'voicemail' when lot < 900 then 'no_answer'
        when lot < 955 then 'busy' when lot < 985 then 'invalid' else 'call_failed' end as result,
        ${start} + place * interval '2 seconds' as at
      from going
    ),
    timed as (
      select *, case when result in ('no_answer', 'busy', 'call_failed') then 2 else 1 end as attempts,
        case when result in ('live_answer', 'voicemail') then 12 + lot % 20 else 0 end as seconds from judged
    ),
    made as (
      insert into calls (account_id, purpose, broadcast_id, recipient_id, phone, caller_id, result, is_over, attempts,
        credits, charged, last_called_at, ended_at, keys, survey_key, transferred_at, transfer_seconds, created_at)
      select ${accountId}, 'broadcast', ${broadcastId}, recipient_id, phone, ${callerId}, result, true, attempts, 1,
        case when result in ('live_answer', 'voicemail') then 1 else 0 end, at + (attempts - 1) * interval '5 minutes',
        at + (attempts - 1) * interval '5 minutes' + (15 + seconds) * interval '1 second',
        case when ${isSurvey} and lot < 330 then '*1' when ${isSurvey} and lot < 450 then '*2'
          when ${isSurvey} and lot < 480 then '0' else '' end,
        case when ${isSurvey} and lot < 330 then '*1' when ${isSurvey} and lot < 450 then '*2' end,
        case when ${isSurvey} and lot between 450 and 479 then at + interval '30 seconds' end,
        case when ${isSurvey} and lot between 450 and 479 then 40 + lot end, ${start}
      from timed order by place
      returning account_id, call_id, recipient_id, attempts, charged, ended_at
    ),
    tried as (
      insert into call_attempts (account_id, call_id, attempt, nonce, provider, sid, placed_at, accepted_at, result,
        ended_at, seconds)
      select m.account_id, m.call_id, i, 0, 2, 'demo-' || m.call_id || '-' || i, t.at + (i - 1) * interval '5 minutes',
        t.at + (i - 1) * interval '5 minutes', t.result,
        t.at + (i - 1) * interval '5 minutes' + (15 + t.seconds) * interval '1 second', t.seconds
      from made m join timed t on t.recipient_id = m.recipient_id cross join generate_series(1, m.attempts) i
    )
    select coalesce(sum(charged), 0)::int as charged, max(ended_at) as ends from made`.execute(trx);
  const { charged = 0, ends } = rows[0] ?? {};
  await sql`
    update broadcasts b
    set status = 'completed', sent_by_user_id = b.user_id, created_at = ${start} - interval '20 minutes',
      updated_at = ${ends ?? null}, confirmed_at = ${start}, start_at = ${start}, started_at = ${start},
      ended_at = ${ends ?? null}, call_provider = 2, call_zone = 'America/New_York', call_throttle = 10, retries = 1,
      transfer_phone = case when b.is_transfer then ${transferPhone} end, call_count = ${called}, call_fed = ${called},
      reach_count = ${reached}, left_out_count = r.total - ${reached}, call_credits_each = 1, credits_reserved = ${called}
    from (select count(*) as total from broadcast_recipients
      where account_id = ${accountId} and broadcast_id = ${broadcastId}) r
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}`.execute(trx);
  await sql`update broadcast_sources set created_at = ${start} - interval '15 minutes'
    where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
  const reference = ofBroadcast(broadcastId);
  await moveCredits(trx, [
    { accountId, kind: 'reserve', credits: called, note: `Broadcast: ${plan.name}`, reference },
    { accountId, kind: 'settle', credits: charged, note: 'Calls', reference },
    { accountId, kind: 'release', credits: called - charged, note: 'Calls', reference },
  ]);
}
