import { z } from 'zod';
import { call, id } from './call.ts';
import { composeMessages, picturesInText } from './forms/compose-text.ts';
import { limits } from './reference/limits.ts';

/** Of any length here: the refusal of a long one names the user's own limit, which only the server knows. */
export const composedMessage = z.string({ error: composeMessages.noText }).default('');
export const composedMedia = z
  .array(z.object({ MediaID: id }))
  .max(picturesInText, composeMessages.tooManyPictures)
  .default([]);
/**
 * Ours: a text goes out in plain characters, with straight quotes and ordinary letters; true sends it as it is written,
 * which may take more segments.
 */
export const keepCharacters = z.boolean().default(false);
export const composedTextNumber = z.coerce
  .number({ error: composeMessages.noTextNumber })
  .int(composeMessages.noTextNumber)
  .positive(composeMessages.noTextNumber);

/**
 * Somebody to write to. A contact's text is filled in with the stored values, a typed number's with those
 * given here.
 */
export const recipient = z.object({
  PersonID: id.optional(),
  FirstName: z.string().trim().max(limits.contactName).optional(),
  LastName: z.string().trim().max(limits.contactName).optional(),
  PrimaryPhone: z
    .string({ error: composeMessages.noRecipient })
    .trim()
    .min(1, composeMessages.noRecipient)
    .max(60),
  /** A separate text for this person instead of the shared one. */
  TextMessage: z.string().max(5000).optional(),
});
export type Recipient = z.input<typeof recipient>;

export const recipients = z
  .array(recipient, { error: composeMessages.noRecipient })
  .min(1, composeMessages.noRecipient)
  .max(limits.conversationRecipients, composeMessages.tooManyRecipients);

/**
 * Valid: goes out as it is. Otherwise it is too long, its phone can't be texted, or a field has no value, and
 * Error has the specification's message. MissingData alone doesn't block sending: the field's default is
 * used, or nothing.
 */
export const mergeStatuses = [
  'Valid',
  'MissingData',
  'ExceedsLimit',
  'InvalidField',
  'InvalidPhone',
  'NotTextable',
  'OptedOut',
  'NotOptedIn',
  'NotVerified',
  'AccountBlocked',
  'Duplicate',
] as const;

export const previewMerge = call({
  method: 'POST',
  path: '/templatemerges/contacts/preview',
  summary: 'Previews each recipient’s text, or the reason they can’t get one, in the order given.',
  allow: 'createConversation',
  event: 'none',
  body: z.object({
    Contacts: recipients,
    HasMedia: z.boolean().default(false),
    IncludeSignature: z.boolean().default(false),
    KeepCharacters: keepCharacters,
    TemplateText: z.string().max(5000).default(''),
  }),
  reply: z.array(
    z.object({
      TemplateMergeMessageStatus: z.enum(mergeStatuses),
      /** With its fields filled in and, where it is asked for, the signature. */
      TextMessage: z.string(),
      PhoneNumber: z.string(),
      PersonID: z.number().int().nullable(),
      Error: z.string(),
      Segments: z.number().int(),
      Credits: z.number().int(),
    }),
  ),
});
