import { characterCount, isBlank, type Rule, ruleThat } from './rule.ts';

/** Words that begin with the letter u but the sound of "you": "a Username", "a URL". */
const youSound = /^(?:u[nst]i|use|url|u\.?s\b|uk\b)/i;
/** Abbreviations whose first letter is spoken with a vowel: "an NPI", "an MFA Code". */
const vowelAbbreviation = /^[FHLMNRSX][A-Z\d]+\b/;

/**
 * "a" or "an" as the label sounds. The specification's pattern says "Enter a [field]" and its examples say
 * "Enter an EIN", "Enter an Email": the article follows the label.
 */
function takesAn(label: string): boolean {
  return /^u/i.test(label) ? !youSound.test(label) : /^[aeio]/i.test(label) || vowelAbbreviation.test(label);
}

export function requiredMessage(label: string): string {
  return takesAn(label) ? `Enter an ${label}` : `Enter a ${label}`;
}

/** A value is required; spaces alone don't count. */
export function required(label: string, message = requiredMessage(label)): Rule {
  return (value) => (isBlank(value) ? message : undefined);
}

/** For fields that may stay empty: if anything is there, it must be more than spaces. */
export function nonWhitespace(label: string, message = requiredMessage(label)): Rule {
  return (value) => (value !== '' && isBlank(value) ? message : undefined);
}

/** A column of the account's own (CustomData) that a personalized message needs. */
export function requiredCustomData(name: string): Rule<Readonly<Record<string, string | null | undefined>>> {
  return (data) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return isBlank(value ?? '') ? requiredMessage(name) : undefined;
  };
}

export function maxLength(
  label: string,
  n: number,
  message = `${label} must be at most ${n} characters`,
): Rule {
  return ruleThat((value) => value.length <= n || characterCount(value) <= n, message);
}

export function minLength(
  label: string,
  n: number,
  message = `${label} must be at least ${n} characters`,
): Rule {
  return ruleThat((value) => characterCount(value) >= n, message);
}

/** The rule for a value without its label, where the field above it already names it. */
export const mustBe = {
  atLeast: (n: number) => `Must be greater than or equal to ${n}`,
  atMost: (n: number) => `Must be less than or equal to ${n}`,
} as const;

export function minValue(
  label: string,
  n: number,
  message = `${label} must be greater than or equal to ${n}`,
): Rule {
  return ruleThat((value) => Number(value) >= n, message);
}

export function maxValue(
  label: string,
  n: number,
  message = `${label} must be less than or equal to ${n}`,
): Rule {
  return ruleThat((value) => Number(value) <= n, message);
}

/** Refuses a new value that equals the old one; for forms that exist to change it. */
export function isEqualToValue(existing: string): Rule {
  return ruleThat((value) => value !== existing, 'This already matches the existing value');
}

/** The same thing typed twice. */
export function match(label: string, other: string): Rule {
  return (value) => (value === other ? undefined : `${label}s should match.`);
}

/** Group names are compared as people read them: without case and surrounding spaces. */
export function duplicateGroupName(existing: Iterable<string>): Rule {
  const taken = new Set<string>();
  for (const name of existing) taken.add(comparable(name));
  return ruleThat((value) => !taken.has(comparable(value)), 'The group name is already in use.');
}

/** Longer than any group's name. Sorting a pile of accents takes quadratic time (7 s for 100,000). */
const comparedLength = 400;

function comparable(name: string): string {
  return name.trim().slice(0, comparedLength).normalize('NFC').toLowerCase();
}
