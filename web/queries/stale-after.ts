import type { Event } from '../../contract/events.ts';

/**
 * The queries that an event makes stale, by path only. Every page hears events, and the schemas of all these calls
 * would make each page larger. The test checks the paths against the contract.
 */
export interface Stale {
  path: string;
  params?: Record<string, unknown>;
}

/** The texts of a conversation, which shouldn't wait for the lists around it. */
export const threadPath = '/conversations/:ConversationID/textmessages';
const conversation = '/conversations/:ConversationID';
const notes = '/conversations/:ConversationID/notes';
const histories = ['/contacts/:PersonID/history', '/phonenumbers/:Number/history'];
const conversationLists = ['/conversations', '/conversations/summary', '/conversations/donetoday', '/home'];
const textNumbers = ['/textnumbers', '/textnumbers/:TextNumberID'];

const ofContacts = [
  '/lists/:ListID/contacts',
  '/lists',
  '/lists/:ListID',
  '/contacts/:PersonID',
  ...histories,
  '/contacts/duplicates',
  '/contacts/fields',
  // Conversations show contacts' names.
  '/conversations',
  conversation,
  '/optouts',
  '/reports/opt-outs',
  '/phonenumbers/:Number/consents',
  '/phonenumbers/:Number',
  '/home',
];

const ofOneBroadcast = [
  '/broadcasts/:BroadcastID',
  '/broadcasts/:BroadcastID/details',
  '/broadcasts/:BroadcastID/details/:RecipientID',
  '/broadcasts/:BroadcastID/progress',
  '/broadcasts/:BroadcastID/textreplies',
];
const listsOfBroadcasts = ['/broadcasts', '/broadcasts/summary', '/home', '/emergency'];
const ofAllBroadcasts = [
  ...ofOneBroadcast,
  ...listsOfBroadcasts,
  '/draft-broadcasts',
  '/repeatingbroadcasts',
  '/repeatingbroadcasts/accountfailures',
  '/labels',
];

const ofBilling = [
  '/account',
  '/user',
  '/creditcard',
  '/invoices',
  '/invoices/:InvoiceID',
  '/billinghistory',
  '/creditbalance',
  '/account/usage-summary',
  '/reports/credit-balance',
  '/reports/billing-history',
  '/reports/invoices',
  '/account/autorefillsetting',
  '/account/autorefillsetting/status',
  '/account/:AccountID/invoiceaddresses',
  '/home',
];

const ofOneDraft = [
  '/draft-broadcasts/:DraftBroadcastID',
  '/draft-broadcasts/:DraftBroadcastID/contacts',
  '/draft-broadcasts/:DraftBroadcastID/contactsummary',
  '/draft-broadcasts/:DraftBroadcastID/preflight',
];
const ofOneMerge = ['/template-merges/:TemplateMergeID', '/template-merges/:TemplateMergeID/messages'];

const all = (paths: readonly string[]): Stale[] => paths.map((path) => ({ path }));
const of = (paths: readonly string[], params: Record<string, unknown>): Stale[] =>
  paths.map((path) => ({ path, params }));

const ofRegistration = [
  '/aws/texting/registration/requests',
  '/aws/texting/registration/requests/current',
  '/account/toll-free-registration',
  '/account/localnumbers/orders',
  '/aws/capabilities',
  '/texting/registration/getBrandWithReturningUserStatus',
];

export function staleAfter(happened: Event): Stale[] {
  switch (happened.type) {
    case 'conversation.changed':
      return [
        ...of([threadPath, conversation], { ConversationID: happened.ConversationID }),
        ...all([...histories, ...conversationLists]),
      ];
    case 'conversation.read':
      return [...of([conversation], { ConversationID: happened.ConversationID }), ...all(conversationLists)];
    case 'conversations.changed':
      return all([threadPath, notes, conversation, ...histories, ...conversationLists]);
    case 'message.changed':
      return [
        ...of([threadPath, conversation], { ConversationID: happened.ConversationID }),
        ...all([...histories, '/conversations', '/home']),
      ];
    case 'notes.changed':
      return of([notes], { ConversationID: happened.ConversationID });
    case 'tags.changed':
      return all(['/conversations/tags', conversation, '/conversations']);
    case 'scheduled.changed':
      return all(['/scheduledConversations', '/scheduledConversations/:ScheduledConversationID']);
    case 'replies.changed':
      return all(['/autoreplies', '/textnumbers/:TextNumberID/autoreplies', '/keywords']);
    case 'templates.changed':
      return all(['/templates', '/templates/summary']);
    case 'sequences.changed':
      return all([
        '/sequences',
        '/sequences/:SequenceID',
        '/sequences/:SequenceID/recipients',
        '/sequences/:SequenceID/course',
      ]);
    case 'webhooks.changed':
      return all([
        '/webhooks',
        '/webhooks/:WebhookID/deliveries',
        '/webhooks/:WebhookID/deliveries/:DeliveryID',
      ]);
    case 'integrations.changed':
      return all([
        '/integrations',
        '/integrations/:IntegrationID/groups',
        '/integrations/:IntegrationID/syncs',
        '/integrations/:IntegrationID/syncs/:SyncID/changes',
      ]);
    case 'audio.changed':
      return all(['/audio', '/audio/:AudioID', '/audio/summary']);
    case 'settings.changed':
      // A text number includes the user's notification settings for it.
      return all([
        ...['/account', '/user', '/notifications', ...textNumbers],
        ...['/emergency', '/emergency/settings', '/account/sso'],
        ...['/user/onboardingprogress', '/aws/capabilities/account/platformfreetrial'],
        ...[
          '/callerids',
          '/transfernumbers',
          '/phonelaunch',
          '/recordings/:RecordingID',
          '/broadcasts/:BroadcastID/recordings',
        ],
      ]);
    case 'users.changed':
      return all(['/account/users', '/account/users/summary', '/account/users/:UserID', '/account']);
    case 'apikeys.changed':
      return all(['/apikeys']);
    // conversation.changed covers the data; this event is for ringing.
    case 'message.received':
      return [];
    case 'textnumbers.changed':
      return all([...textNumbers, '/account', ...conversationLists]);
    case 'registration.changed':
      return all([...ofRegistration, ...textNumbers]);
    case 'contacts.changed':
      return all(ofContacts);
    case 'work.changed':
      return [...of(['/work/:WorkID'], { WorkID: happened.WorkID }), ...all(['/work'])];
    case 'file.changed':
      return [
        ...of(['/fileuploads/:FileID', '/fileuploads/:FileID/rows'], { FileID: happened.FileID }),
        ...all(['/fileuploads']),
      ];
    case 'broadcast.changed':
      // A drip campaign shows how each of its steps did.
      return [
        ...of(ofOneBroadcast, { BroadcastID: happened.BroadcastID }),
        ...all([...listsOfBroadcasts, '/sequences/:SequenceID']),
      ];
    case 'broadcasts.changed':
      return all(ofAllBroadcasts);
    case 'draft.changed':
      return [
        ...of(ofOneDraft, { DraftBroadcastID: happened.DraftBroadcastID }),
        // A merge has the ID of its draft.
        ...of(ofOneMerge, { TemplateMergeID: happened.DraftBroadcastID }),
        ...all(['/draft-broadcasts']),
      ];
    case 'billing.changed':
      return ofBilling.map((path) => ({ path }));
    case 'credits.changed':
      return all(['/account', '/home']);
  }
}
