import type { z } from 'zod';
import { Refusal } from '../../../contract/errors.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { earlierThanPreviousStep } from '../../../contract/fields/time-rules.ts';
import { broadcastText } from '../../../contract/forms/broadcast.ts';
import { dripForm, dripStepMs, missingStart } from '../../../contract/forms/drip.ts';
import type { createSequence, SequenceStart } from '../../../contract/sequences.ts';
import { unknownFieldMessage, unknownMergeFields } from '../../../contract/text/merge-fields.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { organizationPrefix } from '../../../contract/text/organization-prefix.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { shortenLinks } from '../../../contract/text/short-links.ts';
import { nowMs } from '../../clock.ts';
import type { Sending } from '../draft/read-sending.ts';

type Form = z.output<typeof createSequence.body>;
export type FormStep = Form['steps'][number];

/** Start of a step; null if it hasn't been set yet. */
export function startOfStep({ date, time, startDate }: FormStep, zone: string): Date | null {
  const atMs = dripStepMs({ date, time }, zone) ?? (startDate ? Date.parse(startDate) : undefined);
  return atMs === undefined ? null : new Date(atMs);
}

/** A broadcast with the words and picture of a step instead of its own. */
export function withStep(
  sending: Sending,
  { message, mediaIds }: Pick<FormStep, 'message' | 'mediaIds'>,
): Sending {
  const { keepCharacters } = sending;
  const prefix = organizationPrefix(sending.organization, message);
  // A placeholder of the right length for each short link.
  const text = sending.link_base === null ? message : shortenLinks(message, sending.link_base).text;
  return {
    ...sending,
    media_ids: mediaIds,
    hasMedia: mediaIds.length > 0,
    written: message,
    plain: textToSend(message, { keepCharacters }),
    prefix: textToSend(prefix, { keepCharacters }),
    body: textToSend(prefix + text, { keepCharacters }),
    isPersonalized: hasPersonalizedFields(message),
  };
}

/** Beginning of a campaign, and its end for a person. */
export interface Starts {
  starts_on: SequenceStart;
  group_id: number | null;
  keyword_id: number | null;
  includes_members: boolean;
  skips_weekends: boolean;
  stops_on_reply: boolean;
}

type AskedStarts = Pick<
  Form,
  'startsOn' | 'groupId' | 'keywordId' | 'includesMembers' | 'skipsWeekends' | 'stopsOnReply'
>;

/** With the requested changes applied; a group or keyword stays only if it begins the campaign. */
export function startsAfter(before: Starts, asked: AskedStarts): Starts {
  const starts_on = asked.startsOn ?? before.starts_on;
  const chosen = (given: number | null | undefined, kept: number | null, isUsed: boolean) =>
    isUsed ? (given === undefined ? kept : given) : null;
  return {
    starts_on,
    group_id: chosen(asked.groupId, before.group_id, starts_on === 'group'),
    keyword_id: chosen(asked.keywordId, before.keyword_id, starts_on === 'keyword'),
    includes_members: asked.includesMembers ?? before.includes_members,
    skips_weekends: asked.skipsWeekends ?? before.skips_weekends,
    stops_on_reply: asked.stopsOnReply ?? before.stops_on_reply,
  };
}

interface Judged {
  form: { name: string; textNumberId?: number | null | undefined; steps: readonly FormStep[] };
  starts: Starts;
  sending: Sending;
  zone: string;
  recipientCount: number;
  /** The custom fields that contacts have. */
  fieldNames: readonly string[];
  /** For a campaign that was started: the change of each step. */
  changes?: readonly StepChange[];
}

/** Already sent, unchanged, changed without its time, or changed with it. */
export type StepChange = 'gone' | 'kept' | 'reworded' | 'changed';

/** Throws every reason why a campaign can't be started, each at its field, in the specification's words. */
export function refuseUnlessStartable(judged: Judged) {
  const { form, starts, sending, zone, recipientCount, fieldNames } = judged;
  const changeOf = (index: number) => judged.changes?.[index] ?? 'changed';
  const { maxLength, suffix: signature } = sending;
  const isRelative = starts.starts_on !== 'dates';
  const { error } = dripForm({ nowMs: nowMs(), zone, recipientCount, isRelative }).safeParse({
    name: form.name,
    textNumberId: form.textNumberId,
    steps: form.steps.map((step, index) => ({
      ...step,
      hasMedia: step.mediaIds.length > 0,
      hasOldTime: changeOf(index) !== 'changed',
      isGone: changeOf(index) === 'gone',
    })),
  });
  const fields = (error?.issues ?? []).map(({ path, message }) => ({
    Field: path.join('.'),
    Message: message,
  }));
  const missing = missingStart({
    startsOn: starts.starts_on,
    groupId: starts.group_id,
    keywordId: starts.keyword_id,
  });
  fields.push(...Object.entries(missing).map(([Field, Message]) => ({ Field, Message })));
  for (const [index, step] of form.steps.entries()) {
    const { message } = step;
    const { body, isPersonalized, hasMedia } = withStep(sending, step);
    // The length of a text with fields differs by recipient.
    const rules = broadcastText({ signature, hasMedia, ...(isPersonalized ? {} : { maxLength }) });
    const failure = message.trim() === '' ? undefined : firstFailure(body, rules);
    const unknown = unknownMergeFields(message, [...fieldNames]).filter(
      ({ fallback }) => fallback === undefined,
    );
    const problem =
      failure ?? (unknown.length > 0 ? unknownFieldMessage(unknown.map(({ name }) => name)) : undefined);
    if (problem !== undefined) fields.push({ Field: `steps.${index}.message`, Message: problem });
  }
  const open = fields.filter(({ Field, Message }) => {
    const [, index] = /^steps\.(\d+)\./.exec(Field) ?? [];
    if (index === undefined) return true;
    const change = changeOf(Number(index));
    // A step that isn't changed can only be invalid because the one before it was moved.
    return change === 'kept' ? Message === earlierThanPreviousStep : change !== 'gone';
  });
  if (open.length > 0) throw new Refusal('invalid', open[0]?.Message, { fields: open });
}
