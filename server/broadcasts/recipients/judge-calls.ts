/**
 * Decides which recipients of a broadcast are called. Texts are decided when a recipient is added
 * (judge-recipients.ts); calls in one statement for all recipients, when they are requested after the
 * recipients or the type have changed. Kept in call_state:
 *   called     gets a call
 *   texted     "or" types: gets the text instead
 *   otherwise  why not: excluded, too_often → invalid → do_not_call → not_verified → duplicate
 * A landline can be called, and so can who has opted out of texts: the two are separate.
 */
import { type RawBuilder, sql } from 'kysely';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import type { Trx } from '../../db.ts';

/** Number of people who are called, and of those who aren't by reason. */
export interface CallSummary {
  called: number;
  /** Number of people who get a text, a call or both. */
  reached: number;
  /** People who could be called, whether the type requires it or not. */
  callable: number;
  leftOut: Partial<Record<RecipientProblem, number>>;
  /** The people who are called, by broadcast_recipients.zone. */
  zones: Record<string, number>;
}

const noCalls: CallSummary = { called: 0, reached: 0, callable: 0, leftOut: {}, zones: {} };

/** "Or" types call only those who can't be texted. */
function isEither(type: BroadcastType): boolean {
  return type.startsWith('SMSOr');
}

interface Judged {
  broadcast_type: string;
  recipients_version: number;
  calls_judged: string | null;
  is_free_trial: boolean;
}

/** Decides again after a change, and counts. The caller has checked access. */
export async function summarizeCalls(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  tried?: BroadcastType,
): Promise<CallSummary> {
  const row = (await trx
    .selectFrom('broadcasts')
    .innerJoin('accounts', 'accounts.account_id', 'broadcasts.account_id')
    .select([
      'broadcasts.broadcast_type',
      'broadcasts.recipients_version',
      'broadcasts.calls_judged',
      'accounts.is_free_trial',
    ])
    .where('broadcasts.account_id', '=', accountId)
    .where('broadcasts.broadcast_id', '=', broadcastId)
    .executeTakeFirstOrThrow()) as Judged;
  const type = tried ?? (row.broadcast_type as BroadcastType);
  if (!placesCalls(type)) return noCalls;
  const key = `${row.recipients_version}.${isEither(type) ? 'or' : 'all'}`;
  if (row.calls_judged !== key) await judgeCalls(trx, accountId, broadcastId, { key, type, ...row });
  return countCalls(trx, { accountId, broadcastId, type });
}

/**
 * Reason why a recipient gets nothing, as a column of the recipients `r`: for texts the reason from when they were
 * added; for a broadcast that calls, the reason why neither a text nor a call reaches them.
 */
export async function problemColumn(
  trx: Trx,
  accountId: number,
  broadcastId: number,
): Promise<{ column: RawBuilder<unknown>; isOfCalls: boolean }> {
  const row = await trx
    .selectFrom('broadcasts')
    .select('broadcast_type')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst();
  const type = (row?.broadcast_type ?? 'SMS') as BroadcastType;
  if (!placesCalls(type)) return { column: sql`r.problem`, isOfCalls: false };
  await summarizeCalls(trx, accountId, broadcastId);
  const texted = sendsTexts(type) ? sql`or r.problem is null` : sql``;
  const column = sql`(case when r.call_state in ('called', 'texted') ${texted} then null else r.call_state end)`;
  return { column, isOfCalls: true };
}

async function judgeCalls(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { key, type, is_free_trial }: { key: string; type: BroadcastType; is_free_trial: boolean },
): Promise<void> {
  const texted = isEither(type) ? sql`when r.problem is null then 'texted'` : sql``;
  // Waits for a Send that runs at the same time: what it decided is final.
  const { numUpdatedRows } = await trx
    .updateTable('broadcasts')
    .set({ calls_judged: key })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', 'in', ['draft', 'model'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  // In two steps, so that no two rows with one phone are 'called' while the statement runs.
  await sql`
    update broadcast_recipients set call_state = null
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and call_state = 'called'`.execute(trx);
  await joinByHash(trx, () =>
    sql`
    with judged as materialized (
      select r.recipient_id, r.phone, case
        when r.problem in ('excluded', 'too_often') then r.problem
        when r.phone is null or exists (
          select from phone_lookups l
          where l.account_id = r.account_id and l.phone = r.phone and not l.is_valid) then 'invalid'
        ${texted}
        when exists (
          select from phone_consents c
          where c.account_id = r.account_id and c.phone = r.phone and c.voice_state = 'out') then 'do_not_call'
        when ${is_free_trial} and not exists (
          select from verified_phones v where v.account_id = r.account_id and v.phone = r.phone) then 'not_verified'
        else 'called'
      end as state
      from broadcast_recipients r where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
    ),
    -- The first recipient of each phone is called; one who shares it with a recipient who is texted instead
    -- is a duplicate too.
    placed as (
      select recipient_id, case
        when state = 'called' and row_number() over (partition by phone order by (state <> 'texted'), (state <> 'called'),
          recipient_id) > 1 then 'duplicate'
        else state
      end as state
      from judged
    )
    update broadcast_recipients r set call_state = p.state
    from placed p
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = p.recipient_id
      and r.call_state is distinct from p.state`.execute(trx),
  );
}

/**
 * The planner estimates recipients that were just added as one row and uses a nested loop: a statement over
 * 2,000 of them took 12 seconds instead of a third of one. Indexes are still used for lookups.
 */
export async function joinByHash(trx: Trx, run: () => Promise<unknown>): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true)`.execute(trx);
  await run();
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(trx);
}

async function countCalls(
  trx: Trx,
  { accountId, broadcastId, type }: { accountId: number; broadcastId: number; type: BroadcastType },
): Promise<CallSummary> {
  const { rows } = await sql<{ state: string; zone: string; is_texted: boolean; many: number }>`
    select call_state as state, case when call_state = 'called' then zone else '' end as zone,
      problem is null as is_texted, count(*) as many
    from broadcast_recipients where account_id = ${accountId} and broadcast_id = ${broadcastId}
    group by 1, 2, 3`.execute(trx);
  const summary: CallSummary = { called: 0, reached: 0, callable: 0, leftOut: {}, zones: {} };
  const sends = sendsTexts(type);
  for (const { state, zone, is_texted, many } of rows) {
    const isCalled = state === 'called';
    if (isCalled) {
      summary.called += many;
      summary.zones[zone] = (summary.zones[zone] ?? 0) + many;
    } else if (state !== 'texted') {
      const problem = state as RecipientProblem;
      summary.leftOut[problem] = (summary.leftOut[problem] ?? 0) + many;
    }
    if (isCalled || state === 'texted') summary.callable += many;
    if (isCalled || (sends && is_texted)) summary.reached += many;
  }
  return summary;
}
