import { z } from 'zod';
import { call, id } from './call.ts';
import { contactFilters, listId } from './contacts.ts';
import { listQuery, nextList, undoable, undone } from './list.ts';
import { limits } from './reference/limits.ts';
import { selection, selectionOf } from './selection.ts';

export const draftLimits = {
  /** Most numbers that can be pasted at once. A longer list has to be imported as a file. */
  pasted: 5_000,
  /** More recipients than this are added, removed or merged in the background. */
  rowsAtOnce: 5_000,
  /** Searches are counted up to here; beyond it Size says this and IsMore is true. */
  countedMatches: 50_000,
  text: 5_000,
} as const;

/**
 * Reasons why somebody gets nothing. duplicate: another recipient has the same phone; unreachable: the last three
 * texts did not arrive; not_verified: a free trial texts verified numbers only; excluded: taken out by hand; too_long
 * and invalid_field: the text can't be merged for them; do_not_call: asked not to be called; too_often: has had as
 * many broadcasts as the account allows.
 */
export const recipientProblems = [
  ...(['duplicate', 'opted_out', 'not_opted_in', 'not_textable', 'unreachable', 'invalid'] as const),
  ...(['not_verified', 'excluded', 'too_long', 'invalid_field', 'missing_data', 'do_not_call'] as const),
  'too_often',
] as const;
export type RecipientProblem = (typeof recipientProblems)[number];

const params = z.object({ DraftBroadcastID: id });

/** Somebody in a draft. */
export const draftContact = z.object({
  RecipientID: z.number().int(),
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  PrimaryPhone: z.string(),
  PrimaryPhoneTextable: z.boolean(),
  /** Reason in words why they get nothing; empty when they get it. */
  PrimaryPhoneError: z.string(),
  Problem: z.enum(recipientProblems).nullable(),
  /** Of a duplicate: who gets it instead. */
  DuplicateOf: z.object({ RecipientID: z.number().int(), Name: z.string() }).nullable(),
  CustomData: z.record(z.string(), z.string()),
  /** Source of the recipient: a group's name, a file's, "Typed". */
  Source: z.string(),
});
export type DraftContact = z.output<typeof draftContact>;

const draftContactFilters = z.object({
  /**
   * good: those who get it. A reason: those who are left out for it. leftout: those who are left out for any
   * reason.
   */
  problem: z.enum(['good', 'leftout', ...recipientProblems]).optional(),
  /** Ours: those who came from there (Sources of the summary). */
  sourceId: id.optional(),
});

const draftContactsQuery = listQuery({ pagesize: 5, most: 100, sortby: ['added', '-added', 'name', '-name'] })
  .extend(draftContactFilters.shape)
  .extend({ phonenumber: z.string().trim().max(60).optional(), next: z.string().max(1000).optional() });

export const listDraftContacts = call({
  method: 'GET',
  path: '/draft-broadcasts/:DraftBroadcastID/contacts',
  summary: 'Lists a draft’s recipients. phonenumber finds those with that number.',
  allow: 'seeBroadcasts',
  params,
  query: draftContactsQuery,
  reply: nextList(draftContact).extend({ Size: z.number().int(), IsMore: z.boolean() }),
  errors: ['notFound'],
});

const typedContact = z.object({
  PersonID: id.optional(),
  FirstName: z.string().trim().max(limits.contactName).default(''),
  LastName: z.string().trim().max(limits.contactName).default(''),
  PrimaryPhone: z.string().trim().min(1, 'Please add a phone number').max(60),
  CustomData: z.record(z.string().max(100), z.string().max(500)).default({}),
});

/** The reply to adding people: done at once, or in progress in the background (GET /work/{WorkID}). */
export const draftAddition = z.object({
  DraftBroadcastID: z.number().int(),
  Status: z.enum(['Complete', 'InProgress']),
  WorkID: z.number().int().nullable(),
  AddedCount: z.number().int(),
  /** Ours: of those, how many are left out, so that the page can say it. */
  LeftOutCount: z.number().int(),
});
export type Added = z.output<typeof draftAddition>;

export const addDraftContact = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/contacts',
  summary:
    'Adds one recipient to a draft. Fails at the field if the number can’t be texted or was already added.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params,
  body: typedContact,
  reply: draftContact,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const updateDraftContact = call({
  method: 'PUT',
  path: '/draft-broadcasts/:DraftBroadcastID/contacts',
  summary: 'Updates a recipient of a draft. The contact stays the same.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params,
  body: typedContact.omit({ PersonID: true }).extend({ RecipientID: id }),
  reply: draftContact,
  errors: ['notFound', 'refused', 'conflict'],
});

export const removeDraftContacts = call({
  method: 'DELETE',
  path: '/draft-broadcasts/:DraftBroadcastID/contacts',
  summary:
    'Removes recipients from a draft: the selected ones, all search results, or everyone from a source along with the source.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params,
  query: z.object({ q: draftContactsQuery.shape.q }).extend(draftContactFilters.shape),
  body: z.object({ Selection: selection }),
  /**
   * WorkID: there are so many that they are removed in the background. They can't be restored, and UndoID is
   * null.
   */
  reply: undoable.extend({ RemovedCount: z.number().int(), WorkID: z.number().int().nullable() }),
  errors: ['notFound', 'conflict'],
});

export const undoDraftContacts = call({
  method: 'POST',
  path: '/draft-broadcasts/undo/:UndoID',
  summary: 'Restores recipients removed from a draft, along with their sources.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound', 'conflict'],
});

export const addDraftNumbers = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/contactlists',
  summary: 'Adds pasted numbers to a draft. Invalid ones are listed as invalid.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params,
  body: z.object({
    Items: z
      .array(z.object({ PrimaryPhone: z.string().max(200), Name: z.string().max(200).default('') }))
      .min(1, 'Please add a phone number')
      .max(draftLimits.pasted),
  }),
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

const listSelection = z.object({ Selection: selectionOf(z.object({ ListID: listId })) });

export const addDraftLists = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/lists',
  summary: 'Adds everyone in these groups and segments to a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params,
  body: listSelection,
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const addDraftFile = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/fileuploads',
  summary: 'Adds the rows of a reviewed file to a draft (see the calls under /fileuploads).',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params,
  body: z.object({ FileID: id, UserIndicatedConsentDeclared: z.boolean().default(false) }),
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

/** "Selection of PersonID items": as objects or as bare ids. */
const personSelection = selectionOf(
  z.union([z.int(), z.object({ PersonID: id }).transform(({ PersonID }) => PersonID)]),
);

const contactSelection = {
  query: z.object({ q: z.string().trim().max(200).default('') }).extend(contactFilters.shape),
  body: z.object({ Selection: personSelection }),
};

export const contactsToNewDraft = call({
  method: 'POST',
  path: '/lists/:ListID/contacts/todraftbroadcast',
  summary: 'Creates a draft for selected contacts of a group or Everyone (0).',
  allow: 'createBroadcast',
  event: 'draft.created',
  takesIdempotencyKey: true,
  params: z.object({ ListID: listId }),
  ...contactSelection,
  reply: draftAddition,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const contactsToDraft = call({
  method: 'POST',
  path: '/lists/:ListID/contacts/todraftbroadcast/:DraftBroadcastID',
  summary: 'Adds selected contacts of a group or Everyone (0) to a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params: z.object({ ListID: listId, DraftBroadcastID: id }),
  ...contactSelection,
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const listsToNewDraft = call({
  method: 'POST',
  path: '/lists/todraftbroadcast',
  summary: 'Creates a draft for groups and segments.',
  allow: 'createBroadcast',
  event: 'draft.created',
  takesIdempotencyKey: true,
  body: listSelection,
  reply: draftAddition,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const contactSummary = z.object({
  /** Everyone who was added, and those who get it. */
  Total: z.number().int(),
  Good: z.number().int(),
  /** Those left out, by reason; none that is zero. */
  LeftOut: z.array(z.object({ Problem: z.enum(recipientProblems), Count: z.number().int() })),
  /** Those who get it, by where they are. */
  Zones: z.array(z.object({ Zones: z.array(z.string()), Label: z.string(), Count: z.number().int() })),
  Sources: z.array(
    z.object({ SourceID: z.number().int(), Kind: z.string(), Name: z.string(), Count: z.number().int() }),
  ),
  /** Ours: somebody set the limit of broadcasts for a person aside for this one. */
  IsFrequencySetAside: z.boolean(),
});
export type ContactSummary = z.output<typeof contactSummary>;

export const setFrequencyAside = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/frequency',
  summary:
    'For an emergency: the draft goes to everybody, whatever the account’s limit of broadcasts for a person. IsSetAside false keeps the draft to the limit again.',
  allow: 'manageBroadcasts',
  event: 'broadcast.frequencySetAside',
  params,
  body: z.object({ IsSetAside: z.boolean() }),
  reply: contactSummary,
  errors: ['notFound', 'refused', 'conflict'],
});

export const getContactSummary = call({
  method: 'GET',
  path: '/draft-broadcasts/:DraftBroadcastID/contactsummary',
  summary: 'Counts the recipients who get the broadcast and those left out, by reason.',
  allow: 'seeBroadcasts',
  params,
  reply: contactSummary,
  errors: ['notFound'],
});

export const downloadLeftOut = call({
  method: 'GET',
  path: '/draft-broadcasts/:DraftBroadcastID/leftout.csv',
  summary: 'Downloads everyone who is left out, with the reason.',
  allow: 'seeBroadcasts',
  params,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});
