import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { draftAddition } from './draft-recipients.ts';
import { nextList, sizedList } from './list.ts';
import { pageSizes } from './reference/paging.ts';
import { selectionOf } from './selection.ts';

/**
 * Other systems in which an organization keeps its people. An integration exists once, in a catalog, so its
 * IntegrationID is the same for everybody. Each organization connects those that it uses.
 */
export const integrationLimits = {
  /**
   * Most people that can be added to a broadcast straight from an integration. A larger group is kept in contacts
   * first.
   */
  toDraft: 20_000,
  /** An integration with more people than this is not read. */
  people: 500_000,
  groupsKept: 100,
} as const;

/** A group or a person of another system, by an ID that Muster assigns. */
const foreignId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w-]+$/, 'This is not a valid ID');

const loginField = z.object({
  Name: z.string(),
  Label: z.string(),
  /** Ours: it is never shown again. */
  IsSecret: z.boolean(),
  /** Ours: its appearance. */
  Example: z.string(),
  /** Ours: values that are already filled in. */
  Value: z.string(),
});

const syncStates = ['idle', 'waiting', 'running', 'undoing', 'held', 'failed', 'paused'] as const;

const integration = z.object({
  IntegrationID: z.number().int(),
  Connected: z.boolean(),
  Type: z.enum(['Contact', 'SSO']),
  Description: z.string(),
  Features: z.object({
    HasGroupTypes: z.boolean(),
    ContactFeatures: z.object({ Searchable: z.boolean() }),
  }),
  LoginInstructions: z.object({
    Name: z.string(),
    Data: z.object({
      Model: z.array(loginField),
      /** Address that the login model's fields are posted to. */
      PostBackUrl: z.string(),
      /** After that post: where the user signs in. Empty where nothing is left to do. */
      RedirectUrl: z.string(),
      ShowInNewWindow: z.boolean(),
    }),
  }),
  /** Ours: whose account it is there. */
  AccountName: z.string(),
  /** Ours: when it was connected, or connected again. */
  ConnectTimestamp: moment.nullable(),
  /** Ours: how it is synced; null where nothing is. */
  Sync: z
    .object({
      State: z.enum(syncStates),
      ErrorMessage: z.string(),
      GroupCount: z.number().int(),
      PersonCount: z.number().int(),
      LastTimestamp: moment.nullable(),
      NextTimestamp: moment.nullable(),
      /** Of a sync that waits for an answer: how many would leave, and how many there are. */
      HeldCount: z.number().int().nullable(),
      HeldOf: z.number().int().nullable(),
      /** The groups in contacts that they would leave; none if they would leave all of them. */
      HeldGroups: z.array(z.string()),
    })
    .nullable(),
});
export type Integration = z.output<typeof integration>;

const params = z.object({ IntegrationID: id.max(32_767, 'This is not a valid ID') });

export const listIntegrations = call({
  method: 'GET',
  path: '/integrations',
  summary: 'Lists the integrations that this installation offers, and which of them are connected.',
  allow: 'manageOwnContacts',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(pageSizes.integrations).default(pageSizes.integrations),
    connected: flag.optional(),
    type: z.enum(['Contact', 'SSO']).optional(),
  }),
  reply: sizedList(integration),
});

export const loginIntegration = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/login',
  summary:
    'Connects an integration: takes the fields of its login model. If it answers with a RedirectUrl, the user signs in there.',
  allow: 'manageIntegrations',
  event: 'integration.connected',
  params,
  body: z.record(z.string().max(100), z.string().max(2000)),
  reply: integration,
  errors: ['notFound', 'refused', 'conflict'],
});

export const finishIntegrationLogin = call({
  method: 'POST',
  path: '/integrations/login/finish',
  summary: 'Ends a sign-in at another company with what its page sent back.',
  allow: 'manageIntegrations',
  event: 'integration.connected',
  body: z.object({ Query: z.string().min(1).max(8_000) }),
  reply: integration,
  errors: ['refused', 'conflict'],
});

export const disconnectIntegration = call({
  method: 'DELETE',
  path: '/integrations/:IntegrationID',
  summary: 'Disconnects an integration. Contacts and groups that came from it stay.',
  allow: 'manageIntegrations',
  event: 'integration.disconnected',
  params,
  reply: z.object({}),
  errors: ['notFound', 'refused', 'conflict'],
});

const groupType = z.object({ GroupTypeID: z.string(), GroupTypeName: z.string() });

export const listIntegrationGroupTypes = call({
  method: 'GET',
  path: '/integrations/:IntegrationID/grouptypes',
  summary: 'Lists the kinds of groups that an integration has.',
  allow: 'seeAllContacts',
  params,
  reply: sizedList(groupType),
  errors: ['notFound', 'refused'],
});

const integrationGroup = z.object({
  GroupID: z.string(),
  GroupName: z.string(),
  GroupTypeID: z.string(),
  /** Null where the other system doesn't say. */
  ContactCount: z.number().int().nullable(),
  /** Ours: it is synced with this group of contacts. */
  ListID: z.number().int().nullable(),
  ListName: z.string(),
});
export type IntegrationGroup = z.output<typeof integrationGroup>;

export const listIntegrationGroups = call({
  method: 'GET',
  path: '/integrations/:IntegrationID/groups',
  summary: 'Lists the groups of an integration as it has them now.',
  allow: 'seeAllContacts',
  params,
  query: z.object({
    grouptype: z.string().max(100).optional(),
    page: z.coerce.number().int().min(1).max(1_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(pageSizes.groups).default(pageSizes.groups),
  }),
  reply: sizedList(integrationGroup),
  errors: ['notFound', 'refused'],
});

const integrationContact = z.object({
  ContactID: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  /** As the other system writes it. */
  PrimaryPhone: z.string(),
  /** Reason why the phone can't be used; empty when it can. */
  PrimaryPhoneError: z.string(),
});
export type IntegrationContact = z.output<typeof integrationContact>;

export const listIntegrationContacts = call({
  method: 'GET',
  path: '/integrations/:IntegrationID/groups/:Group/contacts',
  summary: 'Lists the people in a group of an integration as it has them now.',
  allow: 'seeAllContacts',
  params: params.extend({ Group: foreignId }),
  query: z.object({
    q: z.string().trim().max(200).default(''),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(100).default(pageSizes.integrationContacts),
  }),
  reply: sizedList(integrationContact),
  errors: ['notFound', 'refused'],
});

export const integrationGroupsToDraft = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/groups/todraftbroadcast/:DraftBroadcastID',
  summary: 'Adds everyone in these groups of an integration to a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params: params.extend({ DraftBroadcastID: id }),
  body: z.object({ Selection: selectionOf(z.object({ GroupID: foreignId })) }),
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const integrationContactsToDraft = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/groups/:Group/contacts/todraftbroadcast/:DraftBroadcastID',
  summary: 'Adds people in a group of an integration to a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  takesIdempotencyKey: true,
  params: params.extend({ Group: foreignId, DraftBroadcastID: id }),
  query: z.object({ q: z.string().trim().max(200).default('') }),
  body: z.object({ Selection: selectionOf(z.object({ ContactID: foreignId })) }),
  reply: draftAddition,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const keepIntegrationGroups = call({
  method: 'PUT',
  path: '/integrations/:IntegrationID/groups',
  summary:
    'Says which groups of an integration are kept in contacts, and brings them there. The others stay in contacts as they are.',
  allow: 'manageIntegrations',
  event: 'integration.groupsChosen',
  params,
  body: z.object({
    Groups: z.array(z.object({ GroupID: foreignId })).max(integrationLimits.groupsKept),
  }),
  reply: integration,
  errors: ['notFound', 'refused', 'conflict'],
});

export const syncIntegration = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/sync',
  summary: 'Brings contacts in step with an integration now. While that is under way, it changes nothing.',
  allow: 'manageIntegrations',
  event: 'integration.syncAsked',
  params,
  reply: integration,
  errors: ['notFound', 'refused'],
});

export const decideIntegrationSync = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/sync/decision',
  summary:
    'Answers a sync that was held because so many would leave: go ahead, or leave contacts as they are.',
  allow: 'manageIntegrations',
  event: 'integration.syncDecided',
  params,
  body: z.object({ GoAhead: z.boolean() }),
  reply: integration,
  errors: ['notFound', 'conflict'],
});

const sync = z.object({
  SyncID: z.number().int(),
  State: z.enum(['running', 'done', 'held', 'declined', 'failed', 'undoing', 'undone']),
  StartTimestamp: moment,
  EndTimestamp: moment.nullable(),
  /** User who asked for it; empty when it came by itself. */
  UserName: z.string(),
  AddedCount: z.number().int(),
  ChangedCount: z.number().int(),
  LeftCount: z.number().int(),
  /** People without a phone that can be used. */
  SkippedCount: z.number().int(),
  ErrorMessage: z.string(),
  CanUndo: z.boolean(),
});
export type IntegrationSync = z.output<typeof sync>;

export const listIntegrationSyncs = call({
  method: 'GET',
  path: '/integrations/:IntegrationID/syncs',
  summary: 'Lists the last syncs of an integration, newest first.',
  allow: 'manageIntegrations',
  params,
  reply: sizedList(sync),
  errors: ['notFound'],
});

const syncChangeKinds = ['added', 'changed', 'left'] as const;

const syncChange = z.object({
  PersonID: z.number().int(),
  Kind: z.enum(syncChangeKinds),
  FirstName: z.string(),
  LastName: z.string(),
  PrimaryPhone: z.string(),
  /** The value before, in words; empty where only groups changed. */
  Before: z.string(),
  Joined: z.array(z.string()),
  Left: z.array(z.string()),
});
export type SyncChange = z.output<typeof syncChange>;

export const listSyncChanges = call({
  method: 'GET',
  path: '/integrations/:IntegrationID/syncs/:SyncID/changes',
  summary: 'Lists whom a sync added, changed and took out of groups.',
  allow: 'manageIntegrations',
  params: params.extend({ SyncID: id }),
  query: z.object({
    kind: z.enum(syncChangeKinds).optional(),
    pagesize: z.coerce.number().int().min(1).max(100).default(50),
    next: z
      .string()
      .regex(/^\d{1,15}$/, 'next is not a place in this list')
      .optional(),
  }),
  reply: nextList(syncChange),
  errors: ['notFound'],
});

export const undoSync = call({
  method: 'POST',
  path: '/integrations/:IntegrationID/syncs/:SyncID/undo',
  summary:
    'Undoes the last sync. After that, nothing is kept in step by itself until somebody asks for a sync.',
  allow: 'manageIntegrations',
  event: 'integration.syncUndone',
  params: params.extend({ SyncID: id }),
  reply: integration,
  errors: ['notFound', 'conflict'],
});
