import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { listQuery, nextList, undoable, undone } from './list.ts';
import { defaultPageSize } from './reference/paging.ts';

/** A phone in a path, as typed. */
const number = z.string().min(1).max(60);

export const optOutFilters = ['all', 'voice', 'text', 'both'] as const;

const optOut = z.object({
  PhoneNumber: z.string(),
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  TextOptedOut: z.boolean(),
  TextTimestamp: moment.nullable(),
  VoiceOptedOut: z.boolean(),
  VoiceTimestamp: moment.nullable(),
  /** Source of the latest opt-out: inbound, user, carrier, import, web, call. */
  Source: z.string(),
  Wording: z.string(),
});
export type OptOut = z.output<typeof optOut>;

/** ISO 8601 has a year 0, PostgreSQL hasn't. */
const day = z.iso.date().refine((date) => !date.startsWith('0000'), 'Enter a date');

const optOutsQuery = listQuery({ pagesize: defaultPageSize, most: 100, sortby: ['latest'] }).extend({
  filter: z.enum(optOutFilters).default('all'),
  /** Ours: those who opted out on these days, on the user’s calendar. */
  'date-from': day.optional(),
  'date-to': day.optional(),
});

export const listOptOuts = call({
  method: 'GET',
  path: '/optouts',
  summary: 'Lists the phones that have opted out of texts, calls or both, newest first.',
  allow: 'seeOptOutReport',
  query: optOutsQuery,
  reply: nextList(optOut),
});

export const downloadOptOuts = call({
  method: 'GET',
  path: '/optouts.csv',
  summary: 'Downloads the opt-outs as a file.',
  allow: 'seeOptOutReport',
  query: optOutsQuery.pick({ q: true, filter: true, 'date-from': true, 'date-to': true }),
  reply: z.unknown(),
  download: true,
});

const consentEvent = z.object({
  ConsentEventID: z.number().int(),
  Timestamp: moment,
  Channel: z.enum(['text', 'voice', 'both']),
  State: z.enum(['in', 'out', 'none']),
  Source: z.enum(['inbound', 'user', 'carrier', 'import', 'web', 'call']),
  Wording: z.string(),
  UserName: z.string(),
  FileName: z.string(),
  TextMessageID: z.number().int().nullable(),
  /** Network address of the person who declared it, for declarations made here. */
  Address: z.string(),
});
export type ConsentEvent = z.output<typeof consentEvent>;

export const listConsentEvents = call({
  method: 'GET',
  path: '/phonenumbers/:Number/consents',
  summary: 'Lists a phone’s opt-ins and opt-outs, newest first.',
  allow: 'seePhoneNumberHistory',
  params: z.object({ Number: number }),
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(25),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(consentEvent),
  errors: ['notFound'],
});

export const downloadConsentEvents = call({
  method: 'GET',
  path: '/phonenumbers/:Number/consents.csv',
  summary:
    'Downloads the consent record of a phone: every opt-in and opt-out with its time, source, user and wording.',
  allow: 'seePhoneNumberHistory',
  params: z.object({ Number: number }),
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

export const changeConsent = call({
  method: 'PUT',
  path: '/phonenumbers/:Number/consent',
  summary: 'Opts a phone in or out. Opting in requires a declaration of consent.',
  allow: 'changeConsent',
  event: 'consent.changed',
  params: z.object({ Number: number }),
  body: z.object({
    Channel: z.enum(['text', 'voice', 'both']),
    State: z.enum(['in', 'out']),
    Wording: z.string().trim().max(500).default(''),
    UserIndicatedConsentDeclared: z.boolean().default(false),
  }),
  reply: undoable,
  errors: ['notFound', 'refused'],
});

export const undoConsent = call({
  method: 'POST',
  path: '/phonenumbers/undo/:UndoID',
  summary: 'Undoes an opt-in or opt-out that a user made.',
  allow: 'changeConsent',
  event: 'consent.changed',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});

// Look-ups

const lookupInclude = z.object({ include: z.enum(['all']).optional() });

/** Everything known about a number. include=all asks the look-up provider if that is too old. */
const phoneNumber = z.object({
  Number: z.string(),
  IsValid: z.boolean(),
  IsTextable: z.boolean(),
  OptedIn: z.boolean(),
  OptedOut: z.boolean(),
  DoNotCall: z.boolean(),
  LineType: z.string(),
  CarrierName: z.string(),
  LookupTimestamp: moment.nullable(),
});
export type PhoneNumber = z.output<typeof phoneNumber>;

export const getPhoneNumber = call({
  method: 'GET',
  path: '/phonenumbers/:Number',
  summary: 'Returns whether a number can be texted, and its consent.',
  allow: 'lookUpPhones',
  params: z.object({ Number: number }),
  query: lookupInclude,
  reply: phoneNumber,
});

export const lookUpPhoneNumbers = call({
  method: 'POST',
  path: '/phonenumbers/lookup',
  summary: 'Does the same for up to 1,000 numbers, keyed by the number as given.',
  allow: 'lookUpPhones',
  event: 'none',
  query: lookupInclude,
  body: z.object({ Source: z.array(z.string().max(60)).min(1).max(1000) }),
  reply: z.record(z.string(), phoneNumber),
});

export const validatePhoneNumber = call({
  method: 'POST',
  path: '/validation/phone',
  summary: 'Says whether a number can be reached and, with includeTextability, whether it can be texted.',
  allow: 'lookUpPhones',
  event: 'none',
  query: z.object({ includeTextability: z.enum(['true', 'false']).optional() }),
  body: z.object({ Source: z.string().max(100), CountryID: z.number().int().min(1).max(1000).optional() }),
  reply: z.object({
    Success: z.boolean(),
    ErrorMessage: z.string(),
    IsTextablePhone: z.boolean().optional(),
  }),
});
