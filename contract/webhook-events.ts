/** Every event that webhooks can hear, with its shape and a sample. This file is long because it is one list. */

import { z } from 'zod';
import type { EventKind } from './event-kinds.ts';

/**
 * The types of webhooks, each with the recorded events that it comes from (contract/event-kinds.ts), the
 * shape of its `data`, and a sample. docs/webhooks.md is written from this; tests send the samples;
 * subscribers see them before anything has happened. Fields are added, never renamed or taken away.
 */
const at = z.iso.datetime();

const text = z.object({
  TextMessageID: z.number().int(),
  ConversationID: z
    .number()
    .int()
    .nullable()
    .describe('Null while a broadcast’s text has no conversation yet.'),
  TextNumberID: z.number().int(),
  TextNumber: z.string().describe('Your number, digits with the country code.'),
  PhoneNumber: z.string().describe('The other phone.'),
  IsInbound: z.boolean(),
  Message: z.string(),
  HasPictures: z.boolean(),
  Status: z.string().describe('received, sent, delivered, read, or what it failed of.'),
  StatusLabel: z.string().describe('The same for people.'),
  BroadcastID: z.number().int().nullable().describe('The broadcast that it belongs to or answers.'),
  CreateTimestamp: at,
  StatusTimestamp: at.nullable(),
});

const call = z.object({
  CallID: z.number().int(),
  PhoneNumber: z.string(),
  CallerID: z.string(),
  BroadcastID: z.number().int().nullable(),
  Result: z
    .string()
    .describe(
      'live_answer, voicemail, no_answer, busy, call_failed and others. Also do_not_call, invalid or expired without a call. People whom a canceled broadcast never called are not reported.',
    ),
  Attempts: z.number().int(),
  SurveyKey: z.string().nullable().describe('The key that was pressed in a survey.'),
  OptedOut: z.boolean(),
  EndTimestamp: at.nullable(),
});

const consent = z.object({
  PhoneNumber: z.string(),
  PersonIDs: z.array(z.number().int()).describe('The contacts who have this phone.'),
  Channel: z.enum(['text', 'voice', 'both']),
  Source: z.string().describe('inbound (they wrote STOP or JOIN), user, carrier, web or call.'),
  Timestamp: at,
});

const contact = z.object({
  PersonID: z.number().int(),
  FirstName: z.string(),
  LastName: z.string(),
  PrimaryPhone: z.string(),
  SecondaryPhone: z.string(),
  TertiaryPhone: z.string(),
  CustomData: z.record(z.string(), z.string()).describe('By the field’s name.'),
  ListIDs: z.array(z.number().int()).describe('The groups they are in.'),
  IsDeleted: z.boolean(),
  UpdateTimestamp: at,
});

const several = z.object({
  What: z.string().describe('What was done, in words.'),
  Count: z.number().int().describe('How many; fetch the list to see them.'),
  ListID: z.number().int().nullable().describe('The group, where it was about one.'),
});

const group = z.object({ ListID: z.number().int(), ListName: z.string() });

const file = z.object({
  FileID: z.number().int(),
  FileName: z.string(),
  Count: z.number().int().describe('How many rows.'),
});

const conversation = z.object({
  ConversationID: z.number().int(),
  TextNumberID: z.number().int(),
  PhoneNumber: z.string(),
  IsDone: z.boolean(),
  AssignedUserID: z.number().int().nullable(),
  SnoozedUntil: at.nullable(),
});

const broadcast = z.object({
  BroadcastID: z.number().int(),
  BroadcastName: z.string(),
  BroadcastType: z.string(),
  Status: z.string(),
  StartDate: at.nullable(),
  EndDate: at.nullable(),
  Recipients: z.number().int(),
  LeftOut: z.number().int(),
  DeliveredTexts: z.number().int(),
  FailedTextTotal: z.number().int(),
  TextOptedOut: z.number().int(),
  UserID: z.number().int().describe('Who created it.'),
});

const link = z.object({
  BroadcastID: z.number().int(),
  BroadcastName: z.string(),
  Url: z.string().describe('Where the link leads.'),
  RecipientID: z.number().int(),
  PersonID: z.number().int().nullable().describe('The contact; null for a number that is in no contact.'),
  PhoneNumber: z.string().describe('Whose text it was in. A text can be passed on.'),
  OpenTimestamp: at,
});

const invoice = z.object({
  InvoiceID: z.number().int(),
  Description: z.string(),
  TotalAmount: z.number().describe('In dollars.'),
  AmountPaid: z.number(),
  IsPaid: z.boolean(),
  PoNumber: z.string(),
});

/** A `thing` with counts: subscribers that were written for the shorter one still find their fields. */
const sync = z.object({
  ID: z.number().int().describe('The IntegrationID.'),
  What: z.string().describe('What happened, in words.'),
  UserID: z.number().int().nullable().describe('Who asked for it; null when it ran by itself.'),
  SyncID: z.number().int().nullable().describe('Null for a sync before Muster kept it.'),
  AddedCount: z.number().int().describe('People who are in these groups for the first time.'),
  ChangedCount: z.number().int().describe('Contacts whose names, phones or groups changed.'),
  LeftCount: z
    .number()
    .int()
    .describe('Contacts who left the groups. While a sync is held: how many would leave.'),
  SkippedCount: z.number().int().describe('People without a phone that can be used.'),
});

const thing = z.object({
  ID: z.number().int().nullable(),
  What: z.string().describe('What happened, in words.'),
  UserID: z.number().int().nullable().describe('Who did it; null for Muster itself.'),
});

export const webhookShapes = {
  text,
  call,
  consent,
  contact,
  several,
  group,
  file,
  conversation,
  broadcast,
  link,
  invoice,
  sync,
  thing,
} as const;
export type WebhookShape = keyof typeof webhookShapes;
export type WebhookData<Shape extends WebhookShape> = z.output<(typeof webhookShapes)[Shape]>;

interface WebhookEvent {
  about: string;
  area: 'Texts' | 'Calls' | 'Contacts' | 'Conversations' | 'Broadcasts' | 'Billing' | 'Settings';
  shape: WebhookShape;
  kinds: readonly EventKind[];
}

const ofTexts = { area: 'Texts', shape: 'text' } as const;
const ofContacts = { area: 'Contacts' } as const;
const ofBroadcasts = { area: 'Broadcasts', shape: 'broadcast' } as const;
const ofDrips = { area: 'Broadcasts', shape: 'thing' } as const;

export const webhookEvents = {
  'message.received': { ...ofTexts, about: 'Somebody texted you', kinds: ['text.received'] },
  'message.sent': { ...ofTexts, about: 'A text was handed to the carrier', kinds: ['text.handed'] },
  'message.delivered': { ...ofTexts, about: 'A text was delivered', kinds: ['text.delivered'] },
  'message.failed': { ...ofTexts, about: 'A text could not be delivered', kinds: ['text.failed'] },
  'call.ended': { area: 'Calls', shape: 'call', about: 'A call is over', kinds: ['call.ended'] },
  'contact.opted_out': {
    ...ofContacts,
    shape: 'consent',
    about: 'A phone opted out',
    kinds: ['consent.recorded'],
  },
  'contact.opted_in': {
    ...ofContacts,
    shape: 'consent',
    about: 'A phone opted in',
    kinds: ['consent.recorded'],
  },
  'contact.created': {
    ...ofContacts,
    shape: 'contact',
    about: 'A contact was added',
    kinds: ['contact.created', 'contacts.added'],
  },
  'contact.updated': {
    ...ofContacts,
    shape: 'contact',
    about: 'A contact changed',
    kinds: ['contact.updated', 'contact.merged', 'contacts.updated'],
  },
  'contact.deleted': {
    ...ofContacts,
    shape: 'contact',
    about: 'A contact was deleted',
    kinds: ['contact.deleted'],
  },
  'contacts.changed': {
    ...ofContacts,
    shape: 'several',
    about: 'Several contacts changed at once',
    kinds: ['contacts.changed', 'contacts.joined', 'contacts.left', 'contacts.restored'],
  },
  'group.created': { ...ofContacts, shape: 'group', about: 'A group was added', kinds: ['group.created'] },
  'group.updated': { ...ofContacts, shape: 'group', about: 'A group changed', kinds: ['group.updated'] },
  'group.deleted': { ...ofContacts, shape: 'group', about: 'A group was deleted', kinds: ['group.deleted'] },
  'import.finished': { ...ofContacts, shape: 'file', about: 'An import finished', kinds: ['file.imported'] },
  'import.undone': { ...ofContacts, shape: 'file', about: 'An import was undone', kinds: ['file.undone'] },
  'conversation.updated': {
    area: 'Conversations',
    shape: 'conversation',
    about: 'A conversation was started, done, snoozed or assigned',
    kinds: ['conversation.created', 'conversation.updated'],
  },
  'conversations.changed': {
    area: 'Conversations',
    shape: 'several',
    about: 'Several conversations changed at once',
    kinds: ['conversations.changed'],
  },
  'broadcast.sent': {
    ...ofBroadcasts,
    about: 'A broadcast was sent or scheduled',
    kinds: ['broadcast.sent'],
  },
  'broadcast.started': {
    ...ofBroadcasts,
    about: 'A scheduled broadcast began to go out',
    kinds: ['broadcast.started'],
  },
  'emergency.started': {
    ...ofBroadcasts,
    about: 'An emergency was started',
    kinds: ['broadcast.emergencyStarted'],
  },
  'broadcast.paused': { ...ofBroadcasts, about: 'A broadcast was paused', kinds: ['broadcast.paused'] },
  'broadcast.resumed': { ...ofBroadcasts, about: 'A broadcast goes on', kinds: ['broadcast.resumed'] },
  'broadcast.canceled': { ...ofBroadcasts, about: 'A broadcast was canceled', kinds: ['broadcast.canceled'] },
  'broadcast.completed': {
    ...ofBroadcasts,
    about: 'A broadcast is finished',
    kinds: ['broadcast.completed'],
  },
  'link.opened': {
    ...{ area: 'Broadcasts', shape: 'link' },
    about: 'Somebody opened a short link for the first time',
    kinds: ['link.opened'],
  },
  'repeating_broadcast.failed': {
    ...ofDrips,
    about: 'A repeating broadcast could not be sent',
    kinds: ['repeating.failed'],
  },
  'drip_campaign.started': { ...ofDrips, about: 'A drip campaign was started', kinds: ['sequence.started'] },
  'drip_campaign.resumed': { ...ofDrips, about: 'A drip campaign goes on', kinds: ['sequence.resumed'] },
  'drip_campaign.paused': { ...ofDrips, about: 'A drip campaign was paused', kinds: ['sequence.paused'] },
  'drip_campaign.canceled': {
    ...ofDrips,
    about: 'A drip campaign was canceled',
    kinds: ['sequence.canceled'],
  },
  'drip_campaign.failed': {
    ...ofDrips,
    about: 'A step of a drip campaign could not be sent',
    kinds: ['sequence.failed'],
  },
  'scheduled_text.created': {
    ...ofDrips,
    area: 'Texts',
    about: 'A text was scheduled',
    kinds: ['scheduled.created'],
  },
  'scheduled_text.canceled': {
    ...ofDrips,
    area: 'Texts',
    about: 'A scheduled text was canceled',
    kinds: ['scheduled.canceled'],
  },
  'scheduled_text.sent': {
    ...ofDrips,
    area: 'Texts',
    about: 'A scheduled text was sent',
    kinds: ['scheduled.sent'],
  },
  'scheduled_text.failed': {
    ...ofDrips,
    area: 'Texts',
    about: 'A scheduled text could not be sent',
    kinds: ['scheduled.failed'],
  },
  'invoice.created': {
    area: 'Billing',
    shape: 'invoice',
    about: 'An invoice was made',
    kinds: ['invoice.created'],
  },
  'invoice.paid': {
    area: 'Billing',
    shape: 'invoice',
    about: 'A payment for an invoice came',
    kinds: ['invoice.paid'],
  },
  'payment.succeeded': {
    area: 'Billing',
    shape: 'thing',
    about: 'A card payment went through',
    kinds: ['charge.paid'],
  },
  'payment.failed': {
    area: 'Billing',
    shape: 'thing',
    about: 'A card payment failed',
    kinds: ['charge.failed'],
  },
  'payment.refunded': {
    area: 'Billing',
    shape: 'thing',
    about: 'A payment was refunded',
    kinds: ['charge.refunded'],
  },
  'subscription.renewed': {
    area: 'Billing',
    shape: 'thing',
    about: 'A subscription was renewed',
    kinds: ['subscription.renewed'],
  },
  'subscription.ended': {
    area: 'Billing',
    shape: 'thing',
    about: 'A subscription ended',
    kinds: ['subscription.ended'],
  },
  'integration.synced': {
    ...ofContacts,
    shape: 'sync',
    about: 'Synced contacts with an integration',
    kinds: ['integration.synced'],
  },
  'integration.held': {
    ...ofContacts,
    shape: 'sync',
    about: 'A sync waits for an answer because so many would leave',
    kinds: ['integration.syncHeld'],
  },
  'integration.undone': {
    ...ofContacts,
    shape: 'sync',
    about: 'A sync was undone',
    kinds: ['integration.restored'],
  },
  'text_number.added': {
    area: 'Settings',
    shape: 'thing',
    about: 'You got a text number',
    kinds: ['textNumber.added'],
  },
  'text_number.released': {
    area: 'Settings',
    shape: 'thing',
    about: 'A text number was given up',
    kinds: ['textNumber.released'],
  },
  'registration.changed': {
    area: 'Settings',
    shape: 'thing',
    about: 'The registry answered a registration',
    kinds: ['registration.changed'],
  },
  'user.created': { area: 'Settings', shape: 'thing', about: 'A user was added', kinds: ['user.created'] },
  'user.updated': {
    area: 'Settings',
    shape: 'thing',
    about: 'A user changed',
    kinds: ['user.updated', 'users.changed'],
  },
} as const satisfies Record<string, WebhookEvent>;

export type WebhookType = keyof typeof webhookEvents;
export const webhookTypes = Object.keys(webhookEvents) as [WebhookType, ...WebhookType[]];

/** The recorded events that any type comes from. */
export const webhookKinds: readonly EventKind[] = [
  ...new Set(Object.values(webhookEvents).flatMap(({ kinds }) => [...kinds] as EventKind[])),
];

/** The types that a recorded event may become. */
export function typesOfKind(kind: EventKind): WebhookType[] {
  return webhookTypes.filter((type) => (webhookEvents[type].kinds as readonly string[]).includes(kind));
}

const moment = '2026-03-10T14:46:08.000Z';
const samples: { [Shape in WebhookShape]: WebhookData<Shape> } = {
  text: {
    TextMessageID: 88_120,
    ConversationID: 412,
    TextNumberID: 7,
    TextNumber: '14235550100',
    PhoneNumber: '14235550143',
    IsInbound: true,
    Message: 'Is the bus running today?',
    HasPictures: false,
    Status: 'received',
    StatusLabel: 'Received',
    BroadcastID: null,
    CreateTimestamp: moment,
    StatusTimestamp: null,
  },
  call: {
    CallID: 5_310,
    PhoneNumber: '14235550143',
    CallerID: '14235550100',
    BroadcastID: 20_817,
    Result: 'live_answer',
    Attempts: 1,
    SurveyKey: null,
    OptedOut: false,
    EndTimestamp: moment,
  },
  consent: {
    PhoneNumber: '14235550143',
    PersonIDs: [1_024],
    Channel: 'text',
    Source: 'inbound',
    Timestamp: moment,
  },
  contact: {
    PersonID: 1_024,
    FirstName: 'Rosa',
    LastName: 'Delgado',
    PrimaryPhone: '14235550143',
    SecondaryPhone: '',
    TertiaryPhone: '',
    CustomData: { Grade: '4' },
    ListIDs: [12],
    IsDeleted: false,
    UpdateTimestamp: moment,
  },
  several: { What: 'Added contacts to a group', Count: 31, ListID: 12 },
  group: { ListID: 12, ListName: 'Fourth grade families' },
  file: { FileID: 88, FileName: 'families.xlsx', Count: 1_204 },
  conversation: {
    ConversationID: 412,
    TextNumberID: 7,
    PhoneNumber: '14235550143',
    IsDone: true,
    AssignedUserID: 3,
    SnoozedUntil: null,
  },
  broadcast: {
    BroadcastID: 20_817,
    BroadcastName: 'Early dismissal today',
    BroadcastType: 'GroupSMS',
    Status: 'completed',
    StartDate: moment,
    EndDate: moment,
    Recipients: 3_847,
    LeftOut: 12,
    DeliveredTexts: 3_799,
    FailedTextTotal: 41,
    TextOptedOut: 7,
    UserID: 3,
  },
  link: {
    BroadcastID: 20_817,
    BroadcastName: 'Field trip forms',
    Url: 'https://school.example.org/forms/field-trip',
    RecipientID: 51_902,
    PersonID: 1_024,
    PhoneNumber: '14235550143',
    OpenTimestamp: moment,
  },
  invoice: {
    InvoiceID: 310,
    Description: '5,000 credits',
    TotalAmount: 250,
    AmountPaid: 250,
    IsPaid: true,
    PoNumber: 'PO-1187',
  },
  sync: {
    ID: 4,
    What: 'Synced contacts with an integration',
    UserID: null,
    SyncID: 1_240,
    AddedCount: 31,
    ChangedCount: 12,
    LeftCount: 5,
    SkippedCount: 2,
  },
  thing: { ID: 17, What: 'A step of a drip campaign could not be sent', UserID: null },
};

/** Differences from the shape's usual sample. */
const sampleOf: { [Type in WebhookType]?: object } = {
  'integration.held': { AddedCount: 0, ChangedCount: 0, LeftCount: 140, SkippedCount: 0 },
  'message.sent': {
    IsInbound: false,
    Message: 'School closes at noon today.',
    Status: 'sent',
    StatusLabel: 'Sent To Carrier',
    StatusTimestamp: moment,
  },
  'message.delivered': {
    IsInbound: false,
    Message: 'School closes at noon today.',
    Status: 'delivered',
    StatusLabel: 'Delivered',
    StatusTimestamp: moment,
  },
  'message.failed': {
    IsInbound: false,
    Message: 'School closes at noon today.',
    Status: 'phone_unreachable',
    StatusLabel: 'Phone Unreachable',
    StatusTimestamp: moment,
  },
  'contact.deleted': { IsDeleted: true },
  'conversations.changed': { What: 'Changed several conversations', Count: 24, ListID: null },
  'broadcast.sent': {
    Status: 'scheduled',
    EndDate: null,
    DeliveredTexts: 0,
    FailedTextTotal: 0,
    TextOptedOut: 0,
  },
  'broadcast.started': { Status: 'broadcasting', EndDate: null, DeliveredTexts: 0, FailedTextTotal: 0 },
  'emergency.started': {
    BroadcastName: 'Emergency: Lockdown',
    Status: 'broadcasting',
    EndDate: null,
    DeliveredTexts: 0,
    FailedTextTotal: 0,
    TextOptedOut: 0,
  },
  'broadcast.paused': { Status: 'paused', EndDate: null },
  'broadcast.resumed': { Status: 'broadcasting', EndDate: null },
  'broadcast.canceled': { Status: 'canceled' },
  'invoice.created': { AmountPaid: 0, IsPaid: false },
};

/** A sample of the event: for the page, a test, and programs that subscribe before anything has happened. */
export function webhookSample(type: WebhookType): Record<string, unknown> {
  const { shape, about } = webhookEvents[type];
  const usual: Record<string, unknown> = { ...samples[shape] };
  return { ...usual, ...(shape === 'thing' || shape === 'sync' ? { What: about } : {}), ...sampleOf[type] };
}

/** The body of a webhook. */
export function webhookBody(type: WebhookType, timestamp: Date, data: object): string {
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data });
}
