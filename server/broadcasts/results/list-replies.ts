import { type RawBuilder, sql } from 'kysely';
import type {
  listTextReplies as definition,
  downloadTextReplies as downloadDefinition,
  TextReply,
} from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { recognizeSurveyAnswer, type SurveyAnswer } from '../../../contract/text/survey-answer.ts';
import { isOfUsableNumber } from '../../access/queries.ts';
import { zonedTime } from '../../consents/rules.ts';
import { csvDownload } from '../../csv.ts';
import { type Cursor, readCursor, writeCursor } from '../../cursor.ts';
import { asAccount, type Trx } from '../../db.ts';
import { likeText } from '../../search-text.ts';
import type { Actor, App, Download } from '../../serve.ts';
import { textsOf } from '../../texts/choose-table.ts';
import { wirePhone } from '../../wire-phone.ts';
import { fileNameOf } from './download-details.ts';
import { toSurveyResponse } from './list-details.ts';
import { requireBroadcast, type SeenBroadcast } from './read-broadcast.ts';

export interface ReplyRow extends Omit<TextReply, 'CreateTimestamp' | 'TextSurveyResponse'> {
  CreateTimestamp: Date;
  at: string;
  phone: string;
}

interface Wanted {
  q: string;
  /** Only from people with this answer. */
  answer: SurveyAnswer | undefined;
  /** Only these. */
  ids?: readonly number[] | undefined;
  after: Cursor | undefined;
  limit: number;
  offset: number;
}

/** The replies, the latest first: every text, with its sender and its survey answer. */
export async function listTextReplies(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const { q, textsurveyresponse: answer, pagesize, page, next } = query;
  const rows = await readReplies(trx, actor, broadcast, {
    ...{ q, answer },
    after: next === undefined ? undefined : readCursor(next),
    limit: pagesize + 1,
    offset: next === undefined ? (page - 1) * pagesize : 0,
  });
  const kept = rows.slice(0, pagesize);
  const last = kept.at(-1);
  return {
    Items: kept.map((row) => toReply(row, broadcast)),
    Next:
      rows.length > pagesize && last !== undefined
        ? writeCursor({ at: last.at, id: last.TextReplyID })
        : null,
    Size: await countReplies(trx, broadcast, { q, answer }),
  };
}

export function toReply({ at: _at, phone: _phone, ...row }: ReplyRow, broadcast: SeenBroadcast) {
  return { ...row, TextSurveyResponse: toSurveyResponse(answerIn(row.Message, broadcast)) };
}

/** The survey answer of a text. The last such text of a person is what counts. */
function answerIn(text: string, { isTextSurvey }: SeenBroadcast): SurveyAnswer | null {
  return (isTextSurvey ? recognizeSurveyAnswer(text) : undefined) ?? null;
}

/** Replies `i` to a broadcast with their senders `r`, as all lists of them read them. */
export function repliesOf(
  broadcast: SeenBroadcast,
  { q, answer, ids }: Pick<Wanted, 'q' | 'answer' | 'ids'>,
) {
  const { accountId, broadcastId } = broadcast;
  const conditions: RawBuilder<unknown>[] = [
    sql`i.account_id = ${accountId} and i.broadcast_id = ${broadcastId} and i.is_inbound`,
  ];
  if (answer !== undefined) conditions.push(sql`r.survey_answer = ${answer}`);
  if (ids !== undefined) conditions.push(sql`i.message_id = any(${ids}::bigint[])`);
  if (q !== '') {
    conditions.push(
      sql`lower(i.body || ' ' || r.first_name || ' ' || r.last_name || ' ' || i.phone) like ${likeText(q)}`,
    );
  }
  return sql`${textsOf(broadcast)} i
    join broadcast_recipients r on r.account_id = i.account_id and r.broadcast_id = i.broadcast_id
      and r.phone = i.phone and r.problem is null
    where ${sql.join(conditions, sql` and `)}`;
}

export async function readReplies(
  trx: Trx,
  actor: Actor,
  broadcast: SeenBroadcast,
  wanted: Wanted,
): Promise<ReplyRow[]> {
  const { after, limit, offset } = wanted;
  const beyond =
    after === undefined
      ? sql``
      : sql`and (i.created_at, i.message_id) < (${after.at}::timestamptz, ${after.id}::bigint)`;
  const { rows } = await sql<ReplyRow>`
    -- "materialized": the page first, and what belongs to its rows only for these.
    with page as materialized (
      select i.account_id, i.message_id, i.created_at, i.text_number_id, i.phone, i.body, r.recipient_id, r.person_id,
        r.first_name, r.last_name
      from ${repliesOf(broadcast, wanted)} ${beyond}
      order by i.created_at desc, i.message_id desc limit ${limit} offset ${offset}
    )
    select i.message_id as "TextReplyID", i.recipient_id as "RecipientID", c.conversation_id as "ConversationID",
      i.person_id as "PersonID", i.first_name as "FirstName", i.last_name as "LastName",
      ${wirePhone(actor, sql`i.phone`)} as "PhoneNumber", i.phone, i.body as "Message", i.created_at as "CreateTimestamp",
      to_json(i.created_at) #>> '{}' as at, coalesce(k.text_state = 'out', false) as "IsOptedOut"
    from page i
    left join conversations c on c.account_id = i.account_id and c.text_number_id = i.text_number_id
      and c.phone = i.phone and ${isOfUsableNumber(actor, sql`c.text_number_id`)}
    left join phone_consents k on k.account_id = i.account_id and k.phone = i.phone
    order by i.created_at desc, i.message_id desc`.execute(trx);
  return rows;
}

export async function countReplies(
  trx: Trx,
  broadcast: SeenBroadcast,
  wanted: Pick<Wanted, 'q' | 'answer' | 'ids'>,
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (
      select from ${repliesOf(broadcast, wanted)} limit ${draftLimits.countedMatches}) found`.execute(trx);
  return rows[0]?.many ?? 0;
}

const rowsAtOnce = 2_000;

/** All answers as a file, each batch in a transaction of its own. */
export async function downloadTextReplies(
  { database }: App,
  actor: Actor,
  { params }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const broadcast = await asAccount(database, actor.accountId, (trx) =>
    requireBroadcast(trx, actor, params.BroadcastID),
  );
  async function* rows() {
    let after: Cursor | undefined;
    for (;;) {
      const wanted: Wanted = { q: '', answer: undefined, after, limit: rowsAtOnce, offset: 0 };
      const batch = await asAccount(database, actor.accountId, (trx) =>
        readReplies(trx, actor, broadcast, wanted),
      );
      for (const row of batch) yield cellsOf(row, broadcast, actor.timeZone);
      const last = batch.at(-1);
      if (last === undefined || batch.length < rowsAtOnce) return;
      after = { at: last.at, id: last.TextReplyID };
    }
  }
  return csvDownload(fileNameOf(broadcast, 'replies'), headerOf(broadcast), rows(), actor);
}

function headerOf({ isTextSurvey }: SeenBroadcast): string[] {
  return [
    'First Name',
    'Last Name',
    'Phone',
    'Reply',
    'Received',
    'Opted Out',
    ...(isTextSurvey ? ['Answer'] : []),
  ];
}

function cellsOf(row: ReplyRow, broadcast: SeenBroadcast, timeZone: string): string[] {
  const cells = [
    row.FirstName,
    row.LastName,
    formatE164(row.phone),
    row.Message,
    zonedTime(row.CreateTimestamp, timeZone),
    row.IsOptedOut ? 'Yes' : 'No',
  ];
  return broadcast.isTextSurvey ? [...cells, answerIn(row.Message, broadcast) ?? ''] : cells;
}
