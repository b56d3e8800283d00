import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type {
  BroadcastDetail,
  listBroadcastDetails as definition,
  TextResultCategory,
} from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import { type ResultCategory, resultCategory } from '../../../contract/delivery/result-category.ts';
import { isTextStatusCode } from '../../../contract/delivery/text-status.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { isOfUsableNumber } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { textsOf } from '../../texts/choose-table.ts';
import { wirePhone } from '../../wire-phone.ts';
import {
  answered,
  categoriesOfTab,
  categoryOfCall,
  type DetailFilter,
  detailsShown,
  isByPhone,
  statusesOfTab,
  type TabOfTexts,
} from '../queries.ts';
import {
  notReplied,
  replyCount,
  requireBroadcast,
  type SeenBroadcast,
  sliceSums,
  stopCount,
} from './read-broadcast.ts';

type Query = z.output<typeof definition.query>;

/** The recipients of a broadcast and what happened to each text, by tab. */
export async function listBroadcastDetails(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof definition>,
) {
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const found = await walkDetails(trx, broadcast, query);
  const kept = found.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: await detailRows(
      trx,
      actor,
      broadcast,
      kept.map(({ id }) => id),
    ),
    Next: found.length > query.pagesize && last !== undefined ? writePlace(last.place) : null,
    // A search that ends on its first page needs no second look.
    Size: isWhole(query, found) ? found.length : await countDetails(trx, broadcast, query),
  };
}

function isWhole({ next, page, pagesize }: Query, found: Found[]): boolean {
  return next === undefined && page === 1 && found.length <= pagesize;
}

/**
 * The end of a page: its kind (texts by message, recipients without a text yet, left out, replied, or
 * recipients in their order), the leading sort value, and an id.
 */
type Place = ['message' | 'unfed' | 'stopped' | 'left out' | 'replied' | 'recipient', string, number];
interface Found {
  id: number;
  place: Place;
}

/**
 * A page of recipients, and one more. Each tab walks an index along its own order, so that it takes the same time
 * whether a broadcast went to ten people or a million, and however few of them are in that state.
 */
async function walkDetails(trx: Trx, broadcast: SeenBroadcast, query: Query): Promise<Found[]> {
  const walk: Walk = {
    broadcast,
    rows: query.pagesize + 1,
    after: query.next === undefined ? undefined : readPlace(query.next),
    offset: query.next === undefined ? (query.page - 1) * query.pagesize : 0,
  };
  const { textresultcategory: tab, textsurveyresponse: answer } = query;
  const isOfCalls = query.callresultcategory !== undefined || query.surveyresult !== undefined;
  // A broadcast that calls is limited by its lines: tens of thousands of people, not millions.
  if (query.q !== '' || isOfCalls || (tab === 'LeftOut' && placesCalls(broadcast.broadcastType))) {
    return walkFound(trx, walk, query);
  }
  if (answer !== undefined && (tab === undefined || tab === 'Replied')) return walkReplied(trx, walk, answer);
  const isInOrder = tab === undefined || tab === 'All' || tab === 'NotOptedOut';
  if (answer !== undefined || isInOrder) return walkFound(trx, walk, query);
  if (tab === 'LeftOut') return walkLeftOut(trx, walk);
  if (tab === 'Replied') return walkReplied(trx, walk);
  if (tab === 'Incomplete') return walkIncomplete(trx, walk);
  if (tab === 'OptedOut') return walkOptedOut(trx, walk);
  return walkTexts(trx, walk, tab);
}

interface Walk {
  broadcast: SeenBroadcast;
  rows: number;
  after: Place | undefined;
  /** For page numbers: the rows before the page are also read. */
  offset: number;
}

/** Rows outside a tab: everybody, or the matches of a search, in the order in which they were added. */
async function walkFound(trx: Trx, { broadcast, rows, after, offset }: Walk, query: Query): Promise<Found[]> {
  const id = placeOf(after, 'recipient')?.id ?? 0;
  const shown = detailsShown(broadcast, query);
  const page = sql`order by recipient_id limit ${rows} offset ${offset}`;
  const found = await sql<{ id: number }>`
    ${
      isByPhone(query.q)
        ? // The few with that phone first: in the order of the page this would read the whole broadcast.
          sql`with found as materialized (select r.recipient_id from broadcast_recipients r where ${shown})
            select recipient_id as id from found where recipient_id > ${id} ${page}`
        : sql`select r.recipient_id as id from broadcast_recipients r
            where ${shown} and r.recipient_id > ${id} ${page}`
    }`.execute(trx);
  return found.rows.map((row) => ({ id: row.id, place: ['recipient', '', row.id] }));
}

/** Texts in some states: only slices with such texts are read, in the order in which they were created. */
async function walkTexts(trx: Trx, walk: Walk, tab: TabOfTexts): Promise<Found[]> {
  const { broadcast, rows, after, offset } = walk;
  const has = sql.join(
    categoriesOfTab[tab].map((category) => sql`s.${sql.ref(category)}`),
    sql` + `,
  );
  const id = placeOf(after, 'message')?.id ?? 0;
  const found = await sql<{ id: number; message_id: number }>`
    select r.recipient_id as id, r.message_id
    from broadcast_slices s
    cross join lateral (
      select r.recipient_id, m.message_id from ${textsOf(broadcast)} m
      join broadcast_recipients r on r.account_id = m.account_id and r.broadcast_id = ${broadcast.broadcastId}
        and r.phone = m.phone and r.problem is null
      where m.account_id = s.account_id and m.message_id between s.first_message_id and s.last_message_id
        and m.message_id > ${id} and m.slice_id = s.slice_id and m.status = any(${statusesOfTab(tab)}::text[])
        ${tab === 'NotReplied' ? sql`and r.replied_at is null` : sql``}
      order by m.message_id limit ${rows + offset}) r
    where s.account_id = ${broadcast.accountId} and s.broadcast_id = ${broadcast.broadcastId} and ${has} > 0
      and s.last_message_id > ${id}
    order by s.slice_id, r.message_id limit ${rows} offset ${offset}`.execute(trx);
  return found.rows.map((row) => ({ id: row.id, place: ['message', '', row.message_id] }));
}

/** Texts that wait or are with the carrier, then recipients without a text yet: after each zone's cursor. */
async function walkIncomplete(trx: Trx, walk: Walk): Promise<Found[]> {
  const { broadcast, rows, after, offset } = walk;
  const texts = after?.[0] === 'unfed' ? [] : await walkTexts(trx, walk, 'Incomplete');
  if (texts.length === rows) return texts;
  const from = after?.[0] === 'unfed' ? placeOf(after, 'unfed') : undefined;
  const beyond =
    from === undefined
      ? sql``
      : sql`and (z.zone, r.recipient_id) > (${from.word}::text collate "C", ${from.id}::bigint)`;
  // Number of texts among the skipped rows; needed only for page numbers.
  const skipped = offset === 0 || texts.length > 0 ? offset : await countTexts(trx, broadcast);
  const unfed = await sql<{ id: number; zone: string }>`
    select r.recipient_id as id, z.zone from broadcast_zones z
    cross join lateral (
      select r.recipient_id from broadcast_recipients r
      where r.account_id = z.account_id and r.broadcast_id = z.broadcast_id and r.zone = z.zone and r.problem is null
        and r.message_id is null and r.recipient_id > z.cursor ${beyond}
      order by r.recipient_id limit ${rows + offset}) r
    where z.account_id = ${broadcast.accountId} and z.broadcast_id = ${broadcast.broadcastId} and z.fed < z.total
    order by z.zone, r.recipient_id
    limit ${rows - texts.length} offset ${Math.max(0, offset - skipped)}`.execute(trx);
  return [...texts, ...unfed.rows.map((row): Found => ({ id: row.id, place: ['unfed', row.zone, row.id] }))];
}

async function countTexts(trx: Trx, broadcast: SeenBroadcast): Promise<number> {
  const { waiting, sent, canceled } = await readCounts(trx, broadcast);
  return waiting + sent + canceled;
}

/** People it didn't reach because they had opted out, then those who answered it with STOP. */
async function walkOptedOut(trx: Trx, walk: Walk): Promise<Found[]> {
  const { broadcast, rows, after, offset } = walk;
  const texts = after?.[0] === 'stopped' ? [] : await walkTexts(trx, walk, 'OptedOut');
  if (texts.length === rows) return texts;
  const id = after?.[0] === 'stopped' ? (placeOf(after, 'stopped')?.id ?? 0) : 0;
  const skipped = offset === 0 || texts.length > 0 ? offset : (await readCounts(trx, broadcast)).opted_out;
  const stopped = await sql<{ id: number }>`
    select r.recipient_id as id from broadcast_recipients r
    where r.account_id = ${broadcast.accountId} and r.broadcast_id = ${broadcast.broadcastId}
      and r.stopped_at is not null and r.recipient_id > ${id}
      and not exists (select from messages m where m.account_id = r.account_id and m.message_id = r.message_id
        and m.status = 'opted_out')
    order by r.recipient_id limit ${rows - texts.length} offset ${Math.max(0, offset - skipped)}`.execute(
    trx,
  );
  return [...texts, ...stopped.rows.map((row): Found => ({ id: row.id, place: ['stopped', '', row.id] }))];
}

/** The latest reply's sender first; for a survey those with that answer. */
async function walkReplied(
  trx: Trx,
  { broadcast, rows, after, offset }: Walk,
  answer?: DetailFilter['textsurveyresponse'],
): Promise<Found[]> {
  const from = placeOf(after, 'replied');
  const beyond =
    from === undefined
      ? sql``
      : sql`and (r.replied_at, r.recipient_id) < (${requireMoment(from.word)}::timestamptz, ${from.id}::bigint)`;
  const found = await sql<{ id: number; at: string }>`
    select r.recipient_id as id, to_json(r.replied_at) #>> '{}' as at from broadcast_recipients r
    where r.account_id = ${broadcast.accountId} and r.broadcast_id = ${broadcast.broadcastId}
      and r.replied_at is not null ${answer === undefined ? sql`` : sql`and ${answered(answer)}`} ${beyond}
    order by r.replied_at desc, r.recipient_id desc limit ${rows} offset ${offset}`.execute(trx);
  return found.rows.map((row) => ({ id: row.id, place: ['replied', row.at, row.id] }));
}

/** By the reason, so that people with the same one are listed together. */
async function walkLeftOut(trx: Trx, { broadcast, rows, after, offset }: Walk): Promise<Found[]> {
  const from = placeOf(after, 'left out');
  const beyond =
    from === undefined
      ? sql``
      : sql`and (r.problem, r.recipient_id) > (${from.word}::text collate "C", ${from.id}::bigint)`;
  const found = await sql<{ id: number; problem: string }>`
    select r.recipient_id as id, r.problem from broadcast_recipients r
    where r.account_id = ${broadcast.accountId} and r.broadcast_id = ${broadcast.broadcastId}
      and r.problem is not null ${beyond}
    order by r.problem, r.recipient_id limit ${rows} offset ${offset}`.execute(trx);
  return found.rows.map((row) => ({ id: row.id, place: ['left out', row.problem, row.id] }));
}

interface Counts extends Record<ResultCategory, number> {
  total: number;
}

/** Number of texts of a broadcast, by state. */
async function readCounts(trx: Trx, { accountId, broadcastId }: SeenBroadcast): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select s.* from broadcasts b cross join lateral (${sliceSums}) s
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound');
  return row;
}

async function countReplied(trx: Trx, { accountId, broadcastId }: SeenBroadcast): Promise<number> {
  const { rows } = await sql<{ replied: number }>`
    select r.replied from broadcasts b cross join lateral (${replyCount}) r
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}`.execute(trx);
  return rows[0]?.replied ?? 0;
}

async function countStopped(trx: Trx, { accountId, broadcastId }: SeenBroadcast): Promise<number> {
  const { rows } = await sql<{ stopped: number }>`
    select o.stopped from broadcasts b cross join lateral (${stopCount}) o
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}`.execute(trx);
  return rows[0]?.stopped ?? 0;
}

/** Number of rows of a tab. Those of a search are counted, up to draftLimits.countedMatches. */
async function countDetails(trx: Trx, broadcast: SeenBroadcast, filter: DetailFilter): Promise<number> {
  const { textresultcategory: tab } = filter;
  const isCounted =
    filter.callresultcategory !== undefined ||
    filter.surveyresult !== undefined ||
    filter.q !== '' ||
    filter.textsurveyresponse !== undefined ||
    tab === 'NotOptedOut';
  if (isCounted) {
    const { rows } = await sql<{ many: number }>`
      select count(*) as many from (
        select from broadcast_recipients r where ${detailsShown(broadcast, filter)} limit ${draftLimits.countedMatches}
      ) found`.execute(trx);
    return rows[0]?.many ?? 0;
  }
  if (tab === undefined) return broadcast.reachCount;
  if (tab === 'All') return broadcast.goingCount;
  if (tab === 'LeftOut') return broadcast.leftOutCount;
  if (tab === 'Replied') return countReplied(trx, broadcast);
  const counts = await readCounts(trx, broadcast);
  if (tab === 'NotReplied') return notReplied({ ...counts, replied: await countReplied(trx, broadcast) });
  const inSlices = categoriesOfTab[tab].reduce((sum, category) => sum + counts[category], 0);
  if (tab === 'OptedOut') return inSlices + (await countStopped(trx, broadcast));
  return tab === 'Incomplete' ? inSlices + Math.max(0, broadcast.goingCount - counts.total) : inSlices;
}

/** A recipient with its text, as rows hold them. */
interface DetailRow {
  RecipientID: number;
  PersonID: number | null;
  FirstName: string;
  LastName: string;
  PhoneNumber: string;
  Problem: RecipientProblem | null;
  status: string | null;
  LastChange: Date | null;
  answer: 'Yes' | 'No' | null;
  StoppedAt: Date | null;
  ConversationID: number | null;
  TextResponses: { Message: string; CreateTimestamp: string }[];
  callState: string | null;
  callResult: string | null;
  isOver: boolean;
  nextCallAt: Date | null;
  surveyKey: string | null;
  lastCalledAt: Date | null;
  attempts: number | null;
  transferredAt: Date | null;
  TransferSeconds: number | null;
  CallSeconds: number | null;
}

/** More replies of one person to one broadcast than a table shows are in their conversation. */
const mostResponses = 20;

/** The replies of `r`, the oldest first. */
const responses = (broadcast: SeenBroadcast) => sql`
  case when r.replied_at is null then '[]'::json else coalesce((
    select json_agg(json_build_object('Message', i.body, 'CreateTimestamp',
      to_char(i.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by i.created_at, i.message_id)
    from (
      select i.body, i.created_at, i.message_id from ${textsOf(broadcast)} i
      where i.account_id = r.account_id and i.text_number_id = ${broadcast.textNumberId} and i.phone = r.phone
        and i.is_inbound and i.broadcast_id = r.broadcast_id
      order by i.created_at desc, i.message_id desc limit ${mostResponses}) i), '[]') end`;

/** Recipients in the order of the given ids. Their conversations are named to those who may use the text number. */
export async function detailRows(
  trx: Trx,
  actor: Actor,
  broadcast: SeenBroadcast,
  ids: number[],
): Promise<BroadcastDetail[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<DetailRow>`
    select ${detailColumns(actor)}, c.conversation_id as "ConversationID",
      ${responses(broadcast)} as "TextResponses", r.call_state as "callState", k.result as "callResult",
      coalesce(k.is_over, false) as "isOver", (select q.due_at from call_queue q where q.account_id = k.account_id and q.call_id = k.call_id
        and q.state in ('waiting', 'claimed') and q.attempt > 0 and k.result <> 'live_answer') as "nextCallAt",
      k.survey_key as "surveyKey", k.last_called_at as "lastCalledAt", k.attempts, k.transferred_at as "transferredAt",
      k.transfer_seconds as "TransferSeconds", (select a.seconds from call_attempts a where a.account_id = k.account_id and a.call_id = k.call_id
        and a.answered_at is not null order by a.attempt desc limit 1) as "CallSeconds"
    from unnest(${ids}::bigint[]) with ordinality p(id, place)
    join broadcast_recipients r on r.account_id = ${broadcast.accountId} and r.broadcast_id = ${broadcast.broadcastId}
      and r.recipient_id = p.id
    left join ${textsOf(broadcast)} m on m.account_id = r.account_id and m.message_id = r.message_id
    left join calls k on k.account_id = r.account_id and k.broadcast_id = r.broadcast_id
      and k.recipient_id = r.recipient_id and k.purpose = 'broadcast' and r.call_state is not null
    left join conversations c on c.account_id = r.account_id and c.phone = r.phone
      and c.text_number_id = ${broadcast.textNumberId} and ${isOfUsableNumber(actor, sql`c.text_number_id`)}
    order by p.place`.execute(trx);
  return rows.map((row) => toDetail(row, broadcast));
}

/** Columns of `r` and `m`, with the API's names where they have one. */
const detailColumns = (actor: Actor): RawBuilder<unknown> => sql`
  r.recipient_id as "RecipientID", r.person_id as "PersonID", r.first_name as "FirstName", r.last_name as "LastName",
  coalesce(nullif(${wirePhone(actor, sql`r.phone`)}, ''), r.typed_phone, '') as "PhoneNumber", r.problem as "Problem",
  -- Deleted from the archive: the result is no longer known.
  coalesce(m.status, case when r.message_id is not null then 'unknown' end) as status,
  coalesce(m.status_at, m.created_at) as "LastChange", r.survey_answer as answer, r.stopped_at as "StoppedAt"`;

const answerIds = { Yes: 1, No: 2 } as const;

export function toSurveyResponse(answer: 'Yes' | 'No' | null) {
  return answer === null ? null : { ID: answerIds[answer], Label: answer };
}

function toDetail(
  { status, answer, LastChange, StoppedAt, callState, ...row }: DetailRow,
  broadcast: SeenBroadcast,
): BroadcastDetail {
  const { callResult, isOver, surveyKey, lastCalledAt, nextCallAt, attempts, transferredAt } = row;
  const isCalled = callState === 'called';
  const unfed = broadcast.status === 'canceled' ? 'canceled' : 'not_yet_called';
  const result = isCalled ? (callResult ?? unfed) : '';
  return {
    ...row,
    ...resultOf({ status, callState, problem: row.Problem }, broadcast),
    LastChange: LastChange?.toISOString() ?? null,
    StoppedAt: StoppedAt?.toISOString() ?? null,
    TextSurveyResponse: toSurveyResponse(answer),
    CallResultCategory: isCalled ? categoryOfCall(result, isOver) : '',
    CallResult: result,
    SurveyResult: surveyKey ?? '',
    TransferredAt: transferredAt?.toISOString() ?? null,
    LastCallTime: lastCalledAt?.toISOString() ?? null,
    NextCallTime: nextCallAt?.toISOString() ?? null,
    numberofattempts: attempts ?? 0,
  };
}

const tabOfCategory: Record<ResultCategory, TextResultCategory> = {
  waiting: 'Incomplete',
  sent: 'Incomplete',
  canceled: 'Incomplete',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  invalid: 'Invalid',
  opted_out: 'OptedOut',
};

/** A recipient's text and call as rows hold them; `problem` is the reason why there is no text. */
interface Judged {
  status: string | null;
  problem: RecipientProblem | null;
  callState: string | null;
}

/** Reason why a recipient gets neither a text nor a call; null for everybody else. */
function leftOutFor({ problem, callState }: Judged, type: BroadcastType): RecipientProblem | null {
  if (callState === 'called' || (problem === null && sendsTexts(type))) return null;
  return placesCalls(type) && callState !== null && callState !== 'texted'
    ? (callState as RecipientProblem)
    : problem;
}

/**
 * The result of a recipient's text, empty where a call is all they get. A recipient who isn't fed yet is waiting; in
 * a canceled broadcast they won't get it.
 */
export function resultOf(
  row: Judged,
  broadcast: Pick<SeenBroadcast, 'status' | 'broadcastType'>,
): {
  TextResultCategory: TextResultCategory | '';
  TextResult: string;
  Problem: RecipientProblem | null;
} {
  const Problem = leftOutFor(row, broadcast.broadcastType);
  if (Problem !== null) return { TextResultCategory: 'LeftOut', TextResult: Problem, Problem };
  const isTexted = row.problem === null && sendsTexts(broadcast.broadcastType);
  return isTexted
    ? { ...textResultOf(row.status, broadcast), Problem }
    : { TextResultCategory: '', TextResult: '', Problem };
}

function textResultOf(
  status: string | null,
  broadcast: Pick<SeenBroadcast, 'status'>,
): { TextResultCategory: TextResultCategory; TextResult: string } {
  const code = status ?? (broadcast.status === 'canceled' ? 'canceled' : 'waiting');
  if (!isTextStatusCode(code)) return { TextResultCategory: 'Failed', TextResult: code };
  return { TextResultCategory: tabOfCategory[resultCategory(code)], TextResult: code };
}

function writePlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const notAPlace = 'next is not a place in this list';

function readPlace(text: string): Place {
  try {
    const [kind, word, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isPlace = typeof kind === 'string' && typeof word === 'string' && !word.includes('\0');
    if (isPlace && Number.isSafeInteger(id)) return [kind, word, id] as Place;
  } catch {
    // Set below.
  }
  throw new Refusal('invalid', notAPlace);
}

/** The cursor, if it belongs to this tab. */
function placeOf(place: Place | undefined, kind: Place[0]): { word: string; id: number } | undefined {
  if (place === undefined) return undefined;
  if (place[0] !== kind) throw new Refusal('invalid', notAPlace);
  return { word: place[1], id: place[2] };
}

function requireMoment(text: string): string {
  if (/^[1-9]\d{3}-\d\d-\d\dT[\d:.]+([+-]\d\d:\d\d|Z)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return text;
  throw new Refusal('invalid', notAPlace);
}
