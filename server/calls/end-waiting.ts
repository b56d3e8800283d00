import { type RawBuilder, sql } from 'kysely';
import { voiceUnitSeconds } from '../../contract/money/units.ts';

/**
 * Ends calls that wait and won't be made, as CTEs: `held` selects them from the queue and locks them, as the start of an
 * attempt does. Whoever waits to be called back has heard the message: that stays their result, and is paid. A call with
 * a result of its own keeps it, unless `result` says otherwise.
 */
export const endWaiting = (held: RawBuilder<unknown>, result: RawBuilder<unknown>) => sql`
    held as materialized (${held} for update),
    ended as (
      update calls c
      set is_over = true, ended_at = now(), result = case when ${hasHeard} then c.result else ${result} end,
        charged = case when ${hasHeard} then ${liveCharge} else 0 end
      from held h where c.account_id = h.account_id and c.call_id = h.call_id and not c.is_over
      returning c.account_id, c.call_id, c.credits, c.attempts
    )`;

const hasHeard = sql`c.callback_at is not null and c.result = 'live_answer'`;

/** As chargeOf (rules.ts) for a live answer. */
const liveCharge = sql`least(c.credits, (
        select greatest(1, ceil(coalesce(max(x.length_ms), 0) / ${voiceUnitSeconds * 1000}::float8))::int
        from broadcasts b join audio x on x.account_id = b.account_id and x.audio_id = b.audio_id
        where b.account_id = c.account_id and b.broadcast_id = c.broadcast_id))`;

/** They are paid for and told of with those that end by themselves: settle-calls.ts. */
export const toSettle = sql`
    update call_queue q set state = 'over', lease_id = null, look_at = null
    from ended e where q.account_id = e.account_id and q.call_id = e.call_id`;
