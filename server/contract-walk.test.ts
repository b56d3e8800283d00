/** Walks every call of the contract. Long because it holds an example of each: a call without one fails to compile. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { CallDefinition, CallInput } from '../contract/call.ts';
import { type calls, everyCall } from '../contract/calls.ts';
import { errorBody } from '../contract/error-body.ts';
import { type BuiltAccount, buildAccount, password } from './testing/builders.ts';
import { addressOf, type Given, withEachLeaf } from './testing/every-leaf.ts';
import { type Ids, oneOfEverything, tomorrow } from './testing/one-of-everything.ts';
import { type TestApp, testApp } from './testing/test-app.ts';

const numbers = { '14235550100': 'infobip' } as const;
let app: TestApp;
let mine: BuiltAccount;
let other: BuiltAccount;
/** Ids of the other account, by the name they have in paths. */
let foreign: Ids;

beforeAll(async () => {
  app = await testApp(numbers);
  mine = await walker(app, { numbers });
  other = await walker(app, { numbers: {} });
  foreign = await oneOfEverything(app, other.accountId);
});

function later(TextNumberID: number) {
  const Contacts = [{ PrimaryPhone: '4235550102' }];
  return { TextNumberID, Contacts, TextMessage: 'For later', StartDate: tomorrow() };
}

type CallName = (typeof calls)[keyof typeof calls] extends infer Domain
  ? Domain extends Record<string, unknown>
    ? keyof Domain
    : never
  : never;

const everyDay = { Interval: 1, IntervalFrequency: 'days' };

/** How each call is made so that it succeeds. A call without a line here doesn't compile. */
const examples: { [Name in CallName]: ((ids: Ids) => object) | 'elsewhere' } = {
  login: () => ({ body: { UserName: mine.owner.userName, Password: password } }),
  logout: () => ({}),
  getSetup: () => ({}),
  createOrganization: 'elsewhere', // auth/create-organization.test.ts: works only in an empty installation
  replaceExpiredPassword: 'elsewhere', // auth/sign-in.test.ts: needs an expired password
  forgotPassword: () => ({ body: { UserName: mine.owner.userName } }),
  resetPassword: 'elsewhere', // auth/passwords.test.ts: needs a link from a mail
  changePassword: () => ({
    body: { ExistingPinCode: password, PinCode: 'another-horse-8', ConfirmPinCode: 'another-horse-8' },
  }),
  resetSession: 'elsewhere', // auth/passwords.test.ts: needs the token of a changed password
  signUp: () => ({
    body: {
      CompanyName: 'Walkers',
      FirstName: 'Pat',
      LastName: 'Walker',
      Email: 'walker@example.org',
      Password: 'a-good-horse-7',
    },
  }),
  verifyEmail: 'elsewhere', // onboarding/sign-up.test.ts: needs a link from a mail
  resendVerification: 'elsewhere', // onboarding/sign-up.test.ts: needs an email that isn't verified
  getInstallation: () => ({}),
  getTerms: () => ({}),
  getOnboarding: () => ({}),
  getOnboardingStep: () => ({ params: { Step: 'TERMS' } }),
  updateOnboardingStep: () => ({ params: { Step: 'terms' }, body: { Completed: true } }),
  sendMfa: 'elsewhere', // onboarding/mfa.test.ts: needs a number to text codes from
  verifyMfa: 'elsewhere', // onboarding/mfa.test.ts: needs a code
  getPlatformFreeTrial: () => ({}),
  sendSampleText: 'elsewhere', // onboarding/mfa.test.ts: needs a verified phone
  sendSampleBroadcast: 'elsewhere', // onboarding/free-trial.test.ts: needs a verified phone
  uploadFile: 'elsewhere', // imports/upload-file.test.ts: takes a raw file
  listFiles: () => ({}),
  getFile: ({ FileID }) => ({ params: { FileID } }),
  processFile: ({ FileID }) => ({
    params: { FileID },
    body: { TabNumber: 1, HasHeader: false, Columns: { Phone1: 1 } },
  }),
  listFileRows: ({ FileID }) => ({ params: { FileID }, query: { kind: 'good' } }),
  mendFileRows: ({ FileID }) => ({
    params: { FileID },
    body: { Items: [{ RowNumber: 1, PrimaryPhone: '4235550107' }] },
  }),
  downloadRejectedRows: 'elsewhere', // imports/process-file.test.ts: answers with a file
  importFile: ({ ListID, FileID }) => ({
    params: { ListID },
    body: { FileID, UserIndicatedConsentDeclared: true },
  }),
  cancelFile: ({ FileID }) => ({ params: { FileID } }),
  undoFile: 'elsewhere', // imports/undo-file.test.ts: needs an import
  pasteContacts: ({ ListID }) => ({
    params: { ListID },
    body: { Items: [{ Name: 'Jane Doe', PrimaryPhone: '4235550108' }], UserIndicatedConsentDeclared: true },
  }),
  uploadImage: 'elsewhere', // media/create-image.test.ts: takes a raw file
  classifyMedia: ({ MediaID }) => ({ params: { MediaID }, body: { ExplicitStatus: 6 } }),
  getPricing: () => ({ params: { PricingId: 'payg' } }),
  getCardFields: () => ({}),
  getCreditCard: () => ({}),
  createCardSetup: () => ({ body: {} }),
  addCreditCard: 'elsewhere', // purchases/purchases.test.ts: needs a setup that the processor has confirmed
  updateCreditCard: () => ({
    body: {
      ...{ FirstName: 'Pat', LastName: 'Doe', BillingAddress1: '2 Mill Street' },
      ...{ BillingCity: 'Chattanooga', BillingState: 'TN', BillingZipCode: '37402' },
    },
  }),
  deleteCreditCard: () => ({}),
  previewCharge: () => ({ body: { ChargeType: 'CreditPurchase', NumberOfCredits: 500 } }),
  createCharge: 'elsewhere', // purchases/: needs a card that the processor knows
  getCharge: ({ ChargeID }) => ({ params: { ChargeID } }),
  getAutoRefill: () => ({}),
  addAutoRefill: () => ({ body: { IsEnabled: true, NumberOfRefillCredits: 500, TriggerAmount: 10 } }),
  updateAutoRefill: () => ({ body: { IsEnabled: false, NumberOfRefillCredits: 500, TriggerAmount: 10 } }),
  getAutoRefillStatus: () => ({}),
  dismissAutoRefillError: ({ AutoRefillRequestID }) => ({ params: { AutoRefillRequestID }, body: {} }),
  cancelAccount: () => ({ body: { Reason: 'Other', Comments: 'It is summer.' } }),
  updateFlatRate: 'elsewhere', // purchases/: needs a number that was paid for
  listBillingHistory: () => ({}),
  downloadBillingHistory: 'elsewhere', // reports/money-reports.test.ts: a file
  listCreditBalance: () => ({}),
  downloadCreditBalance: 'elsewhere', // reports/money-reports.test.ts: a file
  getUsageSummary: () => ({}),
  downloadUsageSummary: 'elsewhere', // reports/money-reports.test.ts: a file
  useGroupCode: () => ({ body: { Name: 'WELCOME' } }),
  validatePromoCode: () => ({ body: { Source: 'WELCOME' } }),
  listInvoices: () => ({ query: { category: 'outstanding', pagesize: 1 } }),
  previewInvoice: ({ AddressID }) => ({ body: { NumberOfCredits: 500, InvoiceAddressID: AddressID } }),
  createInvoice: ({ AddressID }) => ({ body: { NumberOfCredits: 500, InvoiceAddressID: AddressID } }),
  getInvoice: ({ InvoiceID }) => ({ params: { InvoiceID } }),
  downloadInvoice: 'elsewhere', // purchases/invoices.test.ts: answers with a file
  downloadInvoices: 'elsewhere', // reports/money-reports.test.ts: a file
  updateInvoice: ({ InvoiceID }) => ({ params: { InvoiceID }, body: { NewStatus: 'Voided' } }),
  payInvoice: 'elsewhere', // purchases/: needs a card that the processor knows
  listInvoiceAddresses: ({ AccountID }) => ({ params: { AccountID } }),
  addInvoiceAddress: ({ AccountID }) => ({
    params: { AccountID },
    body: { Address3: '1 Mill Street', City: 'Chattanooga', State: 'TN', PostalCode: '37402' },
  }),
  updateInvoiceAddress: ({ AccountID, AddressID }) => ({
    params: { AccountID },
    body: { AddressID, Address3: '2 Mill St', City: 'Chattanooga', State: 'TN', PostalCode: '37402' },
  }),
  deleteInvoiceAddress: ({ AccountID, AddressID }) => ({ params: { AccountID }, query: { AddressID } }),
  listAutoReplies: () => ({ query: { q: 'away' } }),
  addAutoReply: ({ TextNumberID }) => ({ body: { Message: 'We are out', TextNumberIDs: [TextNumberID] } }),
  updateAutoReply: ({ AutoReplyID }) => ({ params: { AutoReplyID }, body: { Active: false } }),
  deleteAutoReply: ({ AutoReplyID }) => ({ params: { AutoReplyID } }),
  listAutoRepliesOfNumber: ({ TextNumberID }) => ({ params: { TextNumberID } }),
  listKeywords: () => ({ query: { q: 'bus' } }),
  addKeyword: ({ TextNumberID, ListID }) => ({
    body: { Keyword: 'LUNCH', Message: 'Pizza', TextNumberIDs: [TextNumberID], ListID },
  }),
  updateKeyword: ({ KeywordID, TextNumberID }) => ({
    params: { KeywordID },
    body: { Keyword: 'COACH', Message: 'At nine', TextNumberIDs: [TextNumberID] },
  }),
  deleteKeyword: ({ KeywordID }) => ({ params: { KeywordID } }),
  updateAccount: () => ({ body: { IsAutoReplyOn: true, AutoReplyMessage: 'We are closed' } }),
  listSessions: () => ({}),
  revokeSession: ({ SessionID }) => ({ params: { SessionID } }),
  revokeOtherSessions: () => ({}),
  startSso: 'elsewhere', // sso/sso.test.ts: needs a directory, as do the next
  finishSso: 'elsewhere',
  updateSso: 'elsewhere',
  deleteSso: 'elsewhere',
  getLinkHost: () => ({}),
  updateLinkHost: () => ({ body: { LinkHost: '' } }),
  mailDomainProofs: 'elsewhere',
  proveDomain: 'elsewhere', // sso/prove-domain.test.ts: needs the link of a mail
  redeemLoginToken: 'elsewhere',
  getSso: () => ({}),
  createLoginToken: 'elsewhere', // needs the feature
  listAuditLog: () => ({ query: { q: 'sign', what: 'security', 'date-from': '2026-01-01' } }),
  downloadAuditLog: 'elsewhere', // audit/audit-log.test.ts: answers with a file
  listIntegrations: () => ({ query: { type: 'Contact' } }),
  // integrations/integrations.test.ts: an integration has the same ID for everybody, and these need one that is connected
  loginIntegration: 'elsewhere',
  finishIntegrationLogin: 'elsewhere',
  disconnectIntegration: 'elsewhere',
  listIntegrationGroupTypes: 'elsewhere',
  listIntegrationGroups: 'elsewhere',
  listIntegrationContacts: 'elsewhere',
  integrationGroupsToDraft: 'elsewhere',
  integrationContactsToDraft: 'elsewhere',
  keepIntegrationGroups: 'elsewhere',
  syncIntegration: 'elsewhere',
  decideIntegrationSync: 'elsewhere',
  listIntegrationSyncs: 'elsewhere',
  listSyncChanges: 'elsewhere',
  undoSync: 'elsewhere',
  listWebhooks: () => ({}),
  addWebhook: () => ({ body: { Url: 'https://example.org/muster', EventTypes: ['message.received'] } }),
  updateWebhook: ({ WebhookID }) => ({
    params: { WebhookID },
    body: { Url: 'https://example.org/muster', EventTypes: ['message.received'], IsEnabled: false },
  }),
  deleteWebhook: ({ WebhookID }) => ({ params: { WebhookID } }),
  showWebhookSecret: ({ WebhookID }) => ({ params: { WebhookID } }),
  rotateWebhookSecret: ({ WebhookID }) => ({ params: { WebhookID } }),
  testWebhook: ({ WebhookID }) => ({ params: { WebhookID }, body: { EventType: 'invoice.paid' } }),
  listWebhookDeliveries: ({ WebhookID }) => ({ params: { WebhookID }, query: { state: 'waiting' } }),
  getWebhookDelivery: ({ WebhookID, DeliveryID }) => ({ params: { WebhookID, DeliveryID } }),
  replayWebhookDelivery: ({ WebhookID, DeliveryID }) => ({ params: { WebhookID, DeliveryID } }),
  replayWebhook: ({ WebhookID }) => ({
    params: { WebhookID },
    body: { From: '2026-01-01T00:00:00Z', To: '2026-01-02T00:00:00Z', OnlyFailed: true },
  }),
  getSocketKey: () => ({}),
  finishSignIn: 'elsewhere', // auth/factors/second-factors.test.ts: needs a sign-in that waits for it, as do the next
  activateTotp: 'elsewhere',
  addPasskey: 'elsewhere',
  beginPasskey: 'elsewhere', // needs a host with a name
  removeTotp: 'elsewhere',
  removePasskey: 'elsewhere',
  createRecoveryCodes: 'elsewhere',
  listSecondFactors: () => ({}),
  beginTotp: () => ({}),
  askConfirmation: () => ({}),
  confirmIdentity: () => ({ body: { Password: password } }),
  getAccountSecurity: () => ({}),
  updateAccountSecurity: () => ({ body: { RequiresSecondFactor: false } }),
  resetSecondFactors: 'elsewhere', // signs the user out who makes the call
  getAccount: () => ({ query: { include: 'currentuser' } }),
  getUser: () => ({}),
  getHome: () => ({}),
  searchEverything: () => ({ query: { q: 'grade' } }),
  updateUser: () => ({ body: { NotificationPhone: '4235550143', BrowserNotificationsDoNotDisturb: true } }),
  setProfilePicture: 'elsewhere', // media/profile-picture.test.ts: takes a raw file
  deleteProfilePicture: () => ({}),
  validateUserName: () => ({ body: { Source: 'somebody.new' } }),
  validateEmail: () => ({ body: { Source: 'new@example.org' } }),
  listAccountUsers: () => ({ query: { page: 'all', enabled: 'true' } }),
  getUsersSummary: () => ({}),
  getAccountUser: ({ UserID }) => ({ params: { UserID } }),
  addAccountUser: ({ UserID, TextNumberID }) => ({
    body: {
      FirstName: 'Ada',
      LastName: 'Park',
      Email: `ada-${UserID}@example.org`,
      Phone: '4235550143',
      UserName: `ada.park.${UserID}`,
      CallerID: '4235550143',
      TextNumbers: [TextNumberID],
      Invite: true,
    },
  }),
  updateAccountUser: ({ UserID }) => ({ params: { UserID }, body: { FirstName: 'Ada', Retries: 2 } }),
  updateAccountUsers: ({ UserID }) => ({
    body: { Selection: { Type: 'Selected', Items: [UserID] }, Update: { IsActive: false } },
  }),
  listScheduledOfUsers: () => ({ body: { Selection: { Type: 'SelectedAll' } } }),
  resendInvitation: ({ InvitedUserID }) => ({ params: { UserID: InvitedUserID } }),
  withdrawInvitation: ({ InvitedUserID }) => ({ params: { UserID: InvitedUserID } }),
  getInvitation: 'elsewhere', // accounts/users/invitation.test.ts: needs the link of a mail
  acceptInvitation: 'elsewhere', // accounts/users/invitation.test.ts: needs the link of a mail
  listNotifications: () => ({ query: { BrowserNotifications: 'true' } }),
  addPushToken: () => ({
    body: {
      Provider: 'WebPush',
      Token: JSON.stringify({
        endpoint: 'https://push.example.org/one',
        keys: {
          p256dh: Buffer.alloc(65, 4).toString('base64url'),
          auth: Buffer.alloc(16).toString('base64url'),
        },
      }),
    },
  }),
  deletePushToken: ({ PushTokenID }) => ({ params: { PushTokenID } }),
  updateTextNumber: ({ TextNumberID }) => ({ params: { TextNumberID }, body: { Name: 'Front office' } }),
  updateTextNumbers: () => ({
    body: { Selection: { Type: 'SelectedAll' }, Update: { AudioNotificationsEnabled: true } },
  }),
  listTextNumberUsage: () => ({ query: { 'date-from': '2026-01-01' } }),
  listLocalNumbers: () => ({ query: { areacode: '423', pagesize: 5 } }),
  reserveLocalNumber: () => ({ body: { PhoneNumber: '4235561000' } }),
  buyLocalNumber: () => ({ body: { PhoneNumber: '4235571137', Name: 'Second' } }),
  listNumberOrders: () => ({}),
  getUnregisteredNumber: 'elsewhere', // registration/buy-number.test.ts: needs a free trial
  releaseTextNumber: 'elsewhere', // registration/buy-number.test.ts: gives a number up
  keepTextNumber: 'elsewhere', // registration/buy-number.test.ts: needs one that was given up
  createRegistrationRequest: 'elsewhere', // registration/register.test.ts: needs an account that isn’t registered
  listRegistrationRequests: () => ({}),
  getCurrentRegistration: 'elsewhere', // registration/register.test.ts: needs a registration
  resendRegistrationEmail: 'elsewhere', // registration/register.test.ts: needs one that waits for it
  resendRegistrationText: 'elsewhere', // registration/register.test.ts: needs one that waits for it
  getTollFreeRegistration: 'elsewhere', // registration/register.test.ts: needs a registration
  registerTollFree: 'elsewhere', // registration/register.test.ts: needs a whole form
  getCapabilities: () => ({}),
  lookUpEin: () => ({ params: { ein: '62-1047793' } }),
  validateWebsite: () => ({ body: { Url: 'https://www.hcsd.example' } }),
  getReturningBrand: () => ({}),
  getCampaignDetails: () => ({}),
  getRegistrationDraft: () => ({}),
  saveRegistrationDraft: () => ({
    body: { Form: { CompanyName: 'Schools' }, Route: 'tax-id', TextsToCanada: false, WantsTollFree: false },
  }),
  listTextNumbers: () => ({ query: { q: 'number', pagesize: 5 } }),
  getTextNumber: ({ TextNumberID }) => ({ params: { TextNumberID } }),
  listContacts: ({ ListID }) => ({ params: { ListID }, query: { q: 'a', page: 2 } }),
  listLists: () => ({ query: { q: 'group' } }),
  getList: ({ ListID }) => ({ params: { ListID } }),
  countSegment: ({ ListID }) => ({
    body: { Segment: { Rules: [{ Kind: 'group', Is: 'in', ListID }] } },
  }),
  addContact: ({ ListID }) => ({ body: { PrimaryPhone: '4235550106', ListIDs: [ListID] } }),
  getContact: ({ PersonID }) => ({ params: { PersonID } }),
  updateContact: ({ PersonID }) => ({ params: { PersonID }, body: { PrimaryPhone: '4235550107' } }),
  deleteContact: ({ PersonID }) => ({ params: { PersonID } }),
  listContactHistory: ({ PersonID }) => ({ params: { PersonID } }),
  copyContacts: ({ ListID }) => ({
    params: { ListID, TargetID: -1 },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  removeContacts: ({ ListID }) => ({ params: { ListID }, body: { Selection: { Type: 'SelectedAll' } } }),
  updateContacts: ({ ListID }) => ({
    params: { ListID },
    body: { Selection: { Type: 'SelectedAll' }, Update: { Notes: 'Bus 4' } },
  }),
  undoContacts: 'elsewhere', // contacts/change-contacts.test.ts: needs something to undo
  listDuplicates: () => ({}),
  mergeContacts: 'elsewhere', // contacts/merge-contacts.test.ts: needs two contacts
  getWork: ({ WorkID }) => ({ params: { WorkID } }),
  listWork: () => ({}),
  addList: () => ({ body: { ListName: 'Another group' } }),
  updateList: ({ ListID }) => ({ params: { ListID }, body: { ListName: 'Renamed' } }),
  deleteList: ({ ListID }) => ({ params: { ListID } }),
  listCustomFields: () => ({}),
  addCustomField: () => ({ body: { Name: 'Route' } }),
  updateCustomField: ({ FieldID }) => ({ params: { FieldID }, body: { Name: 'Coach' } }),
  deleteCustomField: ({ FieldID }) => ({ params: { FieldID } }),
  exportContacts: ({ ListID }) => ({ params: { ListID }, body: { Selection: { Type: 'SelectedAll' } } }),
  downloadExport: 'elsewhere', // contacts/export-contacts.test.ts: answers with a file
  listOptOuts: () => ({ query: { filter: 'both', q: 'a' } }),
  downloadOptOuts: 'elsewhere', // consents/list-opt-outs.test.ts: answers with a file
  listConsentEvents: () => ({ params: { Number: '(423) 555-0103' } }),
  downloadConsentEvents: 'elsewhere', // consents/change-consent.test.ts: answers with a file
  changeConsent: () => ({ params: { Number: '4235550103' }, body: { Channel: 'both', State: 'out' } }),
  undoConsent: 'elsewhere', // consents/change-consent.test.ts: needs something to undo
  getPhoneNumber: () => ({ params: { Number: '4235550103' }, query: { include: 'all' } }),
  lookUpPhoneNumbers: () => ({ query: { include: 'all' }, body: { Source: ['4235550103', 'x'] } }),
  validatePhoneNumber: () => ({ query: { includeTextability: 'true' }, body: { Source: '4235550103' } }),
  listConversations: () => ({ query: { isDone: 'true', q: 'hello' } }),
  getConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  createConversation: ({ TextNumberID }) => ({
    body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone: '4235550102' }, Message: 'Hi' } },
  }),
  previewMerge: ({ PersonID }) => ({
    body: { Contacts: [{ PersonID, PrimaryPhone: '4235550102' }], TemplateText: 'Hi {{FirstName|there}}' },
  }),
  scheduleConversation: ({ TextNumberID }) => ({ body: later(TextNumberID) }),
  listScheduledConversations: () => ({ query: { q: 'later', ended: 'false' } }),
  getScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  updateScheduledConversation: ({ ScheduledConversationID, TextNumberID }) => ({
    params: { ScheduledConversationID },
    body: later(TextNumberID),
  }),
  sendScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  cancelScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  listTemplates: () => ({ query: { q: 'hello', sortby: 'used', isfavorite: 'false' } }),
  listAudio: () => ({ query: { q: 'snow', sort: 'newest', isshared: false, unused: true } }),
  getAudioSummary: () => ({}),
  listVoices: () => ({}),
  listTransferNumbers: () => ({}),
  addTransferNumber: 'elsewhere', // calling/voice-settings.test.ts: needs a number to call from
  updateTransferNumber: ({ TransferNumberID }) => ({
    params: { TransferNumberID },
    body: { IsDefault: true },
  }),
  deleteTransferNumber: ({ TransferNumberID }) => ({ params: { TransferNumberID } }),
  listCallerIds: () => ({}),
  addCallerId: 'elsewhere', // calling/voice-settings.test.ts: the provider is asked
  deleteCallerId: ({ CallerIDID }) => ({ params: { CallerIDID } }),
  setBroadcastAudio: ({ DraftBroadcastID, AudioID }) => ({
    params: { BroadcastID: DraftBroadcastID },
    body: { AudioID },
  }),
  setBroadcastAudioVM: ({ DraftBroadcastID, AudioID }) => ({
    params: { BroadcastID: DraftBroadcastID },
    body: { AudioID },
  }),
  uploadBroadcastAudio: 'elsewhere', // calling/record-message.test.ts: takes a raw file
  uploadBroadcastAudioVM: 'elsewhere', // the same
  createRecording: () => ({ body: { PhoneNumber: '4235550143' } }),
  getRecording: ({ RecordingID }) => ({ params: { RecordingID } }),
  listRecordings: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  callForRecording: ({ RecordingID }) => ({ params: { RecordingID }, body: { PhoneNumber: '4235550143' } }),
  testCall: 'elsewhere', // calling/record-message.test.ts: needs a draft with a message
  getIvrAuthorization: 'elsewhere', // calling/phone-launch.test.ts: 404 says that the ID is free
  getPhoneLaunch: () => ({}),
  setPhoneLaunch: () => ({ body: { PhoneLaunchID: '4712', PIN: '730514' } }),
  deletePhoneLaunch: () => ({}),
  getAudio: ({ AudioID }) => ({ params: { AudioID } }),
  uploadAudio: 'elsewhere', // audio/upload-audio.test.ts: takes a raw file
  updateAudio: ({ AudioID }) => ({ params: { AudioID }, body: { Name: 'Snow day', Favorite: true } }),
  updateAudioSelection: () => ({ body: { Selection: { Type: 'SelectedAll' }, Update: { Favorite: true } } }),
  deleteAudio: ({ AudioID }) => ({ body: { Selection: { Type: 'Selected', Items: [AudioID] } } }),
  undoAudio: 'elsewhere', // audio/audio-library.test.ts: needs something to undo
  downloadAudio: 'elsewhere', // audio/upload-audio.test.ts: answers with a file
  downloadAudioSelection: 'elsewhere', // audio/audio-library.test.ts: answers with a file
  previewSpeech: () => ({ body: { Text: 'Hello everybody.', VoiceID: 'flite:kal16' } }),
  createSpeech: () => ({
    body: { Name: 'Hello', Text: 'Good evening, everybody. '.repeat(10), VoiceID: 'flite:kal16' },
  }),
  addTemplate: () => ({ body: { TemplateName: 'Welcome', TemplateText: 'Hello', Shortcut: 'hi' } }),
  updateTemplate: ({ TemplateID }) => ({ params: { TemplateID }, body: { IsFavorite: true } }),
  getTemplateSummary: () => ({}),
  listSequences: () => ({}),
  beginSequence: () => ({ body: {} }),
  getSequence: ({ SequenceID }) => ({ params: { SequenceID } }),
  updateSequence: ({ SequenceID }) => ({
    params: { SequenceID },
    body: { name: 'Tests', steps: [{ message: 'Hi' }] },
  }),
  deleteSequence: ({ SequenceID }) => ({ params: { SequenceID } }),
  calculateSequenceCredits: 'elsewhere', // broadcasts/drips/drips.test.ts
  createSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  pauseSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  resumeSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  cancelSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  listSequenceRecipients: ({ SequenceID }) => ({ params: { SequenceID } }),
  getSequenceCourse: ({ SequenceID }) => ({ params: { SequenceID } }),
  stopSequenceRecipient: 'elsewhere', // broadcasts/drips/drips.test.ts
  getTextActivity: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  downloadTextActivity: 'elsewhere', // reports/reports.test.ts: a file
  getDelivery: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  downloadDelivery: 'elsewhere', // reports/figures.test.ts: a file
  getCreditDays: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getBillingMonths: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getInvoiceMonths: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  listOptIns: () => ({ query: { pagesize: '5' } }),
  downloadOptIns: 'elsewhere', // reports/money-reports.test.ts: a file
  listReportViews: () => ({}),
  createReportView: () => ({
    body: { Report: 'usage-summary', Name: 'Every week', Search: { days: '7' }, Schedule: 'weekly' },
  }),
  updateReportView: ({ ReportViewID }) => ({
    params: { ReportViewID },
    body: { Name: 'Every month', Schedule: 'monthly' },
  }),
  deleteReportView: ({ ReportViewID }) => ({ params: { ReportViewID } }),
  listPhoneHistory: () => ({ params: { Number: '4235550102' }, query: { pagesize: '5' } }),
  downloadPhoneHistory: 'elsewhere', // reports/reports.test.ts: a file
  updateTemplateSelection: ({ TemplateID }) => ({
    query: { q: 'hello' },
    body: { Selection: { Type: 'Selected', Items: [TemplateID] }, Update: { IsShared: true } },
  }),
  deleteTemplates: ({ TemplateID }) => ({
    body: { Selection: { Type: 'SelectedAllExcept', Items: [TemplateID] } },
  }),
  noteTemplateUse: ({ TemplateID }) => ({ params: { TemplateID } }),
  deleteTemplate: ({ TemplateID }) => ({ params: { TemplateID } }),
  undoTemplates: 'elsewhere', // templates/templates.test.ts: needs something to undo
  updateConversation: ({ ConversationID }) => ({ params: { ConversationID }, body: { IsDone: false } }),
  updateConversations: () => ({
    query: { isDone: 'false' },
    body: { Selection: { Type: 'SelectedAll' }, Update: { IsDone: true } },
  }),
  undoConversations: ({ UndoID }) => ({ params: { UndoID } }),
  viewConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  getConversationsSummary: () => ({}),
  listDoneToday: () => ({}),
  listTextMessages: ({ ConversationID }) => ({ params: { ConversationID } }),
  sendTextMessage: ({ ConversationID }) => ({ params: { ConversationID }, body: { Message: 'Hello again' } }),
  getTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID } }),
  resendTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID }, body: {} }),
  markConversationUnread: ({ ConversationID }) => ({ params: { ConversationID } }),
  moveConversations: ({ TextNumberID }) => ({
    body: { TextNumberIDTo: TextNumberID, Selection: { Type: 'SelectedAll' } },
  }),
  getSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID } }),
  updateSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID }, body: { isEnabled: true } }),
  listTags: () => ({}),
  addTag: () => ({ body: { TagName: 'Another tag', Color: 3 } }),
  updateTag: ({ TagID }) => ({ params: { TagID }, body: { TagName: 'Renamed' } }),
  deleteTag: ({ TagID }) => ({ params: { TagID } }),
  listNotes: ({ ConversationID }) => ({ params: { ConversationID } }),
  addNote: ({ ConversationID }) => ({ params: { ConversationID }, body: { Note: 'Called back' } }),
  updateNote: ({ ConversationID, NoteID }) => ({
    params: { ConversationID, NoteID },
    body: { Note: 'Called back twice' },
  }),
  deleteNote: ({ ConversationID, NoteID }) => ({ params: { ConversationID, NoteID } }),
  createDraft: () => ({ body: { BroadcastName: 'Snow day' } }),
  listDrafts: () => ({ query: { q: 'a' } }),
  getDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, query: { textmessagelength: 200 } }),
  updateDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, body: { TextMessage: 'Closed' } }),
  updateDraftType: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { BroadcastTypeDesc: 'SMS', IsTextSurvey: true },
  }),
  deleteDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  listDraftContacts: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, query: { q: 'a' } }),
  addDraftContact: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { FirstName: 'Jane', PrimaryPhone: '4235550171' },
  }),
  updateDraftContact: ({ DraftBroadcastID, DraftRecipientID }) => ({
    params: { DraftBroadcastID },
    body: { RecipientID: DraftRecipientID, FirstName: 'Pat', PrimaryPhone: '4235550173' },
  }),
  removeDraftContacts: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  undoDraftContacts: 'elsewhere', // drafts/undo-removal.test.ts: needs something to undo
  addDraftNumbers: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { Items: [{ PrimaryPhone: '4235550172' }] },
  }),
  addDraftLists: ({ DraftBroadcastID, ListID }) => ({
    params: { DraftBroadcastID },
    body: { Selection: { Type: 'Selected', Items: [{ ListID }] } },
  }),
  addDraftFile: ({ DraftBroadcastID, FileID }) => ({
    params: { DraftBroadcastID },
    body: { FileID, UserIndicatedConsentDeclared: true },
  }),
  contactsToNewDraft: ({ ListID }) => ({
    params: { ListID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  contactsToDraft: ({ ListID, DraftBroadcastID }) => ({
    params: { ListID, DraftBroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  listsToNewDraft: ({ ListID }) => ({ body: { Selection: { Type: 'Selected', Items: [{ ListID }] } } }),
  getContactSummary: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  setFrequencyAside: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, body: { IsSetAside: true } }),
  downloadLeftOut: 'elsewhere', // drafts/add-recipients.test.ts: answers with a file
  mergeDraft: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { TemplateText: 'Hi {{FirstName}}' },
  }),
  createTemplateMerge: ({ DraftBroadcastID }) => ({ body: { DraftBroadcastID } }),
  getTemplateMerge: ({ TemplateMergeID }) => ({ params: { TemplateMergeID } }),
  listMergedMessages: ({ TemplateMergeID }) => ({
    params: { TemplateMergeID },
    query: { filter: 'all', q: 'pat' },
  }),
  updateMergedMessages: 'elsewhere', // drafts/merge-draft.test.ts: needs a merge
  mergeSingle: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { TemplateText: 'Hi {{FirstName}}' },
  }),
  mergeSingleOfBroadcast: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { TemplateText: 'Hi', Position: 1 },
  }),
  getPreflight: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  sendTest: 'elsewhere', // drafts/get-preflight.test.ts: needs a phone of one's own
  createBroadcast: ({ DraftBroadcastID }) => ({ body: { DraftBroadcastID } }),
  previewQuickSend: ({ ListID }) => ({ body: { Lists: [{ ListID }] } }),
  quickSend: ({ PersonID, TextNumberID }) => ({
    body: { People: [{ PersonID }], TextNumberID, TextMessage: 'No school today' },
  }),
  validateBroadcast: () => ({ body: { StartDate: tomorrow(), CheckCallingWindow: true } }),
  lookUpShortUrls: () => ({ body: { Text: 'See bit.ly/abc' } }),
  getMessagingLimits: () => ({}),
  hasScheduledEnhancedMessages: () => ({}),
  listBroadcasts: () => ({ query: { q: 'snow', category: 'Scheduled' } }),
  getBestHour: () => ({}),
  getEmergency: () => ({ query: { Key: '7d5e8a4c-1f0b-4c58-9d0e-2f6d9f1b7a11' } }),
  previewEmergency: ({ EmergencyMessageID }) => ({
    body: { EmergencyMessageID, Lists: [{ ListID: 0 }], Channel: 'Text' },
  }),
  startEmergency: ({ EmergencyMessageID }) => ({
    body: {
      EmergencyMessageID,
      Lists: [{ ListID: 0 }],
      Channel: 'Text',
      Key: '7d5e8a4c-1f0b-4c58-9d0e-2f6d9f1b7a11',
    },
  }),
  getEmergencySettings: () => ({}),
  updateEmergencySettings: ({ ListID }) => ({
    body: { Lists: [{ ListID }], DrillListID: ListID, IsForEveryone: false },
  }),
  addEmergencyMessage: () => ({
    body: { Title: 'Snow', TextMessage: 'School is closed.', SpokenText: 'School is closed today.' },
  }),
  updateEmergencyMessage: ({ EmergencyMessageID }) => ({
    params: { EmergencyMessageID },
    body: { Title: 'Snow', TextMessage: 'School is closed.', SpokenText: 'School is closed today.' },
  }),
  deleteEmergencyMessage: ({ EmergencyMessageID }) => ({ params: { EmergencyMessageID } }),
  getBroadcastsSummary: () => ({}),
  getBroadcast: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  getBroadcastProgress: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  listBroadcastDetails: ({ BroadcastID }) => ({
    params: { BroadcastID },
    query: { textresultcategory: 'Incomplete' },
  }),
  downloadBroadcastDetails: 'elsewhere', // broadcasts/results.test.ts: answers with a file
  deleteBroadcastDetails: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  detailsToList: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' }, Update: { ListName: 'Of the broadcast' } },
  }),
  detailsToDraft: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  getRecipientTimeline: ({ BroadcastID, RecipientID }) => ({ params: { BroadcastID, RecipientID } }),
  listTextReplies: ({ BroadcastID }) => ({ params: { BroadcastID }, query: { q: 'a' } }),
  downloadTextReplies: 'elsewhere', // broadcasts/record-replies.test.ts: answers with a file
  repliesToDraft: 'elsewhere', // broadcasts/record-replies.test.ts: needs replies
  listReplyGroups: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  listGroupReplies: ({ BroadcastID }) => ({ params: { BroadcastID }, query: { group: 'yes' } }),
  chooseText: 'elsewhere', // broadcasts/second-text/second-text.test.ts: needs two texts that are being tried
  moveReplies: 'elsewhere', // broadcasts/groups/answer-replies.test.ts: needs replies
  previewAnswer: 'elsewhere',
  answerReplies: 'elsewhere',
  listLabels: () => ({}),
  addLabel: () => ({ body: { LabelName: 'Sports' } }),
  updateLabel: ({ LabelID }) => ({ params: { LabelID }, body: { LabelName: 'Arts' } }),
  deleteLabel: ({ LabelID }) => ({ params: { LabelID } }),
  updateBroadcast: ({ BroadcastID, LabelID }) => ({
    params: { BroadcastID },
    body: { BroadcastStatus: 'Paused', Labels: [{ LabelID }] },
  }),
  deleteBroadcast: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  undoBroadcasts: 'elsewhere', // broadcasts/change-broadcast.test.ts: needs something to undo
  validateSchedule: () => ({ body: { ...everyDay, StartDateTime: tomorrow() } }),
  createRepeating: 'elsewhere', // broadcasts/repeating.test.ts: needs a draft with a schedule
  listRepeating: () => ({ query: { q: 'lunch' } }),
  updateRepeating: ({ RepeatingBroadcastID }) => ({
    params: { RepeatingBroadcastID },
    body: { BroadcastName: 'Dinner', StartDateTime: tomorrow(), RepeatingBroadcastSchedule: everyDay },
  }),
  deleteRepeating: ({ RepeatingBroadcastID }) => ({ params: { RepeatingBroadcastID } }),
  canSafelyDeleteRepeating: ({ RepeatingBroadcastID }) => ({ params: { RepeatingBroadcastID } }),
  listRepeatingFailures: () => ({}),
  dismissRepeatingFailures: () => ({ body: { Items: [1] } }),
  subscribeHook: () => ({ body: { Event: 'message.received', TargetUrl: 'https://hooks.example.org/1' } }),
  unsubscribeHook: 'elsewhere', // zapier/zapier.test.ts: needs one that a program has made
  listHookSamples: () => ({ params: { Event: 'message.received' } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { Name: 'Bus tracker', Scopes: ['contacts:read'] } }),
  updateApiKey: ({ ApiKeyID }) => ({
    params: { ApiKeyID },
    body: { Name: 'Bus tracker', Scopes: ['contacts:read'], Addresses: ['203.0.113.0/24'] },
  }),
  rotateApiKey: ({ ApiKeyID }) => ({ params: { ApiKeyID }, body: { OverlapHours: 1 } }),
  revokeApiKey: ({ ApiKeyID }) => ({ params: { ApiKeyID } }),
};

/** Nobody is connected to it here. */
const ofIntegration = { IntegrationID: 1, Group: 'all', SyncID: 1 };

const byName = new Map(everyCall.map((entry) => [entry.name, entry.call]));

/** It changes nothing, so that others can be made in the same account. Signing out is a GET by the spec. */
function isReading(name: string): boolean {
  return byName.get(name)?.method === 'GET' && name !== 'logout';
}

function make(name: string, input: object, as?: { cookie: string }) {
  const call = byName.get(name) as CallDefinition;
  return app.call(call, input as CallInput<CallDefinition>, as);
}

/** An organization that has everything switched on that calls may need. */
async function walker(...args: Parameters<typeof buildAccount>) {
  const account = await buildAccount(...args);
  await app.database.system
    .updateTable('accounts')
    .set({
      features: ['DripCampaignsBeta', 'LabsUser', 'PromotionalTextMessaging'],
      is_api_authorized: true,
    })
    .where('account_id', '=', account.accountId)
    .execute();
  return account;
}

describe('every call', () => {
  it('succeeds for one who may, with a reply that fits its schema', async () => {
    const reader = await accountWithEverything();
    for (const [name, example] of Object.entries(examples)) {
      if (example === 'elsewhere') continue;
      const { account, ids } = isReading(name) ? reader : await accountWithEverything();
      const reply = await make(name, example(ids), account.owner);
      expect([name, reply.status, reply.body]).toEqual([name, 200, expect.anything()]);
      expect(byName.get(name)?.reply.safeParse(reply.body).error, name).toBeUndefined();
    }
  });

  it('asks for a session when it isn’t public', async () => {
    for (const { name } of everyCall.filter(({ call }) => call.allow !== 'public')) {
      const example = examples[name as CallName];
      const input =
        example === 'elsewhere'
          ? {
              params: {
                ...foreign,
                FileName: 'a.png',
                Number: '4235550103',
                Code: '123456',
                PhoneLaunchID: '4711',
                ...ofIntegration,
              },
            }
          : example(foreign);
      const reply = await make(name, input);
      expect([name, reply.status]).toEqual([name, 401]);
      expect(errorBody.safeParse(reply.body).success, name).toBe(true);
    }
  });

  it('does not find what belongs to another account', async () => {
    for (const { name, call } of everyCall) {
      const example = examples[name as CallName];
      if (example === 'elsewhere' || call.allow === 'public') continue;
      const usesForeignId =
        /:(\w+ID)/.test(call.path) ||
        [
          ...['createConversation', 'scheduleConversation', 'countSegment', 'moveConversations'],
          ...['createBroadcast', 'createTemplateMerge', 'listsToNewDraft', 'previewQuickSend', 'quickSend'],
          ...['previewEmergency', 'startEmergency', 'updateEmergencySettings'],
        ].includes(name);
      if (!usesForeignId) continue;
      const reply = await make(name, example(foreign), mine.owner);
      expect([name, reply.status]).toEqual([name, 404]);
    }
  });

  it('answers malformed input with 400 and never with 500', async () => {
    const bad: unknown[] = [
      '',
      'x',
      -1,
      1e300,
      null,
      [],
      {},
      '\u0000',
      'a'.repeat(100_000),
      { $ne: 1 },
      true,
    ];
    const reader = await walker(app, { numbers: { '18655550999': 'infobip' } });
    for (const [index, { name, call }] of everyCall.entries()) {
      if (call.uploadBytes !== undefined) continue;
      // A session of its own: one of the calls signs out. With a text number, without which many are refused unread.
      const own = { [`1865555${1000 + index}`]: 'infobip' } as const;
      const { cookie } = (isReading(name) ? reader : await walker(app, { numbers: own })).owner;
      for (const value of bad) {
        const answer = await fetch(app.url + badPath(call, value), {
          method: call.method,
          headers: { cookie, 'content-type': 'application/json' },
          ...(call.method === 'GET' ? {} : { body: JSON.stringify(value) }),
        });
        expect([name, String(value).slice(0, 20), answer.status < 500]).toEqual([
          name,
          String(value).slice(0, 20),
          true,
        ]);
        if (answer.status >= 400) expect(errorBody.safeParse(await answer.json()).success, name).toBe(true);
      }
      if (call.method !== 'GET') {
        const answer = await fetch(app.url + badPath(call, 1), {
          method: call.method,
          headers: { cookie, 'content-type': 'application/json' },
          body: '{ not json',
        });
        // Public calls are counted before they are read.
        const isOver = call.allow === 'public' && answer.status === 429;
        expect([name, isOver ? 400 : answer.status]).toEqual([name, 400]);
      }
    }
  });

  it('refuses text that PostgreSQL can’t store, in every string', async () => {
    const wrong = await walkRequests(({ call, given }) => {
      const nul = withEachLeaf(call, given, 'nul \0');
      // In an address half of a surrogate pair isn't UTF-8, and is read as U+FFFD, which can be stored.
      const half = withEachLeaf(call, given, 'half \ud83d', ['body']);
      const names = ['nul \0', 'half \udc4d'].map((name) => ({
        ...given,
        body: { ...Object(given.body), [name]: 1 },
      }));
      return call.method === 'GET' || call.uploadBytes !== undefined ? nul : [...nul, ...half, ...names];
    });
    expect(
      wrong(({ status, call }) => status !== (call.allow === 'public' ? 429 : 400) && status !== 400),
    ).toEqual([]);
  });

  it('has no 5xx for bodies nested to any depth', async () => {
    const depths = [1, 2, 5, 16, 32, 33, 500, 2_400, 100_000];
    const wrong = await walkRequests(({ call, given }) => {
      if (call.method === 'GET' || call.uploadBytes !== undefined) return [];
      const [key = 'Items'] = Object.keys(Object(given.body));
      return depths.flatMap((depth) => [
        { ...given, body: '['.repeat(depth) + ']'.repeat(depth) },
        { ...given, body: `${`{"${key}":`.repeat(depth)}1${'}'.repeat(depth)}` },
      ]);
    });
    expect(wrong(({ status }) => status >= 500)).toEqual([]);
  });

  it('has no 5xx for ids beyond every size of integer', async () => {
    const ids = [2 ** 31, -(2 ** 31) - 1, 2 ** 63];
    const wrong = await walkRequests(({ call, given }) => ids.flatMap((id) => withEachLeaf(call, given, id)));
    expect(wrong(({ status }) => status >= 500)).toEqual([]);
  });
});

interface Example {
  name: string;
  call: CallDefinition;
  given: Given;
  as: { cookie: string };
}

/** Made once for all walks: what they ask for is refused, so that the next one finds everything as it was. */
let shared: Promise<Example[]> | undefined;

/** Makes requests of every call, some calls at a time; gives what one wants to see of the answers. */
async function walkRequests(requestsOf: (example: Example) => Given[]) {
  const answers: { name: string; call: CallDefinition; request: Given; status: number }[] = [];
  shared ??= everyExample();
  const left = [...(await shared)];
  const work = async () => {
    for (let example = left.pop(); example !== undefined; example = left.pop()) {
      const { name, call, as } = example;
      for (const request of requestsOf(example)) {
        answers.push({ name, call, request, status: await statusOf(call, request, as) });
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(answers.length).toBeGreaterThan(everyCall.length);
  return (isWrong: (answer: (typeof answers)[number]) => boolean) =>
    answers
      .filter(isWrong)
      .map(({ name, request, status }) => `${name} ${status} ${JSON.stringify(request).slice(0, 300)}`);
}

/**
 * Each call as somebody who may make it, with input that fits as far as an example has any. What reads shares an
 * account; each of the others has one of its own.
 */
async function everyExample(): Promise<Example[]> {
  const found: Example[] = [];
  const reader = await accountWithEverything();
  for (const { name, call } of everyCall) {
    const { account, ids } = isReading(name) ? reader : await accountWithEverything();
    const example = examples[name as CallName];
    const given =
      example === 'elsewhere'
        ? { params: { ...ids, ...ofIntegration, FileName: 'a.png', Number: '4235550103' } }
        : (example(ids) as Given);
    found.push({ name, call, given, as: account.owner });
  }
  return found;
}

async function accountWithEverything() {
  const account = await walker(app, { numbers: {} });
  return { account, ids: await oneOfEverything(app, account.accountId) };
}

async function statusOf(call: CallDefinition, given: Given, as: { cookie: string }): Promise<number> {
  const { body } = given;
  const answer = await fetch(app.url + addressOf(call, given), {
    method: call.method,
    headers: { cookie: as.cookie, 'content-type': 'application/json' },
    ...(call.method === 'GET' || body === undefined
      ? {}
      : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // A download is read to its end: what fails on the way breaks off.
  const text = await answer.text();
  if (answer.status >= 400) expect(errorBody.safeParse(JSON.parse(text)).success).toBe(true);
  return answer.status;
}

/** The path with a value in each of its places and in its query. */
function badPath(call: CallDefinition, value: unknown): string {
  const text = encodeURIComponent(String(value).slice(0, 500)) || '%20';
  const prefix = call.allow === 'public' ? '/proxy/public' : '/proxy/api';
  const query = `page=${text}&pagesize=${text}&next=${text}&isDone=${text}&textNumberId=${text}&include=${text}&sortby=${text}&q=${text}`;
  return `${prefix}${call.path.replace(/:\w+/g, text)}?${query}`;
}
