import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { undoDraftContacts as definition } from '../../../contract/draft-recipients.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { keepChanged, openUndo, takeUndo } from '../../undo.ts';
import { lockDraft, recipientsOf } from '../draft/queries.ts';
import { noteChange } from './add-recipients.ts';
import { promoteDuplicates } from './promote-duplicates.ts';
import { refuseWhileChanging } from './remove-source.ts';

const kind = 'drafts.removed';

/** Their sources, as rows of broadcast_sources. */
interface Removed {
  broadcastId: number;
  sources: object[];
}

/** The rows that a removal is about to change. */
interface About {
  broadcastId: number;
  /** The selected people, and those who are forgotten with them. */
  goes: RawBuilder<unknown>;
  /** The sources `s` that may be forgotten. */
  sources: RawBuilder<unknown>;
}

/**
 * Saves the rows as they are before a removal: the removed ones, and the duplicates that may be promoted in
 * their place. `goes` says which are inserted again when they no longer exist; a duplicate that was removed
 * later stays out.
 */
export async function keepRemoved(
  trx: Trx,
  actor: Actor,
  { broadcastId, goes, sources }: About,
): Promise<number> {
  const { accountId } = actor;
  const own = recipientsOf(accountId, broadcastId);
  const { rows } = await sql<{ source: object }>`
    select to_jsonb(s) as source from broadcast_sources s
    where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and ${sources}`.execute(trx);
  const before: Removed = { broadcastId, sources: rows.map(({ source }) => source) };
  const undoId = await openUndo(trx, actor, kind, before);
  await sql`
    with gone as materialized (select r.* from broadcast_recipients r where ${own} and (${goes})),
    changed as (
      select recipient_id as row_id, to_jsonb(gone) || '{"goes": true}' as before from gone
      union all
      select r.recipient_id, to_jsonb(r) from broadcast_recipients r
      where ${own} and r.problem = 'duplicate' and r.phone in (select phone from gone where problem is null)
        and r.recipient_id not in (select recipient_id from gone)
    )
    ${keepChanged(actor, undoId)}`.execute(trx);
  return undoId;
}

/** Restores people who were removed from a draft, with their sources. */
export async function undoDraftContacts(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const before = await takeUndo<Removed>(trx, actor, kind, params.UndoID);
  if (before === undefined) return { UndoExecuted: false, UndoID: null };
  const { broadcastId, sources } = before;
  await lockDraft(trx, actor, broadcastId);
  await refuseWhileChanging(trx, actor, broadcastId);
  await sql`
    insert into broadcast_sources overriding system value
    select s.* from jsonb_populate_recordset(null::broadcast_sources, ${JSON.stringify(sources)}::jsonb) s
    on conflict do nothing`.execute(trx);
  await putBack(trx, actor, broadcastId, params.UndoID);
  await noteChange(trx, actor.accountId, broadcastId);
  return { UndoExecuted: true, UndoID: null };
}

/**
 * Each phone gets the text once. So promoted duplicates step back first, then the removed people return. If somebody
 * with the same phone was added in the meantime, that person gets it.
 */
async function putBack(trx: Trx, actor: Actor, broadcastId: number, undoId: number): Promise<void> {
  const { accountId } = actor;
  const own = recipientsOf(accountId, broadcastId);
  const ofUndo = sql`u.account_id = ${accountId} and u.undo_id = ${undoId}`;
  const was = sql`jsonb_populate_record(null::broadcast_recipients, u.before)`;
  await sql`
    update broadcast_recipients r set problem = 'duplicate', duplicate_of = w.duplicate_of
    from undo_rows u, ${was} w
    where ${own} and ${ofUndo} and r.recipient_id = u.row_id and r.problem is null and w.problem = 'duplicate'
      and r.phone = w.phone`.execute(trx);
  // The source of people who moved to another one, and the mark of those who had come with a group.
  await sql`
    update broadcast_recipients r
    set source_id = w.source_id,
      problem = case when r.problem = 'excluded' then ${problemNow} else r.problem end,
      duplicate_of = case when r.problem = 'excluded' then coalesce(o.recipient_id, w.duplicate_of) else r.duplicate_of end
    from undo_rows u cross join ${was} w ${othersOf(accountId, broadcastId)}
    where ${own} and ${ofUndo} and r.recipient_id = u.row_id and u.before ? 'goes'`.execute(trx);
  await sql`
    insert into broadcast_recipients overriding system value
    select p.* from undo_rows u cross join ${was} w ${othersOf(accountId, broadcastId)}
    cross join jsonb_populate_record(w, jsonb_build_object(
      'problem', ${problemNow}, 'duplicate_of', coalesce(o.recipient_id, w.duplicate_of))) p
    where ${ofUndo} and u.before ? 'goes'
    on conflict (account_id, broadcast_id, recipient_id) do nothing`.execute(trx);
  await promoteDuplicates(trx, accountId, broadcastId);
  // Duplicates of a recipient who no longer gets it.
  await sql`
    update broadcast_recipients r set duplicate_of = o.recipient_id from broadcast_recipients o
    where ${own} and r.problem = 'duplicate' and o.account_id = r.account_id and o.broadcast_id = r.broadcast_id
      and o.phone = r.phone and o.problem is null and r.duplicate_of is distinct from o.recipient_id
      and r.phone in (select u.before ->> 'phone' from undo_rows u where ${ofUndo})`.execute(trx);
}

/** The recipient who already gets it with the phone of `w`. */
function othersOf(accountId: number, broadcastId: number): RawBuilder<unknown> {
  return sql`
    left join broadcast_recipients o on o.account_id = ${accountId} and o.broadcast_id = ${broadcastId}
      and o.phone = w.phone and o.problem is null and w.problem is null and o.recipient_id <> w.recipient_id`;
}

const problemNow = sql`case when o.recipient_id is null then w.problem else 'duplicate' end`;
