import { randomInt } from 'node:crypto';
import { callingCodeOf } from '../../contract/phone/dialing-plans.ts';

/** The data about a person to erase. */
export interface Person {
  /** Digits, with the country code. */
  phones: string[];
  names: { first: string; last: string }[];
}

export const erased = '[erased]';

/**
 * Replaces a phone where rows need one so that counts and bills stay correct. The phone can't be derived from
 * it, and nobody can be reached at it: the area code 000 doesn't exist.
 */
export function makeAlias(): string {
  return `1000${String(randomInt(1e11)).padStart(11, '0')}`;
}

const between = '[-\\s.()/\u2010-\u2015\u00a0]{0,3}';

/** A phone in any common notation. For PostgreSQL and JavaScript alike. */
function phonePattern(phone: string): string {
  const code = callingCodeOf(phone) ?? '';
  const national = phone.slice(code.length);
  const before = code === '' ? '(?:[+]|00)?' : `(?:(?:[+]|00)?${code}${between}|0)?`;
  return `(?<![0-9])${before}[(]?${[...national].join(between)}(?![0-9])`;
}

function asPattern(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replaceAll(/\s+/g, '\\s+');
}

/** A name as one string: "Dana West", "West, Dana". A single word is not unique enough. */
function namePattern({ first, last }: Person['names'][number]): string | undefined {
  if (first.trim() === '' || last.trim() === '') return undefined;
  const [one, two] = [asPattern(first), asPattern(last)];
  return `(?<!\\w)(?:${one}\\s+${two}|${two},?\\s+${one})(?!\\w)`;
}

/** A name in two fields of one JSON object, if its fields are adjacent. */
function fieldsPattern({ first, last }: Person['names'][number]): string | undefined {
  if (first.trim() === '' || last.trim() === '') return undefined;
  const [one, two] = [`"${asPattern(first)}"`, `"${asPattern(last)}"`];
  return `(?:${one}[^{}]*${two}|${two}[^{}]*${one})`;
}

export interface Traces {
  /** In any text. */
  words: string;
  /** In JSON, as its text. */
  json: string;
}

export function tracesOf(person: Person): Traces {
  const words = [...person.phones.map(phonePattern), ...person.names.map(namePattern)];
  const fields = person.names.map(fieldsPattern);
  const join = (patterns: (string | undefined)[]) =>
    patterns.filter((pattern) => pattern !== undefined).join('|');
  return { words: join(words), json: join([...words, ...fields]) };
}

/**
 * A JSON value without the person. A value that is only the phone becomes its alias, since it may be parsed
 * as a phone.
 */
export function eraseFromJson(value: unknown, person: Person, aliases: ReadonlyMap<string, string>): unknown {
  const pattern = new RegExp(tracesOf(person).words, 'gi');
  const inText = (text: string) => {
    const alias = aliases.get(text.replace(/^\+/, ''));
    if (alias !== undefined) return text.startsWith('+') ? `+${alias}` : alias;
    return text.replaceAll(pattern, erased);
  };
  const namedIn = (values: unknown[]) => {
    const texts = new Set(values.flat().flatMap((each) => (typeof each === 'string' ? [fold(each)] : [])));
    return person.names.find(
      ({ first, last }) => namePattern({ first, last }) && texts.has(fold(first)) && texts.has(fold(last)),
    );
  };
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return inText(node);
    if (typeof node === 'number') {
      const alias = aliases.get(String(node));
      return alias === undefined ? node : Number(alias);
    }
    if (Array.isArray(node)) return node.map(walk);
    if (node === null || typeof node !== 'object') return node;
    const name = namedIn(Object.values(node));
    const without = (each: unknown): unknown => {
      if (name === undefined) return each;
      if (Array.isArray(each)) return each.map(without);
      const isPart = typeof each === 'string' && [fold(name.first), fold(name.last)].includes(fold(each));
      return isPart ? '' : each;
    };
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [inText(key), walk(without(each))]));
  };
  return walk(value);
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * The rule for every column with a phone. A test compares this list with the catalog: adding a phone to a
 * table requires a decision here about what erasing a person does to it.
 *
 * - deleted: the row is the person's, and is deleted
 * - alias: the row counts for others (money, results), and stays under an alias
 * - blanked: the row stays, empty
 * - kept: needed so that nobody texts or calls them again
 * - own: a phone of the organization or its staff; erasing is refused for those
 */
export const phoneFates: Record<string, 'deleted' | 'alias' | 'blanked' | 'kept' | 'own'> = {
  'activations.phone': 'own',
  'archived_messages.phone': 'alias',
  'broadcast_recipients.phone': 'alias',
  'broadcast_recipients.typed_phone': 'blanked',
  'broadcasts.caller_id': 'own',
  'broadcasts.transfer_phone': 'own',
  'caller_ids.phone': 'own',
  'calls.caller_id': 'own',
  'calls.phone': 'alias',
  'carrier_inbound.from_phone': 'deleted',
  'carrier_inbound.to_phone': 'own',
  'consent_ledger.phone': 'kept',
  'contacts.primary_phone': 'deleted',
  'contacts.secondary_phone': 'deleted',
  'contacts.tertiary_phone': 'deleted',
  'conversation_phones.phone': 'deleted',
  'conversations.phone': 'deleted',
  'file_rows.phone1': 'blanked',
  'file_rows.phone2': 'blanked',
  'file_rows.phone3': 'blanked',
  'groups.phone_list_id': 'own',
  'inbound_parts.from_phone': 'deleted',
  'inbound_parts.to_phone': 'own',
  'integration_people.phone1': 'deleted',
  'integration_people.phone2': 'deleted',
  'integration_people.phone3': 'deleted',
  'launch_calls.called': 'own',
  'launch_calls.phone': 'own',
  'live_phones.phone': 'own',
  'message_recordings.phone': 'own',
  'message_search.phone': 'deleted',
  'messages.phone': 'alias',
  'number_differences.phone': 'own',
  'number_orders.bought_phone': 'own',
  'number_orders.phone': 'own',
  'outbox.phone': 'deleted',
  'phone_codes.phone': 'own',
  'phone_consents.phone': 'kept',
  'phone_lookup_claims.phone': 'deleted',
  'phone_lookups.phone': 'deleted',
  'scheduled_recipients.phone': 'deleted',
  'sequence_joins.phone': 'deleted',
  'sequence_people.phone': 'deleted',
  'text_numbers.phone': 'own',
  'transfer_numbers.phone': 'own',
  'users.caller_id': 'own',
  'users.notification_phone': 'own',
  'users.phone': 'own',
  'verified_phones.phone': 'own',
};

/** Names of the organization, its staff and its bills. They are not about the people it texts. */
export const ownTables: readonly string[] = [
  ...[
    'accounts',
    'users',
    'activations',
    'text_numbers',
    'caller_ids',
    'transfer_numbers',
    'verified_phones',
  ],
  ...['number_orders', 'registration_requests', 'registration_drafts', 'phone_codes', 'launch_calls'],
  ...['cards', 'payers', 'charges', 'refunds', 'invoices', 'invoice_addresses', 'invoice_payments'],
  ...[
    'subscriptions',
    'cancellations',
    'api_keys',
    'passkeys',
    'sessions',
    'sso_providers',
    'sso_identities',
  ],
  ...['webhook_endpoints', 'push_tokens', 'message_recordings', 'launch_ids', 'user_tokens'],
];

/** Left out of an export: credentials. In addition, every column of bytes. */
export const secretColumns: readonly string[] = [
  'caller_ids.code',
  // A reply may contain a new API key; a mail, a sign-in link.
  'idempotency_keys.reply',
  'launch_ids.pin_hash',
  'mails.body_html',
  'mails.body_text',
  'one_time_tokens.data',
  'push_tokens.token',
  'sso_providers.saml',
  'transfer_numbers.code',
  'users.password_hash',
];

/**
 * Names that sound like a secret and aren't one. A test requires every such name to be in one of the two
 * lists.
 */
export const openColumns: readonly string[] = [
  'accounts.group_code',
  'accounts.keyword',
  'activations.area_code',
  'activations.postal_code',
  'archived_messages.inbound_key',
  'audio.call_hash',
  'audio.original_hash',
  'audio.public_key',
  'audio.whole_hash',
  'broadcasts.merge_key',
  'calls.keys',
  'calls.survey_key',
  'carrier_inbound.inbound_key',
  'cards.zip_code',
  'charges.failure_code',
  'charges.request_hash',
  'charges.request_key',
  'file_uploads.file_key',
  'idempotency_keys.idempotency_key',
  'integration_groups.group_key',
  'integration_people.source_key',
  'invoice_addresses.postal_code',
  'invoices.request_hash',
  'invoices.request_key',
  'keywords.keyword',
  'link_tokens.token',
  'media.content_hash',
  'media.public_key',
  'messages.inbound_key',
  'number_orders.area_code',
  'number_orders.provider_key',
  'text_numbers.provider_key',
  'users.picture_hash',
  'users.picture_key',
  'webhook_attempts.signature',
  'webhook_deliveries.message_key',
];
