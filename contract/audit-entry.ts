import type { AuditArea } from './audit-areas.ts';
import type { EventChanges } from './event-changes.ts';
import { type EventKind, eventKinds } from './event-kinds.ts';
import { formatE164 } from './phone/format-phone.ts';
import { say } from './say.ts';

export const areaLabels: Record<AuditArea, string> = {
  security: 'Sign-in and security',
  users: say('Users'),
  account: 'Account settings',
  billing: say('Billing'),
  numbers: 'Text numbers',
  broadcasts: say('Broadcasts'),
  conversations: say('Conversations'),
  contacts: say('Contacts'),
  library: 'Message library',
  integrations: say('Integrations'),
  other: 'Everything else',
};

/** The area of a kind, by the word before its dot. Words not listed here are "everything else". */
export const areaOfPrefix: Record<string, AuditArea> = {
  ...{ session: 'security', password: 'security', secondFactor: 'security', recoveryCodes: 'security' },
  ...{ security: 'security', sso: 'security', auditLog: 'security', labs: 'security' },
  // Whoever knows its ID and PIN starts calls in somebody's name.
  ...{ phoneLaunch: 'security' },
  ...{
    user: 'users',
    users: 'users',
    invitation: 'users',
    pushToken: 'users',
    email: 'users',
    phone: 'users',
  },
  ...{ account: 'account', terms: 'account', onboarding: 'account' },
  ...{ card: 'billing', charge: 'billing', invoice: 'billing', subscription: 'billing' },
  ...{ autoRefill: 'billing', invoiceAddress: 'billing', groupCode: 'billing' },
  ...{ textNumber: 'numbers', autoReply: 'numbers', keyword: 'numbers', registration: 'numbers' },
  ...{ callerId: 'numbers', transferNumber: 'numbers' },
  ...{ broadcast: 'broadcasts', broadcastRecipients: 'broadcasts', draft: 'broadcasts', label: 'broadcasts' },
  ...{ repeating: 'broadcasts', sequence: 'broadcasts' },
  ...{ emergencyMessage: 'broadcasts', emergencySettings: 'broadcasts' },
  ...{ conversation: 'conversations', conversations: 'conversations', note: 'conversations' },
  ...{ tag: 'conversations', scheduled: 'conversations', text: 'conversations', media: 'conversations' },
  ...{ contact: 'contacts', contacts: 'contacts', group: 'contacts', customField: 'contacts' },
  ...{ file: 'contacts', consent: 'contacts' },
  ...{ template: 'library', audio: 'library', recording: 'library' },
  ...{ apiKey: 'integrations', webhook: 'integrations', integration: 'integrations' },
};

export function areaOf(kind: string): AuditArea {
  return areaOfPrefix[kind.split('.')[0] ?? ''] ?? 'other';
}

/** Events that nobody made: texts arrive by the thousand and are in the inbox. An import or a sync is in the log as one. */
const notInLog: readonly EventKind[] = [
  'text.received',
  ...(['text.handed', 'text.delivered', 'text.failed', 'call.ended', 'consent.recorded'] as const),
  'link.opened',
  ...(['contacts.added', 'contacts.updated', 'integration.restored'] as const),
];

/** The kinds that the log shows. */
export const auditKinds = (Object.keys(eventKinds) as EventKind[]).filter((kind) => !notInLog.includes(kind));

/** "CanSeeAllRoster" as a person reads it: "Can see all roster". */
export function fieldLabel(field: string): string {
  const words = field
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueLabel(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)';
  if (value === true) return 'On';
  if (value === false) return 'Off';
  if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.map(valueLabel).join(', ');
  if (typeof value === 'string' && /^1\d{10}$/.test(value)) return formatE164(value);
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, each]) => `${fieldLabel(name)}: ${valueLabel(each)}`)
      .join(', ');
  }
  return String(value);
}

export interface FieldChange {
  Field: string;
  /** Null where only the new value was kept. */
  Before: string | null;
  After: string;
}

/** The recorded details of a change as readable rows: [before, after] pairs, and single values. */
export function readChanges(changes: EventChanges | null): FieldChange[] {
  return Object.entries(changes ?? {}).map(([field, value]) => {
    const isPair = Array.isArray(value) && value.length === 2;
    return {
      Field: fieldLabel(field),
      Before: isPair ? valueLabel(value[0]) : null,
      After: valueLabel(isPair ? value[1] : value),
    };
  });
}
