import { phone } from '../fields/phone-rules.ts';
import { normalizePhone, wirePhone } from '../phone/normalize-phone.ts';
import { isInternational } from '../reference/countries.ts';
import { limits } from '../reference/limits.ts';
import { composeMessages } from './compose-text.ts';

export interface PastedContact {
  /** Counts from 1 in the order of the paste, so that a row can be found again while it is edited. */
  id: number;
  name: string;
  /**
   * 10 digits for the US and Canada (a leading 1 is dropped), otherwise all digits; as typed when it isn't a
   * number.
   */
  number: string;
}

export interface PastedContacts {
  contacts: PastedContact[];
  /** Numbers that appeared in an earlier row, or that `existing` has. */
  duplicates: PastedContact[];
  invalid: (PastedContact & { error: string })[];
}

/** A stretch of a cell that may be a number: digits with what people put between them. Linear: one class. */
const numberLike = /[+(]?[0-9][0-9 ().\-/\u00a0\u2010-\u2015\u2212]*[0-9]/g;
/** Shorter stretches are house numbers, years and counts. */
const fewestDigits = 7;

/**
 * Reads what people paste: one contact a line or several, name before or after the number, cells divided by
 * tabs, commas, semicolons or bars. Every line that isn't empty is in the result: as a contact, as a
 * duplicate, or as invalid with the reason.
 */
export function parsePastedContacts(
  text: string,
  { countryId = 1, existing = new Set() }: { countryId?: number; existing?: ReadonlySet<string> } = {},
): PastedContacts {
  const result: PastedContacts = { contacts: [], duplicates: [], invalid: [] };
  const seen = new Set<string>();
  const check = phone(countryId);
  let id = 0;
  for (const line of text.split(/[\r\n]+/)) {
    if (line.trim() === '') continue;
    const { name, numbers } = readLine(line, countryId);
    for (const number of numbers.length > 0 ? numbers : ['']) {
      id++;
      const error = check(number) ?? (number === '' ? composeMessages.noRecipient : undefined);
      if (error !== undefined) {
        result.invalid.push({ id, name: number === '' ? line.trim().slice(0, 200) : name, number, error });
        continue;
      }
      const digits = wirePhone(normalizePhone(number, countryId) ?? number, countryId);
      const isDuplicate = seen.has(digits) || existing.has(digits);
      seen.add(digits);
      (isDuplicate ? result.duplicates : result.contacts).push({ id, name, number: digits });
    }
  }
  return result;
}

function readLine(line: string, countryId: number): { name: string; numbers: string[] } {
  const names: string[] = [];
  const numbers: string[] = [];
  for (const cell of line.split(/[,;|\t]/)) {
    const text = cell.trim();
    if (text === '') continue;
    if (isBareNumber(text, countryId)) numbers.push(text);
    else readMixedCell(text, countryId, names, numbers);
  }
  return { name: tidyName(names.join(' ')), numbers };
}

/** A cell that is a number and nothing else; a spreadsheet's 3.108207129E9 is one too. */
function isBareNumber(text: string, countryId: number): boolean {
  return (
    (!/\p{L}/u.test(text) || /^[0-9.]{1,20}E\+?[0-9]{1,2}$/i.test(text)) &&
    normalizePhone(text, countryId) !== undefined
  );
}

/** A cell with a number and something else in it: "Dolores (423) 555-0143", "4235550143 4235550144". */
function readMixedCell(text: string, countryId: number, names: string[], numbers: string[]) {
  let rest = '';
  let end = 0;
  for (const found of text.matchAll(numberLike)) {
    const stretch = found[0];
    if (stretch.replace(/[^0-9]/g, '').length < fewestDigits) continue;
    const hasName = /\p{L}/u.test(text.slice(end, found.index));
    rest += text.slice(end, found.index);
    end = found.index + stretch.length;
    const letters = lettersAt(text, end);
    if (letters === '') {
      const { before = 0, whole, length } = readStretch(stretch, countryId, hasName);
      rest += `${stretch.slice(0, before)} `;
      numbers.push(...whole);
      end = found.index + length;
    } else {
      rest += ' ';
      // "3.108207129E10" has ten digits before the E and is not that number; nor is a number with letters
      // attached.
      numbers.push(stretch + letters);
      end += letters.length;
    }
  }
  rest += text.slice(end);
  names.push(rest);
}

function lettersAt(text: string, index: number): string {
  return /\p{L}/u.test(text.charAt(index))
    ? (/^\S{1,40}/.exec(text.slice(index, index + 40))?.[0] ?? '')
    : '';
}

interface Stretch {
  /** Position of the first number, if not at the beginning. */
  before?: number;
  whole: string[];
  length: number;
}

/** (310) 555-0100 or 310-555-0100 at the end, and nothing but one short number before it. */
const usualEnd =
  /^[1-9][0-9]{0,5}[ \u00a0]+(?=(?:\([0-9]{3}\)[ \u00a0]?|[0-9]{3}[-.\u2010-\u2015])[0-9]{3}[-.\u2010-\u2015][0-9]{4}$)/;

/**
 * The numbers in a stretch, and how much of it they take: one, several with spaces between, one before "(12 …", or one
 * behind a number that belongs to the name ("Room 12 310-555-0100"), where it is written in the usual way.
 */
function readStretch(stretch: string, countryId: number, hasName: boolean): Stretch {
  const isNumber = (text: string) => normalizePhone(text, countryId) !== undefined;
  if (isNumber(stretch)) return { whole: [stretch], length: stretch.length };
  const parts = stretch.split(/[ \u00a0]+/);
  if (parts.length > 1 && parts.every(isNumber)) return { whole: parts, length: stretch.length };
  const before = hasName && !isInternational(countryId) ? (usualEnd.exec(stretch)?.[0].length ?? 0) : 0;
  if (before > 0 && isNumber(stretch.slice(before)))
    return { before, whole: [stretch.slice(before)], length: stretch.length };
  const bracket = stretch.lastIndexOf('(');
  const first = stretch.slice(0, Math.max(bracket, 0)).trim();
  return isNumber(first) ? { whole: [first], length: bracket } : { whole: [stretch], length: stretch.length };
}

function tidyName(text: string): string {
  return text
    .slice(0, 400)
    .replace(/["<>():=]+/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/^['\-–— ]+/, '')
    .replace(/['\-–— ]{1,20}$/, '')
    .slice(0, 2 * limits.contactName);
}

/** First and last name of a name pasted in one piece: the last word is the last name. */
export function splitName(name: string): { FirstName: string; LastName: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const first = words.length > 1 ? words.slice(0, -1).join(' ') : (words[0] ?? '');
  return { FirstName: first.slice(0, limits.contactName), LastName: last.slice(0, limits.contactName) };
}
