import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../contract/errors.ts';
import type { Trx } from './db.ts';
import type { Actor } from './serve.ts';
import type { Slice } from './work.ts';

/**
 * Minutes during which a change can be undone. The button disappears after ten seconds; a slow connection may need
 * longer.
 */
const undoMinutes = 60;

/**
 * Changes rows so that it can be undone: in one statement, whatever their number, the update runs and the
 * changed ids are saved with the previous values. `update` returns them as row_id.
 */
export async function changeUndoably(
  trx: Trx,
  actor: Actor,
  change: { kind: string; before: object; update: RawBuilder<unknown> },
): Promise<{ undoId: number | null; changed: number }> {
  const { rows } = await sql<{ undo_id: number; changed: number }>`
    with undo as (
      insert into undos (account_id, user_id, kind, data)
      values (${actor.accountId}, ${actor.userId}, ${change.kind}, ${JSON.stringify(change.before)}::jsonb)
      returning undo_id
    ),
    changed as (${change.update}),
    kept as (
      insert into undo_rows (account_id, undo_id, row_id)
      select ${actor.accountId}::bigint, undo.undo_id, changed.row_id from changed, undo
    )
    select undo.undo_id, (select count(*) from changed) as changed from undo`.execute(trx);
  const { undo_id: undoId = 0, changed = 0 } = rows[0] ?? {};
  return { undoId: changed === 0 ? null : undoId, changed };
}

/**
 * Claims an undo, once: the data to restore. Its rows are those of undo_rows and undo_sets. A second request
 * gets nothing, so that a double click has one effect.
 */
export async function takeUndo<Before extends object>(
  trx: Trx,
  actor: Actor,
  kind: string,
  undoId: number,
): Promise<Before | undefined> {
  const undo = await trx
    .selectFrom('undos')
    .select(['data', 'executed_at'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('undo_id', '=', undoId)
    .where('kind', '=', kind)
    .where('created_at', '>', sql<Date>`now() - ${undoMinutes} * interval '1 minute'`)
    .forUpdate()
    .executeTakeFirst();
  if (undo === undefined) throw new Refusal('notFound', 'That can no longer be undone.');
  if (undo.executed_at !== null) return undefined;
  await trx
    .updateTable('undos')
    .set({ executed_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('undo_id', '=', undoId)
    .execute();
  return undo.data as Before;
}

/** A condition on an id: among the rows of an undo. */
export function rowsOfUndo(actor: Actor, undoId: number) {
  return sql`(select row_id from undo_rows where account_id = ${actor.accountId} and undo_id = ${undoId})`;
}

/** An undo whose rows follow later, all at once or slice by slice. */
export async function openUndo(
  trx: Trx,
  actor: Pick<Actor, 'accountId' | 'userId'>,
  kind: string,
  before: object,
): Promise<number> {
  const { undo_id } = await trx
    .insertInto('undos')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      kind,
      data: JSON.stringify(before),
    })
    .returning('undo_id')
    .executeTakeFirstOrThrow();
  return undo_id;
}

/**
 * The end of a statement that changes rows: saves the rows of its expression `changed (row_id, before)` under
 * an undo, where `before` is the row's data to restore.
 */
export function keepChanged(actor: Actor, undoId: number): RawBuilder<unknown> {
  return sql`
    insert into undo_rows (account_id, undo_id, row_id, before)
    select ${actor.accountId}::bigint, ${undoId}::bigint, row_id, before from changed`;
}

/** The same if one `before` applies to all rows: they are saved as one set, which is much faster. */
export function keepSet(actor: Actor, undoId: number, before: object): RawBuilder<unknown> {
  return sql`
    insert into undo_sets (account_id, undo_id, first_id, last_id, row_ids, before)
    select ${actor.accountId}::bigint, ${undoId}::bigint, min(row_id), max(row_id), array_agg(row_id),
      ${JSON.stringify(before)}::jsonb
    from changed having count(*) > 0`;
}

/**
 * The data saved by keepChanged and keepSet for the rows within a slice: a table with account_id, row_id and
 * before.
 */
export function keptRows(accountId: number, undoId: number, { firstId, lastId }: Slice): RawBuilder<unknown> {
  return sql`(
    select account_id, row_id, before from undo_rows
    where account_id = ${accountId} and undo_id = ${undoId} and row_id between ${firstId} and ${lastId}
    union all
    select account_id, row_id, before from undo_sets cross join unnest(row_ids) row_id
    where account_id = ${accountId} and undo_id = ${undoId}
      and first_id <= ${lastId} and last_id >= ${firstId} and row_id between ${firstId} and ${lastId})`;
}

/** Ids after `afterId`. The last of them ends a slice: this many rows, or a set, which is no larger. */
export function nextKeptIds(
  accountId: number,
  undoId: number,
  afterId: number,
  most: number,
): RawBuilder<unknown> {
  return sql`
    (select row_id as id from undo_rows
     where account_id = ${accountId} and undo_id = ${undoId} and row_id > ${afterId}
     order by row_id limit ${most})
    union all
    (select last_id from undo_sets
     where account_id = ${accountId} and undo_id = ${undoId} and last_id > ${afterId}
     order by first_id limit 1)`;
}
