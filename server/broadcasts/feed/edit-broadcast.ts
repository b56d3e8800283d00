import { sql } from 'kysely';
import type { updateBroadcast as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { tooSoon } from '../../../contract/forms/broadcast.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { unknownFieldMessage } from '../../../contract/text/merge-fields.ts';
import { hasPersonalizedFields, personalizedFieldError } from '../../../contract/text/personalized-fields.ts';
import type { OpenHours } from '../../../contract/time/calling-window.ts';
import {
  isFarEnoughAhead,
  startDateMessage,
  startDateMessages,
  validateStartDate,
} from '../../../contract/time/start-date.ts';
import { countPeople } from '../../billing/count-people.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessSeesMedia } from '../../media/queries.ts';
import type { Actor } from '../../serve.ts';
import { mergeSlice } from '../draft/merge-draft.ts';
import { readCalling } from '../draft/read-calling.ts';
import { readSending } from '../draft/read-sending.ts';
import type { LockedBroadcast } from '../lock-broadcast.ts';
import { findMissingFields } from '../preflight/find-missing.ts';
import type { KeptText } from '../preflight/judge-draft.ts';
import { checkGroup } from '../preflight/reckon-sending.ts';
import { findSecondText, keepSecondText } from '../second-text/keep-second-text.ts';
import { sendBroadcast } from './send-broadcast.ts';

type Edit = Pick<
  Input<typeof definition>['body'],
  'TextMessage' | 'SecondText' | 'Media' | 'IncludeSignature' | 'KeepCharacters' | 'StartDate' | 'PerMinute'
>;

/**
 * Merging this many takes a few seconds, which people wait for. A broadcast to more people has to be canceled and sent
 * again.
 */
const mostMergedAtOnce = 100_000;

/**
 * Changes text, picture, time or speed of a broadcast that hasn't started. In one transaction it becomes a draft again
 * and is sent again, so that everything is checked as by Send. Only the difference in credits moves.
 */
export async function editBroadcast(trx: Trx, actor: Actor, row: LockedBroadcast, edit: Edit): Promise<void> {
  refuseUnlessAhead(row);
  await refuseUnlessSeesMedia(trx, actor, edit.Media?.map(({ MediaID }) => MediaID) ?? []);
  const startsAt =
    edit.StartDate === undefined
      ? row.start_at
      : readStart(edit.StartDate, actor.timeZone, await windowOf(trx, row));
  const leftOut = await countMissing(trx, row);
  await takeBack(trx, row, edit);
  await merge(trx, row);
  await refuseIfMoreMissing(trx, row, leftOut);
  try {
    await sendBroadcast(trx, actor, row.broadcast_id, {
      startsAt: startsAt ?? new Date(nowMs()),
      // Not all that was reserved by Send: the credits of people who were taken out since have returned.
      reserved: row.credits_unfed + row.call_credits_unfed,
      kept: keptTexts(row, edit),
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'notEnoughCredits') throw error;
    throw new Refusal(error.kind, errorCatalog.editNotEnoughCredits, { extendedData: error.extendedData });
  }
  // It still goes out in the name of the person who sent it, and stays paused if it was.
  await trx
    .updateTable('broadcasts')
    .set({
      sent_by_user_id: row.sent_by_user_id,
      confirmed_at: row.confirmed_at,
      ...(row.status === 'paused' ? { status: 'paused' as const } : {}),
    })
    .where('account_id', '=', row.account_id)
    .where('broadcast_id', '=', row.broadcast_id)
    .execute();
}

/**
 * "Length is checked together with the signature, and only if the text changed when editing": a limit that was lowered
 * and a signature that grew since must not keep anybody from moving the start.
 */
function keptTexts(row: LockedBroadcast, edit: Edit): KeptText[] {
  const { TextMessage = row.body, IncludeSignature = row.include_signature } = edit;
  const { KeepCharacters = edit.TextMessage === undefined && row.keep_characters } = edit;
  const isSuffixKept = IncludeSignature === row.include_signature && KeepCharacters === row.keep_characters;
  return [
    ...(isSuffixKept && TextMessage === row.body ? (['first'] as const) : []),
    ...(isSuffixKept && edit.SecondText === undefined ? (['second'] as const) : []),
    'replies',
  ];
}

function refuseUnlessAhead(row: LockedBroadcast): void {
  const isWaiting = row.status === 'scheduled' || row.status === 'paused';
  if (isWaiting && row.fed_count === 0 && row.started_at === null) return;
  throw new Refusal(
    'conflict',
    'This broadcast has begun. Its text, time and speed can’t be changed any more.',
  );
}

/** The window in which it may call; undefined where it only texts. */
async function windowOf(trx: Trx, row: LockedBroadcast): Promise<OpenHours | undefined> {
  return row.call_count > 0 ? readCalling(trx, row) : undefined;
}

function readStart(StartDate: string, zone: string, window: OpenHours | undefined): Date {
  const validation = validateStartDate({
    startDate: StartDate,
    zone,
    nowMs: nowMs(),
    ...(window && { window }),
  });
  const error = startDateMessage(validation);
  if (validation === undefined || error !== undefined) {
    throw refuseField('StartDate', error ?? startDateMessages.failed);
  }
  const startsAt = new Date(validation.StartDate);
  // "The first calling time is at least 5 minutes from now and must fall inside the calling window."
  if (window !== undefined && !isFarEnoughAhead(startsAt.getTime(), nowMs())) {
    throw refuseField('StartDate', tooSoon);
  }
  return startsAt;
}

/** The row as it was before Send, with what is changed. The people of a monthly account are counted again too. */
async function takeBack(trx: Trx, row: LockedBroadcast, edit: Edit): Promise<void> {
  const { account_id, broadcast_id } = row;
  const before = await readSending(trx, account_id, broadcast_id);
  const group = await checkGroup(trx, before, row.reach_count ?? row.going_count, { isExact: true });
  await countPeople(trx, account_id, -(group?.newPeople ?? 0));
  const of = { accountId: account_id, broadcastId: broadcast_id };
  if (edit.SecondText !== undefined) {
    if (before.second === undefined) throw new Refusal('conflict', 'This broadcast has one text.');
    await keepSecondText(trx, of, edit.SecondText);
  }
  const body = edit.TextMessage ?? row.body;
  const second = (await findSecondText(trx, of))?.text_message ?? '';
  await trx
    .deleteFrom('broadcast_zones')
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
  await trx
    .updateTable('broadcasts')
    .set({
      status: 'draft',
      body,
      media_ids: edit.Media?.map(({ MediaID }) => MediaID) ?? row.media_ids,
      include_signature: edit.IncludeSignature ?? row.include_signature,
      // Rewritten text is sent in plain characters unless this edit says otherwise.
      keep_characters: edit.KeepCharacters ?? (edit.TextMessage === undefined && row.keep_characters),
      per_minute: edit.PerMinute === undefined ? row.per_minute : edit.PerMinute,
      start_option: 'START_LATER',
      // The merge belongs to another text, unless the key says that it belongs to this one.
      ...(hasPersonalizedFields(body + second) ? { merge_state: 'running' as const } : {}),
    })
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
}

/** Those whose text lacks a value for a field. */
async function countMissing(trx: Trx, { account_id, broadcast_id }: LockedBroadcast): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from broadcast_recipients
    where account_id = ${account_id} and broadcast_id = ${broadcast_id} and problem = 'missing_data'`.execute(
    trx,
  );
  return rows[0]?.many ?? 0;
}

/** Nobody looks at the texts of an edit one by one, so it must not leave people out who got the text before. */
async function refuseIfMoreMissing(trx: Trx, row: LockedBroadcast, before: number): Promise<void> {
  const many = await countMissing(trx, row);
  if (many <= before) return;
  const sending = await readSending(trx, row.account_id, row.broadcast_id);
  // Refused by Send, in the specification's words.
  if (personalizedFieldError(sending.body) !== undefined) return;
  const missing = await findMissingFields(trx, sending);
  const unknown = missing.filter(({ Exists }) => !Exists).map(({ Field }) => Field);
  if (unknown.length > 0) throw refuseField('TextMessage', unknownFieldMessage(unknown));
  const who = many === 1 ? '1 person has' : `${many.toLocaleString('en-US')} people have`;
  const [{ Field } = { Field: 'a field' }] = missing;
  throw refuseField(
    'TextMessage',
    `${who} no ${missing.map((one) => one.Field).join(', ')}. Add a default, such as {{${Field}|friend}}.`,
  );
}

async function merge(trx: Trx, { account_id, broadcast_id, going_count }: LockedBroadcast): Promise<void> {
  const sending = await readSending(trx, account_id, broadcast_id);
  if (!sending.isPersonalized) return;
  if (going_count > mostMergedAtOnce) {
    throw new Refusal(
      'refused',
      `A personalized text to more than ${mostMergedAtOnce.toLocaleString('en-US')} people can’t be changed any more. Cancel this broadcast and send it again.`,
    );
  }
  while (await mergeSlice(trx, account_id, broadcast_id));
}
