import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { removeDraftContacts as definition } from '../../../contract/draft-recipients.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import type { Within } from '../../contacts/queries.ts';
import type { Trx } from '../../db.ts';
import { selectedRows } from '../../selection.ts';
import type { Actor } from '../../serve.ts';
import { createWork } from '../../work.ts';
import { lockDraft, recipientsOf, recipientWork } from '../draft/queries.ts';
import { lockRecipients, noteChange } from './add-recipients.ts';
import { type RecipientFilter, recipientsShown } from './list-recipients.ts';
import { promoteDuplicates } from './promote-duplicates.ts';
import { forgetSource, handOnPeople, refuseWhileChanging, type WholeSource } from './remove-source.ts';
import { keepRemoved } from './undo-removal.ts';

/** The input for a slice of a removal in the background. */
export interface PlannedRemoval {
  broadcastId: number;
  removes: { filter: RecipientFilter; selection: SelectionOfIds };
}

/** Removes people: a few at once with undo, many in the background. Their duplicates take their place. */
export async function removeDraftContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof definition>,
) {
  const { broadcast_id: broadcastId } = await lockDraft(trx, actor, params.DraftBroadcastID);
  const planned: PlannedRemoval = { broadcastId, removes: { filter: query, selection: body.Selection } };
  if (wholeSource(planned) !== undefined) await refuseWhileChanging(trx, actor, broadcastId);
  const chosen = await chosenRows(trx, actor, planned);
  const { rows } = await sql<{ total: number; lastId: number | null }>`
    select count(*) as total, max(r.recipient_id) as "lastId" from broadcast_recipients r where ${chosen}`.execute(
    trx,
  );
  const { total, lastId } = { total: 0, ...rows[0] };
  if (total <= draftLimits.rowsAtOnce) {
    const UndoID = total === 0 ? null : await keepRemoved(trx, actor, aboutToGo(planned, chosen));
    const RemovedCount = await removeSlice(trx, actor, planned, { isLast: true });
    return { RemovedCount, WorkID: null, UndoID };
  }
  const work = { kind: recipientWork, input: planned, total, lastId: lastId ?? 0, undoId: null };
  const WorkID = await createWork(trx, actor, work, [
    { type: 'draft.changed', DraftBroadcastID: broadcastId },
  ]);
  return { RemovedCount: total, WorkID, UndoID: null };
}

/** People who were removed by hand before are forgotten when a whole source is removed, or everybody. */
function aboutToGo(planned: PlannedRemoval, chosen: RawBuilder<unknown>) {
  const { broadcastId } = planned;
  const source = wholeSource(planned);
  if (isEverybody(planned)) return { broadcastId, goes: sql`true`, sources: sql`true` };
  if (source === undefined) return { broadcastId, goes: chosen, sources: sql`false` };
  const { sourceId } = source;
  return { broadcastId, goes: sql`r.source_id = ${sourceId}`, sources: sql`s.source_id = ${sourceId}` };
}

async function chosenRows(
  trx: Trx,
  actor: Actor,
  { broadcastId, removes }: PlannedRemoval,
): Promise<RawBuilder<unknown>> {
  const shown = await recipientsShown(trx, actor.accountId, broadcastId, removes.filter);
  return selectedRows(sql`r.recipient_id`, removes.selection, sql`(${shown})`);
}

/**
 * Removes the chosen people, or a slice of them, and returns how many. People who came with a group or segment are
 * marked instead of deleted: a repeating broadcast evaluates its groups again, and they must not come back. Duplicates
 * are promoted with the last slice; otherwise later slices would treat them as chosen. A source that is removed as a
 * whole is deleted with its people, as if it had never been added.
 */
export async function removeSlice(
  trx: Trx,
  actor: Actor,
  planned: PlannedRemoval,
  { within, isLast }: { within?: Within; isLast: boolean },
): Promise<number> {
  const { accountId } = actor;
  const { broadcastId } = planned;
  await lockRecipients(trx, accountId, broadcastId);
  const slice =
    within === undefined ? sql`` : sql`and r.recipient_id between ${within.firstId} and ${within.lastId}`;
  const source = wholeSource(planned);
  if (source !== undefined) await handOnPeople(trx, actor, source, slice);
  const isForgotten = isEverybody(planned) || source !== undefined;
  const chosen = await chosenRows(trx, actor, planned);
  const { rows } = await sql<{ removed: number }>`
    with chosen as materialized (
      select r.recipient_id, s.kind = 'lists' and ${!isForgotten} as is_of_list from broadcast_recipients r
      left join broadcast_sources s on s.account_id = r.account_id and s.broadcast_id = r.broadcast_id
        and s.source_id = r.source_id
      where ${chosen} ${slice} and r.problem is distinct from 'excluded'
    ),
    gone as (
      delete from broadcast_recipients r using chosen c
      where ${recipientsOf(accountId, broadcastId)} and r.recipient_id = c.recipient_id and c.is_of_list is not true
      returning 1
    ),
    marked as (
      update broadcast_recipients r set problem = 'excluded', duplicate_of = null from chosen c
      where ${recipientsOf(accountId, broadcastId)} and r.recipient_id = c.recipient_id and c.is_of_list
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from marked) as removed`.execute(trx);
  if (isLast) {
    if (source !== undefined) await forgetSource(trx, accountId, source);
    if (isEverybody(planned)) await forgetEverybody(trx, accountId, broadcastId);
    else await promoteDuplicates(trx, accountId, broadcastId);
  }
  await noteChange(trx, accountId, broadcastId);
  return rows[0]?.removed ?? 0;
}

/** Everybody was removed, whatever their source: a fresh start, which remembers nobody. */
function isEverybody({ removes: { filter, selection } }: PlannedRemoval): boolean {
  const { q, problem, sourceId } = filter;
  return q === '' && problem === undefined && sourceId === undefined && selection.Type === 'SelectedAll';
}

/** The source whose people are all removed, if that is the selection. */
function wholeSource({
  broadcastId,
  removes: { filter, selection },
}: PlannedRemoval): WholeSource | undefined {
  const { q, problem, sourceId } = filter;
  const isAll = q === '' && problem === undefined && selection.Type === 'SelectedAll';
  return isAll && sourceId !== undefined ? { broadcastId, sourceId } : undefined;
}

async function forgetEverybody(trx: Trx, accountId: number, broadcastId: number): Promise<void> {
  await sql`delete from broadcast_recipients r where ${recipientsOf(accountId, broadcastId)}`.execute(trx);
  await sql`delete from broadcast_sources r where ${recipientsOf(accountId, broadcastId)}`.execute(trx);
}
