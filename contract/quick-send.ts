import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { listId } from './contacts.ts';
import { draftContact, draftLimits } from './draft-recipients.ts';
import { preflight } from './drafts.ts';

/** Ours: nobody names more than this, since it may go to at most 15 people. */
const mostNamed = 100;

/**
 * A text that goes out in one step, from a saved text or to a group: everybody in the lists, and the people named.
 * More than 15 of them are refused, and so is a text without words.
 */
const quickText = z.object({
  Lists: z
    .array(z.object({ ListID: listId }))
    .max(mostNamed)
    .default([]),
  People: z
    .array(z.object({ PersonID: id }))
    .max(mostNamed)
    .default([]),
  /** The saved text that it began with; the broadcast is named after it, otherwise after the first list or person. */
  TemplateID: id.nullable().default(null),
  TextNumberID: id.nullable().default(null),
  TextMessage: z.string().max(draftLimits.text).default(''),
  Media: z
    .array(z.object({ MediaID: id }))
    .max(1)
    .default([]),
  IncludeSignature: z.boolean().default(false),
  /** Links become short ones on the organization's own address, one for each person, and clicks are counted. */
  ShortenLinks: z.boolean().default(false),
});

/** The text that one person gets, or why they get nothing. */
const quickRecipient = draftContact
  .pick({
    PersonID: true,
    FirstName: true,
    LastName: true,
    PrimaryPhone: true,
    PrimaryPhoneError: true,
    Problem: true,
  })
  .extend({
    TextMessage: z.string(),
    Segments: z.number().int(),
    /** Missing parts of the text, in words ("First Name is missing"); empty when nothing is missing. */
    Remark: z.string(),
  });

const quickSendPreview = z.object({
  /**
   * Everyone it is meant for; Good of them get it. If there are more than 15, nobody is listed, and Total is
   * 16.
   */
  Total: z.number().int(),
  Good: z.number().int(),
  Recipients: z.array(quickRecipient),
  Cost: preflight.shape.Cost,
  /** Time it goes out: now, or when quiet hours end for the first of them. */
  Starts: moment,
  /** Reason why it can't be sent; null when it can. */
  Refusal: preflight.shape.Refusal,
});
export type QuickSendPreview = z.output<typeof quickSendPreview>;

export const previewQuickSend = call({
  method: 'POST',
  path: '/broadcasts/quicksend/preview',
  summary: 'Previews a quick send: who gets it, each person’s text, and the cost. Sends nothing.',
  allow: 'createTextBroadcast',
  event: 'none',
  body: quickText,
  reply: quickSendPreview,
  errors: ['notFound', 'refused'],
});

export const quickSend = call({
  method: 'POST',
  path: '/broadcasts/quicksend',
  summary:
    'Sends a text to up to 15 people in one step, as a broadcast named “Quick Send: …”. The rules for broadcasts apply.',
  allow: 'createTextBroadcast',
  event: 'broadcast.sent',
  takesIdempotencyKey: true,
  body: quickText.extend({
    /**
     * Figures that the page showed. If it would reach more people or cost more credits, it is refused and shown
     * again.
     */
    ExpectedCount: z.number().int().min(0).optional(),
    ExpectedCredits: z.number().int().min(0).optional(),
  }),
  reply: z.object({
    BroadcastID: z.number().int(),
    BroadcastName: z.string(),
    /** Number of people who get it. */
    Count: z.number().int(),
    UriSummary: z.string(),
  }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded', 'keyReused'],
});

export const sendSampleBroadcast = call({
  method: 'POST',
  path: '/broadcasts/sample',
  summary:
    'Sends a sample broadcast: one of the free trial’s messages to all verified phones, at no cost. For free trials, and for accounts with the feature PaidAccountSampleBroadcasts.',
  allow: 'createTextBroadcast',
  event: 'broadcast.sent',
  takesIdempotencyKey: true,
  body: z.object({ Message: z.string().max(1000) }),
  reply: z.object({
    BroadcastID: z.number().int(),
    /** Number of people who get it. */
    Count: z.number().int(),
    UriSummary: z.string(),
  }),
  errors: ['refused', 'conflict', 'keyReused'],
});
