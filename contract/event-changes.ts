/** A field's value before and after, as events record it: `{ Role: ['user', 'admin'] }`. */
export type EventChanges = Record<string, unknown>;

/**
 * Fields whose values are never recorded in an event: the words of texts, and anything that gives access. The
 * event records only that they changed. A name that ends with one of these counts too (`NewPassword`).
 */
const neverKept = [
  'Password',
  'Secret',
  'Token',
  'Code',
  'Key',
  'PIN',
  'CVN',
  'CardNumber',
  'Message',
  'Text',
  'Body',
  'Notes',
  'SignatureText',
] as const;

/** Codes that name an error or a kind, and give no access. */
const harmless = ['ErrorCode', 'GroupCode', 'CountryCode', 'PostalCode', 'AreaCode'];

export function isNeverKept(field: string): boolean {
  return !harmless.includes(field) && neverKept.some((name) => field === name || field.endsWith(name));
}

/** Shown instead of a value that isn't kept. */
export const notKept = '…';

/**
 * The fields that differ, each as [before, after]; undefined when none does. Values are compared as JSON. A
 * field that is never recorded shows only that it changed.
 */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): EventChanges | undefined {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map((field) => [
      field,
      isNeverKept(field) ? [notKept, notKept] : [before[field] ?? null, after[field] ?? null],
    ]),
  );
}

/** The same rule for the details that a verb gives: values of fields that are never recorded are removed. */
export function withoutSecrets(changes: EventChanges): EventChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => {
      if (!isNeverKept(field)) return [field, value];
      return [field, Array.isArray(value) ? value.map(() => notKept) : notKept];
    }),
  );
}
