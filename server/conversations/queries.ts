import { sql } from 'kysely';
import type { z } from 'zod';
import type { Conversation, listConversations, TextMessage } from '../../contract/conversations.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { timing } from '../../contract/reference/limits.ts';
import { digitsToFind, likeText } from '../contacts/rules.ts';
import type { Trx } from '../db.ts';
import { mediaAddress } from '../media/rules.ts';
import { usableTextNumberIds } from '../numbers/queries.ts';
import type { Actor } from '../serve.ts';
import { readCursor, writeCursor } from './rules.ts';

export type ConversationFilter = z.output<typeof listConversations.query>;

interface ConversationRow extends Omit<Conversation, 'LastMessage' | 'Views'> {
  LastMessage: Conversation['LastMessage'];
  Views: Conversation['Views'];
  lastMessageAt: string;
}

/** The columns of a conversation in the wire's shape; `c` is the conversation. */
const columns = sql`
  c.conversation_id as "ConversationID", wire_phone(c.phone) as "PhoneNumber", person.person_id as "PersonID",
  coalesce(person.first_name, '') as "FirstName", coalesce(person.last_name, '') as "LastName",
  coalesce(person.notes, '') as "Notes", c.text_number_id as "TextNumberID", c.is_done as "IsDone",
  c.is_retired as "IsRetired", c.is_auto_opt_out as "IsAutoOptOut",
  coalesce(consent.text_state = 'in', false) as "OptedIn", coalesce(consent.text_state = 'out', false) as "OptedOut",
  c.unread_count as "UnreadCount", to_json(c.last_message_at) #>> '{}' as "lastMessageAt",
  case when m.message_id is null then null else json_build_object(
    'TextMessageID', m.message_id, 'Message', left(m.body, 200), 'IsInbound', m.is_inbound,
    'HasMedia', m.media_ids <> '{}' or exists (
      select from inbound_media i where i.account_id = m.account_id and i.message_id = m.message_id),
    'Status', m.status, 'CreateTimestamp', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as "LastMessage",
  coalesce((
    select json_agg(json_build_object('UserID', v.user_id, 'Name', u.first_name || ' ' || u.last_name,
      'LastViewTime', to_char(v.last_view_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.last_view_at desc)
    from conversation_views v join users u on u.account_id = v.account_id and u.user_id = v.user_id
    where v.account_id = c.account_id and v.conversation_id = c.conversation_id
  ), '[]') as "Views"`;

/**
 * What a conversation's row lacks: its last message, the phone's consent, and the person. Several
 * contacts may share a phone; the one added first names the conversation.
 */
const joins = sql`
  left join messages m on m.account_id = c.account_id and m.message_id = c.last_message_id
  left join phone_consents consent on consent.account_id = c.account_id and consent.phone = c.phone
  left join lateral (
    select p.person_id, p.first_name, p.last_name, p.notes
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

/** The conversations a filter means, as a condition on `c`; numbers the actor may not use are never among them. */
export async function matchingConversations(trx: Trx, actor: Actor, filter: ConversationFilter) {
  const usable = await usableTextNumberIds(trx, actor);
  const numbers =
    filter.textNumberId === undefined ? usable : usable.filter((id) => id === filter.textNumberId);
  const conditions = [
    sql`c.account_id = ${actor.accountId}`,
    sql`c.text_number_id = any(${numbers}::bigint[])`,
  ];
  if (filter.tag === 'autooptout') conditions.push(sql`c.is_auto_opt_out`);
  else if (filter.isDone !== undefined || filter.unread || filter.notags)
    conditions.push(sql`not c.is_auto_opt_out`);
  if (filter.isDone !== undefined) conditions.push(filter.isDone ? sql`c.is_done` : sql`not c.is_done`);
  if (filter.unread) conditions.push(sql`c.unread_count > 0 and not c.is_done`);
  for (const name of ['date-from', 'date-to'] as const) {
    // ISO 8601 has a year 0, PostgreSQL hasn't.
    if (filter[name]?.startsWith('0000')) throw refuseField(name, 'Enter a date');
  }
  if (filter['date-from'] !== undefined) {
    conditions.push(
      sql`c.last_message_at >= (${filter['date-from']}::date)::timestamp at time zone ${actor.timeZone}`,
    );
  }
  if (filter['date-to'] !== undefined) {
    conditions.push(
      sql`c.last_message_at < (${filter['date-to']}::date + 1)::timestamp at time zone ${actor.timeZone}`,
    );
  }
  if (filter.q !== '') {
    conditions.push(searchCondition(filter.q));
    if (filter['date-from'] === undefined && filter['date-to'] === undefined) {
      conditions.push(sql`c.last_message_at > now() - ${timing.conversationSearchDays} * interval '1 day'`);
    }
  }
  return sql.join(conditions, sql` and `);
}

/** By phone, by the contact's name, or by the words of the last message. */
function searchCondition(q: string) {
  const digits = digitsToFind(q);
  const who =
    digits === ''
      ? sql`c.phone in (
          select unnest(array[p.primary_phone::text, p.secondary_phone::text, p.tertiary_phone::text])
          from contact_search s join contacts p on p.account_id = s.account_id and p.person_id = s.person_id
          where s.account_id = c.account_id and s.search_text like fold_text(${likeText(q)}))`
      : sql`strpos(c.phone, ${digits}) > 0`;
  return sql`(
    ${who}
    or exists (
      select from messages t where t.account_id = c.account_id and t.message_id = c.last_message_id
      and lower(t.body) like ${likeText(q)}))`;
}

export async function listConversationRows(trx: Trx, actor: Actor, filter: ConversationFilter) {
  const condition = await matchingConversations(trx, actor, filter);
  const isLatestFirst = filter.sortby === 'latest';
  const after = filter.next === undefined ? undefined : readCursor(filter.next);
  const direction = isLatestFirst ? sql`desc` : sql`asc`;
  const beyond =
    after === undefined
      ? sql``
      : sql`and (c.last_message_at, c.conversation_id) ${isLatestFirst ? sql`<` : sql`>`} (${after.at}::timestamptz, ${after.id}::bigint)`;
  // The page first, on the index alone; what it shows is joined to its few rows.
  const { rows } = await sql<ConversationRow>`
    with page as materialized (
      select c.* from conversations c
      where ${condition} ${beyond}
      order by c.last_message_at ${direction}, c.conversation_id ${direction}
      limit ${filter.pagesize + 1} offset ${after === undefined ? (filter.page - 1) * filter.pagesize : 0}
    )
    select ${columns} from page c ${joins}
    order by c.last_message_at ${direction}, c.conversation_id ${direction}`.execute(trx);
  const Items = rows.slice(0, filter.pagesize);
  const last = Items.at(-1);
  const Next =
    rows.length > filter.pagesize && last !== undefined
      ? writeCursor({ at: last.lastMessageAt, id: last.ConversationID })
      : null;
  return { Items, Next };
}

/** One conversation that this actor may see, or not found. */
export async function requireConversation(
  trx: Trx,
  actor: Actor,
  conversationId: number,
): Promise<ConversationRow> {
  const numbers = await usableTextNumberIds(trx, actor);
  const { rows } = await sql<ConversationRow>`
    select ${columns} from conversations c ${joins}
    where c.account_id = ${actor.accountId} and c.conversation_id = ${conversationId}
      and c.text_number_id = any(${numbers}::bigint[])`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Refusal('notFound', 'That conversation is no longer here.');
  return row;
}

/** Conversations in the order of the given ids; the caller has checked that the actor may see them. */
export async function conversationsById(trx: Trx, actor: Actor, ids: number[]): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select ${columns} from conversations c ${joins}
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], c.conversation_id)`.execute(trx);
  return rows;
}

/** The thread's key of a conversation that this actor may see. */
export async function requireThread(trx: Trx, actor: Actor, conversationId: number) {
  const numbers = await usableTextNumberIds(trx, actor);
  const row = await trx
    .selectFrom('conversations')
    .select(['conversation_id as conversationId', 'text_number_id as textNumberId', 'phone'])
    .where('account_id', '=', actor.accountId)
    .where('conversation_id', '=', conversationId)
    .where('text_number_id', 'in', numbers.concat(-1))
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That conversation is no longer here.');
  return row;
}

interface MediaRow {
  media_id: number;
  public_key: string;
  content_type: string;
  file_name: string;
}

interface TextRow
  extends Omit<TextMessage, 'Media' | 'MmsOutboundMedia' | 'CreateTimestamp' | 'StatusTimestamp'> {
  media: MediaRow[];
  created_at: string;
  CreateTimestamp: Date;
  StatusTimestamp: Date | null;
}

const textColumns = sql`
  m.message_id as "TextMessageID", m.is_inbound as "IsInbound", m.body as "Message", m.created_at as "CreateTimestamp",
  to_json(m.created_at) #>> '{}' as created_at,
  m.media_ids <> '{}' as "Mms", m.status as "Status", m.status_at as "StatusTimestamp", m.segments as "Segments",
  m.credits as "Credits",
  case when u.user_id is null then null
    else json_build_object('UserID', u.user_id, 'Name', u.first_name || ' ' || u.last_name) end as "SentBy",
  (select max(f.explicit_status) from media f
    where f.account_id = m.account_id and f.media_id = any(m.media_ids)) as "ExplicitStatus",
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name) order by array_position(m.media_ids, f.media_id))
    from media f where f.account_id = m.account_id and f.media_id = any(m.media_ids)), '[]') as media`;

export async function listTextRows(
  trx: Trx,
  actor: Actor,
  thread: { textNumberId: number; phone: string },
  page: { pagesize: number; next: string | undefined },
) {
  const after = page.next === undefined ? undefined : readCursor(page.next);
  const beyond =
    after === undefined
      ? sql``
      : sql`and (m.created_at, m.message_id) < (${after.at}::timestamptz, ${after.id}::bigint)`;
  const { rows } = await sql<TextRow>`
    select ${textColumns}
    from messages m left join users u on u.account_id = m.account_id and u.user_id = m.user_id
    where m.account_id = ${actor.accountId} and m.text_number_id = ${thread.textNumberId} and m.phone = ${thread.phone} ${beyond}
    order by m.created_at desc, m.message_id desc
    limit ${page.pagesize + 1}`.execute(trx);
  const kept = rows.slice(0, page.pagesize);
  const last = kept.at(-1);
  return {
    Items: kept.map(toTextMessage),
    Next:
      rows.length > page.pagesize && last
        ? writeCursor({ at: last.created_at, id: last.TextMessageID })
        : null,
  };
}

export async function getTextRow(trx: Trx, actor: Actor, messageId: number) {
  const { rows } = await sql<TextRow>`
    select ${textColumns}
    from messages m left join users u on u.account_id = m.account_id and u.user_id = m.user_id
    where m.account_id = ${actor.accountId} and m.message_id = ${messageId}`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Refusal('notFound');
  return toTextMessage(row);
}

function toTextMessage({ media, created_at: _, ...row }: TextRow) {
  return {
    ...row,
    Media: media.map((item) => ({
      mediaId: item.media_id,
      contentType: item.content_type,
      fileName: item.file_name,
      full: mediaAddress(item.public_key),
      preview: mediaAddress(item.public_key, 'preview'),
    })),
    MmsOutboundMedia: row.IsInbound ? [] : media.map((item) => ({ MediaID: item.media_id })),
  };
}
