import type { CallDefinition } from './call.ts';
import type { CapabilityName } from './permissions.ts';

/**
 * The scopes that an API key can be limited to. A scope is an area and a level, `contacts:read`. Each level
 * opens capabilities of contract/permissions.ts and includes the levels before it. A key acts as the user who
 * made it: its scopes narrow what that user may do and never widen it. Capabilities without an area are for
 * people only, and so are the calls that need them.
 */
const levels = ['read', 'write', 'send'] as const;
export type ScopeLevel = (typeof levels)[number];

interface ScopeArea {
  label: string;
  about: string;
  opens: Partial<Record<ScopeLevel, readonly CapabilityName[]>>;
}

const areas = {
  contacts: {
    label: 'Contacts',
    about: 'Contacts, groups, segments, custom fields and imports',
    opens: {
      read: ['manageOwnContacts', 'seeAllContacts', 'lookUpPhones'],
      write: ['deleteFromEveryone', 'mergeContacts', 'deleteCustomFields'],
    },
  },
  consent: {
    label: 'Opt-ins and opt-outs',
    about: 'Who can be texted and called, and who said STOP',
    opens: { read: ['seeOptOutReport'], write: ['changeConsent'] },
  },
  conversations: {
    label: 'Inbox',
    about: 'Conversations, texts, notes, tags and scheduled texts',
    opens: {
      read: ['readConversations', 'searchConversationsByDate', 'seeColleagues'],
      write: ['manageConversations', 'changeOthersNotes', 'deleteTags'],
      send: ['createConversation', 'replyInConversation', 'textAnyNumber', 'scheduleForOthers'],
    },
  },
  broadcasts: {
    label: 'Broadcasts',
    about: 'Broadcasts, drafts, drip campaigns and their results',
    opens: {
      read: ['seeBroadcasts', 'seeAllBroadcasts'],
      write: ['manageBroadcasts', 'createBroadcast', 'createDripCampaign'],
      send: [
        'createTextBroadcast',
        'createVoiceBroadcast',
        'createRepeatingBroadcast',
        'sendPromotionalTexts',
      ],
    },
  },
  library: {
    label: 'Message library',
    about: 'Saved texts, recordings and pictures',
    opens: { read: ['useMessageLibrary', 'seeGroupAudio'], write: ['changeSharedMessages', 'usePictures'] },
  },
  numbers: {
    label: 'Text numbers',
    about: 'Text numbers with their automatic replies and keywords, transfer numbers',
    opens: {
      read: ['seeTextNumbers'],
      write: ['setOwnNotifications', 'manageTextNumbers', 'manageAutoReplies', 'editVoiceSettings'],
    },
  },
  reports: {
    label: 'Reports',
    about: 'Activity, the history of a phone, usage, credits and invoices',
    opens: {
      read: [
        ...(['seeTextActivity', 'seePhoneNumberHistory', 'seeUsageSummary', 'seePromotionalOptIn'] as const),
        ...(['seeCreditBalance', 'seeBillingHistory', 'seeInvoices'] as const),
      ],
    },
  },
  webhooks: {
    label: 'Webhooks',
    about: 'Have events posted to a program, as Zapier does',
    opens: { read: ['manageWebhooks'], write: [] },
  },
  audit: {
    label: 'Audit log',
    about: 'Who changed what, when and from where',
    opens: { read: ['seeAuditLog'] },
  },
} as const satisfies Record<string, ScopeArea>;

export type ScopeAreaName = keyof typeof areas;
export type Scope = {
  [Area in ScopeAreaName]: `${Area}:${keyof (typeof areas)[Area]['opens'] & ScopeLevel}`;
}[ScopeAreaName];

export const scopeAreas: Readonly<Record<ScopeAreaName, ScopeArea>> = areas;
export const scopeAreaNames = Object.keys(areas) as ScopeAreaName[];
export const scopes = scopeAreaNames.flatMap((area) =>
  levelsOf(area).map((level) => `${area}:${level}` as Scope),
);

export function levelsOf(area: ScopeAreaName): ScopeLevel[] {
  return levels.filter((level) => scopeAreas[area].opens[level] !== undefined);
}

/** Every key may ask whose it is, and for the progress of long work that it began. */
const everyKeyMay: readonly string[] = ['getAccount', 'getUser', 'getWork', 'listWork'];

/** Calls that belong to capabilities above but make sense only for a person at a screen. */
const forPeople: readonly string[] = [
  // Recording by telephone calls the person who asked for it.
  ...['createRecording', 'getRecording', 'listRecordings', 'callForRecording', 'addCallerId'],
  // Deliveries show what was posted to whoever asked for it, which a key may not read.
  ...['deleteWebhook', 'testWebhook', 'listWebhookDeliveries', 'getWebhookDelivery'],
  ...['replayWebhookDelivery', 'replayWebhook'],
  // A person's own read marks, dismissals and signature.
  ...['noteTemplateUse', 'dismissRepeatingFailures', 'getSignatureSetting', 'updateSignatureSetting'],
];

/** They only read, although they take a body. */
const onlyLook: readonly string[] = [
  ...['countSegment', 'validatePhoneNumber', 'previewMerge', 'previewQuickSend', 'calculateSequenceCredits'],
  ...['previewAnswer', 'previewSequenceStep'],
  ...['mergeSingle', 'mergeSingleOfBroadcast', 'validateBroadcast', 'validateSchedule', 'lookUpShortUrls'],
];

/** They send to people, although what they need is enough to prepare. */
const send: readonly string[] = [
  ...['createBroadcast', 'chooseText', 'createSequence', 'addSequenceStep', 'resumeSequence'],
];

const placeOf = new Map(
  scopeAreaNames.flatMap((area) =>
    levelsOf(area).flatMap((level) =>
      (scopeAreas[area].opens[level] ?? []).map((capability) => [capability, { area, level }] as const),
    ),
  ),
);

/** The scope that a key needs for a call, 'any' where every key may make it, undefined where no key may. */
export function scopeOf(name: string, { allow, method, confirm }: CallDefinition): Scope | 'any' | undefined {
  if (everyKeyMay.includes(name)) return 'any';
  const place = allow === 'public' ? undefined : placeOf.get(allow);
  if (place === undefined || confirm || forPeople.includes(name)) return undefined;
  return `${place.area}:${levelNeeded(name, method, place.level)}` as Scope;
}

function levelNeeded(name: string, method: string, ofCapability: ScopeLevel): ScopeLevel {
  if (method === 'GET' || onlyLook.includes(name)) return 'read';
  if (send.includes(name)) return 'send';
  return ofCapability === 'read' ? 'write' : ofCapability;
}

/** True if one of the key's scopes covers the one that is needed. */
export function hasScope(held: readonly string[], needed: Scope): boolean {
  const [area, level] = needed.split(':') as [ScopeAreaName, ScopeLevel];
  return held.some((scope) => {
    const [heldArea, heldLevel] = scope.split(':');
    return heldArea === area && levels.indexOf(heldLevel as ScopeLevel) >= levels.indexOf(level);
  });
}

/** The scope that a capability belongs to; undefined where no key can have it. */
export function scopeOfCapability(capability: CapabilityName): Scope | undefined {
  const place = placeOf.get(capability);
  return place === undefined ? undefined : (`${place.area}:${place.level}` as Scope);
}

/** One scope an area, the furthest, in the order of the areas. */
export function tidyScopes(given: readonly string[]): Scope[] {
  return scopeAreaNames.flatMap((area) => {
    const furthest = levelsOf(area).findLast((level) => given.includes(`${area}:${level}`));
    return furthest === undefined ? [] : [`${area}:${furthest}` as Scope];
  });
}

const levelLabels: Record<ScopeLevel, string> = {
  read: 'See',
  write: 'See and change',
  send: 'See, change and send',
};

export function levelLabel(level: ScopeLevel): string {
  return levelLabels[level];
}

/** "Inbox: See, change and send", as the dialog of a key offers it. */
export function scopeChoice(scope: Scope): string {
  const [area, level] = scope.split(':') as [ScopeAreaName, ScopeLevel];
  const { label } = scopeAreas[area];
  return `${label}: ${levelLabel(level)}`;
}

/** "Contacts", "Contacts, read only", "Broadcasts, no sending". */
export function scopeLabel(scope: string): string {
  const [area, level] = scope.split(':') as [ScopeAreaName, ScopeLevel];
  const { label } = scopeAreas[area];
  if (level === 'read') return `${label}, read only`;
  return levelsOf(area).at(-1) === level ? label : `${label}, no sending`;
}
