import { type RawBuilder, sql } from 'kysely';
import type { Event } from '../../../contract/events.ts';
import { tagLimits } from '../../../contract/tags.ts';
import { usesNumber } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { keepChanged } from '../../undo.ts';
import { writeConversations } from '../write-conversations.ts';

/** The kind of all undos of conversations. */
export const undoKind = 'conversations.change';

/** A change of conversations. Only given fields change. */
export interface ConversationChange {
  isDone?: boolean | undefined;
  isUnread?: boolean | undefined;
  /** null for nobody. */
  assignedUserId?: number | null | undefined;
  /** null wakes them. */
  snoozedUntil?: string | null | undefined;
  addTagIds?: number[] | undefined;
  removeTagIds?: number[] | undefined;
  /** Replaces the current ones. */
  tagIds?: number[] | undefined;
  isAutoOptOut?: boolean | undefined;
}

export interface Changed {
  changed: number;
  /** The data that pages have to refetch. */
  events: Event[];
}

/** Above this number conversations are not named one by one: pages refetch their lists. */
const mostNamed = 50;

/**
 * Locks the conversations that match a condition on `c` until the transaction ends, and returns their ids. In
 * the same order as inbound and outbound texts (receive-texts.ts), to avoid deadlocks.
 */
export async function holdConversations(
  trx: Trx,
  actor: Actor,
  condition: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.conversation_id as id from conversations c
    where c.account_id = ${actor.accountId} and ${condition}
    order by c.text_number_id, c.phone
    for no key update`.execute(trx);
  return rows.map((row) => row.id);
}

/**
 * Changes conversations that the caller has locked: one statement, whatever their number. With an undo it
 * saves what restores each row. A new assignee leaves a note in the thread.
 */
export function changeConversations(
  trx: Trx,
  actor: Actor,
  ids: number[],
  { change, undoId }: { change: ConversationChange; undoId: number | null },
): Promise<Changed> {
  const { isDone, isUnread, assignedUserId, snoozedUntil, isAutoOptOut } = change;
  const isSnoozed = snoozedUntil !== undefined && snoozedUntil !== null;
  // A user who snoozes a conversation or marks it unread wants to see it again; one who is done with it
  // doesn't.
  const opens = isDone === undefined && (isUnread || isSnoozed);
  const wakes = snoozedUntil === undefined && (isDone || isUnread);
  const wanted = sql`
    select ${isDone ?? (opens ? false : sql`c.is_done`)}::boolean as is_done,
      ${isUnread ? sql`greatest(1, c.unread_count)` : sql`c.unread_count`} as unread_count,
      ${assignee(assignedUserId)} as assigned_user_id,
      ${wakes ? null : snoozedUntil === undefined ? sql`c.snoozed_until` : snoozedUntil}::timestamptz as snoozed_until,
      ${tagsAfter(change)} as tag_ids,
      ${isAutoOptOut ?? sql`c.is_auto_opt_out`}::boolean as is_auto_opt_out`;
  const doneAt = isDone ? sql`case when c.is_done then c.done_at else now() end` : sql`c.done_at`;
  return writeWanted(trx, actor, ids, { wanted, undoId, doneAt });
}

/**
 * Nobody is assigned a conversation that they can't open, even if they lost the number since they were
 * chosen.
 */
function assignee(userId: number | null | undefined): RawBuilder<unknown> {
  if (userId === undefined) return sql`c.assigned_user_id`;
  if (userId === null) return sql`null::bigint`;
  return sql`case when ${mayUseNumber(sql`${userId}`)} then ${userId}::bigint else c.assigned_user_id end`;
}

/** True if a user is active and may use the text number of the conversation `c`. */
export function mayUseNumber(userId: RawBuilder<unknown>, textNumberId = sql`c.text_number_id`) {
  return sql<boolean>`exists (
    select from users u
    where u.account_id = c.account_id and u.user_id = ${userId} and u.is_active
      and ${usesNumber(textNumberId)})`;
}

/** Always sorted by id, so that equal sets are equal arrays. */
function tagsAfter({ tagIds, addTagIds = [], removeTagIds = [] }: ConversationChange): RawBuilder<unknown> {
  if (tagIds !== undefined) return sql`array(select unnest(${tagIds}::bigint[]) order by 1)`;
  if (addTagIds.length + removeTagIds.length === 0) return sql`c.tag_ids`;
  const after = sql`array(
    (select unnest(c.tag_ids) except select unnest(${removeTagIds}::bigint[])) union select unnest(${addTagIds}::bigint[])
    order by 1)`;
  return sql`case when cardinality(${after}) <= ${tagLimits.onConversation} then ${after} else c.tag_ids end`;
}

/**
 * The undo data of a row; only the changed fields:
 *   isDone, isAutoOptOut   as they were
 *   unread                 the amount to add to the count
 *   assigned, snoozed      [before, after]: restored only if nobody has changed it since
 *   tagsOn, tagsOff        to add and to remove again
 *   last                   the last message at that time
 */
const kept = sql`
  jsonb_build_object('last', old.last_message_id)
  || case when old.is_done = new.is_done then '{}' else jsonb_build_object('isDone', old.is_done) end
  || case when old.is_auto_opt_out = new.is_auto_opt_out then '{}'
    else jsonb_build_object('isAutoOptOut', old.is_auto_opt_out) end
  || case when old.unread_count = new.unread_count then '{}'
    else jsonb_build_object('unread', old.unread_count - new.unread_count) end
  || case when old.assigned_user_id is not distinct from new.assigned_user_id then '{}'
    else jsonb_build_object('assigned', jsonb_build_array(old.assigned_user_id, new.assigned_user_id)) end
  || case when old.snoozed_until is not distinct from new.snoozed_until then '{}'
    else jsonb_build_object('snoozed', jsonb_build_array(old.snoozed_until, new.snoozed_until)) end
  || case when old.tag_ids = new.tag_ids then '{}' else jsonb_build_object(
      'tagsOn', array(select unnest(old.tag_ids) except select unnest(new.tag_ids)),
      'tagsOff', array(select unnest(new.tag_ids) except select unnest(old.tag_ids))) end`;

/** Restores the undo data of conversations that the caller has locked. */
export function putBackConversations(
  trx: Trx,
  actor: Actor,
  ids: number[],
  { fromUndoId, undoId }: { fromUndoId: number; undoId: number },
): Promise<Changed> {
  // A change that would hide a conversation is restored only if no text has come since: nobody would see that
  // one.
  const isSame = sql`c.last_message_id is not distinct from (r.before ->> 'last')::bigint`;
  const hidden = (name: string, column: RawBuilder<unknown>) => sql`
    case when (r.before -> ${sql.lit(name)})::boolean and not ${isSame} then ${column}
      else coalesce((r.before -> ${sql.lit(name)})::boolean, ${column}) end`;
  const assignedBefore = sql`(r.before -> 'assigned' ->> 0)::bigint`;
  const snoozedBefore = sql`(r.before -> 'snoozed' ->> 0)::timestamptz`;
  const wanted = sql`
    select ${hidden('isDone', sql`c.is_done`)} as is_done,
      greatest(0, c.unread_count + coalesce((r.before ->> 'unread')::integer, 0)) as unread_count,
      case when r.before ? 'assigned' and c.assigned_user_id is not distinct from (r.before -> 'assigned' ->> 1)::bigint
        then case when ${mayUseNumber(assignedBefore)} then ${assignedBefore} end
        else c.assigned_user_id end as assigned_user_id,
      case when r.before ? 'snoozed' and c.snoozed_until is not distinct from (r.before -> 'snoozed' ->> 1)::timestamptz
          and (${isSame} or ${snoozedBefore} is null)
        then case when ${snoozedBefore} > now() then ${snoozedBefore} end
        else c.snoozed_until end as snoozed_until,
      case when r.before ?| array['tagsOn', 'tagsOff'] then array(
          select t.tag_id from tags t
          where t.account_id = c.account_id
            and (t.tag_id = any(c.tag_ids) or r.before -> 'tagsOn' @> to_jsonb(t.tag_id))
            and not r.before -> 'tagsOff' @> to_jsonb(t.tag_id)
          order by 1 limit ${tagLimits.onConversation})
        else c.tag_ids end as tag_ids,
      ${hidden('isAutoOptOut', sql`c.is_auto_opt_out`)} as is_auto_opt_out
    from undo_rows r
    where r.account_id = c.account_id and r.undo_id = ${fromUndoId} and r.row_id = c.conversation_id`;
  return writeWanted(trx, actor, ids, { wanted, undoId });
}

/**
 * Writes the result of `wanted`, a query about one conversation `c`, for each of `ids`, if it differs from
 * the current value, with all its side effects. Queried row by row and never joined: for an account that has
 * grown lately the planner estimates one row, and would compare all five thousand with each other.
 */
async function writeWanted(
  trx: Trx,
  actor: Actor,
  ids: number[],
  {
    wanted,
    undoId,
    doneAt = sql`c.done_at`,
  }: { wanted: RawBuilder<unknown>; undoId: number | null; doneAt?: RawBuilder<unknown> },
): Promise<Changed> {
  const names = [
    'is_done',
    'unread_count',
    'assigned_user_id',
    'snoozed_until',
    'tag_ids',
    'is_auto_opt_out',
  ];
  const values = (of: string) => sql.raw(names.map((name) => `${of}${name}`).join(', '));
  // "offset 0": the new values are queried row by row. As a join of 5,000 with 5,000 it took a minute
  // (decision 0016).
  const others = await sql<{ id: number }>`
    select c.conversation_id as id from conversations c cross join lateral (${wanted} offset 0) w
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[])
      and (${values('c.')}) is distinct from (${values('w.')})`.execute(trx);
  if (others.rows.length === 0) return { changed: 0, events: [] };
  const [written] = await writeConversations<{ changed: number; named: number[]; noted: number[] }>(trx, {
    write: sql`
      update conversations c set (${values('')}) = (${wanted}), done_at = ${doneAt}
      where c.account_id = ${actor.accountId} and c.conversation_id = any(${others.rows.map((row) => row.id)}::bigint[])`,
    returning: sql`c.conversation_id as row_id, ${kept} as before,
        old.assigned_user_id as assigned_before, new.assigned_user_id as assigned_after`,
    next: sql`
      noted as (
        insert into conversation_notes (account_id, conversation_id, kind, user_id, assigned_user_id)
        select ${actor.accountId}::bigint, row_id, case when assigned_after is null then 'unassigned' else 'assigned' end,
          ${actor.userId}::bigint, coalesce(assigned_after, assigned_before)
        from changed where assigned_before is distinct from assigned_after
        returning conversation_id
      )
      ${undoId === null ? sql`` : sql`, kept as (${keepChanged(actor, undoId)})`}`,
    select: sql`count(*)::int as changed,
      array(select row_id from changed limit ${mostNamed + 1}) as named,
      array(select conversation_id from noted limit ${mostNamed + 1}) as noted`,
  });
  const { changed = 0, named = [], noted = [] } = written ?? {};
  return { changed, events: eventsOf(named, noted) };
}

/** The data that pages have to refetch. */
export function eventsOf(changed: number[], noted: number[] = []): Event[] {
  if (changed.length > mostNamed) return [{ type: 'conversations.changed' }];
  return [
    ...changed.map((ConversationID) => ({ type: 'conversation.changed' as const, ConversationID })),
    ...noted.map((ConversationID) => ({ type: 'notes.changed' as const, ConversationID })),
  ];
}
