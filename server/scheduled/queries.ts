import { sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { listScheduledConversations, ScheduledConversation } from '../../contract/scheduled.ts';
import { isOfUsableNumber } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import { type MediaRow, toMediaItem } from '../media/rules.ts';
import { digitsToFind, likeText } from '../search-text.ts';
import type { Actor } from '../serve.ts';
import { wirePhone } from '../wire-phone.ts';

interface ScheduledRow
  extends Omit<ScheduledConversation, 'Media' | 'StartDate' | 'CreateTimestamp' | 'EndTimestamp'> {
  StartDate: Date;
  CreateTimestamp: Date;
  EndTimestamp: Date | null;
  media: MediaRow[];
}

/** The columns in the API's format; `s` is the scheduled text. */
const columns = (actor: Actor) => sql`
  s.scheduled_id as "ScheduledConversationID", initcap(s.state) as "Status", s.start_at as "StartDate",
  s.text_number_id as "TextNumberID", s.body as "TextMessage", s.include_signature as "IncludeSignature",
  s.keep_characters as "KeepCharacters",
  s.created_at as "CreateTimestamp", s.ended_at as "EndTimestamp", coalesce(s.problem, '') as "Error",
  (select json_build_object('UserID', u.user_id, 'Name', u.first_name || ' ' || u.last_name)
    from users u where u.account_id = s.account_id and u.user_id = s.user_id) as "User",
  (select json_agg(json_build_object('PersonID', r.person_id, 'FirstName', r.first_name, 'LastName', r.last_name,
      'PhoneNumber', ${wirePhone(actor, sql`r.phone`)}, 'TextMessage', r.body, 'ConversationID', r.conversation_id,
      'Error', coalesce(r.problem, '')) order by r.position)
    from scheduled_recipients r
    where r.account_id = s.account_id and r.scheduled_id = s.scheduled_id) as "Contacts",
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name, 'explicit_status', f.explicit_status,
      'created_at', f.created_at) order by array_position(s.media_ids, f.media_id))
    from media f where f.account_id = s.account_id and f.media_id = any(s.media_ids)), '[]') as media`;

function toScheduled({ media, ...row }: ScheduledRow) {
  return { ...row, Media: media.map((item) => toMediaItem(item, row.User.Name)) };
}

export async function listScheduled(
  trx: Trx,
  actor: Actor,
  query: z.output<typeof listScheduledConversations.query>,
) {
  const usable = actor.textNumberIds;
  const numbers =
    query.textNumberId === undefined ? usable : usable.filter((id) => id === query.textNumberId);
  const shown = sql`s.account_id = ${actor.accountId} and s.text_number_id = any(${numbers}::bigint[])
    and s.state = any(${query.ended ? ['sent', 'canceled', 'failed'] : ['scheduled']}::text[])
    and ${query.q === '' ? sql`true` : matches(query.q)}`;
  const direction = query.sortby === '-startdate' ? sql`desc` : sql`asc`;
  const { rows } = await sql<ScheduledRow>`
    select ${columns(actor)} from scheduled_conversations s where ${shown}
    order by s.start_at ${direction}, s.scheduled_id ${direction}
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  const counted = await sql<{ size: number }>`
    select count(*) as size from scheduled_conversations s where ${shown}`.execute(trx);
  return { Items: rows.map(toScheduled), Size: counted.rows[0]?.size ?? 0 };
}

/** By its words, or by its recipients. */
function matches(q: string) {
  const digits = digitsToFind(q);
  const who =
    digits === ''
      ? sql`lower(r.first_name || ' ' || r.last_name) like ${likeText(q)} or lower(r.body) like ${likeText(q)}`
      : sql`strpos(r.phone, ${digits}) > 0`;
  return sql`(lower(s.body) like ${likeText(q)} or exists (
    select from scheduled_recipients r
    where r.account_id = s.account_id and r.scheduled_id = s.scheduled_id and (${who})))`;
}

export async function getScheduled(trx: Trx, actor: Actor, scheduledId: number) {
  const { rows } = await sql<ScheduledRow>`
    select ${columns(actor)} from scheduled_conversations s
    where s.account_id = ${actor.accountId} and s.scheduled_id = ${scheduledId}
      and ${isOfUsableNumber(actor, sql`s.text_number_id`)}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw notHere();
  return toScheduled(row);
}

const ended: Record<string, string> = {
  sent: 'This text has been sent already.',
  canceled: 'This text has been canceled already.',
  failed: 'This text could not be sent and can’t be changed any more.',
};

/**
 * A scheduled text at a number that this actor may use, and that is still waiting. Its row is locked: this
 * waits for a transaction that is sending it, and then reports its new state.
 */
export async function requireWaiting(trx: Trx, actor: Actor, scheduledId: number): Promise<WaitingRow> {
  const numbers = actor.textNumberIds;
  const row = await trx
    .selectFrom('scheduled_conversations')
    .select([...waitingColumns, 'state'])
    .where('account_id', '=', actor.accountId)
    .where('scheduled_id', '=', scheduledId)
    .where('text_number_id', 'in', numbers.concat(-1))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notHere();
  if (row.state !== 'scheduled') throw new Refusal('conflict', ended[row.state]);
  return row;
}

export const waitingColumns = [
  'scheduled_id',
  'user_id',
  'text_number_id',
  'body',
  'media_ids',
  'include_signature',
  'keep_characters',
  'attempts',
] as const;

export interface WaitingRow {
  scheduled_id: number;
  user_id: number;
  text_number_id: number;
  body: string;
  media_ids: number[];
  include_signature: boolean;
  keep_characters: boolean;
  attempts: number;
}

function notHere(): Refusal {
  return new Refusal('notFound', 'That text for later is no longer here.');
}
