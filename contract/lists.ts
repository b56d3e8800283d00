import { z } from 'zod';
import { call, id } from './call.ts';
import { consentFilters, contact, listId } from './contacts.ts';
import { listQuery, sizedList, undoable } from './list.ts';
import { pageSizes } from './reference/paging.ts';

const segmentFields = ['firstname', 'lastname', 'notes', 'phone', 'custom'] as const;

/** One condition of a segment. */
export const segmentRule = z.discriminatedUnion('Kind', [
  z.object({
    Kind: z.literal('field'),
    Field: z.enum(segmentFields),
    /** For custom: the field's id. */
    FieldID: id.optional(),
    Is: z.enum(['contains', 'equals', 'startswith', 'isempty', 'isnotempty']),
    Value: z.string().trim().max(200).default(''),
  }),
  z.object({ Kind: z.literal('group'), Is: z.enum(['in', 'notin']), ListID: id }),
  z.object({ Kind: z.literal('consent'), Is: z.enum(consentFilters) }),
  /** Texted, in either direction, within so many days, or not. */
  z.object({
    Kind: z.literal('lastcontact'),
    Is: z.enum(['within', 'notwithin', 'never']),
    Days: z.number().int().min(1, 'Must be greater than or equal to 1').max(3650).default(30),
  }),
  z.object({
    Kind: z.literal('added'),
    Is: z.enum(['within', 'notwithin']),
    Days: z.number().int().min(1).max(3650),
  }),
]);
export type SegmentRule = z.output<typeof segmentRule>;

export const segment = z.object({
  Match: z.enum(['all', 'any']).default('all'),
  Rules: z.array(segmentRule).min(1, 'Add at least one condition').max(20),
});
export type Segment = z.output<typeof segment>;

const list = z.object({
  ListID: z.number().int(),
  ListName: z.string(),
  ListType: z.enum(['User', 'System']),
  RosterCount: z.number().int(),
  /** One of eight colors of the theme. */
  Color: z.number().int(),
  /** A saved query instead of members; RosterCount is then the count when it last ran. */
  Segment: segment.nullable(),
  /** Digits that stand for it when a broadcast is started by telephone. Ours; empty where it has none. */
  PhoneListID: z.string(),
});
export type List = z.output<typeof list>;

export const listLists = call({
  method: 'GET',
  path: '/lists',
  summary: 'Lists Everyone, Unfiled and Deleted, then the groups by name.',
  allow: 'manageOwnContacts',
  query: listQuery({ pagesize: pageSizes.groups, most: pageSizes.groups, sortby: ['name'] }),
  reply: sizedList(list),
});

export const getList = call({
  method: 'GET',
  path: '/lists/:ListID',
  summary: 'Returns a group.',
  allow: 'manageOwnContacts',
  params: z.object({ ListID: listId }),
  reply: list,
  errors: ['notFound'],
});

/** Validated where it is known whether it is taken (phoneListIdField). */
const phoneListId = z.string().max(60);
const listName = z.string().max(1000).default('');
const color = z.number().int().min(0).max(7);

export const addList = call({
  method: 'POST',
  path: '/lists',
  summary: 'Creates a group, or a segment if Segment is given.',
  allow: 'manageOwnContacts',
  event: 'group.created',
  takesIdempotencyKey: true,
  body: z.object({
    ListName: listName,
    Color: color.default(0),
    Segment: segment.nullable().default(null),
    PhoneListID: phoneListId.default(''),
  }),
  reply: list,
  errors: ['notFound', 'keyReused'],
});

export const updateList = call({
  method: 'PUT',
  path: '/lists/:ListID',
  summary: 'Renames a group, or changes its color, its segment conditions or its list ID for phone launch.',
  allow: 'manageOwnContacts',
  event: 'group.updated',
  params: z.object({ ListID: listId }),
  body: z.object({
    ListName: listName,
    Color: color.optional(),
    Segment: segment.nullable().optional(),
    PhoneListID: phoneListId.optional(),
  }),
  reply: list,
  errors: ['notFound', 'refused'],
});

export const deleteList = call({
  method: 'DELETE',
  path: '/lists/:ListID',
  summary: 'Deletes a group. Its contacts stay.',
  allow: 'manageOwnContacts',
  event: 'group.deleted',
  params: z.object({ ListID: listId }),
  reply: undoable,
  errors: ['notFound', 'refused'],
});

/** Counts the contacts that a query finds, before it is saved. */
export const countSegment = call({
  method: 'POST',
  path: '/lists/segmentcount',
  summary: 'Counts the contacts that match a segment, and returns the first ones.',
  allow: 'manageOwnContacts',
  event: 'none',
  body: z.object({ Segment: segment }),
  reply: z.object({ Size: z.number().int(), IsMore: z.boolean(), Items: z.array(contact) }),
  errors: ['notFound'],
});
