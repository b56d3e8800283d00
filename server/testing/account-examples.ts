import { type BuiltAccount, password } from './builders.ts';
import type { CallExamples } from './call-names.ts';

let mine: BuiltAccount;
/** The account that signs in with its own name and password. */
export function makeExamplesFor(account: BuiltAccount): void {
  mine = account;
}

/** Input with which each call about people, money, numbers and contacts succeeds. */
export const accountExamples = {
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
  getPrivacy: () => ({}),
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
  resetSecondFactors: 'elsewhere', // signs out the user who makes the call
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
  releaseTextNumber: 'elsewhere', // registration/buy-number.test.ts: releases a number
  keepTextNumber: 'elsewhere', // registration/buy-number.test.ts: needs one that was released
  createRegistrationRequest: 'elsewhere', // registration/register.test.ts: needs an account that isn’t registered
  listRegistrationRequests: () => ({}),
  getCurrentRegistration: 'elsewhere', // registration/register.test.ts: needs a registration
  resendRegistrationEmail: 'elsewhere', // registration/register.test.ts: needs one that waits for it
  resendRegistrationText: 'elsewhere', // registration/register.test.ts: needs one that waits for it
  getTollFreeRegistration: 'elsewhere', // registration/register.test.ts: needs a registration
  getTollFreeForm: 'elsewhere', // registration/register.test.ts: needs a registration
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
} satisfies CallExamples;
