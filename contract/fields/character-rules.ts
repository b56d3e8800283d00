import { type Rule, ruleThat } from './rule.ts';

/**
 * Rules about which characters a value is made of. Each regular expression is one anchored character class
 * (or a fixed sequence of them), so matching is linear whatever is pasted in.
 */

/** Letters of any alphabet, spaces, apostrophes (also the curly one that phones type), hyphens, ampersands. */
export function name(): Rule {
  return ruleThat((value) => /^[\p{L}\p{M} '’&-]+$/u.test(value), 'Use letters only');
}

export const onlyNumbers = 'Use only numbers';

export function number(message = onlyNumbers): Rule {
  return ruleThat((value) => /^[0-9]+$/.test(value), message);
}

export function password(): Rule {
  return ruleThat(
    (value) => /\p{L}/u.test(value) && /[0-9]/.test(value) && !/[\s/\\"'‘’‚‛“”„‟«»‹›]/.test(value),
    'Use at least one letter and number and no spaces, slashes, or quotation marks',
  );
}

export function noWhitespace(label: string): Rule {
  return ruleThat((value) => !/\s/.test(value), `${label} cannot contain any spaces`);
}

/** 4 to 50 of a fixed set. Forms put minLength before it, so that "bob" gets the message about its length. */
export function username(): Rule {
  return ruleThat(
    (value) => /^[A-Za-z0-9._~!@#$%^&*\-/+'?]{4,50}$/.test(value),
    "Use alphanumeric characters or ._~!@#$%^&*-/+'?",
  );
}

export function alphanumeric(options: { spaces?: boolean } = {}): Rule {
  const pattern = options.spaces ? /^[\p{L}\p{M}\p{N} ]+$/u : /^[\p{L}\p{M}\p{N}]+$/u;
  return ruleThat((value) => pattern.test(value), 'Use alphanumeric characters');
}

export function year(): Rule {
  return ruleThat((value) => /^(?:[0-9]{2}|[0-9]{4})$/.test(value), 'Must be a year.');
}

export function email(label: string, message = `Use a valid ${label}`): Rule {
  return ruleThat(isEmail, message);
}

/** RFC 5321's limits: 64 before the @, 254 in all. */
const maxLocalLength = 64;
const maxEmailLength = 254;

/** An address that a mail server would take. Letters of any alphabet, since such addresses exist. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > maxLocalLength) return false;
  const parts = text.slice(0, at).split('.');
  return (
    parts.every((part) => /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u.test(part)) && isHost(text.slice(at + 1))
  );
}

/** `example.org`: labels of letters, digits and inner hyphens, at least two, the last not a number. */
function isHost(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length > 1 &&
    last.length > 1 &&
    !/^[0-9]+$/.test(last) &&
    labels.every(
      (label) => label.length <= 63 && /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !/^-|-$/.test(label),
    )
  );
}

/** A web address, with or without `http://` in front. */
export function url(message = 'Must be a well formed URL.'): Rule {
  return ruleThat((value) => parseUrl(value) !== undefined, message);
}

/** No browser takes a longer one, and no page has one. */
const maxUrlLength = 2048;

/**
 * The address a person meant, with `http://` prepended where no scheme was typed; undefined if it isn't an
 * address.
 */
export function parseUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxUrlLength || /\s/.test(trimmed)) return undefined;
  const whole = withScheme(trimmed);
  if (!URL.canParse(whole)) return undefined;
  const parsed = new URL(whole);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  // A user name in front of the host ("http://bank.example@evil.example") is a disguise, never an address.
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return isHost(parsed.hostname.replace(/\.$/, '')) ? parsed : undefined;
}

/** http:// is prepended if missing. */
export function withScheme(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}
