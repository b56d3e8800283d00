import { type RawBuilder, sql } from 'kysely';
import { conversationLimits } from '../../../contract/conversations.ts';
import type { Event } from '../../../contract/events.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { isOfUsableNumber } from '../../access/queries.ts';
import type { Database, Trx } from '../../db.ts';
import type { Log } from '../../log.ts';
import { notify } from '../../notify.ts';
import type { NudgedWork } from '../../run-once.ts';
import { selectedRows } from '../../selection.ts';
import type { Actor } from '../../serve.ts';
import { openUndo } from '../../undo.ts';
import { createSlicedWork, createWork, type Slice } from '../../work.ts';
import { type ConversationFilter, matchingConversations } from '../queries.ts';
import {
  type ConversationChange,
  changeConversations,
  holdConversations,
  putBackConversations,
  undoKind,
} from './change-conversations.ts';
import { moveHeldConversations } from './move-held-conversations.ts';

/**
 * Changes of any number of conversations. Measured on two cores, 300,000 in one statement lock their rows for
 * 13 s, and every text that comes in for one of them waits that long. So up to rowsAtOnce are changed within
 * the call, and more become `work`: slices of that many ids, each in its own transaction.
 */
function mostAtOnce(kind: string): number {
  return kind === 'conversations.move' ? conversationLimits.movedAtOnce : conversationLimits.rowsAtOnce;
}

/** A selection in a list, as requested. */
interface SelectedFrom {
  query: ConversationFilter;
  selection: SelectionOfIds;
}

/** A change of many conversations, and which: the input of a row of `work`. */
export type PlannedChange =
  | { kind: 'conversations.change'; from: SelectedFrom; change: ConversationChange }
  | { kind: 'conversations.move'; from: SelectedFrom; textNumberId: number }
  /** A deleted tag is removed. */
  | { kind: 'conversations.untag'; tagId: number }
  /** Restores the data of this undo. */
  | { kind: 'conversations.undo'; undoId: number };

/** The selected conversations, or those of them within a slice, as a condition on `c`. */
export async function rowsOf(
  trx: Trx,
  actor: Actor,
  planned: PlannedChange,
  slice?: Slice,
): Promise<RawBuilder<unknown>> {
  if (planned.kind === 'conversations.untag' || planned.kind === 'conversations.undo') {
    const isUsable =
      planned.kind === 'conversations.untag' ? sql`true` : isOfUsableNumber(actor, sql`c.text_number_id`);
    const { rows } = await sql<{ id: number }>`
      select id from (${idsOf(actor, planned)}) known where ${within(sql`id`, slice)}`.execute(trx);
    return sql`${isUsable} and c.conversation_id = any(${rows.map((row) => row.id)}::bigint[])`;
  }
  const { query, selection } = planned.from;
  const all = await matchingConversations(trx, actor, query);
  return sql`${selectedRows(sql`c.conversation_id`, selection, all)} and ${within(sql`c.conversation_id`, slice)}`;
}

function within(id: RawBuilder<unknown>, slice: Slice | undefined): RawBuilder<unknown> {
  return slice === undefined ? sql`true` : sql`${id} between ${slice.firstId} and ${slice.lastId}`;
}

/** Those that another table lists. */
function idsOf(
  { accountId }: Actor,
  planned: Extract<PlannedChange, { kind: 'conversations.untag' | 'conversations.undo' }>,
): RawBuilder<unknown> {
  return planned.kind === 'conversations.untag'
    ? sql`select conversation_id as id from conversation_tags
        where account_id = ${accountId} and tag_id = ${planned.tagId}`
    : sql`select row_id as id from undo_rows where account_id = ${accountId} and undo_id = ${planned.undoId}`;
}

interface Done {
  /** Number of conversations that were changed. */
  changed: number;
  /** If a conversation was moved, the one in which it continues. */
  conversationId?: number | undefined;
  events: Event[];
}

/** Applies it to all selected, or to those within a slice. */
async function changeRows(
  trx: Trx,
  actor: Actor,
  planned: PlannedChange,
  { undoId, slice }: { undoId: number | null; slice?: Slice | undefined },
): Promise<Done> {
  const condition = await rowsOf(trx, actor, planned, slice);
  if (planned.kind === 'conversations.move') {
    return moveHeldConversations(trx, actor, condition, planned.textNumberId);
  }
  const ids = await holdConversations(trx, actor, condition);
  switch (planned.kind) {
    case 'conversations.change':
      return changeConversations(trx, actor, ids, { change: planned.change, undoId });
    case 'conversations.untag':
      return changeConversations(trx, actor, ids, {
        change: { removeTagIds: [planned.tagId] },
        undoId: null,
      });
    case 'conversations.undo':
      return putBackConversations(trx, actor, ids, { fromUndoId: planned.undoId, undoId: undoId ?? 0 });
  }
}

/**
 * Makes a change now if it affects few conversations; otherwise saves it as work. The set is fixed here:
 * conversations that begin later have larger ids and are not affected.
 */
export async function changeOrWork(
  trx: Trx,
  actor: Actor,
  planned: PlannedChange,
): Promise<{ undoId: number | null; size: number; workId?: number; conversationId?: number | undefined }> {
  const { many, total, lastId } = await countRows(trx, actor, planned);
  const canUndo = planned.kind === 'conversations.change' || planned.kind === 'conversations.undo';
  const undoId = canUndo ? await openUndo(trx, actor, undoKind, {}) : null;
  if (many) {
    const { kind } = planned;
    const workId = await createWork(trx, actor, { kind, input: planned, total, lastId, undoId });
    return { undoId, size: total, workId };
  }
  const { changed, events, conversationId } = await changeRows(trx, actor, planned, { undoId });
  await notify(trx, actor.accountId, events);
  return { undoId: changed > 0 ? undoId : null, size: changed, conversationId };
}

async function countRows(trx: Trx, actor: Actor, planned: PlannedChange) {
  const most = mostAtOnce(planned.kind);
  const meant =
    planned.kind === 'conversations.untag' || planned.kind === 'conversations.undo'
      ? idsOf(actor, planned)
      : sql`select c.conversation_id as id from conversations c
          where c.account_id = ${actor.accountId} and ${await rowsOf(trx, actor, planned)}`;
  const bounded = await sql<{ many: boolean }>`
    select count(*) > ${most} as many from (${meant} limit ${most + 1}) found`.execute(trx);
  const none = { many: false, total: 0, lastId: 0 };
  if (!bounded.rows[0]?.many) return none;
  const whole = await sql<{ total: number; lastId: number }>`
    select count(*) as total, max(id) as "lastId" from (${meant}) found`.execute(trx);
  return { ...none, ...whole.rows[0], many: true };
}

/** Locked by a slice and by an undo of the work meanwhile, so that neither waits for the other's rows. */
export async function lockConversationWork(trx: Trx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('conversations', ${accountId}))`.execute(trx);
}

/** Long work on conversations. */
export function createConversationChanges(context: { database: Database; log: Log }): NudgedWork {
  return createSlicedWork(context, {
    isOwn: sql<boolean>`kind like 'conversations.%'`,
    lock: lockConversationWork,
    nextIds: (accountId, row) => sql`
      select conversation_id as id from conversations
      where account_id = ${accountId} and conversation_id > ${row.cursor ?? 0} and conversation_id <= ${row.last_id}
      order by id limit ${mostAtOnce(row.kind)}`,
    async doSlice(trx, actor, row, slice) {
      const { changed } = await changeRows(trx, actor, row.input as PlannedChange, {
        undoId: row.undo_id,
        slice,
      });
      return changed;
    },
    tables: () => ['conversations', 'conversation_tags', 'undo_rows'],
    changed: [{ type: 'conversations.changed' }],
  });
}
