import { accessDenied } from './errors.ts';
import { isMonthly } from './states/account-status.ts';

/**
 * Who may do what: one table. A capability names the roles that have it, what narrows it during a free trial,
 * and what else must hold. Web hides and server refuses from the same line.
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
  };
  /** Whether the user has access to a registered US text number. */
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

/** What a capability can ask for beside the role. */
const conditions = {
  'may send': ({ account }) => account.maySend,
  'a text number': ({ user }) => user.HasTextNumberAssigned,
  'a registered US number': ({ hasRegisteredUsNumber }) => hasRegisteredUsNumber,
  'may create broadcasts': ({ user }) => user.IsMasterUser || user.CanCreateBroadcast,
  'voice is allowed': ({ account }) => account.VoiceAllowed,
  'pays by credits': ({ account }) => !isMonthly(account),
  'pay-as-you-go': ({ account }) => account.AccountTypeID === 0,
  'pays monthly': ({ account }) => isMonthly(account),
  'is no free trial': ({ account }) => !account.IsFreeTrial,
  'is a free trial': ({ account }) => account.IsFreeTrial,
  'in the US or Canada': ({ account }) => account.CountryID <= 2,
  'API access': ({ account }) => account.IsApiAuthorized,
  'owner or a card on file': ({ user, account }) => user.IsMasterUser || account.hasCardOnFile,
  'invoice self-service without a card': ({ account }) =>
    account.InvoiceSelfService && !account.hasCardOnFile,
  'sees all broadcasts': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeAllBroadcasts,
  'sees all contacts': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeAllRoster,
  'sees group audio': ({ user }) => user.IsMasterUser || user.Permissions.CanSeeGroupAudio,
  'texting in the trial': ({ user, account }) =>
    !account.IsFreeTrial || !user.Features.includes('FreeTrialABTestNoText'),
} as const satisfies Record<string, (who: Who) => boolean>;
type Condition = keyof typeof conditions;

interface Capability {
  roles: readonly Role[];
  /** In a free trial only the owner has some capabilities. */
  trialOwnerOnly?: true;
  needs?: readonly Condition[];
  /** A feature flag of the user. */
  feature?: string;
  /** What a person who lacks it is told, where it isn't the general sentence. */
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
const askOwnerToSetUp = 'Ask your account owner to set up texting.';
const ownersPage = { roles: owner, denial: ownersOnly } as const;
const managersPage = { roles: managers, denial: ownersAndAdmins } as const;
const texting = ['may send', 'a text number', 'texting in the trial'] as const;

const table = {
  // People and the organisation
  editOwnProfile: { roles: everyone },
  manageUsers: { ...managersPage, trialOwnerOnly: true },
  editAccountSettings: managersPage,
  manageIntegrations: { roles: managers, trialOwnerOnly: true },
  manageApiKeys: { roles: managers, needs: ['API access'] },
  closeAccount: ownersPage,
  reactivateAccount: ownersPage,

  // Money
  viewBilling: managersPage,
  manageCard: ownersPage,
  manageCardForCredits: { ...ownersPage, needs: ['pay-as-you-go', 'is no free trial'] },
  upgradeAccount: { ...ownersPage, needs: ['is a free trial'] },
  buyCredits: { roles: managers, trialOwnerOnly: true, needs: ['pay-as-you-go', 'owner or a card on file'] },
  manageAutoRefill: { ...ownersPage, needs: ['pay-as-you-go', 'is no free trial'] },
  updateSubscription: { ...ownersPage, needs: ['pays monthly'] },
  convertToPayAsYouGo: { ...ownersPage, needs: ['pays monthly'] },
  payInvoices: managersPage,
  createOwnInvoice: { roles: managers, needs: ['invoice self-service without a card'] },
  manageInvoiceAddresses: managersPage,

  // Text numbers
  setUpTexting: { roles: owner, denial: askOwnerToSetUp },
  registerTollFree: { roles: owner, denial: askOwnerToSetUp },
  getFreeTextNumber: {
    roles: owner,
    needs: ['is a free trial', 'in the US or Canada', 'texting in the trial'],
    denial: askOwnerToSetUp,
  },
  buyLocalNumber: { roles: managers, trialOwnerOnly: true, needs: ['in the US or Canada'] },
  manageTextNumbers: { roles: managers, needs: ['a registered US number'] },
  manageUnlimitedConversations: { ...ownersPage, needs: ['is no free trial'] },
  manageAutoReplies: { roles: managers, trialOwnerOnly: true, needs: ['a text number'] },
  setOwnNotifications: { roles: everyone, needs: ['a text number'] },

  // Conversations
  readConversations: { roles: everyone, needs: ['a text number'] },
  createConversation: { roles: everyone, needs: texting, denial: deniedConversations },
  textAnyNumber: { roles: everyone, needs: [...texting, 'is no free trial'] },
  searchConversationsByDate: { roles: everyone, feature: 'ConversationDateRangeSearch' },

  // Broadcasts
  createBroadcast: { roles: everyone, needs: ['may send', 'may create broadcasts'] },
  createTextBroadcast: { roles: everyone, needs: [...texting, 'may create broadcasts'] },
  createVoiceBroadcast: { roles: everyone, needs: ['may send', 'may create broadcasts', 'voice is allowed'] },
  createRepeatingBroadcast: {
    roles: everyone,
    needs: ['may send', 'may create broadcasts', 'is no free trial'],
  },
  createDripCampaign: {
    roles: everyone,
    needs: [...texting, 'may create broadcasts', 'pays by credits'],
    feature: 'DripCampaignsBeta',
  },
  sendPromotionalTexts: {
    roles: everyone,
    needs: [...texting, 'may create broadcasts'],
    feature: 'PromotionalTextMessaging',
  },
  seeAllBroadcasts: { roles: everyone, needs: ['sees all broadcasts'] },
  editVoiceSettings: { roles: managers, needs: ['voice is allowed'] },

  // Contacts and the library
  manageOwnContacts: { roles: everyone },
  seeAllContacts: { roles: everyone, needs: ['sees all contacts'] },
  deleteFromEveryone: { roles: managers, needs: ['sees all contacts'] },
  seeGroupAudio: { roles: everyone, needs: ['sees group audio'] },

  // Reports
  seeBillingHistory: managersPage,
  seeInvoices: managersPage,
  seeCreditBalance: { roles: everyone, needs: ['pays by credits'] },
  seeTextActivity: { roles: everyone, needs: ['a text number'] },
  seeOptOutReport: { roles: everyone },
  seePhoneNumberHistory: { roles: everyone },
  seeUsageSummary: { roles: everyone },
  seePromotionalOptIn: { roles: everyone, feature: 'PromotionalTextMessaging' },

  // Features that are being tried
  useLabs: { roles: everyone, feature: 'LabsUser' },
  seeSampleBroadcasts: {
    roles: everyone,
    needs: ['is no free trial'],
    feature: 'PaidAccountSampleBroadcasts',
  },
  seeRegistrationStepper: { roles: everyone, feature: 'RegistrationProgressStepper' },
  beAskedForNotifications: { roles: everyone, feature: 'BrowserNotificationOnboarding' },
  useInternationalAllInOne: { roles: everyone, feature: 'AllInOneInternationalAccount' },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof table;
export const capabilities: Readonly<Record<CapabilityName, Capability>> = table;
export const capabilityNames = Object.keys(table) as CapabilityName[];

/** Undefined when the person may; otherwise what the person is told. A switched-off user may nothing. */
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
