import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { recipientsOf } from '../draft/queries.ts';
import { noteChange } from '../recipients/add-recipients.ts';

interface Campaign {
  account_id: number;
  sequence_id: number;
  broadcast_id: number;
  starts_on: string;
}

/** States in which a campaign is over for a person before its end. */
export const leftStates = sql`('stopped', 'replied', 'opted_out', 'left')`;

/**
 * Removes people from a step that is about to be sent who left the campaign: by hand, by a reply or by STOP,
 * even if they opted in again since. Those who leave after this are caught when the texts are created
 * (feed-broadcast.ts).
 */
export async function excludeStopped(trx: Trx, campaign: Campaign, broadcastId: number): Promise<void> {
  const { account_id, sequence_id, starts_on } = campaign;
  // Duplicates too: otherwise one of them would move up and get the text.
  const { rows } = await sql`
    update broadcast_recipients r set problem = 'excluded', duplicate_of = null
    from sequence_people p
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.state in ${leftStates}
      and r.account_id = ${account_id} and r.broadcast_id = ${broadcastId} and r.phone = p.phone
      and (r.problem is null or r.problem = 'duplicate')
    returning 1`.execute(trx);
  // In campaigns that people join, whoever has another phone by now joined again with it.
  const moved = starts_on === 'dates' ? await excludeMoved(trx, campaign, broadcastId) : 0;
  if (rows.length + moved > 0) await noteChange(trx, account_id, broadcastId);
}

/** Contacts are read again with each step: somebody who left stays out with another phone too. Returns how many. */
async function excludeMoved(
  trx: Trx,
  { account_id, sequence_id, broadcast_id: modelId }: Campaign,
  broadcastId: number,
): Promise<number> {
  const { rows } = await sql`
    update broadcast_recipients r set problem = 'excluded', duplicate_of = null
    from sequence_people p
    join broadcast_recipients m on m.account_id = p.account_id and m.broadcast_id = ${modelId} and m.phone = p.phone
      and m.problem is null
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.state in ${leftStates}
      and r.account_id = ${account_id} and r.broadcast_id = ${broadcastId} and r.person_id = m.person_id
      and r.phone <> p.phone and (r.problem is null or r.problem = 'duplicate')
    returning 1`.execute(trx);
  return rows.length;
}

/** Drops a set of a campaign that people join if nobody in it can be texted: no reason to stop the campaign for others. */
export async function dropIfNobody(trx: Trx, accountId: number, broadcastId: number): Promise<boolean> {
  const { rows } = await sql`
    update broadcasts set deleted_at = now()
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and not exists (
      select from broadcast_recipients r
      where ${recipientsOf(accountId, broadcastId)} and r.problem is null)
    returning 1`.execute(trx);
  return rows.length > 0;
}

/** A step that couldn't be sent is still to come for its people. */
export async function putBack(
  trx: Trx,
  { account_id, sequence_id }: Pick<Campaign, 'account_id' | 'sequence_id'>,
  { broadcastId, position }: { broadcastId: number; position: number },
): Promise<void> {
  await sql`
    update sequence_people p set position = ${position - 1}, next_at = now(), state = 'active', ended_at = null
    from broadcast_recipients r
    where r.account_id = ${account_id} and r.broadcast_id = ${broadcastId} and p.account_id = ${account_id}
      and p.sequence_id = ${sequence_id} and p.phone = r.phone and p.position = ${position}
      and p.state in ('active', 'done')`.execute(trx);
}
