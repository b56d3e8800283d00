import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { setFrequencyAside as definition } from '../../../contract/draft-recipients.ts';
import type { Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { lockDraft, recipientsOf } from '../draft/queries.ts';
import { noteChange } from './add-recipients.ts';
import { findGuard, isTooOften } from './judge-frequency.ts';
import { toContactSummary } from './summarize-recipients.ts';

/**
 * An emergency goes to everybody, however many broadcasts they have had: people who were left out by the
 * account's limit get it. Saved with the user who decided it. It can be undone until Send.
 */
export async function setFrequencyAside(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const { accountId } = actor;
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  const mine = recipientsOf(accountId, broadcast_id);
  await sql`
    update broadcasts
    set frequency_set_aside_by = ${body.IsSetAside ? actor.userId : null}::bigint,
      frequency_set_aside_at = case when ${body.IsSetAside} then now() end
    where account_id = ${accountId} and broadcast_id = ${broadcast_id}`.execute(trx);
  if (body.IsSetAside) {
    await sql`
      -- "materialized": who of a phone gets it is decided before any row changes.
      with back as materialized (
        select r.recipient_id, coalesce(g.recipient_id,
          first_value(r.recipient_id) over (partition by r.phone order by r.recipient_id)) as goes
        from broadcast_recipients r
        left join broadcast_recipients g on g.account_id = r.account_id and g.broadcast_id = r.broadcast_id
          and g.phone = r.phone and g.problem is null
        where ${mine} and r.problem = 'too_often')
      update broadcast_recipients r
      set problem = case when b.goes = r.recipient_id then null else 'duplicate' end,
        duplicate_of = nullif(b.goes, r.recipient_id)
      from back b
      where ${mine} and r.recipient_id = b.recipient_id`.execute(trx);
  } else {
    const guard = await findGuard(trx, accountId, broadcast_id);
    const { rows } = await sql<{ ids: number[] }>`
      select array(select text_number_id from text_numbers where account_id = ${accountId}) as ids`.execute(
      trx,
    );
    if (guard !== undefined) {
      const tooOften = isTooOften(guard, {
        ...{ accountId, broadcastId: broadcast_id, numberIds: rows[0]?.ids ?? [], phone: sql`r.phone` },
      });
      await sql`
        update broadcast_recipients r set problem = 'too_often', duplicate_of = null
        where ${mine} and (r.problem is null or r.problem = 'duplicate') and r.phone is not null and ${tooOften}`.execute(
        trx,
      );
    }
  }
  await noteChange(trx, accountId, broadcast_id);
  await recordEvents(trx, actor, [
    {
      kind: body.IsSetAside ? 'broadcast.frequencySetAside' : 'broadcast.frequencyKept',
      id: broadcast_id,
    },
  ]);
  return toContactSummary(trx, actor, broadcast_id);
}
