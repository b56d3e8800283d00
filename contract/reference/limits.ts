/**
 * The limits of forms and screens from both documents' sections 5 and 9, one name each: hints, schemas,
 * screens and the server read them here. Figures that belong to a calculation are kept beside it: segments in
 * contract/text, windows, steps and schedules in contract/time, credits in contract/money, files in
 * contract/uploads, list pages in paging.ts.
 */
export const limits = {
  broadcastName: 50,
  templateName: 50,
  /** Ours: as long as the other names. */
  groupName: 50,
  contactName: 50,
  contactNotes: 50,
  textNumberName: 50,
  textNumberDescription: 200,
  autoReplyMessage: 160,
  /**
   * Ours. "Emergency: " before the title still fits into the name of a broadcast; four texts of 150 characters are read in
   * a hurry; 900 characters are a minute of talking; twelve buttons fit on a telephone's screen.
   */
  emergency: { title: 35, text: 600, spoken: 900, messages: 12, groups: 20 },
  dripName: 255,
  /** Ours: days between joining a group and a step. */
  dripDays: 365,
  emailOfUser: 50,
  nameOfUser: 50,
  userName: { min: 8, max: 50 },
  /** Ours: the specification gives no figure. 8 is the least that NIST allows beside a second factor. */
  pinCode: { min: 8, max: 128 },
  /** Ours: typed on a telephone, so digits only. The PIN is guarded by growing pauses after wrong ones. */
  launchId: { min: 4, max: 10 },
  launchPin: { min: 6, max: 8 },
  phoneListId: 9,
  card: { digits: { min: 13, max: 16 }, cvn: { min: 3, max: 4 } },
  billing: { address: 40, city: 30, state: 50, zipCode: 10, name: 50 },
  /** A billing postal code needs this many characters before the address is saved. */
  billingZipCodeToSave: 5,
  poNumber: 25,
  additionalNotes: 50,
  payment: { minCents: 1 },
  onboarding: {
    companyName: 41,
    howTheyHeard: 50,
    address: 41,
    city: 31,
    lawsonNumber: 4,
    blanketPO: 25,
    amazonEmail: 100,
  },
  registration: {
    canadianBusinessNumber: 9,
    displayName: 255,
    companyName: 255,
    street: 100,
    city: 100,
    postalCode: 13,
    state: 2,
    email: 100,
    description: { min: 40, max: 4096 },
    sample: { min: 20, max: 1024 },
    website: 100,
    privacyPolicyUrl: 255,
    stockSymbol: 10,
  },
  /** Delay after submitting a registration before text numbers are fetched again. */
  textNumbersRefetchMs: 5000,
  transferLines: { min: 1, max: 5000 },
  mfaCode: 6,
  conversationRecipients: 15,
  textToSpeechSeconds: { min: 10, max: 120 },
  /** The highest figures that a badge, a tab title and a count show; above them they say "or more". */
  badge: { small: 99, large: 999 },
  tabTitleCount: 999,
  countDisplay: 999_999,
  /** A search that finds fewer conversations than this offers to look further back. */
  smallSearchResult: 15,
  /** From this many credits on an account may pay by invoice itself; amounts below are flagged. */
  invoiceSelfServiceCredits: 100,
} as const;

/** Initial values of a new row or form. */
export const defaults = {
  user: {
    CallThrottle: 1,
    Retries: 1,
    DefaultSettingCharacterCount: 160,
    DefaultSettingCharacterCountOptions: [160, 320],
    MaxMessageLength: 120,
  },
  broadcastName: 'Untitled Voice Broadcast',
  quickSendPrefix: 'Quick Send: ',
  invoice: { SubscriptionDuration: 3, Terms: 'Due on Receipt' },
  reportRangeDays: { credits: 365, textActivity: 30, usageSummary: 30, delivery: 30 },
} as const;

/** Durations and distances in time that no calculation owns. */
export const timing = {
  firstCallingMinutesAhead: 5,
  retryMinutes: 5,
  subscriptionEndsSoonDays: 31,
  conversationSearchDays: 14,
  typingEventMs: 5_000,
  snackbarMs: 10_000,
  textNumbersRefetchMs: 5_000,
  tooltip: { enterMs: 100, touchMs: 700, leaveTouchMs: 1_500 },
  recorder: {
    chunkMs: 100,
    startDelayMs: 300,
    mobileStartDelayMs: 4_000,
    sampleRateHz: 44_100,
    mobileSampleRateHz: 8_000,
    idealSampleRateHz: 16_000,
    channels: 1,
  },
} as const;

/** Tab title: the unread count as (n) or (999+). */
export function tabTitle(title: string, unreadCount: number): string {
  if (unreadCount <= 0) return title;
  return `(${cappedCount(unreadCount, limits.tabTitleCount)}) ${title}`;
}

/** A count as a badge shows it: "12", "99+". */
function cappedCount(count: number, most: number): string {
  return count > most ? `${most}+` : String(count);
}
