import { isInternational } from '../reference/countries.ts';
import { callingCodeOf } from './dialing-plans.ts';
import { domesticDigits } from './normalize-phone.ts';

/**
 * Formats a stored number: "(423) 555-0143", "+44 20 7946 0958". Takes E.164 digits with or without the plus, and ten
 * digits of the United States and Canada. What can't be read is given back as it is.
 *
 * Ten digits without a plus are read as domestic, although Singapore's and Liechtenstein's numbers have ten digits
 * with their calling code: give formatE164 what is known to be E.164.
 */
export function formatPhone(phone: string): string {
  if (isDigits(phone) && phone.length === 10) return domestic(phone);
  return formatE164(phone);
}

/** The same for a number that carries its calling code for certain. */
export function formatE164(e164: string): string {
  const digits = e164.startsWith('+') ? e164.slice(1) : e164;
  if (!isDigits(digits)) return e164;
  const ten = domesticDigits(digits);
  if (ten !== digits) return domestic(ten);
  const code = callingCodeOf(digits);
  if (code === undefined || digits.length < 7 || digits.length > 15) return e164;
  return `+${code} ${grouped(code, digits.slice(code.length))}`;
}

/**
 * A phone of the API in a field of a form, as an organization in that country can save it again unchanged: abroad,
 * numbers of the United States and Canada keep their +1.
 */
export function typedPhone(phone: string, countryId: number): string {
  if (!isInternational(countryId)) return formatPhone(phone);
  const ten = domesticDigits(phone);
  if (!phone.startsWith('+1') || ten.length !== 10) return formatE164(phone);
  return `+1 ${ten.slice(0, 3)} ${ten.slice(3, 6)} ${ten.slice(6)}`;
}

function domestic(ten: string): string {
  return `(${ten.slice(0, 3)}) ${ten.slice(3, 6)}-${ten.slice(6)}`;
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return text !== '';
}

/** First digits of the national number, and the sizes of its groups; the last group takes what is left. */
type Layout = readonly [RegExp, readonly number[]];

/** The supported countries as their people group numbers, mobile numbers and main cities first. */
const layouts: Readonly<Record<string, readonly Layout[]>> = {
  '52': [
    [/^(?:33|5[56]|81)/, [2, 4, 4]],
    [/^/, [3, 3, 4]],
  ],
  '44': [
    [/^(?:2|5|7[06])/, [2, 4, 4]],
    [/^7/, [4, 6]],
    [/^1(?:[2-69]1|1)/, [3, 3, 4]],
    [/^1/, [4, 6]],
    [/^800\d{6}$/, [3, 6]],
    [/^/, [3, 3, 4]],
  ],
  '49': [
    [/^(?:3[02]|40|[68]9)/, [2, 13]],
    [/^15[03-68]/, [5, 8]],
    [/^15/, [4, 9]],
    [/^/, [3, 12]],
  ],
  '48': [
    [/^(?:1[2-8]|2[2-69]|3[2-4]|4[1-468]|5[24-689]|6[1-3578]|7[14-7]|8[1-79]|9[145])/, [2, 3, 2, 2]],
    [/^/, [3, 3, 3]],
  ],
  '63': [
    [/^2/, [1, 4, 4]],
    [/^(?:[3-7]|8[2-8])/, [2, 3, 4]],
    [/^/, [3, 3, 4]],
  ],
  '421': [
    [/^2/, [1, 3, 3, 2]],
    [/^[3-5]/, [2, 3, 2, 2]],
    [/^/, [3, 3, 3]],
  ],
  '61': [
    [/^[2378]/, [1, 4, 4]],
    [/^1(?:30|[89])/, [4, 3, 3]],
    [/^/, [3, 3, 4]],
  ],
  '65': [
    [/^\d{8}$/, [4, 4]],
    [/^/, [4, 3, 4]],
  ],
  '33': [
    [/^8/, [3, 2, 2, 2]],
    [/^/, [1, 2, 2, 2, 2]],
  ],
  '39': [
    [/^0[26]/, [2, 4, 5]],
    [/^/, [3, 3, 5]],
  ],
  '34': [
    [/^[89]00/, [3, 3, 3]],
    [/^/, [3, 2, 2, 2]],
  ],
  '43': [
    [/^1/, [1, 12]],
    [/^/, [3, 10]],
  ],
  '420': [[/^/, [3, 3, 3]]],
  '353': [
    [/^1/, [1, 3, 4]],
    [/^/, [2, 3, 4]],
  ],
  '971': [
    [/^\d{8}$/, [1, 3, 4]],
    [/^/, [2, 3, 4]],
  ],
  '20': [
    [/^[23]/, [1, 8]],
    [/^/, [2, 8]],
  ],
  '966': [[/^/, [2, 3, 4]]],
  '31': [
    [/^6/, [1, 8]],
    [/^/, [2, 3, 4]],
  ],
  '32': [
    [/^4[5-9]/, [3, 2, 2, 2]],
    [/^(?:[239]|4[23])/, [1, 3, 2, 2]],
    [/^/, [2, 2, 2, 2]],
  ],
  '82': [
    [/^2\d{8}$/, [1, 4, 4]],
    [/^2/, [1, 3, 4]],
    [/^\d{9}$/, [2, 3, 4]],
    [/^/, [2, 4, 4]],
  ],
  '90': [[/^/, [3, 3, 2, 2]]],
};

function grouped(code: string, national: string): string {
  const layout = layouts[code]?.find(([first]) => first.test(national));
  const sizes = layout ? layout[1] : threes(national.length);
  const groups: string[] = [];
  let at = 0;
  for (const [index, size] of sizes.entries()) {
    if (at >= national.length) break;
    const end = index === sizes.length - 1 ? national.length : at + size;
    groups.push(national.slice(at, end));
    at = end;
  }
  return groups.join(' ');
}

/** Other countries in threes, with four at the end rather than a lone digit. */
function threes(length: number): number[] {
  const sizes = [];
  for (let left = length; left > 0; left -= 3) {
    if (left <= 4) return [...sizes, left];
    sizes.push(3);
  }
  return sizes;
}
