import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { broadcastLimitForm } from './forms/broadcast-limit.ts';
import { signatureLength } from './forms/profile.ts';
import { capabilityNames } from './permissions.ts';
import { languages } from './reference/languages.ts';
import { IMAGE_MAX_BYTES } from './uploads/image.ts';

const permissions = z.object({
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

/** Start and Stop as people read them: "8:00 AM". */
const quietHours = z.object({
  IsOn: z.boolean(),
  Start: z.string().max(20),
  Stop: z.string().max(20),
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
  /** Ours: the language of pages and of the mails that this person gets (reference/languages.ts). */
  LanguageID: z.number().int(),
  AgreedToTermsOfUse: z.boolean(),
  IsTermsOfUseCurrent: z.boolean(),
  NeedsEmailVerification: z.boolean(),
  /** Ours: signed up, but hasn't finished onboarding. */
  NeedsOnboarding: z.boolean(),
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
  /** Ours: where the profile picture is; null for none. */
  PictureUrl: z.string().nullable(),
  /** Ours: whether the e-mail address is verified and of the company that runs this installation (STAFF_DOMAIN). */
  IsInternalStaff: z.boolean(),
  /** Ours: goes up with every change, so that nobody saves over what another has changed meanwhile. */
  Version: z.number().int(),
  /** Ours: the capabilities of docs/permissions.md that the user lacks, each with the sentence that says so. */
  Denied: z.partialRecord(z.enum(capabilityNames), z.string()),
});
export type User = z.output<typeof user>;

const account = z.object({
  AccountID: z.number().int(),
  CompanyName: z.string(),
  State: z.string(),
  CountryID: z.number().int(),
  /** Ours: of its quiet hours, reports and invoices, and what new users start with. */
  TimeZone: z.string(),
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
  /** Ours: what a month of the plan costs now, if it is paid by card. */
  MonthlyFee: z.number().nullable(),
  AvailableCallUnits: z.number().int(),
  CallBalance: z.number().int(),
  PendingCallBalance: z.number().int(),
  UniqueCallCount: z.number().int(),
  GroupCode: z.string(),
  /** Ours: whether the group code is one of the installation’s special ones (SPECIAL_GROUP_CODES). */
  HasSpecialGroupCode: z.boolean(),
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
  /** Ours: hours of the recipient's own clock in which broadcasts go out; outside of them texts are held. */
  QuietHours: quietHours,
  /** Ours: at most so many broadcasts for a person in so many days; null without a limit. */
  BroadcastLimit: broadcastLimitForm.nullable(),
  CurrentUser: user.optional(),
});
export type Account = z.output<typeof account>;

export const getUser = call({
  method: 'GET',
  path: '/user',
  summary: 'Returns the signed-in user.',
  allow: 'useMuster',
  reply: user,
});

export const getAccount = call({
  method: 'GET',
  path: '/account',
  summary: 'Returns the signed-in user’s organization. With include=currentuser, includes the user.',
  allow: 'useMuster',
  query: z.object({ include: z.enum(['currentuser']).optional() }),
  reply: account,
});

/** Refuses fields that have no effect, and names them, so that no script believes it changed them. */
export function refusingOthers<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape> {
  const others = z.unknown().refine(() => false, 'This can’t be changed here.');
  // The type of an index of nothing would allow no field at all.
  return z.object(shape).catchall(others) as unknown as z.ZodObject<Shape>;
}

export const updateAccount = call({
  method: 'PUT',
  path: '/account',
  summary:
    'Updates the organization’s settings. With updateinvoices=true, a new name and AutoRenewal also hold for open invoices. Rejects fields that this call can’t change.',
  allow: 'editAccountSettings',
  event: 'account.updated',
  /** updateinvoices=true: AutoRenewal also holds for the invoices that there are. */
  query: z.object({ updateinvoices: flag.optional() }),
  body: refusingOthers({
    /** contract/forms/account.ts validates these four. */
    CompanyName: z.string().max(200).optional(),
    State: z.string().max(200).optional(),
    IndustryID: z.number().int().nullable().optional(),
    /**
     * Location of the organization. Owners set both fields; the country only as long as there is no text number.
     * Owners set these two; the country only as long as there is no text number.
     */
    CountryID: z.number().int().min(1).max(1000).optional(),
    TimeZone: z.string().max(60).optional(),
    SenderName: z.string().max(200).optional(),
    IsAutoReplyOn: z.boolean().optional(),
    /** Validated by contract/forms/auto-reply.ts. */
    AutoReplyMessage: z.string().max(2000).optional(),
    RequireTextOptIn: z.boolean().optional(),
    Profile: refusingOthers({
      PrependOrganizationToText: z.boolean().optional(),
      AllowAddIndividualNumbersInBroadcast: z.boolean().optional(),
      AllowCopyPasteInBroadcast: z.boolean().optional(),
      ExplicitOptInRequired: z.boolean().optional(),
    }).optional(),
    /** Validated by contract/forms/quiet-hours.ts. */
    QuietHours: quietHours.optional(),
    BroadcastLimit: broadcastLimitForm.nullable().optional(),
    /** Switches a monthly account to credits, at once. */
    AccountTypeID: z.literal(0).optional(),
    /** Switches pictures in the broadcasts of a monthly account on and off. */
    IsMonthlyMMSEnabled: z.boolean().optional(),
    InvoiceRenewal: refusingOthers({
      InvoiceDuration: z.number().int().min(1).max(36).optional(),
      AutoRenewal: z.boolean().optional(),
    }).optional(),
  }),
  reply: account,
  errors: ['refused'],
});

/** As typed. Validated by contract/forms. */
const typed = z.string().max(200);

/** Personal details and calling settings. They can be changed in your own settings and in the user dialog. */
export const userSettings = {
  FirstName: typed.optional(),
  LastName: typed.optional(),
  Email: typed.optional(),
  Phone: typed.optional(),
  UserName: typed.optional(),
  /** A zone by its IANA name (ours) … */
  TimeZone: typed.optional(),
  /** … or as the specification says it; both parts together. */
  TimeZoneOffset: z.number().int().optional(),
  ObservesDaylightSavings: z.boolean().optional(),
  LanguageID: z.union(languages.map(({ id }) => z.literal(id))).optional(),
  CallerID: typed.optional(),
  CallThrottle: z.number().int().optional(),
  Retries: z.number().int().optional(),
  MaxMessageLength: z.number().int().optional(),
  CallingWindowDays: z.array(z.string().max(20)).max(7).optional(),
  StartTimeOfDay: timeOfDay.optional(),
  StopTimeOfDay: timeOfDay.optional(),
  ContinueOnNextDay: z.boolean().optional(),
  DefaultSettingCharacterCount: z.number().int().optional(),
} as const;

export const updateUser = call({
  method: 'PUT',
  path: '/user',
  summary:
    'Updates the signed-in user’s own settings; what isn’t given stays. A new Email has to be confirmed (1014), and is verified by a link that goes there. Rejects fields that this call can’t change.',
  allow: 'editOwnProfile',
  event: 'user.updated',
  body: refusingOthers({
    /** If it is given, it must be the signed-in user's own. */
    UserID: id.optional(),
    /** The country in which phones are written here; the organization’s without it. */
    CountryID: z.number().int().min(1).max(1000).optional(),
    ...userSettings,
    Signature: z
      .object({ IsEnabled: z.boolean(), SignatureText: z.string().trim().max(signatureLength) })
      .optional(),
    BrowserNotificationsDoNotDisturb: z.boolean().optional(),
    /** As typed; empty for none. */
    NotificationPhone: z.string().trim().max(60).optional(),
  }),
  reply: user,
  errors: ['refused', 'conflict', 'confirmationNeeded'],
});

/** Ours: the size limit of a profile picture is that of any other picture. */
export const setProfilePicture = call({
  method: 'PUT',
  path: '/user/profilepicture',
  summary: 'Sets the signed-in user’s profile picture. The body is the picture itself: png or jpg.',
  allow: 'editOwnProfile',
  event: 'user.updated',
  uploadBytes: IMAGE_MAX_BYTES,
  reply: user,
  errors: ['refused', 'tooLarge'],
});

export const deleteProfilePicture = call({
  method: 'DELETE',
  path: '/user/profilepicture',
  summary: 'Removes the signed-in user’s profile picture.',
  allow: 'editOwnProfile',
  event: 'user.updated',
  reply: user,
});

const validated = z.object({ Success: z.boolean(), ErrorMessage: z.string() });

export const validateUserName = call({
  method: 'POST',
  path: '/validation/username',
  summary: 'Says whether a username can be taken. UserID names the user who may have it already.',
  allow: 'editOwnProfile',
  event: 'none',
  body: z.object({ Source: typed, UserID: id.optional() }),
  reply: validated,
});

export const validateEmail = call({
  method: 'POST',
  path: '/validation/email',
  summary:
    'Says whether an email address is free in the organization. UserID names the user who may have it already.',
  allow: 'editOwnProfile',
  event: 'none',
  body: z.object({ Source: typed, UserID: id.optional() }),
  reply: validated.extend({
    /** Ours: why the person couldn't sign in with it, for whoever manages users. It can be saved all the same. */
    Warning: z.string().optional(),
  }),
});
