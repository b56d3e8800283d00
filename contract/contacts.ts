import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { listQuery, sizedList, undoable, undone } from './list.ts';
import { limits } from './reference/limits.ts';
import { defaultPageSize } from './reference/paging.ts';
import { selection } from './selection.ts';

/** The groups that always exist. */
export const specialGroups = { deleted: -2, unfiled: -1, everyone: 0 } as const;

export const contactLimits = {
  /** Searches are counted up to here; beyond it Size says this and IsMore is true. */
  countedMatches: 50_000,
  /** A change of more rows than this continues in the background. */
  rowsAtOnce: 5_000,
  customFields: 100,
  customValue: 500,
  groupsOfContact: 200,
  mergedContacts: 20,
} as const;

/** A list's id in a path: a group, everyone (0), unfiled (-1) or deleted (-2). */
export const listId = z.coerce
  .number({ error: 'This is not a valid ID' })
  .int('This is not a valid ID')
  .min(specialGroups.deleted, 'This is not a valid ID')
  .max(Number.MAX_SAFE_INTEGER, 'This is not a valid ID');

const textOptInStatuses = ['OptedIn', 'OptedOut', 'None'] as const;

/** One of a contact's phones, with everything known about it. */
const contactPhone = z.object({
  PhoneNumber: z.string(),
  PhoneTextable: z.boolean(),
  /** Reason why a text or call can't be sent to the phone, in the specification's words; empty when it can. */
  PhoneError: z.string(),
  PhoneTextOptInStatus: z.enum(textOptInStatuses),
  /** Source of the opt-in or opt-out: inbound, user, carrier, import, web, call; empty without a record. */
  PhoneSMSAuthorizationMethod: z.string(),
  /** Opted out of calls from this organization. */
  DoNotCallPhone: z.boolean(),
  /** Nobody calls it: the number can't exist, or is one that is never called. */
  GlobalDoNotCallPhone: z.boolean(),
  /** mobile, landline, voip, tollfree, other, unknown; empty when it was never looked up. */
  LineType: z.string(),
  CarrierName: z.string(),
  /** Number of other contacts with this phone. */
  SharedWith: z.number().int(),
});

const group = z.object({ ListID: z.number().int(), ListName: z.string(), Color: z.number().int() });

export const contact = z.object({
  PersonID: z.number().int(),
  FirstName: z.string(),
  LastName: z.string(),
  Notes: z.string(),
  PrimaryPhone: z.string(),
  SecondaryPhone: z.string(),
  TertiaryPhone: z.string(),
  PrimaryPhoneTextable: z.boolean(),
  SecondaryPhoneTextable: z.boolean(),
  TertiaryPhoneTextable: z.boolean(),
  PrimaryPhoneError: z.string(),
  PrimaryPhoneOptedIn: z.boolean(),
  PrimaryPhoneOptedOut: z.boolean(),
  /** By the field's name. Only those that have a value. */
  CustomData: z.record(z.string(), z.string()),
  Lists: z.array(group),
  /** The last text to or from the primary phone, and its problem if it had one. */
  LastTextTimestamp: moment.nullable(),
  LastTextStatus: z.string(),
  CreateTimestamp: moment,
});
export type Contact = z.output<typeof contact>;

/** One contact with all that its page shows. */
const wholeContact = contact.extend({
  Phones: z.array(contactPhone),
  UpdateTimestamp: moment,
  IsDeleted: z.boolean(),
  CreatedBy: z.string(),
  /** The file that it came with. */
  FileName: z.string(),
});
export type WholeContact = z.output<typeof wholeContact>;

export const contactSorts = ['name', '-name', 'newest', 'oldest'] as const;
export const consentFilters = ['optedin', 'optedout', 'notasked', 'donotcall'] as const;

/** Filters of a list of contacts, in addition to its search. */
export const contactFilters = z.object({
  consent: z.enum(consentFilters).optional(),
  /** Only those whose primary phone can't be texted, or who have none. */
  problem: flag.optional(),
});

const contactsQuery = listQuery({ pagesize: defaultPageSize, most: 100, sortby: contactSorts }).extend({
  ...contactFilters.shape,
  /** It holds the name of the page's last contact, which letters of some scripts make long. */
  next: z.string().max(1000).optional(),
});
/** The list that a selection refers to: "all" selects everything that this list shows. */
const selectionQuery = z.object({ q: contactsQuery.shape.q, ...contactFilters.shape });
export type SelectionQuery = z.output<typeof selectionQuery>;

export const listContacts = call({
  method: 'GET',
  path: '/lists/:ListID/contacts',
  summary:
    'Lists the contacts of a group, Everyone (0), Unfiled (-1) or Deleted (-2). Searches any part of a name, number, note or custom field.',
  allow: 'manageOwnContacts',
  params: z.object({ ListID: listId }),
  query: contactsQuery,
  reply: sizedList(contact).extend({
    Next: z.string().nullable(),
    /** There are more than Size: they were not counted to the end. */
    IsMore: z.boolean(),
    /** Nothing contains the words themselves; these results are similar. */
    IsSimilar: z.boolean(),
  }),
  errors: ['notFound'],
});

/** As typed; the server reads it by the account's country with contactForm of contract/forms/contact.ts. */
const contactFields = z.object({
  FirstName: z.string().max(1000).default(''),
  LastName: z.string().max(1000).default(''),
  Notes: z.string().max(5000).default(''),
  PrimaryPhone: z.string().max(100).default(''),
  SecondaryPhone: z.string().max(100).default(''),
  TertiaryPhone: z.string().max(100).default(''),
  CustomData: z.record(z.string().max(100), z.string().max(5000)).default({}),
});

export const addContact = call({
  method: 'POST',
  path: '/contacts',
  summary: 'Adds a contact, optionally to groups. Fails with 422 if its phone is already in Everyone.',
  allow: 'manageOwnContacts',
  event: 'contact.created',
  takesIdempotencyKey: true,
  body: contactFields.extend({
    ListIDs: z.array(id).max(contactLimits.groupsOfContact).default([]),
    /** Two people share a phone: add this person anyway. */
    AllowDuplicate: z.boolean().default(false),
  }),
  reply: wholeContact,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const getContact = call({
  method: 'GET',
  path: '/contacts/:PersonID',
  summary: 'Returns a contact with details of each phone.',
  allow: 'manageOwnContacts',
  params: z.object({ PersonID: id }),
  reply: wholeContact,
  errors: ['notFound'],
});

export const updateContact = call({
  method: 'PUT',
  path: '/contacts/:PersonID',
  summary: 'Updates a contact. ListIDs, if given, replaces all of its groups.',
  allow: 'manageOwnContacts',
  event: 'contact.updated',
  params: z.object({ PersonID: id }),
  body: contactFields.extend({ ListIDs: z.array(id).max(contactLimits.groupsOfContact).optional() }),
  reply: wholeContact.and(undoable),
  errors: ['notFound', 'refused'],
});

export const deleteContact = call({
  method: 'DELETE',
  path: '/contacts/:PersonID',
  summary: 'Moves a contact to Deleted, where it can be restored.',
  allow: 'deleteFromEveryone',
  event: 'contact.deleted',
  params: z.object({ PersonID: id }),
  reply: undoable,
  errors: ['notFound'],
});

/** A person's history, latest first. */
export const historyItem = z.object({
  Kind: z.enum(['text', 'call', 'consent', 'added', 'imported', 'edited']),
  Timestamp: moment,
  PhoneNumber: z.string(),
  /** The words of the text, the wording of the consent, the keys pressed in a call, or the fields edited. */
  Message: z.string(),
  IsInbound: z.boolean(),
  /** A text's delivery status, or the result of a call. */
  Status: z.string(),
  ConversationID: z.number().int().nullable(),
  TextMessageID: z.number().int().nullable(),
  /** in, out or none, and text, voice or both. */
  ConsentState: z.string(),
  ConsentChannel: z.string(),
  ConsentSource: z.string(),
  UserName: z.string(),
  FileName: z.string(),
  /** Ours: how long a call lasted. */
  Seconds: z.number().int().nullish(),
  /** The broadcast that a text was sent by, or that it answers, or that called. */
  Broadcast: z.object({ BroadcastID: z.number().int(), BroadcastName: z.string() }).nullish(),
});
export type HistoryItem = z.output<typeof historyItem>;

export const listContactHistory = call({
  method: 'GET',
  path: '/contacts/:PersonID/history',
  summary:
    'Lists a contact’s history: texts and calls with each phone, consent, and how the contact was added and edited.',
  allow: 'manageOwnContacts',
  params: z.object({ PersonID: id }),
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(25),
    next: z.string().max(400).optional(),
  }),
  reply: z.object({ Items: z.array(historyItem), Next: z.string().nullable() }),
  errors: ['notFound'],
});

/**
 * The reply to a change of many rows. Above contactLimits.rowsAtOnce it continues in the background as
 * WorkID.
 */
const changedMany = undoable.extend({
  Size: z.number().int(),
  WorkID: z.number().int().positive().nullable(),
});

export const copyContacts = call({
  method: 'POST',
  path: '/lists/:ListID/contacts/tolist/:TargetID',
  summary:
    'Adds selected contacts to a group. Move also removes them from the list they were selected in. Moving from Deleted (-2) to Everyone (0) or a group restores them.',
  allow: 'manageOwnContacts',
  event: 'contacts.joined',
  takesIdempotencyKey: true,
  params: z.object({ ListID: listId, TargetID: listId }),
  query: selectionQuery,
  body: z.object({ Selection: selection, Move: z.boolean().default(false) }),
  reply: changedMany,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const removeContacts = call({
  method: 'DELETE',
  path: '/lists/:ListID/contacts',
  summary:
    'Removes selected contacts from a group, or deletes them with removefromeveryone. Contacts in Deleted (-2) are deleted permanently.',
  allow: 'manageOwnContacts',
  event: 'contacts.left',
  params: z.object({ ListID: listId }),
  query: selectionQuery.extend({ removefromeveryone: flag.optional() }),
  body: z.object({ Selection: selection }),
  reply: changedMany,
  errors: ['notFound', 'refused'],
});

export const updateContacts = call({
  method: 'PUT',
  path: '/lists/:ListID/contacts',
  summary: 'Sets notes or custom fields of selected contacts.',
  allow: 'manageOwnContacts',
  event: 'contacts.changed',
  params: z.object({ ListID: listId }),
  query: selectionQuery,
  body: z.object({
    Selection: selection,
    Update: z
      .object({
        Notes: z.string().trim().max(limits.contactNotes, 'Notes must be at most 50 characters').optional(),
        /** By the field's name; an empty value clears it. */
        CustomData: z.record(z.string().max(100), z.string().max(contactLimits.customValue)).optional(),
      })
      .refine(
        ({ Notes, CustomData }) => Notes !== undefined || CustomData !== undefined,
        'Choose what to change.',
      ),
  }),
  reply: changedMany,
  errors: ['notFound', 'refused'],
});

export const undoContacts = call({
  method: 'POST',
  path: '/contacts/undo/:UndoID',
  summary: 'Undoes a change to contacts or groups.',
  allow: 'manageOwnContacts',
  event: 'contacts.restored',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound', 'refused'],
});

/** Contacts that share a phone. */
export const listDuplicates = call({
  method: 'GET',
  path: '/contacts/duplicates',
  summary: 'Lists phones that belong to more than one contact, with those contacts.',
  allow: 'mergeContacts',
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(50).default(10),
    next: z.string().max(400).optional(),
  }),
  reply: z.object({
    Items: z.array(z.object({ PhoneNumber: z.string(), Contacts: z.array(contact) })),
    Next: z.string().nullable(),
  }),
});

export const mergeContacts = call({
  method: 'POST',
  path: '/contacts/merge',
  summary: 'Merges several contacts into one. IsPreview only returns the result.',
  allow: 'mergeContacts',
  event: 'contact.merged',
  body: z.object({
    /** The first one stays: where it has a value, that is kept; gaps are filled from the others in their order. */
    PersonIDs: z.array(id).min(2, 'Choose at least two contacts').max(contactLimits.mergedContacts),
    IsPreview: z.boolean().default(false),
  }),
  reply: undoable.extend({
    Contact: wholeContact,
    /** Phones that are dropped, because a contact has at most three. */
    DroppedPhones: z.array(z.string()),
  }),
  errors: ['notFound', 'refused'],
});

// Custom fields

const customField = z.object({ FieldID: z.number().int(), Name: z.string() });
export type CustomField = z.output<typeof customField>;

const fieldName = z.string().max(1000).default('');

export const listCustomFields = call({
  method: 'GET',
  path: '/contacts/fields',
  summary: 'Lists the organization’s custom fields, oldest first.',
  allow: 'manageOwnContacts',
  reply: z.object({ Items: z.array(customField) }),
});

export const addCustomField = call({
  method: 'POST',
  path: '/contacts/fields',
  summary: 'Adds a custom field.',
  allow: 'manageOwnContacts',
  event: 'customField.created',
  body: z.object({ Name: fieldName }),
  reply: customField,
  errors: ['refused'],
});

export const updateCustomField = call({
  method: 'PUT',
  path: '/contacts/fields/:FieldID',
  summary: 'Renames a custom field.',
  allow: 'manageOwnContacts',
  event: 'customField.updated',
  params: z.object({ FieldID: id }),
  body: z.object({ Name: fieldName }),
  reply: customField,
  errors: ['notFound'],
});

export const deleteCustomField = call({
  method: 'DELETE',
  path: '/contacts/fields/:FieldID',
  summary: 'Deletes a custom field and its values.',
  allow: 'deleteCustomFields',
  event: 'customField.deleted',
  params: z.object({ FieldID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

// Export

export const exportFormats = ['csv', 'xlsx'] as const;

export const exportContacts = call({
  method: 'POST',
  path: '/lists/:ListID/contacts/export',
  summary: 'Prepares an export of selected contacts. Uri is its download address.',
  allow: 'manageOwnContacts',
  event: 'contacts.exported',
  params: z.object({ ListID: listId }),
  query: selectionQuery,
  body: z.object({ Selection: selection, Format: z.enum(exportFormats).default('csv') }),
  reply: z.object({ ExportID: z.number().int(), Uri: z.string() }),
  errors: ['notFound'],
});

export const downloadExport = call({
  method: 'GET',
  path: '/exports/:ExportID/:FileName',
  summary: 'Downloads an export as it is created.',
  allow: 'manageOwnContacts',
  params: z.object({ ExportID: id, FileName: z.string().max(200) }),
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});
