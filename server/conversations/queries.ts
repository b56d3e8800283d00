import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Conversation, listConversations, TextMessage } from '../../contract/conversations.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { isOfUsableNumber, isSeenContact, usableTextNumbers } from '../access/queries.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { pictureUrl } from '../accounts/queries.ts';
import type { Trx } from '../db.ts';
import { type MediaRow, toMediaItem } from '../media/rules.ts';
import { prepared } from '../prepared.ts';
import type { Actor } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';
import { beginningOf, endOf, readSearch, searchCondition } from './list/search-messages.ts';

export type ConversationFilter = z.output<typeof listConversations.query>;

export interface ConversationRow extends Omit<Conversation, 'SnoozedUntil'> {
  SnoozedUntil: Date | null;
}

/** A message `m` as lists show it. */
export const shortMessage = sql`json_build_object(
  'TextMessageID', m.message_id, 'Message', left(m.body, 200), 'IsInbound', m.is_inbound,
  'HasMedia', m.media_ids <> '{}' or exists (
    select from inbound_media i where i.account_id = m.account_id and i.message_id = m.message_id),
  'Status', m.status, 'CreateTimestamp', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * The columns of a conversation in the API's format; `c` is the conversation. Its readers may know whom it is
 * with, but only those who see the contact may see its notes.
 */
const columns = (actor: Actor) => sql`
  c.conversation_id as "ConversationID", ${wirePhone(actor, sql`c.phone`)} as "PhoneNumber", person.person_id as "PersonID",
  coalesce(person.first_name, '') as "FirstName", coalesce(person.last_name, '') as "LastName",
  case when ${isSeenContact(actor, sql`person`)} then coalesce(person.notes, '') else '' end as "Notes", c.text_number_id as "TextNumberID", c.is_done as "IsDone",
  c.is_retired as "IsRetired", c.is_auto_opt_out as "IsAutoOptOut",
  coalesce(consent.text_state = 'in', false) as "OptedIn", coalesce(consent.text_state = 'out', false) as "OptedOut",
  c.unread_count as "UnreadCount",
  case when m.message_id is null then null else ${shortMessage} end as "LastMessage",
  coalesce((
    select json_agg(json_build_object('UserID', v.user_id, 'Name', u.first_name || ' ' || u.last_name,
      'LastViewTime', to_char(v.last_view_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.last_view_at desc)
    from conversation_views v join users u on u.account_id = v.account_id and u.user_id = v.user_id
    where v.account_id = c.account_id and v.conversation_id = c.conversation_id
  ), '[]') as "Views",
  case when assignee.user_id is null then null else json_build_object(
    'UserID', assignee.user_id, 'Name', assignee.first_name || ' ' || assignee.last_name,
    'PictureUrl', assignee.picture_key) end as "AssignedTo",
  c.snoozed_until as "SnoozedUntil", c.continued_in_id as "ContinuedInID",
  coalesce((
    select json_agg(json_build_object('TagID', t.tag_id, 'TagName', t.name, 'Color', t.color) order by lower(t.name))
    from tags t where t.account_id = c.account_id and t.tag_id = any(c.tag_ids)), '[]') as "Tags"`;

/**
 * The person of a conversation `c`, as `person`. Several contacts may share a phone: the one added first
 * names it, by their primary phone before others. Each kind of phone is looked up by its own index.
 */
export const joinPerson = sql`
  left join lateral (
    select p.person_id, p.first_name, p.last_name, p.notes, p.created_by_user_id
    from (
      (select * from contacts p1 where p1.account_id = c.account_id and p1.primary_phone = c.phone
        and p1.deleted_at is null order by p1.person_id limit 1)
      union all
      (select * from contacts p2 where p2.account_id = c.account_id and p2.secondary_phone = c.phone
        and p2.secondary_phone is not null and p2.deleted_at is null order by p2.person_id limit 1)
      union all
      (select * from contacts p3 where p3.account_id = c.account_id and p3.tertiary_phone = c.phone
        and p3.tertiary_phone is not null and p3.deleted_at is null order by p3.person_id limit 1)
    ) p limit 1
  ) person on true`;

/**
 * Related data of a conversation's row: its last message, its assignee, the phone's consent, and the person.
 */
const joins = sql`
  left join messages m on m.account_id = c.account_id and m.message_id = c.last_message_id
  left join users assignee on assignee.account_id = c.account_id and assignee.user_id = c.assigned_user_id
  left join phone_consents consent on consent.account_id = c.account_id and consent.phone = c.phone
  ${joinPerson}`;

/** The places of conversations: conversations.place, which leads the indexes of the lists. */
const place = { open: 0, snoozed: 1, done: 2, optOut: 3 } as const;

/** The conversations of a filter, apart from its dates and its search. */
export interface Scope {
  /** The selected text numbers that the actor may use. */
  numbers: number[];
  /** True if those are all that the organization ever had: then a conversation's number needn't be checked. */
  isEveryNumber: boolean;
  /** undefined for everywhere. */
  places: number[] | undefined;
  /** Other conditions on `c`. */
  marks: RawBuilder<unknown>[];
}

export async function readScope(trx: Trx, actor: Actor, filter: ConversationFilter): Promise<Scope> {
  for (const name of ['date-from', 'date-to'] as const) {
    // ISO 8601 has a year 0, PostgreSQL hasn't.
    if (filter[name]?.startsWith('0000')) throw refuseField(name, 'Enter a date');
  }
  if (filter['date-from'] !== undefined || filter['date-to'] !== undefined) {
    refuseUnless(actor, 'searchConversationsByDate');
  }
  const every = sql<number>`(select count(*) from text_numbers e where e.account_id = ${actor.accountId})`;
  const usable = await usableTextNumbers(trx, actor)
    .select(['text_number_id as id', every.as('every')])
    .execute();
  const numbers = usable
    .map(({ id }) => id)
    .filter((id) => filter.textNumberId === undefined || id === filter.textNumberId);
  return {
    numbers,
    isEveryNumber: numbers.length === usable[0]?.every,
    places: placesOf(filter),
    marks: markConditions(actor, filter),
  };
}

/** True if in an open conversation `c` their last texts were courtesies, with nothing unanswered before them. */
export const needsNoAnswer = sql`c.courtesy_since is not null and c.waiting_since is null`;

/** `unread`, `waiting`, `noanswer`, `mine` and `unassigned` include only open ones, as in the summary. */
function placesOf({ tag, isDone, unread, viewing, notags }: ConversationFilter): number[] | undefined {
  if (tag === 'autooptout') return [place.optOut];
  if (viewing === 'snoozed') return [place.snoozed];
  if (unread || viewing === 'unread' || viewing === 'waiting' || viewing === 'noanswer') return [place.open];
  if (isDone !== undefined) return [isDone ? place.done : place.open];
  if (viewing === 'mine' || viewing === 'unassigned') return [place.open];
  return notags ? [place.open, place.snoozed, place.done] : undefined;
}

/** By assignee, by mark, and by the broadcast that they answered. */
export function markConditions(actor: Actor, filter: ConversationFilter): RawBuilder<unknown>[] {
  const { tag, isDone, unread, viewing, assignedTo, broadcastId } = filter;
  const conditions = [];
  if (unread || viewing === 'unread') conditions.push(sql`c.unread_count > 0`);
  if (viewing === 'waiting') conditions.push(sql`c.waiting_since is not null`);
  if (viewing === 'noanswer') conditions.push(needsNoAnswer);
  if (tag === 'autooptout' && isDone !== undefined) {
    conditions.push(isDone ? sql`c.is_done` : sql`not c.is_done`);
  }
  if (typeof tag === 'number') conditions.push(sql`c.tag_ids @> array[${tag}::bigint]`);
  if (viewing === 'mine') conditions.push(sql`c.assigned_user_id = ${actor.userId}`);
  if (viewing === 'unassigned') conditions.push(sql`c.assigned_user_id is null`);
  if (assignedTo !== undefined) conditions.push(sql`c.assigned_user_id = ${assignedTo}`);
  if (broadcastId !== undefined) {
    conditions.push(sql`exists (select from broadcast_replies b where b.account_id = c.account_id
      and b.broadcast_id = ${broadcastId} and b.conversation_id = c.conversation_id)`);
  }
  return conditions;
}

/** The scope as conditions on `c`. */
export function scopeConditions(actor: Actor, { numbers, places, marks }: Scope): RawBuilder<unknown>[] {
  return [
    sql`c.account_id = ${actor.accountId}`,
    sql`c.text_number_id = any(${numbers}::bigint[])`,
    ...(places === undefined ? [] : [sql`c.place = any(${places}::smallint[])`]),
    ...marks,
  ];
}

/**
 * A moved conversation is listed with the done ones, or the opt-outs. Elsewhere the one that continues it is
 * listed instead.
 */
export function shownConditions({ places }: Scope): RawBuilder<unknown>[] {
  return places?.length === 1 ? [] : [sql`not c.is_retired`];
}

/** The days of a filter, in the user's zone, including the last one; as conditions on `c`. */
export function dayConditions(actor: Actor, filter: ConversationFilter): RawBuilder<unknown>[] {
  const { 'date-from': from, 'date-to': to } = filter;
  return [
    ...(from === undefined ? [] : [sql`c.last_message_at >= ${beginningOf(actor, from)}`]),
    ...(to === undefined ? [] : [sql`c.last_message_at < ${endOf(actor, to)}`]),
  ];
}

/**
 * The conversations of a list, as a condition on `c`: the set of a selection of all of them. It never
 * includes numbers that the actor may not use.
 */
export async function matchingConversations(trx: Trx, actor: Actor, filter: ConversationFilter) {
  const scope = await readScope(trx, actor, filter);
  const conditions = scopeConditions(actor, scope);
  if (filter.q === '') conditions.push(...shownConditions(scope), ...dayConditions(actor, filter));
  else conditions.push(searchCondition(await readSearch(trx, actor, filter), scope));
  return sql.join(conditions, sql` and `);
}

/** One conversation that this actor may see, or not found. */
export async function requireConversation(
  trx: Trx,
  actor: Actor,
  conversationId: number,
): Promise<ConversationRow> {
  const { rows } = await sql<ConversationRow>`
    ${prepared} select ${columns(actor)} from conversations c ${joins}
    where c.account_id = ${actor.accountId} and c.conversation_id = ${conversationId}
      and ${isOfUsableNumber(actor, sql`c.text_number_id`)}`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Refusal('notFound', 'That conversation is no longer here.');
  return withPicture(row);
}

/** The row contains the picture's key. */
function withPicture(row: ConversationRow): ConversationRow {
  const { AssignedTo } = row;
  if (AssignedTo === null) return row;
  return { ...row, AssignedTo: { ...AssignedTo, PictureUrl: pictureUrl(AssignedTo.PictureUrl) } };
}

/** Conversations in the order of the given ids; the caller has checked that the actor may see them. */
export async function conversationsById(trx: Trx, actor: Actor, ids: number[]): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    ${prepared} select ${columns(actor)} from conversations c ${joins}
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], c.conversation_id)`.execute(trx);
  return rows.map(withPicture);
}

/** The thread's key of a conversation that this actor may see. */
export async function requireThread(trx: Trx, actor: Actor, conversationId: number) {
  const row = await trx
    .selectFrom('conversations')
    .select(['conversation_id as conversationId', 'text_number_id as textNumberId', 'phone'])
    .where('account_id', '=', actor.accountId)
    .where('conversation_id', '=', conversationId)
    .where(sql<boolean>`${isOfUsableNumber(actor, sql`text_number_id`)}`)
    .modifyFront(prepared)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That conversation is no longer here.');
  return row;
}

export interface TextRow
  extends Omit<TextMessage, 'Media' | 'MmsOutboundMedia' | 'CreateTimestamp' | 'StatusTimestamp'> {
  media: MediaRow[];
  created_at: string;
  CreateTimestamp: Date;
  StatusTimestamp: Date | null;
}

/** The broadcast that a text belongs to; null for others. A user who may read the text may know its name. */
export function broadcastNamed(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text}.broadcast_id is not null then (
    select json_build_object('BroadcastID', b.broadcast_id, 'BroadcastName', b.name)
    from broadcasts b where b.account_id = ${text}.account_id and b.broadcast_id = ${text}.broadcast_id) end`;
}

export const textColumns = sql`
  m.message_id as "TextMessageID", m.is_inbound as "IsInbound", m.body as "Message", m.created_at as "CreateTimestamp",
  to_json(m.created_at) #>> '{}' as created_at,
  -- Also while its pictures are being fetched, or are unavailable.
  m.media_ids <> '{}' or (m.is_inbound and exists (
    select from inbound_media i where i.account_id = m.account_id and i.message_id = m.message_id)) as "Mms",
  m.status as "Status", m.status_at as "StatusTimestamp", m.segments as "Segments",
  m.credits as "Credits", m.origin as "Origin",
  case when u.user_id is null then null
    else json_build_object('UserID', u.user_id, 'Name', u.first_name || ' ' || u.last_name) end as "SentBy",
  ${broadcastNamed(sql`m`)} as "Broadcast",
  (select max(f.explicit_status) from media f
    where f.account_id = m.account_id and f.media_id = any(m.media_ids)) as "ExplicitStatus",
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name, 'explicit_status', f.explicit_status,
      'created_at', f.created_at) order by array_position(m.media_ids, f.media_id))
    from media f where f.account_id = m.account_id and f.media_id = any(m.media_ids)), '[]') as media`;

export async function getTextRow(trx: Trx, actor: Actor, messageId: number) {
  // The ledger first: every send reads one, and the archive takes a look into the index of each of its months.
  for (const table of [sql`messages`, sql`archived_messages`]) {
    const { rows } = await sql<TextRow>`
      select ${textColumns}
      from ${table} m left join users u on u.account_id = m.account_id and u.user_id = m.user_id
      where m.account_id = ${actor.accountId} and m.message_id = ${messageId}`.execute(trx);
    if (rows[0] !== undefined) return toTextMessage(rows[0]);
  }
  throw new Refusal('notFound');
}

export function toTextMessage({ media, created_at: _, ...row }: TextRow) {
  return {
    ...row,
    Media: media.map((item) => toMediaItem(item, row.SentBy?.Name)),
    MmsOutboundMedia: row.IsInbound ? [] : media.map((item) => ({ MediaID: item.media_id })),
  };
}
