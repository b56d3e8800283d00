import { type RawBuilder, sql } from 'kysely';
import type { Event } from '../../../contract/events.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { tagLimits } from '../../../contract/tags.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { writeConversations } from '../write-conversations.ts';
import { eventsOf, holdConversations, mayUseNumber } from './change-conversations.ts';

interface Known {
  id: number;
  phone: string;
}

/**
 * Moves the conversations that match a condition on `c` to another text number: a few statements, whatever
 * their number, without joins (writeWanted says why). Texts stay with the number that carried them; the
 * retired conversation refers to the one that continues it.
 */
export async function moveHeldConversations(
  trx: Trx,
  actor: Actor,
  condition: RawBuilder<unknown>,
  textNumberId: number,
): Promise<{ changed: number; conversationId?: number | undefined; events: Event[] }> {
  const sources = await holdBoth(trx, actor, condition, textNumberId);
  if (sources.length === 0) return { changed: 0, events: [] };
  const targets = await openTargets(trx, actor, sources, textNumberId);
  const moves: Moves = {
    sources: sources.map(({ id }) => id),
    targets: Object.fromEntries(sources.map(({ id, phone }) => [id, targets.get(phone) ?? 0])),
  };
  await retireSources(trx, actor, moves);
  await carryOver(trx, actor, moves);
  await noteMoves(trx, actor, moves, textNumberId);
  const ids = [...new Set([...moves.sources, ...targets.values()])];
  return {
    changed: sources.length,
    conversationId: sources.length === 1 ? [...targets.values()][0] : undefined,
    events: eventsOf(ids, ids),
  };
}

interface Moves {
  sources: number[];
  /** The conversation that continues each. */
  targets: Record<string, number>;
}

/** The conversation that continues one, by its id in a column. */
function targetOf(moves: Moves, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${JSON.stringify(moves.targets)}::jsonb ->> (${id})::text)::bigint`;
}

/** Locks the ones that move, and those they will join, in the common order. Returns the first. */
async function holdBoth(
  trx: Trx,
  actor: Actor,
  condition: RawBuilder<unknown>,
  textNumberId: number,
): Promise<Known[]> {
  const canMove = sql`c.text_number_id <> ${textNumberId} and not c.is_retired`;
  const meant = await sql<Known>`
    select c.conversation_id as id, c.phone from conversations c
    where c.account_id = ${actor.accountId} and ${condition} and ${canMove}`.execute(trx);
  const ids = meant.rows.map((row) => row.id);
  await holdConversations(
    trx,
    actor,
    sql`(c.conversation_id = any(${ids}::bigint[])
      or (c.text_number_id = ${textNumberId} and c.phone = any(${meant.rows.map((row) => row.phone)}::text[])))`,
  );
  // One of them may have been moved by another user while this waited.
  const held = await sql<Known>`
    select c.conversation_id as id, c.phone from conversations c
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[]) and ${canMove}`.execute(
    trx,
  );
  return held.rows;
}

/**
 * One conversation per phone at the new number: created if there is none, otherwise joined. One that was
 * retired there is reused for the moved one; its earlier state no longer applies. Returns their ids by phone.
 */
async function openTargets(
  trx: Trx,
  actor: Actor,
  sources: Known[],
  textNumberId: number,
): Promise<Map<string, number>> {
  const targets = await writeConversations<Known>(trx, {
    first: sql`
      -- "materialized": permission for a conversation is checked once for each, not again for each sum.
      source as materialized (
        select c.*, ${mayUseNumber(sql`c.assigned_user_id`, sql`${textNumberId}`)} as keeps_assignee from conversations c
        where c.account_id = ${actor.accountId} and c.conversation_id = any(${sources.map(({ id }) => id)}::bigint[])
      ),
      -- Conversations of several numbers with one phone become one.
      joined as (
        select phone, sum(unread_count) as unread_count, max(last_message_at) as last_message_at,
          (array_agg(last_message_id order by last_message_at desc, conversation_id desc))[1] as last_message_id,
          min(waiting_since) as waiting_since, min(courtesy_since) as courtesy_since, bool_and(is_auto_opt_out) as is_auto_opt_out,
          (array_agg(assigned_user_id order by last_message_at desc) filter (where keeps_assignee))[1] as assigned_user_id,
          case when bool_and(snoozed_until is not null) then min(snoozed_until) end as snoozed_until,
          jsonb_agg(to_jsonb(tag_ids)) as tag_lists
        from source group by phone
      )`,
    write: sql`
      insert into conversations as c
        (account_id, text_number_id, phone, unread_count, last_message_at, last_message_id, waiting_since,
          courtesy_since, is_auto_opt_out, assigned_user_id, snoozed_until, tag_ids)
      select ${actor.accountId}::bigint, ${textNumberId}::bigint, phone, unread_count, last_message_at, last_message_id,
        waiting_since, courtesy_since, is_auto_opt_out, assigned_user_id, snoozed_until, (array(
          select distinct tag::bigint from jsonb_array_elements(tag_lists) list, jsonb_array_elements(list) tag
          order by 1))[1:${tagLimits.onConversation}]
      from joined
      order by phone
      on conflict (account_id, text_number_id, phone) do update set
        unread_count = c.unread_count + excluded.unread_count,
        last_message_id = case when excluded.last_message_at >= c.last_message_at
          then excluded.last_message_id else c.last_message_id end,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at),
        waiting_since = least(c.waiting_since, excluded.waiting_since),
        courtesy_since = least(c.courtesy_since, excluded.courtesy_since),
        is_done = false, is_retired = false, continued_in_id = null,
        is_auto_opt_out = (c.is_auto_opt_out or c.is_retired) and excluded.is_auto_opt_out,
        assigned_user_id = case when c.is_retired then excluded.assigned_user_id
          else coalesce(c.assigned_user_id, excluded.assigned_user_id) end,
        snoozed_until = case when c.is_retired then excluded.snoozed_until
          when c.snoozed_until is not null and excluded.snoozed_until is not null
          then least(c.snoozed_until, excluded.snoozed_until) end,
        tag_ids = case when c.is_retired then excluded.tag_ids else (array(
          select unnest(c.tag_ids) union select unnest(excluded.tag_ids) order by 1))[1:${tagLimits.onConversation}] end`,
    select: sql`(new_row).conversation_id as id, (new_row).phone`,
  });
  return new Map(targets.map(({ id, phone }) => [phone, id]));
}

async function retireSources(trx: Trx, actor: Actor, moves: Moves): Promise<void> {
  await writeConversations(trx, {
    write: sql`
      update conversations c
      set is_retired = true, is_done = true, unread_count = 0, waiting_since = null, courtesy_since = null, snoozed_until = null,
        is_auto_opt_out = false, continued_in_id = ${targetOf(moves, sql`c.conversation_id`)}
      where c.account_id = ${actor.accountId} and c.conversation_id = any(${moves.sources}::bigint[])`,
  });
}

/** Notes, signature settings and answers to broadcasts. */
async function carryOver(trx: Trx, actor: Actor, moves: Moves): Promise<void> {
  const isOfSource = sql`x.account_id = ${actor.accountId} and x.conversation_id = any(${moves.sources}::bigint[])`;
  const target = targetOf(moves, sql`x.conversation_id`);
  await sql`update conversation_notes x set conversation_id = ${target} where ${isOfSource}`.execute(trx);
  await sql`
    with gone as (
      delete from conversation_signatures x where ${isOfSource} returning ${target} as target, x.user_id, x.is_enabled
    )
    insert into conversation_signatures (account_id, conversation_id, user_id, is_enabled)
    select ${actor.accountId}::bigint, target, user_id, bool_or(is_enabled) from gone group by target, user_id
    on conflict do nothing`.execute(trx);
  await sql`
    with gone as (
      delete from broadcast_replies x where ${isOfSource} returning x.broadcast_id, ${target} as target, x.replied_at
    )
    insert into broadcast_replies as b (account_id, broadcast_id, conversation_id, replied_at)
    select ${actor.accountId}::bigint, broadcast_id, target, max(replied_at) from gone group by broadcast_id, target
    on conflict (account_id, broadcast_id, conversation_id)
    do update set replied_at = greatest(b.replied_at, excluded.replied_at)`.execute(trx);
}

/** A line in both threads: "From Front Office to Clinic". */
async function noteMoves(trx: Trx, actor: Actor, moves: Moves, textNumberId: number): Promise<void> {
  const numbers = await trx
    .selectFrom('text_numbers')
    .select(['text_number_id', 'name', sql<string>`wire_phone(phone)`.as('phone')])
    .where('account_id', '=', actor.accountId)
    .execute();
  const names = Object.fromEntries(
    numbers.map((row) => [row.text_number_id, row.name || formatPhone(row.phone)]),
  );
  await sql`
    insert into conversation_notes (account_id, conversation_id, kind, user_id, body)
    select c.account_id, place.conversation_id, 'moved', ${actor.userId}::bigint,
      'From ' || (${JSON.stringify(names)}::jsonb ->> c.text_number_id::text) || ' to ' || ${names[textNumberId] ?? ''}
    from conversations c
    cross join lateral (
      values (c.conversation_id), (${targetOf(moves, sql`c.conversation_id`)})) as place(conversation_id)
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${moves.sources}::bigint[])`.execute(
    trx,
  );
}
