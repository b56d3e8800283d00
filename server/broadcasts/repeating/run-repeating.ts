/**
 * Repeating broadcasts. A row of repeating_broadcasts is due at next_at. An occurrence is a row of
 * broadcasts with its repeating_id:
 *
 *   draft ──▶ scheduled or broadcasting   its people are added, the text is merged, the same Send as by hand
 *     └─────▶ deleted                     it couldn't be sent: the failure is recorded, the series continues
 *
 * next_at moves in the transaction that creates the occurrence, so it is created once, whatever the number of workers.
 * If several were missed while no worker ran, only the last one is created, late.
 */

import { sql } from 'kysely';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type BroadcastType, sendsTexts } from '../../../contract/money/units.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import type { RepeatingSchedule } from '../../../contract/time/repeating-schedule.ts';
import { nowMs } from '../../clock.ts';
import { asSystem, type Database, isDatabaseDown, type Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import type { Log } from '../../log.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { NudgedWork } from '../../run-once.ts';
import type { Actor } from '../../serve.ts';
import { mergeSlice } from '../draft/merge-draft.ts';
import { isChangingRecipients } from '../draft/queries.ts';
import { isMergeFresh, readSending } from '../draft/read-sending.ts';
import { sendBroadcast } from '../feed/send-broadcast.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { occurrenceName } from '../rules.ts';
import { type Found, requireMaker, runFound } from '../run-found.ts';
import { occurrences } from './judge-schedule.ts';

const atOnce = 50;

export function createRepeatWork(parts: { database: Database; log: Log }): NudgedWork {
  return runFound({ ...parts, failed: 'a repeating broadcast failed unexpectedly' }, [
    { find: findDueRepeating, run: makeOccurrence },
    { find: findPrepared, run: sendOccurrence },
  ]);
}

function findDueRepeating(database: Database): Promise<Found[]> {
  return asSystem(database, (trx) =>
    trx
      .selectFrom('repeating_broadcasts')
      .select(['account_id', 'repeating_id as id'])
      .where('next_at', '<=', sql<Date>`now()`)
      .where('deleted_at', 'is', null)
      .orderBy('next_at')
      .limit(atOnce)
      .execute(),
  );
}

function findPrepared(database: Database): Promise<Found[]> {
  return asSystem(database, (trx) =>
    trx
      .selectFrom('broadcasts')
      .select(['account_id', 'broadcast_id as id'])
      .where('status', '=', 'draft')
      .where('repeating_id', 'is not', null)
      .where('deleted_at', 'is', null)
      .limit(atOnce)
      .execute(),
  );
}

/**
 * Creates the occurrence that is due, with its people. False if another worker has it, or it was ended or moved in the
 * meantime.
 */
export async function makeOccurrence(trx: Trx, accountId: number, repeatingId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('repeating_broadcasts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('repeating_id', '=', repeatingId)
    .where('next_at', '<=', sql<Date>`now()`)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return false;
  // Our clock may be behind the database's: the current occurrence must not be created again as the next one.
  const afterMs = Math.max(nowMs(), row.next_at?.getTime() ?? 0);
  const series = {
    schedule: row.schedule as unknown as RepeatingSchedule,
    startWall: row.start_wall,
    zone: row.zone,
  };
  const [next] = occurrences(series, afterMs, 1);
  await orFailure(trx, { accountId, repeatingId }, () =>
    copyModel(trx, {
      accountId,
      repeatingId,
      userId: row.user_id,
      modelId: row.broadcast_id,
      zone: row.zone,
    }),
  );
  await trx
    .updateTable('repeating_broadcasts')
    .set({ next_at: next === undefined ? null : new Date(next) })
    .where('account_id', '=', accountId)
    .where('repeating_id', '=', repeatingId)
    .execute();
  if (next !== undefined) await nudgeAt(trx, { accountId, repeatingId, atMs: next });
  await notify(trx, accountId, [{ type: 'broadcasts.changed' }]);
  return true;
}

/** A job for its minute; the check every second would find it too. */
export function nudgeAt(
  trx: Trx,
  { accountId, repeatingId, atMs }: { accountId: number; repeatingId: number; atMs: number },
): Promise<void> {
  const key = `repeat_broadcasts ${accountId} ${repeatingId}`;
  return enqueue(trx, 'repeat_broadcasts', {}, { runAt: new Date(atMs), key });
}

interface Series {
  accountId: number;
  repeatingId: number;
}

/**
 * Returns what `work` returns. If it is refused, everything is rolled back and only the failure is recorded, with its
 * code.
 */
async function orFailure<T>(trx: Trx, series: Series, work: () => Promise<T>): Promise<T | undefined> {
  await sql`savepoint before_occurrence`.execute(trx);
  try {
    return await work();
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    await sql`rollback to savepoint before_occurrence`.execute(trx);
    await noteFailure(trx, series, failureCode(error));
    return undefined;
  }
}

/** 4100: no credits; 2003: its creator may no longer do it; 101: anything else. */
function failureCode(error: unknown): 4100 | 2003 | 101 {
  if (!(error instanceof Refusal)) return 101;
  if (error.kind === 'notEnoughCredits') return 4100;
  return error.kind === 'forbidden' ? 2003 : 101;
}

export async function noteFailure(trx: Trx, { accountId, repeatingId }: Series, code: number): Promise<void> {
  await trx
    .insertInto('repeating_failures')
    .values({ account_id: accountId, repeating_id: repeatingId, code })
    .execute();
  await recordEvents(trx, { accountId }, [
    { kind: 'repeating.failed', id: repeatingId, changes: { ErrorCode: code } },
  ]);
  await notify(trx, accountId, [{ type: 'broadcasts.changed' }]);
}

/** Its creator, if still allowed to repeat broadcasts and to use the number. */
function requireCreator(
  trx: Trx,
  accountId: number,
  { userId, textNumberId, type }: { userId: number; textNumberId: number | null; type: BroadcastType },
): Promise<Actor> {
  return requireMaker(trx, accountId, {
    userId,
    capability: 'createRepeatingBroadcast',
    textNumberId: sendsTexts(type) ? textNumberId : undefined,
  });
}

/** The calling settings that an occurrence copies from its model. */
const callColumns = sql`caller_id, call_throttle, retries, check_calling_window, calling_days, calling_start, calling_stop,
  continue_on_next_day, max_message_length, country_id, audio_id, audio_vm_id, voice_option, voice_type, is_transfer,
  transfer_number_id, transfer_lines`;

/** Copies the model into a draft. Groups and segments are evaluated again, and everybody is judged again. */
async function copyModel(
  trx: Trx,
  model: Series & { userId: number; modelId: number; zone: string },
): Promise<number> {
  const { accountId, repeatingId, modelId } = model;
  const row = await trx
    .selectFrom('broadcasts')
    .select(['name', 'body', 'text_number_id', 'broadcast_type'])
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', modelId)
    .executeTakeFirstOrThrow();
  const maker = await requireCreator(trx, accountId, {
    userId: model.userId,
    textNumberId: row.text_number_id,
    type: row.broadcast_type,
  });
  const { rows } = await sql<{ broadcast_id: number }>`
    insert into broadcasts
      (account_id, user_id, name, broadcast_type, is_text_survey, status, text_number_id, body, media_ids, link_base,
      keep_characters, include_signature, yes_reply, no_reply, template_id, start_option, per_minute, wizard_step, repeating_id, merge_state,
      accepts_missing, ${callColumns})
    select account_id, ${model.userId}, ${occurrenceName(row.name, nowMs(), model.zone, maker.languageId)}, broadcast_type, is_text_survey, 'draft',
      text_number_id, body, media_ids, link_base, keep_characters, include_signature, yes_reply, no_reply, template_id, 'START_IMMEDIATELY', per_minute, 4,
      ${repeatingId}, ${hasPersonalizedFields(row.body) ? 'running' : 'none'},
      -- Nobody is there to correct a text: people without a value get it with a gap rather than not at all.
      true, ${callColumns}
    from broadcasts where account_id = ${accountId} and broadcast_id = ${modelId}
    returning broadcast_id`.execute(trx);
  const broadcastId = rows[0]?.broadcast_id ?? 0;
  await addPeople(trx, maker, { modelId, broadcastId });
  return broadcastId;
}

/** In the order in which they came into the model, so that of two with one phone the same one gets it. */
export async function addPeople(
  trx: Trx,
  maker: Actor,
  { modelId, broadcastId }: { modelId: number; broadcastId: number },
): Promise<void> {
  const { rows } = await sql<{ source_id: number; list_id: number | null; is_here: boolean }>`
    select s.source_id, case when s.kind = 'lists' then (s.input ->> 'listId')::bigint end as list_id,
      s.kind <> 'lists' or (s.input ->> 'listId')::bigint <= 0 or exists (
        select from groups g
        where g.account_id = s.account_id and g.group_id = (s.input ->> 'listId')::bigint and g.deleted_at is null
      ) as is_here
    from broadcast_sources s
    where s.account_id = ${maker.accountId} and s.broadcast_id = ${modelId}
    order by s.source_id`.execute(trx);
  // A group that has been deleted is empty.
  const sources = rows.filter((source) => source.is_here);
  const listIds = sources.flatMap(({ list_id }) => (list_id === null ? [] : [list_id]));
  const ofSources = sources.flatMap(({ list_id, source_id }) => (list_id === null ? [source_id] : []));
  if (ofSources.length > 0) {
    await addRecipients(trx, maker, broadcastId, { kind: 'copy', broadcastId: modelId, ofSources });
  }
  if (listIds.length > 0) {
    await addRecipients(trx, maker, broadcastId, { kind: 'lists', listIds, exceptOf: modelId });
  }
}

/**
 * Sends an occurrence as soon as all its people are there and its text is merged with them. False while that is under
 * way, or when another has it.
 */
async function sendOccurrence(trx: Trx, accountId: number, broadcastId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('broadcasts')
    .select(['repeating_id', 'user_id', 'text_number_id', 'broadcast_type'])
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', '=', 'draft')
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined || row.repeating_id === null) return false;
  if (await isChangingRecipients(trx, accountId, broadcastId)) return false;
  if (!(await isMerged(trx, accountId, broadcastId))) return false;
  const series = { accountId, repeatingId: row.repeating_id };
  const sent = await orFailure(trx, series, async () => {
    const maker = await requireCreator(trx, accountId, {
      userId: row.user_id,
      textNumberId: row.text_number_id,
      type: row.broadcast_type,
    });
    // Its words were checked when they were written: a limit that came since must not stop the series.
    await sendBroadcast(trx, maker, broadcastId, {
      startsAt: new Date(nowMs()),
      kept: ['first', 'replies'],
    });
    await recordEvents(trx, { accountId }, [{ kind: 'broadcast.sent', id: broadcastId }]);
    return true;
  });
  if (sent === undefined) await dropOccurrence(trx, accountId, broadcastId);
  else await noteLast(trx, series, broadcastId);
  return true;
}

/** Few are merged here, many in the background. */
export async function isMerged(trx: Trx, accountId: number, broadcastId: number): Promise<boolean> {
  const sending = await readSending(trx, accountId, broadcastId);
  if (isMergeFresh(sending)) return true;
  // People may have been added after its last slice.
  if (sending.merge_state !== 'running') {
    await sql`update broadcasts set merge_state = 'running', merge_cursor = 0
      where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
    await enqueue(trx, 'merge_drafts', {});
  }
  const { total } = await summarizeRecipients(trx, accountId, broadcastId);
  if (total > draftLimits.rowsAtOnce) return false;
  while (await mergeSlice(trx, accountId, broadcastId));
  return true;
}

function noteLast(trx: Trx, { accountId, repeatingId }: Series, broadcastId: number) {
  return trx
    .updateTable('repeating_broadcasts')
    .set({ last_broadcast_id: broadcastId })
    .where('account_id', '=', accountId)
    .where('repeating_id', '=', repeatingId)
    .execute();
}

export async function dropOccurrence(trx: Trx, accountId: number, broadcastId: number): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ deleted_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
}
