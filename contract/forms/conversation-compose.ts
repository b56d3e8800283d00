import { z } from 'zod';
import { asynchronousMessages } from '../fields/asynchronous-checks.ts';
import { required } from '../fields/basic-rules.ts';
import { personalizedFields } from '../fields/content-rules.ts';
import { failures, flagField, textField } from '../fields/form.ts';
import { maxTextLength } from '../fields/max-text-length.ts';
import { phone } from '../fields/phone-rules.ts';
import { firstFailure, type Rule } from '../fields/rule.ts';
import { normalizePhone } from '../phone/normalize-phone.ts';
import { limits } from '../reference/limits.ts';
import { dialogTextTooLong } from '../text/text-length.ts';
import { composedText, composeMessages } from './compose-text.ts';

export interface ComposeContext {
  countryId: number;
  /** The account's character limit. */
  maxLength: number;
  /** The signature, when it is on. */
  signature?: string;
  /** Scheduled without text: the text is written later. */
  mayBeWithoutText?: boolean;
  /** RequireTextOptIn of the account. */
  requireOptIn?: boolean;
}

/** Conversation dialog, fixed-personalized dialog and quick send: "Can't exceed {n} characters". */
export function dialogText({ maxLength, signature }: { maxLength: number; signature?: string }): Rule[] {
  return [
    required('Text Message', composeMessages.noText),
    personalizedFields(),
    maxTextLength(maxLength, dialogTextTooLong(maxLength), signature),
  ];
}

const recipient = z.object({
  PersonID: z.number().int().nullish(),
  PrimaryPhone: z.string().default(''),
  /** The problem that a check of the number found; a recipient with one can't be texted. */
  PrimaryPhoneError: z.string().nullish(),
  PrimaryPhoneTextable: z.boolean().nullish(),
});

export function composeForm(context: ComposeContext) {
  return z
    .object({
      Recipients: z
        .array(recipient, { error: composeMessages.noRecipient })
        .max(10_000, composeMessages.tooManyRecipients)
        .default([]),
      TextNumberID: z
        .number({ error: composeMessages.noTextNumber })
        .int()
        .nullish()
        .transform((id) => id ?? 0),
      TextMessage: textField(),
      Media: z.array(z.object({ MediaID: z.number().int() })).default([]),
      IncludeSignature: flagField(),
    })
    .superRefine(
      failures((values) => ({
        Recipients: recipientsFailure(values.Recipients, context),
        TextNumberID: values.TextNumberID > 0 ? undefined : composeMessages.noTextNumber,
        TextMessage: firstFailure(values.TextMessage, [
          ...composedText({
            maxLength: context.maxLength,
            signature: values.IncludeSignature ? context.signature : undefined,
            hasMedia: values.Media.length > 0,
            mayBeWithoutText: context.mayBeWithoutText,
          }),
          personalizedFields(),
        ]),
      })),
    );
}

function recipientsFailure(
  recipients: readonly z.output<typeof recipient>[],
  context: ComposeContext,
): string | undefined {
  if (recipients.length === 0) return composeMessages.noRecipient;
  if (recipients.length > limits.conversationRecipients) return composeMessages.tooManyRecipients;
  for (const [index, one] of recipients.entries()) {
    if (one.PrimaryPhoneError) return one.PrimaryPhoneError;
    const message = newRecipientFailure(one.PrimaryPhone, recipients.slice(0, index), context);
    if (message !== undefined) return message;
    if (context.requireOptIn && one.PrimaryPhoneTextable === false) return asynchronousMessages.notTextable;
  }
  return undefined;
}

/** The problem of a number that is about to be added to the recipients. */
export function newRecipientFailure(
  text: string,
  added: readonly { PrimaryPhone: string }[],
  { countryId }: { countryId: number },
): string | undefined {
  const message = firstFailure(text, [
    required('phone number', composeMessages.noRecipient),
    phone(countryId),
  ]);
  if (message !== undefined) return message;
  const digits = normalizePhone(text, countryId);
  const isAdded = added.some((one) => normalizePhone(one.PrimaryPhone, countryId) === digits);
  return isAdded ? composeMessages.duplicate : undefined;
}
