import { Refusal, refuseField } from '../../../contract/errors.ts';
import { requiredMessage } from '../../../contract/fields/basic-rules.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { broadcastMessagesForm, broadcastName, broadcastText } from '../../../contract/forms/broadcast.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { secondTextProblem } from '../../../contract/forms/second-text.ts';
import { checkCredits, exceedsMessagesPerDay } from '../../../contract/money/credit-check.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { unknownFieldMessage } from '../../../contract/text/merge-fields.ts';
import { shortenLinks } from '../../../contract/text/short-links.ts';
import { startDateMessage, validateStartDate } from '../../../contract/time/start-date.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import { now, nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessMediaKept } from '../../media/queries.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText, refuseUnlessTakesPictures } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients } from '../draft/queries.ts';
import { isMergeFresh, type Sending } from '../draft/read-sending.ts';
import { findUnknownFields } from './find-missing.ts';
import { refuseUnlessCallable } from './judge-calling.ts';
import type { CallReckoning } from './reckon-calls.ts';
import { checkGroup, countAllocated, getDailyLimit, type Reckoning } from './reckon-sending.ts';

/** Our own messages: the specification requires these checks and gives no sentences. */
export const draftRefusals = {
  notForBroadcasts: 'This text number can’t be used for broadcasts.',
  nobody: 'Please add at least one valid recipient to your broadcast.',
  adding: 'People are still being added to this broadcast. Send it when all of them are there.',
  merging: 'The text is still being personalized. Send it when that is done.',
  notMerged: 'The text or its recipients have changed since it was personalized. Personalize it again first.',
  noPictures:
    'On a monthly plan, broadcasts with pictures need the enhanced text add-on. An account owner can enable it on the billing page.',
  tooManyADay: (messages: number, limit: number) =>
    `That would be ${count(messages)} texts on that day. Carriers take ${count(limit)} a day from you: send to fewer people, or on another day.`,
} as const;

/** Nobody has a value for a field that doesn't exist: it is a typo, unless the sender accepted gaps. */
async function refuseUnknownFields(trx: Trx, sending: Sending): Promise<void> {
  if (sending.acceptsMissing) return;
  const unknown = (await findUnknownFields(trx, sending)).filter(({ fallback }) => fallback === undefined);
  if (unknown.length > 0)
    throw refuseField('TextMessage', unknownFieldMessage(unknown.map(({ name }) => name)));
}

function count(figure: number): string {
  return figure.toLocaleString('en-US');
}

/**
 * Throws the first reason why a draft may not be sent, in the specification's words. Send calls it with the draft's and
 * the account's rows locked, the page before Send without locks.
 */
export async function refuseUnlessSendable(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  {
    reckoning,
    available,
    startsAt,
    kept = [],
  }: {
    reckoning: Reckoning;
    available: number;
    startsAt?: Date | undefined;
    kept?: readonly KeptText[] | undefined;
  },
) {
  if (!sending.maySend) throw new Refusal('forbidden');
  refuseUnlessComplete(sending);
  const type = sending.broadcast_type;
  if (sendsTexts(type)) {
    refuseUnless(actor, 'createTextBroadcast');
    await refuseUnlessUsable(trx, actor, sending.text_number_id);
    if (reckoning.number !== undefined) refuseUnlessTakesPictures(reckoning.number, sending.media_ids);
    if (sending.hasMedia && !sending.mayHavePictures && !sending.is_sample)
      throw new Refusal('refused', draftRefusals.noPictures);
  }
  refuseBadMessages(sending, reckoning.calls, kept);
  refuseBadSecondText(sending, reckoning, kept);
  await refuseUnlessMediaKept(trx, actor, sending.media_ids);
  if (await isChangingRecipients(trx, actor.accountId, sending.broadcast_id)) {
    throw new Refusal('conflict', draftRefusals.adding);
  }
  if (sendsTexts(type) && !isMergeFresh(sending)) {
    const isMerging = sending.merge_state === 'running';
    throw new Refusal('conflict', isMerging ? draftRefusals.merging : draftRefusals.notMerged);
  }
  if (sendsTexts(type)) await refuseUnknownFields(trx, sending);
  if (reckoning.reached === 0) throw new Refusal('refused', draftRefusals.nobody);
  if (startsAt === undefined) refuseBadStart(sending, actor.timeZone);
  if (reckoning.calls !== undefined) {
    refuseUnlessCallable(actor, sending, {
      calls: reckoning.calls,
      isOccurrence: startsAt !== undefined,
    });
  }
  const allocated = await countAllocated(trx, sending, reckoning.startMs);
  const limit = await getDailyLimit(trx, sending);
  if (exceedsMessagesPerDay(reckoning.messages, allocated, limit)) {
    throw new Refusal('refused', draftRefusals.tooManyADay(reckoning.messages + allocated, limit));
  }
  const group = await checkGroup(trx, sending, reckoning.reached, { isExact: true });
  if (group?.isWithin === false) {
    const { total, exceededBy } = group;
    throw new Refusal('groupSizeExceeded', undefined, {
      extendedData: { UniqueCount: total, MonthlyLevel: sending.group.MonthlyLevel, ExceededBy: exceededBy },
    });
  }
  refuseUnlessPaid(reckoning.allCredits, available);
  return { newPeople: group?.newPeople ?? 0 };
}

/** Not enough credits: states the minimum needed and the additional amount. */
function refuseUnlessPaid(credits: number, available: number): void {
  const { isEnough, needed, missing } = checkCredits(credits, available);
  if (isEnough) return;
  throw new Refusal('notEnoughCredits', undefined, {
    extendedData: {
      MinCallUnitsRequired: needed,
      AvailableCallUnits: available,
      AdditionalCallUnits: missing,
    },
  });
}

function refuseUnlessComplete({ name }: Sending): void {
  const error = firstFailure(name, broadcastName);
  if (error !== undefined) throw refuseField('BroadcastName', error);
}

async function refuseUnlessUsable(trx: Trx, actor: Actor, textNumberId: number | null) {
  if (textNumberId === null) throw refuseField('TextNumberID', composeMessages.noTextNumber);
  const number = await requireTextNumber(trx, actor, textNumberId);
  refuseUnlessCanText(number, now());
  if (!number.can_create_broadcast) throw refuseField('TextNumberID', draftRefusals.notForBroadcasts);
  return number;
}

/** The texts that stay as they were saved, in an edit or in what repeats: their length isn't checked again. */
export type KeptText = 'first' | 'second' | 'replies';

/** The length of a text with fields differs by recipient: the merge has checked it. */
function refuseBadMessages(
  sending: Sending,
  calls: CallReckoning | undefined,
  kept: readonly KeptText[],
): void {
  const { maxLength, suffix, isPersonalized, yes_reply, no_reply, is_text_survey } = sending;
  const form = broadcastMessagesForm({
    type: sending.broadcast_type,
    isRepeating: sending.start_option === 'REPEATING',
    isTransfer: sending.is_transfer,
    signature: suffix,
    maxLength,
    isMerged: isPersonalized,
    ...(kept.includes('first') ? { saved: sending.body } : {}),
    ...(kept.includes('replies') ? { savedReplies: [yes_reply, no_reply] } : {}),
  });
  const replies = [
    { Label: 'Yes' as const, Message: yes_reply },
    { Label: 'No' as const, Message: no_reply },
  ].filter(({ Message }) => Message !== '');
  const { error } = form.safeParse({
    Audio: calls?.calling.Audio ?? null,
    AudioVM: calls?.calling.AudioVM ?? null,
    RecordLater: sending.record_later,
    RecordLaterVM: sending.record_later_vm,
    TextMessage: sending.body,
    Media: sending.media_ids.map((MediaID) => ({ MediaID })),
    IncludeSignature: sending.include_signature,
    TextSurveyAutoReplies: is_text_survey ? replies : [],
  });
  if (error === undefined) return;
  const fields = error.issues.map((issue) => ({ Field: issue.path.join('.'), Message: issue.message }));
  throw new Refusal('invalid', fields[0]?.Message, { fields });
}

/** The second of two texts is checked like the first, then the two together. */
function refuseBadSecondText(sending: Sending, { summary }: Reckoning, kept: readonly KeptText[]): void {
  const { second } = sending;
  if (second === undefined) return;
  const rules = broadcastText({
    hasMedia: false,
    signature: sending.suffix,
    ...(sending.isPersonalized ? {} : { maxLength: sending.maxLength }),
    ...(kept.includes('second') ? { saved: second.body } : {}),
  });
  const isLinked = (text: string) => shortenLinks(text, sending.link_base ?? '').links.length > 0;
  const problem =
    firstFailure(second.body, rules) ??
    secondTextProblem({
      first: sending.written,
      second: second.written,
      share: second.share,
      decideBy: second.decideBy,
      hasLinks: sending.link_base !== null && isLinked(sending.written) && isLinked(second.written),
      people: summary.good,
      isRepeating: sending.start_option === 'REPEATING',
      placesCalls: placesCalls(sending.broadcast_type),
    });
  if (problem !== undefined) throw refuseField('SecondText.TextMessage', problem);
}

function refuseBadStart({ start_option, start_wall }: Sending, zone: string): void {
  if (start_option === 'START_IMMEDIATELY') return;
  if (start_wall === null) throw refuseField('StartDate', requiredMessage('Start Date'));
  const error = startDateMessage(validateStartDate({ startDate: start_wall, zone, nowMs: nowMs() }));
  if (error !== undefined) throw refuseField('StartDate', error);
}
