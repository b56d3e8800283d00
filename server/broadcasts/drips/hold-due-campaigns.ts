import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import { heldReason, type MomentIn } from '../hold-due.ts';

/**
 * Pauses every campaign with a step that is due or prepared, for a database with older data. A prepared step
 * waits again, so that whoever resumes the campaign can leave it out (`Missed: 'skip'`).
 */
export async function holdDueCampaigns(trx: Trx, momentIn: MomentIn): Promise<number> {
  const { rows } = await sql<{ account_id: number; sequence_id: number; starts_on: string; zone: string }>`
    select q.account_id, q.sequence_id, q.starts_on, a.time_zone as zone
    from sequences q join accounts a on a.account_id = q.account_id
    where q.status = 'running' and q.deleted_at is null and (
      q.starts_on = 'dates' and exists (
        select from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id
          and (s.state = 'preparing' or s.state = 'waiting' and s.start_at <= now()))
      or exists (
        select from sequence_people p where p.account_id = q.account_id and p.sequence_id = q.sequence_id
          and p.state = 'active' and p.next_at <= now())
      or exists (
        select from sequence_joins j where j.account_id = q.account_id and j.sequence_id = q.sequence_id)
      or exists (
        select from broadcasts b where b.account_id = q.account_id and b.sequence_id = q.sequence_id
          and b.sequence_position is not null and b.status = 'draft' and b.deleted_at is null))
    order by q.account_id, q.sequence_id
    for update of q`.execute(trx);
  for (const { account_id, sequence_id, starts_on, zone } of rows) {
    if (starts_on === 'dates') await putStepsBack(trx, account_id, sequence_id);
    await sql`update sequences
      set status = 'paused', failure_code = 101, failure_reason = ${heldReason(momentIn(zone))}, updated_at = now()
      where account_id = ${account_id} and sequence_id = ${sequence_id}`.execute(trx);
    const paused = { kind: 'sequence.paused', id: sequence_id } as const;
    await recordEvents(trx, { accountId: account_id }, [paused]);
    await notify(trx, account_id, [{ type: 'sequences.changed' }]);
  }
  return rows.length;
}

async function putStepsBack(trx: Trx, accountId: number, sequenceId: number): Promise<void> {
  await sql`
    with back as (
      update sequence_steps set state = 'waiting', sent_broadcast_id = null
      where account_id = ${accountId} and sequence_id = ${sequenceId} and state = 'preparing'
      returning old.sent_broadcast_id as broadcast_id
    )
    update broadcasts b set deleted_at = now() from back
    where b.account_id = ${accountId} and b.broadcast_id = back.broadcast_id and b.status = 'draft'`.execute(
    trx,
  );
}
