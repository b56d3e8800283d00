import { z } from 'zod';
import { call, id } from './call.ts';
import { mergeStatuses } from './compose.ts';
import { draftLimits } from './draft-recipients.ts';
import { listQuery, nextList } from './list.ts';
import { pageSizes } from './reference/paging.ts';

const params = z.object({ DraftBroadcastID: id });

/** A personalized field without a value: how many people lack it, and whether the field exists at all. */
const missingField = z.object({
  Field: z.string(),
  Count: z.number().int(),
  Exists: z.boolean(),
});
export type MissingField = z.output<typeof missingField>;

/** A text merged with its recipients. TemplateMergeID is the draft's. */
const templateMerge = z.object({
  TemplateMergeID: z.number().int(),
  Status: z.enum(['InProgress', 'Complete']),
  Done: z.number().int(),
  Total: z.number().int(),
  InvalidMessageUri: z.string(),
  /** Texts that can't go out as they are: too long, nothing left to send, or without a value for a field. */
  InvalidMessageCount: z.number().int(),
  ExcludedMessageCount: z.number().int(),
  /** Ours: the fields that those texts lack, most frequent first; empty while the merge runs. */
  MissingFields: z.array(missingField),
  /** Ours: texts that lack a value go out anyway, with nothing in its place. */
  AcceptsMissing: z.boolean(),
  /** The first of them as it goes out. */
  Preview: z.string(),
  SummaryUri: z.string(),
});
export type TemplateMerge = z.output<typeof templateMerge>;

const mergedMessage = z.object({
  MergedMessageID: z.number().int(),
  PhoneNumber: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  TextMessage: z.string(),
  Segments: z.number().int(),
  Exclude: z.boolean(),
  TemplateMergeMessageStatus: z.enum(mergeStatuses),
  /** Its problem, in words; empty when there is none. */
  Error: z.string(),
});
export type MergedMessage = z.output<typeof mergedMessage>;

export const mergeDraft = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/templatemerges',
  summary: 'Personalizes a draft’s text for all its recipients, in the background.',
  allow: 'manageBroadcasts',
  event: 'none',
  params,
  body: z
    .object({
      TemplateText: z.string().max(draftLimits.text).optional(),
      IncludeSignature: z.boolean().optional(),
    })
    .default({}),
  reply: templateMerge,
  errors: ['notFound', 'refused', 'conflict'],
});

export const createTemplateMerge = call({
  method: 'POST',
  path: '/template-merges',
  summary: 'Does the same for the draft named in the body.',
  allow: 'manageBroadcasts',
  event: 'none',
  body: z.object({
    DraftBroadcastID: id,
    TemplateText: z.string().max(draftLimits.text).optional(),
    IncludeSignature: z.boolean().optional(),
  }),
  reply: templateMerge,
  errors: ['notFound', 'refused', 'conflict'],
});

const mergeParams = z.object({ TemplateMergeID: id });

export const getTemplateMerge = call({
  method: 'GET',
  path: '/template-merges/:TemplateMergeID',
  summary: 'Returns the progress and results of a merge.',
  allow: 'seeBroadcasts',
  params: mergeParams,
  reply: templateMerge,
  errors: ['notFound'],
});

export const listMergedMessages = call({
  method: 'GET',
  path: '/template-merges/:TemplateMergeID/messages',
  summary: 'Lists the texts that can’t be sent or were left out. filter=all lists every text.',
  allow: 'seeBroadcasts',
  params: mergeParams,
  query: listQuery({ pagesize: pageSizes.merges, most: pageSizes.merges, sortby: ['added'] }).extend({
    filter: z.enum(['invalid', 'excluded', 'all']).default('invalid'),
  }),
  reply: nextList(mergedMessage),
  errors: ['notFound'],
});

export const updateMergedMessages = call({
  method: 'PUT',
  path: '/template-merges/:TemplateMergeID/messages',
  summary: 'Corrects or leaves out single texts. ExcludeAll leaves out all that can’t be sent.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params: mergeParams,
  body: z.object({
    Items: z
      .array(
        z.object({
          MergedMessageID: id,
          TextMessage: z.string().max(draftLimits.text).optional(),
          Exclude: z.boolean().optional(),
        }),
      )
      .max(200)
      .default([]),
    ExcludeAll: z.boolean().default(false),
    /** Ours: true sends texts that lack a value as they are, with nothing in its place; false undoes that. */
    AcceptMissing: z.boolean().optional(),
  }),
  reply: z.object({ Items: z.array(mergedMessage), Merge: templateMerge }),
  errors: ['notFound', 'conflict'],
});

const single = {
  body: z.object({
    TemplateText: z.string().max(draftLimits.text),
    IncludeSignature: z.boolean().default(false),
    /** The draft's own setting if it is left out. */
    KeepCharacters: z.boolean().optional(),
    HasMedia: z.boolean().default(false),
    /** The recipient's id, or their position in the order they were added, from 1. */
    RecipientID: id.optional(),
    Position: z.number().int().min(1).optional(),
  }),
  reply: mergedMessage.extend({
    /** The position of this text, and the number of people who get it. */
    Position: z.number().int(),
    Total: z.number().int(),
  }),
};

export const mergeSingle = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/templatemerge/single',
  summary: 'Previews the text for one recipient of a draft.',
  allow: 'seeBroadcasts',
  event: 'none',
  params,
  ...single,
  errors: ['notFound'],
});

export const mergeSingleOfBroadcast = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/templatemerge/single',
  summary: 'Previews the text for one recipient of a scheduled broadcast while it’s edited.',
  allow: 'seeBroadcasts',
  event: 'none',
  params: z.object({ BroadcastID: id }),
  ...single,
  errors: ['notFound'],
});
