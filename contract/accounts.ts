import { z } from 'zod';
import { call, moment } from './call.ts';

export const permissions = z.object({
  CanSeeAllBroadcasts: z.boolean(),
  CanSeeAllRoster: z.boolean(),
  CanSeeGroupAudio: z.boolean(),
});

/** The specification's feature flags. */
export const features = [
  'ConversationDateRangeSearch',
  'LabsUser',
  'FreeTrialABTestNoText',
  'AllInOneInternationalAccount',
  'PaidAccountSampleBroadcasts',
  'DripCampaignsBeta',
  'RegistrationProgressStepper',
  'PromotionalTextMessaging',
  'BrowserNotificationOnboarding',
] as const;

export const timeOfDay = z.object({
  Hour: z.number().int().min(0).max(23),
  Minute: z.number().int().min(0).max(59),
});

export const user = z.object({
  UserID: z.number().int(),
  UserName: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  Email: z.string(),
  Phone: z.string(),
  CallerID: z.string(),
  IsMasterUser: z.boolean(),
  IsAccountAdmin: z.boolean(),
  IsActive: z.boolean(),
  CanCreateBroadcast: z.boolean(),
  Permissions: permissions,
  Features: z.array(z.string()),
  /** Hours from US Central Standard Time, the specification's way to say a zone. */
  TimeZoneOffset: z.number().int(),
  TimeZoneOffsetDecimal: z.number(),
  DaylightSavings: z.boolean(),
  ObservesDaylightSavings: z.boolean(),
  /** The IANA zone that the offsets are derived from. Ours. */
  TimeZone: z.string(),
  AgreedToTermsOfUse: z.boolean(),
  IsTermsOfUseCurrent: z.boolean(),
  NeedsEmailVerification: z.boolean(),
  HasTextNumberAssigned: z.boolean(),
  BrowserNotificationsDoNotDisturb: z.boolean(),
  DefaultSettingCharacterCount: z.number().int(),
  DefaultSettingCharacterCountOptions: z.array(z.number().int()),
  TextMessageCharacterLimit: z.number().int(),
  MaxMessageLength: z.number().int(),
  NotificationPhone: z.string(),
  CallThrottle: z.number().int(),
  Retries: z.number().int(),
  CallingWindowDays: z.array(z.string()),
  StartTimeOfDay: timeOfDay,
  StopTimeOfDay: timeOfDay,
  ContinueOnNextDay: z.boolean(),
  /** Ids of the text numbers that the user may use. */
  TextNumbers: z.array(z.number().int()),
  /** Proves to the help chat that this is the user. */
  UserHash: z.string(),
  Signature: z.object({ IsEnabled: z.boolean(), SignatureText: z.string() }),
});
export type User = z.output<typeof user>;

export const account = z.object({
  AccountID: z.number().int(),
  CompanyName: z.string(),
  State: z.string(),
  CountryID: z.number().int(),
  AccountStatusID: z.number().int().min(0).max(8),
  AccountTypeID: z.number().int().min(0).max(3),
  IsFreeTrial: z.boolean(),
  FreeTrialConversion: z.boolean(),
  IsText2: z.boolean(),
  AccountKeyword: z.string(),
  RequireTextOptIn: z.boolean(),
  IsAutoReplyOn: z.boolean(),
  AutoReplyMessage: z.string(),
  SubscriptionEndDate: moment.nullable(),
  SubscriptionCycleStartDate: moment.nullable(),
  SubscriptionCycleEndDate: moment.nullable(),
  MonthlyLevel: z.number().int().nullable(),
  NextMonthlyLevel: z.number().int().nullable(),
  NextMonthlyFee: z.number().nullable(),
  AvailableCallUnits: z.number().int(),
  CallBalance: z.number().int(),
  PendingCallBalance: z.number().int(),
  UniqueCallCount: z.number().int(),
  GroupCode: z.string(),
  IndustryID: z.number().int().nullable(),
  InvoiceSelfService: z.boolean(),
  PaysInvoicesOffline: z.boolean(),
  IsMonthlyMMSEnabled: z.boolean(),
  PartialCreditsEnabled: z.boolean(),
  Created: moment,
  ReactivationDate: moment.nullable(),
  InvoiceRenewal: z
    .object({ RenewalDate: moment.nullable(), InvoiceDuration: z.number().int(), AutoRenewal: z.boolean() })
    .nullable(),
  Profile: z.object({
    VoiceAllowed: z.boolean(),
    PrependOrganizationToText: z.boolean(),
    AllowAddIndividualNumbersInBroadcast: z.boolean(),
    AllowCopyPasteInBroadcast: z.boolean(),
    ExplicitOptInRequired: z.boolean(),
  }),
  SenderName: z.string(),
  MessengerCount: z.number().int(),
  IsApiAuthorized: z.boolean(),
  PAYGPricingPlanID: z.number().int().nullable(),
  MonthlyPricingPlanID: z.number().int().nullable(),
  FlatRateConversationPricingID: z.number().int().nullable(),
  CountryValidationPattern: z.string(),
  CurrentUser: user.optional(),
});
export type Account = z.output<typeof account>;

export const getUser = call({
  method: 'GET',
  path: '/user',
  summary: 'The signed-in user.',
  allow: 'user',
  reply: user,
});

export const getAccount = call({
  method: 'GET',
  path: '/account',
  summary: 'The organisation of the signed-in user; with include=currentuser also the user.',
  allow: 'user',
  query: z.object({ include: z.enum(['currentuser']).optional() }),
  reply: account,
});
