import {
  type CapabilityName,
  deniedConversations,
  deniedFeature,
  ownersAndAdmins,
  ownersOnly,
  type ReportKind,
  type Who,
} from './permissions.ts';
import { ruleTable } from './testing/rule-table.ts';

/** The differences from an active owner of a paid US credits account with every flag, number and card. */
export interface WhoCase {
  role?: 'owner' | 'admin' | 'user';
  type?: 0 | 1 | 2 | 3;
  isFreeTrial?: boolean;
  user?: Partial<Who['user']>;
  account?: Partial<Who['account']>;
  hasRegisteredUsNumber?: boolean;
}

const no = { CanSeeAllBroadcasts: false, CanSeeAllRoster: false, CanSeeGroupAudio: false };

/** Roles that have it on a paid credits account where everything is switched on, and in a free trial. */
export const capabilityCases = ruleTable<CapabilityName, { paid: string; trial: string }>({
  about: 'Who may do what',
  file: 'contract/permissions.ts',
  rows: [
    {
      rule: 'Admin-or-master is the general manager capability; in a free trial only the owner has some capabilities',
      cases: [
        ['editOwnProfile', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['useMuster', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeColleagues', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['manageUsers', { paid: 'owner admin', trial: 'owner' }],
        ['manageOwners', { paid: 'owner', trial: 'owner' }],
        ['editAccountSettings', { paid: 'owner admin', trial: 'owner admin' }],
        ['setLocation', { paid: 'owner', trial: 'owner' }],
        ['manageSecurity', { paid: 'owner', trial: 'owner' }],
        ['seeAuditLog', { paid: 'owner admin', trial: 'owner admin' }],
        ['manageIntegrations', { paid: 'owner admin', trial: 'owner' }],
        ['manageApiKeys', { paid: 'owner admin', trial: 'owner admin' }],
        ['manageWebhooks', { paid: 'owner admin', trial: 'owner admin' }],
        ['closeAccount', { paid: 'owner', trial: 'owner' }],
        ['reactivateAccount', { paid: 'owner', trial: 'owner' }],
      ],
    },
    {
      rule: 'Card add/update/delete and card info loading are for the owner role; owners on credit-based non-free accounts manage the card',
      cases: [
        ['viewBilling', { paid: 'owner admin', trial: 'owner admin' }],
        ['manageCard', { paid: 'owner', trial: 'owner' }],
        ['upgradeAccount', { paid: '', trial: 'owner' }],
        ['buyCredits', { paid: 'owner admin', trial: 'owner' }],
        ['manageAutoRefill', { paid: 'owner', trial: '' }],
        ['updateSubscription', { paid: '', trial: '' }],
        ['convertToPayAsYouGo', { paid: '', trial: '' }],
        ['payInvoices', { paid: 'owner admin', trial: 'owner admin' }],
        ['createOwnInvoice', { paid: 'owner', trial: 'owner' }],
        ['subscribe', { paid: 'owner', trial: 'owner' }],
        ['manageInvoiceAddresses', { paid: 'owner admin', trial: 'owner admin' }],
      ],
    },
    {
      rule: 'Only owners get buttons to set up texting or register a toll-free line; other users are told to ask the owner',
      cases: [
        ['setUpTexting', { paid: 'owner', trial: 'owner' }],
        ['seeTextNumbers', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['registerTollFree', { paid: 'owner', trial: 'owner' }],
        ['registerPromotional', { paid: 'owner', trial: 'owner' }],
        ['getFreeTextNumber', { paid: '', trial: 'owner' }],
        ['buyLocalNumber', { paid: 'owner admin', trial: 'owner' }],
        ['releaseTextNumbers', { paid: 'owner', trial: 'owner' }],
        ['manageTextNumbers', { paid: 'owner admin', trial: 'owner admin' }],
        ['manageUnlimitedConversations', { paid: 'owner', trial: '' }],
        ['manageAutoReplies', { paid: 'owner admin', trial: 'owner' }],
        ['setOwnNotifications', { paid: 'owner admin user', trial: 'owner admin user' }],
      ],
    },
    {
      rule: 'Free-trial accounts may text only verified numbers',
      cases: [
        ['readConversations', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['manageConversations', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['replyInConversation', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['scheduleForOthers', { paid: 'owner admin', trial: 'owner admin' }],
        ['changeOthersNotes', { paid: 'owner admin', trial: 'owner admin' }],
        ['deleteTags', { paid: 'owner admin', trial: 'owner admin' }],
        ['createConversation', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['textAnyNumber', { paid: 'owner admin user', trial: '' }],
        ['searchConversationsByDate', { paid: 'owner admin user', trial: 'owner admin user' }],
      ],
    },
    {
      rule: 'CanCreateBroadcast is a per-user flag; the owner automatically has CanSeeAllBroadcasts, CanSeeAllRoster and CanSeeGroupAudio',
      cases: [
        ['createBroadcast', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeBroadcasts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['manageBroadcasts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['createTextBroadcast', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['createVoiceBroadcast', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['startEmergency', { paid: 'owner admin', trial: 'owner admin' }],
        ['createRepeatingBroadcast', { paid: 'owner admin user', trial: '' }],
        ['createDripCampaign', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['openDripCampaigns', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['sendPromotionalTexts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeAllBroadcasts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['editVoiceSettings', { paid: 'owner admin', trial: 'owner admin' }],
        ['manageOwnContacts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeAllContacts', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['deleteFromEveryone', { paid: 'owner admin', trial: 'owner admin' }],
        ['mergeContacts', { paid: 'owner admin', trial: 'owner admin' }],
        ['deleteCustomFields', { paid: 'owner admin', trial: 'owner admin' }],
        ['changeConsent', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['lookUpPhones', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['changeSharedMessages', { paid: 'owner admin', trial: 'owner admin' }],
        ['useMessageLibrary', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['usePictures', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeGroupAudio', { paid: 'owner admin user', trial: 'owner admin user' }],
      ],
    },
    {
      rule: 'Reports. Billing history: owner or account admin. Opt-out, phone history and usage summary: all.',
      cases: [
        ['seeBillingHistory', { paid: 'owner admin', trial: 'owner admin' }],
        ['seeInvoices', { paid: 'owner admin', trial: 'owner admin' }],
        ['seeCreditBalance', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeTextActivity', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeOptOutReport', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seePhoneNumberHistory', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeUsageSummary', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeDelivery', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seePromotionalOptIn', { paid: 'owner admin user', trial: 'owner admin user' }],
      ],
    },
    {
      rule: 'Feature flags (strings)',
      cases: [
        ['useLabs', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['seeSampleBroadcasts', { paid: 'owner admin user', trial: '' }],
        ['seeRegistrationStepper', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['beAskedForNotifications', { paid: 'owner admin user', trial: 'owner admin user' }],
        ['useInternationalAllInOne', { paid: 'owner admin user', trial: 'owner admin user' }],
      ],
    },
  ],
});

/** Undefined when the person may. */
export const denialCases = ruleTable<[capability: CapabilityName, who: WhoCase], string | undefined>({
  about: 'Refusals, with their sentences',
  file: 'contract/permissions.ts',
  rows: [
    {
      rule: 'Restricted pages: "Access to this page is restricted to account owners"',
      message: ownersOnly,
      cases: [
        [['manageCard', { role: 'admin' }], ownersOnly],
        [['closeAccount', { role: 'user' }], ownersOnly],
        [['manageUsers', { role: 'admin', isFreeTrial: true }], ownersOnly],
      ],
    },
    {
      rule: 'Optionally "and admin users"',
      message: ownersAndAdmins,
      cases: [
        [['viewBilling', { role: 'user' }], ownersAndAdmins],
        [['manageUsers', { role: 'user' }], ownersAndAdmins],
        [['manageUsers', { role: 'admin' }], undefined],
      ],
    },
    {
      rule: 'Conversation creation can be denied',
      message: deniedConversations,
      cases: [
        [['createConversation', { user: { HasTextNumberAssigned: false } }], deniedConversations],
        [['createConversation', { account: { maySend: false } }], deniedConversations],
        [
          ['createConversation', { isFreeTrial: true, user: { Features: ['FreeTrialABTestNoText'] } }],
          deniedConversations,
        ],
        [['createConversation', { user: { Features: ['FreeTrialABTestNoText'] } }], undefined],
      ],
    },
    {
      rule: 'A manager who also has access to a registered US text number gets text-number management capability',
      message: deniedFeature,
      cases: [
        [['manageTextNumbers', { role: 'admin' }], undefined],
        [['manageTextNumbers', { role: 'admin', hasRegisteredUsNumber: false }], deniedFeature],
        [['manageTextNumbers', { role: 'user' }], deniedFeature],
      ],
    },
    {
      rule: 'DripCampaignsBeta (not for monthly or invoiced monthly accounts)',
      message: deniedFeature,
      cases: [
        [['createDripCampaign', { type: 0 }], undefined],
        [['createDripCampaign', { type: 2 }], undefined],
        [['createDripCampaign', { type: 1 }], deniedFeature],
        [['createDripCampaign', { type: 3 }], deniedFeature],
        [['createDripCampaign', { user: { Features: [] } }], deniedFeature],
        [['openDripCampaigns', { type: 1 }], undefined],
        [['openDripCampaigns', { user: { Features: [] } }], deniedFeature],
      ],
    },
    {
      rule: 'Others have per-user toggles for CanSeeAllBroadcasts and CanSeeAllRoster; the account owner gets all automatically',
      cases: [
        [['seeAllBroadcasts', { role: 'owner', user: { Permissions: no } }], undefined],
        [['seeAllContacts', { role: 'owner', user: { Permissions: no } }], undefined],
        [['seeGroupAudio', { role: 'owner', user: { Permissions: no } }], undefined],
        [['seeAllBroadcasts', { role: 'admin', user: { Permissions: no } }], deniedFeature],
        [['seeAllContacts', { role: 'user', user: { Permissions: no } }], deniedFeature],
        [
          ['seeAllContacts', { role: 'user', user: { Permissions: { ...no, CanSeeAllRoster: true } } }],
          undefined,
        ],
      ],
    },
    {
      rule: 'CanCreateBroadcast is a per-user flag (ours: the owner always may)',
      cases: [
        [['createBroadcast', { role: 'user', user: { CanCreateBroadcast: false } }], deniedFeature],
        [['createBroadcast', { role: 'admin', user: { CanCreateBroadcast: false } }], deniedFeature],
        [['createBroadcast', { role: 'owner', user: { CanCreateBroadcast: false } }], undefined],
        [['createVoiceBroadcast', { account: { VoiceAllowed: false } }], deniedFeature],
        [['startEmergency', { role: 'user' }], deniedFeature],
        [['startEmergency', { role: 'user', account: { EmergenciesByEveryone: true } }], undefined],
        [['startEmergency', { role: 'admin', user: { CanCreateBroadcast: false } }], deniedFeature],
        [['startEmergency', { account: { maySend: false } }], deniedFeature],
        [['createTextBroadcast', { user: { HasTextNumberAssigned: false } }], deniedFeature],
      ],
    },
    {
      rule: 'Only owners get buttons to set up texting; other users are told to ask the owner',
      message: 'Ask your account owner to set up texting.',
      cases: [
        [['setUpTexting', { role: 'admin' }], 'Ask your account owner to set up texting.'],
        [['registerTollFree', { role: 'user' }], 'Ask your account owner to set up texting.'],
      ],
    },
    {
      rule: 'Invoice self-service applies to admins with no card on file (ours: and to owners)',
      cases: [
        [['createOwnInvoice', { role: 'owner', account: { hasCardOnFile: true } }], undefined],
        [['createOwnInvoice', { role: 'admin', account: { hasCardOnFile: false } }], undefined],
        [['createOwnInvoice', { role: 'admin', account: { hasCardOnFile: true } }], deniedFeature],
        [
          [
            'createOwnInvoice',
            { role: 'admin', account: { hasCardOnFile: false, InvoiceSelfService: false } },
          ],
          deniedFeature,
        ],
        [['createOwnInvoice', { role: 'user', account: { hasCardOnFile: false } }], deniedFeature],
      ],
    },
    {
      rule: 'Ours: an admin may buy credits with the card on file, never add one; a subscription is the owner’s',
      cases: [
        [['buyCredits', { role: 'admin', account: { hasCardOnFile: false } }], deniedFeature],
        [['buyCredits', { role: 'owner', account: { hasCardOnFile: false } }], undefined],
        [['buyCredits', { role: 'owner', type: 1 }], deniedFeature],
        [['updateSubscription', { role: 'owner', type: 1 }], undefined],
        [['updateSubscription', { role: 'admin', type: 1 }], ownersOnly],
        [['convertToPayAsYouGo', { role: 'owner', type: 3 }], undefined],
      ],
    },
    {
      rule: 'Ours: a user who is switched off may do nothing',
      cases: [
        [['editOwnProfile', { user: { IsActive: false } }], deniedFeature],
        [['createBroadcast', { role: 'owner', user: { IsActive: false } }], deniedFeature],
      ],
    },
    {
      rule: 'International accounts contact support by e-mail (no free number, no local number)',
      cases: [
        [['getFreeTextNumber', { isFreeTrial: true, account: { CountryID: 4 } }], deniedFeature],
        [['getFreeTextNumber', { isFreeTrial: true, account: { CountryID: 2 } }], undefined],
        [['buyLocalNumber', { account: { CountryID: 9 } }], deniedFeature],
      ],
    },
  ],
});

const all: ReportKind[] = [
  'billing-history',
  'credit-balance',
  'delivery',
  'invoices',
  'opt-out-report',
  'phone-number-history',
  'promotional-opt-in',
  'text-activity',
  'usage-summary',
];

export const reportCases = ruleTable<WhoCase, ReportKind[]>({
  about: 'Reports by role and account type',
  file: 'contract/permissions.ts',
  rows: [
    {
      rule: 'Billing history: owner or account admin',
      cases: [
        [{ role: 'owner' }, all],
        [{ role: 'admin' }, all],
        [{ role: 'user' }, all.filter((kind) => kind !== 'billing-history' && kind !== 'invoices')],
      ],
    },
    {
      rule: 'Credit balance: pay-as-you-go only (not monthly or invoiced monthly)',
      cases: [
        [{ type: 1 }, all.filter((kind) => kind !== 'credit-balance')],
        [{ type: 2 }, all],
        [{ type: 3 }, all.filter((kind) => kind !== 'credit-balance')],
      ],
    },
    {
      rule: 'Text activity: needs a text number assigned (ours: delivery as well)',
      cases: [
        [
          { user: { HasTextNumberAssigned: false } },
          all.filter((kind) => kind !== 'text-activity' && kind !== 'delivery'),
        ],
      ],
    },
    {
      rule: 'Opt-out, phone history and usage summary: all',
      cases: [
        [
          { role: 'user', type: 3, user: { HasTextNumberAssigned: false, Features: [] } },
          ['opt-out-report', 'phone-number-history', 'usage-summary'],
        ],
      ],
    },
  ],
});
