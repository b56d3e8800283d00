import { accessDenied } from './errors.ts';
import { isMonthly } from './states/account-status.ts';

/**
 * Permissions: one table of capabilities. A call names the capability that it needs, `serve()` refuses anyone who
 * lacks it, pages hide what it gives access to, and docs/permissions.md lists it. Each capability names the roles
 * that have it, what narrows it during a free trial, and what else must be true.
 */
export type Role = 'owner' | 'admin' | 'user';

export interface Who {
  user: {
    IsMasterUser: boolean;
    IsAccountAdmin: boolean;
    IsActive: boolean;
    CanCreateBroadcast: boolean;
    Permissions: { CanSeeAllBroadcasts: boolean; CanSeeAllRoster: boolean; CanSeeGroupAudio: boolean };
    Features: readonly string[];
    HasTextNumberAssigned: boolean;
  };
  account: {
    AccountTypeID: number;
    IsFreeTrial: boolean;
    CountryID: number;
    /** maySend of contract/states/account-status.ts. */
    maySend: boolean;
    VoiceAllowed: boolean;
    IsApiAuthorized: boolean;
    InvoiceSelfService: boolean;
    hasCardOnFile: boolean;
    /** Everybody who may create broadcasts may start an emergency, not only owners and admins. */
    EmergenciesByEveryone: boolean;
  };
  /** True if the user has access to a registered US text number. */
  hasRegisteredUsNumber: boolean;
}

/** Account Owner (IsMasterUser), Admin (IsAccountAdmin and not master), User (neither). */
export function roleOf({
  IsMasterUser,
  IsAccountAdmin,
}: Pick<Who['user'], 'IsMasterUser' | 'IsAccountAdmin'>): Role {
  if (IsMasterUser) return 'owner';
  return IsAccountAdmin ? 'admin' : 'user';
}

/** The conditions that a capability can have in addition to the role. */
const conditions = {
  'may send': ({ account }) => account.maySend,
  'a text number': ({ user }) => user.HasTextNumberAssigned,
  'a registered US number': ({ hasRegisteredUsNumber }) => hasRegisteredUsNumber,
  'may create broadcasts': ({ user }) => user.IsMasterUser || user.CanCreateBroadcast,
  'owner, admin or emergencies by everyone': ({ user, account }) =>
    user.IsMasterUser || user.IsAccountAdmin || account.EmergenciesByEveryone,
  'voice is allowed': ({ account }) => account.VoiceAllowed,
  'pays by credits': ({ account }) => !isMonthly(account),
  'pay-as-you-go': ({ account }) => account.AccountTypeID === 0,
  'pays monthly': ({ account }) => isMonthly(account),
  'no free trial': ({ account }) => !account.IsFreeTrial,
  'a free trial': ({ account }) => account.IsFreeTrial,
  'in the US or Canada': ({ account }) => account.CountryID <= 2,
  'API access': ({ account }) => account.IsApiAuthorized,
  'owner or a card on file': ({ user, account }) => user.IsMasterUser || account.hasCardOnFile,
  'owner or invoice self-service without a card': ({ user, account }) =>
    user.IsMasterUser || (account.InvoiceSelfService && !account.hasCardOnFile),
  'sees all broadcasts': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeAllBroadcasts,
  'sees all contacts': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeAllRoster,
  'sees group audio': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeGroupAudio,
  'texting in the trial': ({ user, account }) =>
    !account.IsFreeTrial || !user.Features.includes('FreeTrialABTestNoText'),
} as const satisfies Record<string, (who: Who) => boolean>;
type Condition = keyof typeof conditions;

interface Capability {
  /** A description of what it allows, for docs/permissions.md. */
  about: string;
  roles: readonly Role[];
  /** In a free trial only the owner has some capabilities. */
  trialOwnerOnly?: true;
  needs?: readonly Condition[];
  /** A feature flag of the user. */
  feature?: string;
  /** The message for a person who lacks it, where it isn't the general one. */
  denial?: string;
}

const everyone: readonly Role[] = ['owner', 'admin', 'user'];
/** Admin-or-master is the general manager capability. */
const managers: readonly Role[] = ['owner', 'admin'];
const owner: readonly Role[] = ['owner'];

export const deniedFeature = accessDenied;
export const ownersOnly = 'Access to this page is restricted to account owners';
export const ownersAndAdmins = 'Access to this page is restricted to account owners and admin users';
export const deniedConversations = "You can't create conversations.";
export const onlyOwnersChangeOwners = 'Only an account owner can change an account owner.';
const askOwnerToSetUp = 'Ask your account owner to set up texting.';
/** The error NotAuthorizedForLocalNumber. */
const notAuthorizedForLocalNumber =
  'You are not authorized to get a local number. Please ask your account owner.';
const ownersPage = { roles: owner, denial: ownersOnly } as const;
const managersPage = { roles: managers, denial: ownersAndAdmins } as const;
const texting = ['may send', 'a text number', 'texting in the trial'] as const;

/** The capabilities, under the headings of docs/permissions.md. */
const table = {
  'People and the organization': {
    useMuster: {
      about: 'Home, the organization’s name and credits, and your own work in progress',
      roles: everyone,
    },
    editOwnProfile: {
      about: 'Your own profile, password, onboarding, verified phone, signature, sessions and push tokens',
      roles: everyone,
    },
    seeColleagues: {
      about: 'The names of the organization’s users, to assign conversations',
      roles: everyone,
    },
    manageUsers: { about: 'Add, change and deactivate users', ...managersPage, trialOwnerOnly: true },
    manageOwners: {
      about: 'Make somebody an account owner; change and deactivate owners',
      roles: owner,
      denial: onlyOwnersChangeOwners,
    },
    editAccountSettings: {
      about: 'The organization’s name and sender name, opt-in rules, quiet hours and other account settings',
      ...managersPage,
    },
    setLocation: {
      about: 'The organization’s country and time zone',
      roles: owner,
      denial: 'Only an account owner can change the country and the time zone.',
    },
    manageSecurity: { about: 'A second factor for everybody, and single sign-on', ...ownersPage },
    seeAuditLog: { about: 'The audit log: who did what', ...managersPage },
    manageIntegrations: { about: 'Connect and remove integrations', roles: managers, trialOwnerOnly: true },
    manageApiKeys: { about: 'Create and revoke API keys', roles: managers, needs: ['API access'] },
    manageWebhooks: {
      about: 'Webhooks: where events are posted to, and what arrived',
      ...managersPage,
      needs: ['API access'],
    },
    closeAccount: { about: 'Close the account', ...ownersPage },
    reactivateAccount: { about: 'Reactivate the account', ...ownersPage },
  },

  Billing: {
    viewBilling: { about: 'The billing page', ...managersPage },
    manageCard: { about: 'See all of, add, change and delete the credit card', ...ownersPage },
    upgradeAccount: { about: 'Upgrade a free trial', ...ownersPage, needs: ['a free trial'] },
    buyCredits: {
      about: 'Buy credits',
      roles: managers,
      trialOwnerOnly: true,
      needs: ['pay-as-you-go', 'owner or a card on file'],
    },
    manageAutoRefill: {
      about: 'Automatic refills',
      ...ownersPage,
      needs: ['pay-as-you-go', 'no free trial'],
    },
    subscribe: { about: 'Start a subscription', ...ownersPage },
    updateSubscription: { about: 'Change the subscription', ...ownersPage, needs: ['pays monthly'] },
    convertToPayAsYouGo: { about: 'Switch to credits', ...ownersPage, needs: ['pays monthly'] },
    payInvoices: { about: 'Pay invoices', ...managersPage },
    createOwnInvoice: {
      about: 'Create your own invoice',
      roles: managers,
      needs: ['owner or invoice self-service without a card'],
    },
    manageInvoiceAddresses: { about: 'Invoice addresses', ...managersPage },
  },

  'Text numbers': {
    seeTextNumbers: {
      about: 'The text numbers you can use, with their auto replies and keywords',
      roles: everyone,
    },
    setUpTexting: { about: 'Set up texting', roles: owner, denial: askOwnerToSetUp },
    registerPromotional: {
      about: 'Register for promotional texts',
      roles: owner,
      feature: 'PromotionalTextMessaging',
      denial: askOwnerToSetUp,
    },
    registerTollFree: { about: 'Register a toll-free number', roles: owner, denial: askOwnerToSetUp },
    getFreeTextNumber: {
      about: 'Get the free number of a trial',
      roles: owner,
      needs: ['a free trial', 'in the US or Canada', 'texting in the trial'],
      denial: askOwnerToSetUp,
    },
    buyLocalNumber: {
      about: 'Get a local number',
      roles: managers,
      trialOwnerOnly: true,
      needs: ['in the US or Canada'],
      denial: notAuthorizedForLocalNumber,
    },
    releaseTextNumbers: { about: 'Give up text numbers', ...ownersPage },
    manageTextNumbers: {
      about: 'Name, description and default of text numbers',
      roles: managers,
      needs: ['a registered US number'],
    },
    manageUnlimitedConversations: {
      about: 'Unlimited conversations of a number',
      ...ownersPage,
      needs: ['no free trial'],
    },
    manageAutoReplies: {
      about: 'Auto replies and keywords',
      roles: managers,
      trialOwnerOnly: true,
      needs: ['a text number'],
    },
    setOwnNotifications: {
      about: 'Your notifications for a text number',
      roles: everyone,
      needs: ['a text number'],
    },
  },

  Conversations: {
    readConversations: {
      about: 'The inbox, conversations and scheduled texts of your text numbers',
      roles: everyone,
      needs: ['a text number'],
    },
    manageConversations: {
      about: 'Mark done or unread, assign, snooze, tag, note and move; cancel a scheduled text',
      roles: everyone,
      needs: ['a text number'],
    },
    createConversation: {
      about: 'Start or schedule a conversation',
      roles: everyone,
      needs: texting,
      denial: deniedConversations,
    },
    replyInConversation: {
      about: 'Reply in a conversation, send a failed text again',
      roles: everyone,
      needs: texting,
    },
    textAnyNumber: {
      about: 'Text unverified numbers',
      roles: everyone,
      needs: [...texting, 'no free trial'],
    },
    searchConversationsByDate: {
      about: 'Find conversations by date',
      roles: everyone,
      feature: 'ConversationDateRangeSearch',
    },
    scheduleForOthers: { about: 'Schedule a text in a colleague’s name', roles: managers },
    changeOthersNotes: {
      about: 'Change and delete notes that others wrote in a conversation',
      roles: managers,
    },
    deleteTags: { about: 'Delete a tag from all conversations', roles: managers },
  },

  Broadcasts: {
    seeBroadcasts: { about: 'Your own broadcasts and drafts, with their results', roles: everyone },
    seeAllBroadcasts: {
      about: 'Everyone’s broadcasts and drafts',
      roles: everyone,
      needs: ['sees all broadcasts'],
    },
    manageBroadcasts: {
      about: 'Edit drafts; pause, cancel, label and delete broadcasts; move replies between groups',
      roles: everyone,
      needs: ['may create broadcasts'],
    },
    createBroadcast: {
      about: 'Start a new broadcast',
      roles: everyone,
      needs: ['may send', 'may create broadcasts'],
    },
    createTextBroadcast: {
      about: 'Send or resume a text broadcast, send a test of it, answer a group of replies',
      roles: everyone,
      needs: [...texting, 'may create broadcasts'],
    },
    createVoiceBroadcast: {
      about: 'Send a voice broadcast',
      roles: everyone,
      needs: ['may send', 'may create broadcasts', 'voice is allowed'],
    },
    startEmergency: {
      about: 'Start an emergency or a drill',
      roles: everyone,
      needs: ['may send', 'may create broadcasts', 'owner, admin or emergencies by everyone'],
    },
    createRepeatingBroadcast: {
      about: 'Create and change repeating broadcasts',
      roles: everyone,
      needs: ['may send', 'may create broadcasts', 'no free trial'],
    },
    createDripCampaign: {
      about: 'Create drip campaigns',
      roles: everyone,
      needs: [...texting, 'may create broadcasts', 'pays by credits'],
      feature: 'DripCampaignsBeta',
    },
    // Only the page. The campaigns themselves are seen and stopped like broadcasts, also without the feature.
    openDripCampaigns: {
      about: 'The page with all drip campaigns',
      roles: everyone,
      feature: 'DripCampaignsBeta',
    },
    sendPromotionalTexts: {
      about: 'Send promotional texts',
      roles: everyone,
      needs: [...texting, 'may create broadcasts'],
      feature: 'PromotionalTextMessaging',
    },
    editVoiceSettings: { about: 'Voice settings', roles: managers, needs: ['voice is allowed'] },
  },

  'Contacts and the library': {
    manageOwnContacts: {
      about: 'See, add, change, import and export the contacts you can see; groups and custom fields',
      roles: everyone,
    },
    seeAllContacts: { about: 'Contacts that others added', roles: everyone, needs: ['sees all contacts'] },
    deleteFromEveryone: {
      about: 'Delete people from Everyone, also permanently',
      roles: managers,
      needs: ['sees all contacts'],
    },
    mergeContacts: {
      about: 'Merge duplicates, which deletes all but one of them',
      roles: managers,
      needs: ['sees all contacts'],
    },
    deleteCustomFields: { about: 'Delete a custom field with all its values', roles: managers },
    changeConsent: { about: 'Record opt-ins and opt-outs', roles: everyone },
    lookUpPhones: { about: 'Check whether a phone can be texted', roles: everyone },
    useMessageLibrary: { about: 'Saved messages and recordings', roles: everyone },
    changeSharedMessages: {
      about: 'Change and delete saved messages and recordings that others shared',
      roles: managers,
    },
    usePictures: { about: 'Upload pictures, mark them as explicit or clean', roles: everyone },
    seeGroupAudio: { about: 'Audio that others shared', roles: everyone, needs: ['sees group audio'] },
  },

  Reports: {
    seeBillingHistory: { about: 'Billing history', ...managersPage },
    seeInvoices: { about: 'Invoices', ...managersPage },
    seeCreditBalance: { about: 'Credit balance', roles: everyone, needs: ['pays by credits'] },
    seeTextActivity: { about: 'Text activity', roles: everyone, needs: ['a text number'] },
    seeOptOutReport: { about: 'Opt-outs', roles: everyone },
    seePhoneNumberHistory: { about: 'Phone number history', roles: everyone },
    seeUsageSummary: { about: 'Usage summary', roles: everyone },
    seeDelivery: { about: 'Delivery', roles: everyone, needs: ['a text number'] },
    seePromotionalOptIn: {
      about: 'Promotional opt-in',
      roles: everyone,
      feature: 'PromotionalTextMessaging',
    },
  },

  'Experimental features': {
    useLabs: { about: 'Labs', roles: everyone, feature: 'LabsUser' },
    seeSampleBroadcasts: {
      about: 'Sample broadcasts',
      roles: everyone,
      needs: ['no free trial'],
      feature: 'PaidAccountSampleBroadcasts',
    },
    seeRegistrationStepper: {
      about: 'Registration progress',
      roles: everyone,
      feature: 'RegistrationProgressStepper',
    },
    beAskedForNotifications: {
      about: 'Prompt for browser notifications during onboarding',
      roles: everyone,
      feature: 'BrowserNotificationOnboarding',
    },
    useInternationalAllInOne: {
      about: 'All-in-one international account',
      roles: everyone,
      feature: 'AllInOneInternationalAccount',
    },
  },
} as const satisfies Record<string, Record<string, Capability>>;

type Table = typeof table;
export type CapabilityName = { [Group in keyof Table]: keyof Table[Group] }[keyof Table];
export const capabilityGroups: Readonly<Record<string, Readonly<Record<string, Capability>>>> = table;
export const capabilities = Object.assign({}, ...Object.values(table)) as Record<CapabilityName, Capability>;
export const capabilityNames = Object.keys(capabilities) as CapabilityName[];

/**
 * Undefined when the person has the capability, otherwise the message to show. A deactivated user has none.
 */
export function whyNot(name: CapabilityName, who: Who): string | undefined {
  const { roles, trialOwnerOnly, needs = [], feature, denial = deniedFeature } = capabilities[name];
  const role = roleOf(who.user);
  if (!who.user.IsActive) return deniedFeature;
  if (!roles.includes(role)) return denial;
  if (trialOwnerOnly && who.account.IsFreeTrial && role !== 'owner') return ownersOnly;
  if (feature !== undefined && !who.user.Features.includes(feature)) return deniedFeature;
  if (needs.some((need) => !conditions[need](who)))
    return denial === deniedConversations ? denial : deniedFeature;
  return undefined;
}

export function can(name: CapabilityName, who: Who): boolean {
  return whyNot(name, who) === undefined;
}

/** Report kinds, and the capability that opens each. */
export const reports = {
  'billing-history': 'seeBillingHistory',
  'credit-balance': 'seeCreditBalance',
  delivery: 'seeDelivery',
  invoices: 'seeInvoices',
  'opt-out-report': 'seeOptOutReport',
  'phone-number-history': 'seePhoneNumberHistory',
  'promotional-opt-in': 'seePromotionalOptIn',
  'text-activity': 'seeTextActivity',
  'usage-summary': 'seeUsageSummary',
} as const satisfies Record<string, CapabilityName>;
export type ReportKind = keyof typeof reports;
export const reportKinds = Object.keys(reports) as ReportKind[];

export function reportsFor(who: Who): ReportKind[] {
  return reportKinds.filter((kind) => can(reports[kind], who));
}

/** The owner automatically has all three; others have what was switched on for them. */
export function effectivePermissions({
  IsMasterUser,
  Permissions,
}: Pick<Who['user'], 'IsMasterUser' | 'Permissions'>) {
  return IsMasterUser
    ? { CanSeeAllBroadcasts: true, CanSeeAllRoster: true, CanSeeGroupAudio: true }
    : Permissions;
}

/** Internal staff are detected by the company e-mail domain. */
export function isInternalStaff(email: string, companyDomain: string): boolean {
  return companyDomain !== '' && email.toLowerCase().endsWith(`@${companyDomain.toLowerCase()}`);
}
