import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { draftLimits } from '../../../contract/draft-recipients.ts';
import { refuseField } from '../../../contract/errors.ts';
import type {
  createTemplateMerge as createDefinition,
  mergeDraft as definition,
  TemplateMerge,
} from '../../../contract/template-merges.ts';
import { personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import { asAccount, asSystem, type Database, isDatabaseDown, type Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import type { Log } from '../../log.ts';
import { notify } from '../../notify.ts';
import { type NudgedWork, runOnce } from '../../run-once.ts';
import type { Actor } from '../../serve.ts';
import { findMissingFields } from '../preflight/find-missing.ts';
import { type KeptSummary, summarizeRecipients } from '../recipients/summarize-recipients.ts';
import {
  bothTexts,
  type MergedText,
  type MergeRecipient,
  mergeProblems,
  mergeText,
  readMergeRecipients,
} from './merge-recipients.ts';
import { isChangingRecipients, lockDraft, requireDraft } from './queries.ts';
import { mergeKey, readSending, type Sending, textKey } from './read-sending.ts';

/**
 * A personalized text is merged with all recipients before it is sent, so that everybody knows what it costs and whom
 * it can't reach. merge_state of a draft:
 *   none → running   somebody asked for it
 *   running → done   the last slice committed; starts over if text or recipients changed meanwhile
 *   done → running   requested again, after a change; merge_key identifies the input
 *   any → none       the text has lost its fields
 */

/** Recipients a slice: one statement to read them, one to write what differs. */
const slice = 5_000;
/** Pages are notified after this many. */
const tellEvery = 50_000;

export async function mergeDraft(
  trx: Trx,
  actor: Actor,
  { params, body }: Pick<Input<typeof definition>, 'params' | 'body'>,
): Promise<TemplateMerge> {
  const { DraftBroadcastID } = params;
  await lockDraft(trx, actor, DraftBroadcastID);
  await keepText(trx, actor, DraftBroadcastID, body);
  const sending = await readSending(trx, actor.accountId, DraftBroadcastID);
  const error = personalizedFieldError(sending.body);
  if (error !== undefined) throw refuseField('TemplateText', error);
  const secondError = personalizedFieldError(sending.second?.body ?? '');
  if (secondError !== undefined) throw refuseField('SecondText.TextMessage', secondError);
  await dropOldMerge(trx, sending);
  if (!sending.isPersonalized) return getMerge(trx, actor, DraftBroadcastID);
  if (sending.merge_state === 'none' || sending.merge_key !== mergeKey(sending)) {
    await beginMerge(trx, sending);
  }
  return getMerge(trx, actor, DraftBroadcastID);
}

export function createTemplateMerge(trx: Trx, actor: Actor, { body }: Input<typeof createDefinition>) {
  const { DraftBroadcastID, ...text } = body;
  return mergeDraft(trx, actor, { params: { DraftBroadcastID }, body: text });
}

/** The merge is of the draft's own text: a given text replaces it. */
async function keepText(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  text: Input<typeof definition>['body'],
): Promise<void> {
  const { TemplateText, IncludeSignature } = text;
  if (TemplateText === undefined && IncludeSignature === undefined) return;
  await trx
    .updateTable('broadcasts')
    .set({
      ...(TemplateText === undefined ? {} : { body: TemplateText }),
      ...(IncludeSignature === undefined ? {} : { include_signature: IncludeSignature }),
      updated_at: sql`now()`,
    })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
}

/** Texts that lack a value are sent with the gap, or are left out again: everybody is merged again. */
export async function acceptMissing(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  isAccepted: boolean,
): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ accepts_missing: isAccepted })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  await beginMerge(trx, await readSending(trx, accountId, broadcastId));
}

/** Starts from the first recipient. A few are merged at once, more in the background. */
async function beginMerge(trx: Trx, sending: Sending): Promise<void> {
  const { accountId, broadcast_id } = sending;
  await clearMerge(trx, sending);
  await setMerge(trx, sending, { merge_state: 'running', merge_cursor: 0 });
  const { good } = await summarizeRecipients(trx, accountId, broadcast_id);
  if (good <= draftLimits.rowsAtOnce) {
    while (await mergeSlice(trx, accountId, broadcast_id));
  } else {
    await enqueue(trx, 'merge_drafts', {});
    await notify(trx, accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcast_id }]);
  }
}

/**
 * Discards the merge when the text has no fields any more: the recipients that it had left out are included
 * again. Called after every change of the text, with the draft's row locked.
 */
export async function dropOldMerge(trx: Trx, sending: Sending): Promise<void> {
  if (sending.merge_state === 'none' || sending.isPersonalized) return;
  await clearMerge(trx, sending);
  await setMerge(trx, sending, { merge_state: 'none', merge_cursor: null });
}

/**
 * A merge changes recipients like any other change: their version grows, so that they are counted again. The
 * merge's key is updated with it, so that the merge isn't considered outdated.
 */
export async function setMerge(
  trx: Trx,
  sending: Sending,
  merge: {
    merge_state?: Sending['merge_state'];
    merge_cursor?: number | null;
    merge_gaps?: number;
    segments?: number;
  },
): Promise<void> {
  const recipients_version = sending.recipients_version + 1;
  const isNone = (merge.merge_state ?? sending.merge_state) === 'none';
  await trx
    .updateTable('broadcasts')
    .set({
      ...merge,
      recipients_version,
      merge_key: isNone ? null : mergeKey({ ...sending, recipients_version }),
    })
    .where('account_id', '=', sending.accountId)
    .where('broadcast_id', '=', sending.broadcast_id)
    .execute();
}

/**
 * Includes the people whom the last merge left out, unless somebody with the same phone was added in the meantime.
 * Corrections by hand stay as long as the text is the same.
 */
async function clearMerge(trx: Trx, sending: Sending): Promise<void> {
  const { accountId, broadcast_id } = sending;
  const isSameText = sending.isPersonalized && sending.merge_key?.startsWith(`${textKey(sending)}.`) === true;
  if (!isSameText && sending.merge_state !== 'none') {
    await sql`
      update broadcast_recipients set own_body = null
      where account_id = ${accountId} and broadcast_id = ${broadcast_id} and own_body is not null`.execute(
      trx,
    );
    // Accepting gaps applied to another text. An occurrence of a repeating broadcast, whose text nobody
    // reviews, has never been merged before.
    if (sending.merge_key !== null && sending.acceptsMissing) {
      await trx
        .updateTable('broadcasts')
        .set({ accepts_missing: false })
        .where('account_id', '=', accountId)
        .where('broadcast_id', '=', broadcast_id)
        .execute();
    }
  }
  await sql`
    with left_out as (
      select recipient_id, phone, row_number() over (partition by phone order by recipient_id) as place
      from broadcast_recipients
      where account_id = ${accountId} and broadcast_id = ${broadcast_id} and problem in ${mergeProblems}
    ),
    judged as (
      select l.recipient_id, case when l.place = 1 then going.recipient_id else first_value(l.recipient_id)
        over (partition by l.phone order by l.recipient_id) end as duplicate_of
      from left_out l
      left join broadcast_recipients going
        on going.account_id = ${accountId} and going.broadcast_id = ${broadcast_id} and going.phone = l.phone
        and going.problem is null
    )
    update broadcast_recipients r
    set problem = case when j.duplicate_of is null then null else 'duplicate' end, duplicate_of = j.duplicate_of
    from judged j
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcast_id} and r.recipient_id = j.recipient_id`.execute(
    trx,
  );
}

/**
 * Merges the next slice of a draft, in the caller's transaction. False when there is nothing more to do. If
 * the text or the recipients have changed since the merge began, it starts over: the earlier results are
 * useless.
 */
export async function mergeSlice(trx: Trx, accountId: number, broadcastId: number): Promise<boolean> {
  const sending = await readSending(trx, accountId, broadcastId, { isHeld: true });
  if (sending.status !== 'draft' || sending.merge_state !== 'running') return false;
  if (!sending.isPersonalized) {
    await dropOldMerge(trx, sending);
    return false;
  }
  // While people are still being added it would start over with each slice of them.
  if (await isChangingRecipients(trx, accountId, broadcastId)) return false;
  if (sending.merge_key !== mergeKey(sending)) {
    await clearMerge(trx, sending);
    await setMerge(trx, sending, { merge_cursor: 0 });
    return true;
  }
  const rows = await readMergeRecipients(
    trx,
    { accountId, broadcastId, text: bothTexts(sending) },
    {
      where: sql`r.recipient_id > ${sending.merge_cursor ?? 0} and r.problem is null`,
      rest: sql`order by r.recipient_id limit ${slice}`,
    },
  );
  const merged = rows.map((row) => ({ row, text: mergeText(row, sending) }));
  const isFirst = (sending.merge_cursor ?? 0) === 0;
  const gaps = merged.filter(({ text }) => text.status === 'MissingData' && text.problem === null).length;
  const segments = isFirst ? mostCommon(merged.map(({ text }) => text.segments)) : sending.segments;
  await writeMerged(trx, { accountId, broadcastId, segments }, merged);
  const isOver = rows.length < slice;
  const last = rows.at(-1)?.recipientId ?? sending.merge_cursor ?? 0;
  await setMerge(trx, sending, {
    merge_state: isOver ? 'done' : 'running',
    merge_cursor: last,
    merge_gaps: isFirst ? gaps : sending.merge_gaps + gaps,
    segments,
  });
  if (isOver || Math.floor(last / tellEvery) > Math.floor((sending.merge_cursor ?? 0) / tellEvery)) {
    await notify(trx, accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcastId }]);
  }
  return !isOver;
}

function mostCommon(figures: number[]): number {
  const counts = new Map<number, number>();
  for (const figure of figures) counts.set(figure, (counts.get(figure) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 1;
}

/**
 * Only rows that differ from the default or from their last result. Most texts of a broadcast have the same
 * number of segments, and rows that aren't written needn't be vacuumed before they are sent to.
 */
async function writeMerged(
  trx: Trx,
  { accountId, broadcastId, segments }: { accountId: number; broadcastId: number; segments: number },
  merged: { row: MergeRecipient; text: MergedText }[],
): Promise<void> {
  const own = (text: MergedText) => (text.segments === segments ? null : text.segments);
  const changed = merged.filter(({ row, text }) => row.segments !== own(text) || text.problem !== null);
  if (changed.length === 0) return;
  await sql`
    update broadcast_recipients r set segments = m.segments, problem = m.problem
    from unnest(${changed.map(({ row }) => row.recipientId)}::bigint[],
      ${changed.map(({ text }) => own(text))}::smallint[], ${changed.map(({ text }) => text.problem)}::text[]
    ) as m(recipient_id, segments, problem)
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = m.recipient_id`.execute(
    trx,
  );
}

/**
 * Merges waiting drafts, one slice of each in turn. A slice is one transaction: a killed worker leaves no trace of it.
 */
export function createMergeWork({ database, log }: { database: Database; log: Log }): NudgedWork {
  return runOnce(async (isStopping) => {
    const due = await asSystem(database, (trx) =>
      trx
        .selectFrom('broadcasts')
        .select(['account_id', 'broadcast_id'])
        .where('merge_state', '=', 'running')
        .where('status', '=', 'draft')
        .where('deleted_at', 'is', null)
        .limit(20)
        .execute(),
    );
    let isAny = false;
    for (const { account_id, broadcast_id } of due) {
      if (isStopping()) return false;
      try {
        const isMore = await asAccount(database, account_id, (trx) =>
          mergeSlice(trx, account_id, broadcast_id),
        );
        isAny = isMore || isAny;
      } catch (error) {
        if (isDatabaseDown(error)) throw error;
        // The next run tries it again; the others don't wait for it.
        log.warn({ err: error, broadcast: broadcast_id }, 'a slice of a merge failed');
      }
    }
    return isAny;
  });
}

/** Progress and findings of the merge. */
export async function getMerge(trx: Trx, actor: Actor, broadcastId: number): Promise<TemplateMerge> {
  await requireDraft(trx, actor, broadcastId);
  const sending = await readSending(trx, actor.accountId, broadcastId);
  const isRunning = sending.merge_state === 'running';
  // Every slice changes the counts while it runs; the number to merge stays as it was at the beginning.
  const kept = isRunning ? (sending.summary as KeptSummary | null) : null;
  const { good, leftOut } = kept ?? (await summarizeRecipients(trx, actor.accountId, broadcastId));
  const total = good + invalidOf(leftOut);
  const found = isRunning ? await countFound(trx, actor.accountId, broadcastId) : leftOut;
  return {
    TemplateMergeID: broadcastId,
    Status: isRunning ? 'InProgress' : 'Complete',
    Done: isRunning ? Math.floor(total * (await partDone(trx, sending))) : total,
    Total: total,
    InvalidMessageUri: `/template-merges/${broadcastId}/messages`,
    InvalidMessageCount: invalidOf(found),
    ExcludedMessageCount: found.excluded ?? 0,
    MissingFields: isRunning || !found.missing_data ? [] : await findMissingFields(trx, sending),
    AcceptsMissing: sending.acceptsMissing,
    Preview: await firstText(trx, actor, sending),
    SummaryUri: `/template-merges/${broadcastId}`,
  };
}

function invalidOf(leftOut: KeptSummary['leftOut']): number {
  return (leftOut.too_long ?? 0) + (leftOut.invalid_field ?? 0) + (leftOut.missing_data ?? 0);
}

/** The recipients that the merge has left out so far. */
async function countFound(trx: Trx, accountId: number, broadcastId: number): Promise<KeptSummary['leftOut']> {
  const { rows } = await sql<{ problem: string; count: number }>`
    select problem, count(*) as count from broadcast_recipients
    where account_id = ${accountId} and broadcast_id = ${broadcastId}
      and (problem = 'excluded' or problem in ${mergeProblems})
    group by problem`.execute(trx);
  return Object.fromEntries(rows.map(({ problem, count }) => [problem, count]));
}

/** Recipients are numbered in order: the cursor's position among the numbers is the progress. */
async function partDone(trx: Trx, { accountId, broadcast_id, merge_cursor }: Sending): Promise<number> {
  const { rows } = await sql<{ first: number; last: number }>`
    select coalesce(min(recipient_id), 0) as first, coalesce(max(recipient_id), 0) as last from broadcast_recipients
    where account_id = ${accountId} and broadcast_id = ${broadcast_id}`.execute(trx);
  const { first = 0, last = 0 } = rows[0] ?? {};
  return Math.min(1, Math.max(0, (merge_cursor ?? 0) - first + 1) / Math.max(1, last - first + 1));
}

async function firstText(trx: Trx, actor: Actor, sending: Sending): Promise<string> {
  const [first] = await readMergeRecipients(
    trx,
    { accountId: sending.accountId, broadcastId: sending.broadcast_id, text: sending.body, shownTo: actor },
    { where: sql`r.problem is null`, rest: sql`order by r.recipient_id limit 1` },
  );
  return first === undefined ? '' : mergeText(first, { ...sending, second: undefined }).text;
}
