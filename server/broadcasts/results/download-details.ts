import { sql } from 'kysely';
import type { downloadBroadcastDetails as definition } from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import { callResults, isCallResultCode } from '../../../contract/delivery/call-result.ts';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { recipientProblemLabels } from '../../../contract/states/recipient-problem.ts';
import { zonedTime } from '../../consents/rules.ts';
import { csvDownload } from '../../csv.ts';
import { asAccount, type Trx } from '../../db.ts';
import type { Actor, App, Download } from '../../serve.ts';
import { textsOf } from '../../texts/choose-table.ts';
import { type DetailFilter, detailsShown } from '../queries.ts';
import { resultOf } from './list-details.ts';
import { requireBroadcast, type SeenBroadcast } from './read-broadcast.ts';

/** Recipients in memory at a time. */
const rowsAtOnce = 5_000;

/**
 * The rows of a tab as a file, generated while it is sent. Each batch has its own transaction: a slow reader
 * keeps none open, and nothing that is sent meanwhile waits for the file.
 */
export async function downloadBroadcastDetails(
  { database }: App,
  actor: Actor,
  { params, query }: Input<typeof definition>,
): Promise<Download> {
  const broadcast = await asAccount(database, actor.accountId, (trx) =>
    requireBroadcast(trx, actor, params.BroadcastID),
  );
  const timeOf = secondsIn(actor.timeZone);
  const read = (after: number) =>
    asAccount(database, actor.accountId, (trx) => readBatch(trx, broadcast, query, after));
  async function* rows() {
    let batch = await read(0);
    while (batch.length > 0) {
      const last = batch.at(-1);
      // The database reads the next ones while these are written.
      const next = last === undefined || batch.length < rowsAtOnce ? undefined : read(last.id);
      // It may fail before it is awaited.
      next?.catch(() => undefined);
      for (const row of batch) yield cellsOf(row, broadcast, timeOf);
      batch = (await next) ?? [];
    }
  }
  return csvDownload(fileNameOf(broadcast, 'details'), headerOf(broadcast), rows(), actor);
}

/** "Snow day details.csv": without characters that are invalid in file names. */
export function fileNameOf({ name }: SeenBroadcast, what: string): string {
  const plain = name
    .replace(/[\p{C}\\/:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${plain === '' ? 'Broadcast' : plain} ${what}.csv`;
}

/** The columns about calls, where there are any. */
const callHeader = [
  ...['Call Result', 'Attempts', 'Last Call', 'Call Seconds', 'Key', 'Transfer Seconds', 'Call Credits'],
];

function headerOf({ isTextSurvey, broadcastType }: SeenBroadcast): string[] {
  const answer = [...(isTextSurvey ? ['Answer'] : []), ...(placesCalls(broadcastType) ? callHeader : [])];
  return [
    'First Name',
    'Last Name',
    'Phone',
    'Result',
    'Last Change',
    'Segments',
    'Credits',
    'Reply',
    ...answer,
  ];
}

interface ExportedDetail {
  id: number;
  first_name: string;
  last_name: string;
  phone: string | null;
  typed_phone: string | null;
  problem: RecipientProblem | null;
  answer: 'Yes' | 'No' | null;
  status: string | null;
  segments: number | null;
  credits: number | null;
  /** In seconds: a date would have to be parsed from text, a million times. */
  changed: number | null;
  replies: string | null;
  call_state: string | null;
  call_result: string | null;
  attempts: number | null;
  called: number | null;
  call_seconds: number | null;
  survey_key: string | null;
  transfer_seconds: number | null;
  charged: number | null;
}

/** The next batch in the order in which they were added, with all replies of each. */
async function readBatch(
  trx: Trx,
  broadcast: SeenBroadcast,
  filter: DetailFilter,
  after: number,
): Promise<ExportedDetail[]> {
  const { rows } = await sql<ExportedDetail>`
    -- "materialized": the batch first, and texts and replies only for its rows.
    with batch as materialized (
      select r.* from broadcast_recipients r
      where ${detailsShown(broadcast, filter)} and r.recipient_id > ${after}
      order by r.recipient_id limit ${rowsAtOnce}
    )
    select r.recipient_id as id, r.first_name, r.last_name, r.phone, r.typed_phone, r.problem,
      r.survey_answer as answer,
      coalesce(m.status, case when r.message_id is not null then 'unknown' end) as status, m.segments, m.credits,
      date_part('epoch', coalesce(m.status_at, m.created_at)) as changed,
      case when r.replied_at is not null then (
        select string_agg(i.body, ' / ' order by i.created_at, i.message_id) from ${textsOf(broadcast)} i
        where i.account_id = r.account_id and i.text_number_id = ${broadcast.textNumberId} and i.phone = r.phone
          and i.is_inbound and i.broadcast_id = r.broadcast_id) end as replies,
      r.call_state, k.result as call_result, k.attempts, date_part('epoch', k.last_called_at) as called, k.survey_key,
      k.transfer_seconds, k.charged, (select a.seconds from call_attempts a where a.account_id = k.account_id and a.call_id = k.call_id
        and a.answered_at is not null order by a.attempt desc limit 1) as call_seconds
    from batch r
    left join calls k on r.call_state = 'called' and k.account_id = ${broadcast.accountId}
      and k.broadcast_id = ${broadcast.broadcastId} and k.recipient_id = r.recipient_id and k.purpose = 'broadcast'
    left join ${textsOf(broadcast)} m on m.account_id = ${broadcast.accountId} and m.message_id = r.message_id
    order by r.recipient_id`.execute(trx);
  return rows;
}

/** Formats times in a zone. Those of a slice are the same second, so the last one is cached. */
function secondsIn(timeZone: string): (seconds: number | null) => string {
  let last = { second: Number.NaN, text: '' };
  return (seconds) => {
    if (seconds === null) return '';
    const second = Math.floor(seconds);
    if (second !== last.second) last = { second, text: zonedTime(new Date(second * 1000), timeZone) };
    return last.text;
  };
}

function cellsOf(
  row: ExportedDetail,
  broadcast: SeenBroadcast,
  timeOf: (seconds: number | null) => string,
): string[] {
  const cells = [
    row.first_name,
    row.last_name,
    row.phone === null ? (row.typed_phone ?? '') : formatE164(row.phone),
    resultLabel(resultOf({ ...row, callState: row.call_state }, broadcast).TextResult),
    timeOf(row.changed),
    row.segments === null ? '' : String(row.segments),
    row.credits === null ? '' : String(row.credits),
    row.replies ?? '',
  ];
  if (broadcast.isTextSurvey) cells.push(row.answer ?? '');
  if (placesCalls(broadcast.broadcastType)) cells.push(...callCells(row, broadcast, timeOf));
  return cells;
}

function callCells(
  row: ExportedDetail,
  broadcast: SeenBroadcast,
  timeOf: (seconds: number | null) => string,
): string[] {
  const unfed = broadcast.status === 'canceled' ? 'canceled' : 'not_yet_called';
  const result = row.call_result ?? (row.call_state === 'called' ? unfed : '');
  return [
    isCallResultCode(result) ? callResults[result].label : '',
    row.attempts === null ? '' : String(row.attempts),
    timeOf(row.called),
    row.call_seconds === null ? '' : String(row.call_seconds),
    row.survey_key ?? '',
    row.transfer_seconds === null ? '' : String(row.transfer_seconds),
    row.charged === null ? '' : String(row.charged),
  ];
}

function resultLabel(result: string): string {
  if (isTextStatusCode(result)) {
    // The two lists share one word; for a recipient that was left out it means the same.
    return textStatuses[result].label;
  }
  return recipientProblemLabels[result as RecipientProblem] ?? result;
}
