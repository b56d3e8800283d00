import type { z } from 'zod';
import { Refusal } from '../../../contract/errors.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { broadcastText } from '../../../contract/forms/broadcast.ts';
import { dripForm, dripStepMs } from '../../../contract/forms/drip.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { createSequence } from '../../../contract/sequences.ts';
import { cutText } from '../../../contract/text/cut-text.ts';
import { unknownFieldMessage, unknownMergeFields } from '../../../contract/text/merge-fields.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { organizationPrefix } from '../../../contract/text/organization-prefix.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { nowMs } from '../../clock.ts';
import type { Sending } from '../draft/read-sending.ts';

type Form = z.output<typeof createSequence.body>;
export type FormStep = Form['steps'][number];

/** When a step goes out; null where nobody has said it yet. */
export function startOfStep({ date, time, startDate }: FormStep, zone: string): Date | null {
  const atMs = dripStepMs({ date, time }, zone) ?? (startDate ? Date.parse(startDate) : undefined);
  return atMs === undefined ? null : new Date(atMs);
}

/** A broadcast with the words of a step instead of its own. */
export function withMessage(sending: Sending, message: string): Sending {
  const { keepCharacters } = sending;
  const prefix = organizationPrefix(sending.organization, message);
  return {
    ...sending,
    written: message,
    plain: textToSend(message, { keepCharacters }),
    prefix: textToSend(prefix, { keepCharacters }),
    body: textToSend(prefix + message, { keepCharacters }),
    isPersonalized: hasPersonalizedFields(message),
  };
}

interface Judged {
  form: { name: string; textNumberId?: number | null | undefined; steps: readonly FormStep[] };
  sending: Sending;
  zone: string;
  recipientCount: number;
  /** The custom fields that contacts have. */
  fieldNames: readonly string[];
  /** How many of the first steps have gone out and are not judged again. */
  gone?: number;
}

/** Throws every reason why a campaign can't be started, each at its field, in the specification's words. */
export function refuseUnlessStartable({ form, sending, zone, recipientCount, fieldNames, gone = 0 }: Judged) {
  const { maxLength, suffix: signature } = sending;
  const { error } = dripForm({ nowMs: nowMs(), zone, recipientCount }).safeParse({
    name: form.name,
    textNumberId: form.textNumberId,
    steps: form.steps.map(({ message, hasWait, date, time }) => ({ message, hasWait, date, time })),
  });
  const fields = (error?.issues ?? []).map(({ path, message }) => ({
    Field: path.join('.'),
    Message: message,
  }));
  for (const [index, { message }] of form.steps.entries()) {
    const { body, isPersonalized } = withMessage(sending, message);
    // The length of a text with fields is each recipient's own.
    const rules = broadcastText({ signature, hasMedia: false, ...(isPersonalized ? {} : { maxLength }) });
    const failure = message.trim() === '' ? undefined : firstFailure(body, rules);
    const unknown = unknownMergeFields(message, [...fieldNames]).filter(
      ({ fallback }) => fallback === undefined,
    );
    const problem =
      failure ?? (unknown.length > 0 ? unknownFieldMessage(unknown.map(({ name }) => name)) : undefined);
    if (problem !== undefined) fields.push({ Field: `steps.${index}.message`, Message: problem });
  }
  const open = fields.filter(({ Field }) => {
    const [, index] = /^steps\.(\d+)\./.exec(Field) ?? [];
    return index === undefined || Number(index) >= gone;
  });
  if (open.length > 0) throw new Refusal('invalid', open[0]?.Message, { fields: open });
}

/** "Grade 5 state tests, step 2", as long as a broadcast's name may be. */
export function stepName(name: string, position: number): string {
  const end = `, step ${position}`;
  return cutText(name, limits.broadcastName - end.length) + end;
}
