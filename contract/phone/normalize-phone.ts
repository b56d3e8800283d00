import { callingCodeOf, type DialingPlan, findDialingPlan, findDialingPlanByCode } from './dialing-plans.ts';
import { repairSpreadsheetPhone } from './repair-spreadsheet-phone.ts';

/** E.164 allows no more, calling code included. */
const MOST_DIGITS = 15;
/** The shortest national number with its calling code (some islands have five digits after a three-digit code). */
const FEWEST_DIGITS = 7;
const ITALY = 12;

/**
 * The one way a telephone number is written down in Muster: E.164 digits without the plus ("14235550143").
 * Undefined when the text can't be a number. `countryId` is the organization's country and decides how a number
 * without a plus is read; a number with a plus (or 00, or 011 in the United States and Canada) belongs to the
 * country whose code it carries, and is never made a US number by stripping.
 *
 * It only reads the number. Whether the number can exist is decided by validatePhone, which has a large
 * table.
 */
export function normalizePhone(text: string, countryId = 1): string | undefined {
  return readNumber(text, countryId)?.phone;
}

export interface ReadNumber {
  phone: string;
  /**
   * The digits as they are, where nothing tells their country: no plus, no calling code, and not the form in
   * which this country writes its own numbers. They may begin with another country's code.
   */
  bareDigits?: string;
}

export function readNumber(text: string, countryId: number): ReadNumber | undefined {
  let scanned = scan(text);
  if (scanned.damaged) {
    const repaired = repairSpreadsheetPhone(text);
    if (repaired === undefined) return undefined;
    scanned = scan(repaired);
  }
  if (scanned.unreadable) return undefined;
  const { digits, plus } = scanned;
  if (plus) return known(international(digits));
  const plan = findDialingPlan(countryId);
  return plan ? fromCountry(digits, plan) : known(northAmerican(digits));
}

function known(phone: string | undefined): ReadNumber | undefined {
  return phone === undefined ? undefined : { phone };
}

/** Ten digits for numbers of the United States and Canada, otherwise the digits as they are. */
export function domesticDigits(e164: string): string {
  const digits = e164.startsWith('+') ? e164.slice(1) : e164;
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/**
 * A stored number in the API's format, for an organization in that country: one that it can send back. Ten digits for
 * numbers of the United States and Canada there. Elsewhere the country's own numbers are digits with its calling code,
 * and all others begin with a plus, since digits alone would be read as a number of that country.
 */
export function wirePhone(e164: string, countryId: number): string {
  const plan = findDialingPlan(countryId);
  if (plan === undefined || e164 === '') return domesticDigits(e164);
  return e164.startsWith(plan.callingCode) ? e164 : `+${e164}`;
}

interface Scanned {
  digits: string;
  plus: boolean;
  /** Looks like a number that went through a spreadsheet: repair first, stripping would make up digits. */
  damaged: boolean;
  /** No digits, too many, or letters between them ("423-555-014 ext 3"), where stripping would make one up. */
  unreadable: boolean;
}

/** Takes the digits out of the text in one pass, run by run: a million phones of a file are read this way. */
function scan(text: string): Scanned {
  let digits = '';
  let count = 0;
  /** Start of the current run of digits; -1 between runs. */
  let run = -1;
  let plus = false;
  let letterAfterDigit = false;
  let letterBetween = false;
  // True if the last separator was a dot or comma with nothing but zeros behind it.
  let zeroFraction = false;
  for (let i = 0; i < text.length; i += 1) {
    const written = text.charCodeAt(i);
    const code = written > 127 ? asciiOf(written) : written;
    if (run !== -1 && (written < 48 || written > 57)) {
      digits += text.slice(run, i);
      run = -1;
    }
    if (code >= 48 && code <= 57) {
      if (letterAfterDigit) letterBetween = true;
      if (code !== 48) zeroFraction = false;
      if (count > MOST_DIGITS + 4) return { digits, plus, damaged: false, unreadable: true };
      count += 1;
      if (code !== written) digits += String.fromCharCode(code);
      else if (run === -1) run = i;
    } else if (code === 43) {
      if (count === 0) plus = true;
    } else if ((code | 32) >= 97 && (code | 32) <= 122) {
      if (count > 0) letterAfterDigit = true;
    } else if (code === 46 || code === 44) {
      zeroFraction = count > 0 && text.charCodeAt(i + 1) === 48;
    }
  }
  if (run !== -1) digits += text.slice(run);
  return { digits, plus, damaged: letterBetween || zeroFraction, unreadable: letterBetween || count === 0 };
}

/** Full-width and Arabic digits and pluses as ASCII; a letter for letters and digits of other scripts. */
function asciiOf(code: number): number {
  if (code >= 0xff10 && code <= 0xff19) return code - 0xff10 + 48;
  if (code >= 0x0660 && code <= 0x0669) return code - 0x0660 + 48;
  if (code >= 0x06f0 && code <= 0x06f9) return code - 0x06f0 + 48;
  if (code === 0xff0b) return 43;
  return /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 97 : 45;
}

function northAmerican(digits: string): string | undefined {
  if (digits.startsWith('011')) return international(digits.slice(3));
  if (digits.startsWith('00')) return international(digits.slice(2));
  const ten = digits.startsWith('1') ? digits.slice(1) : digits;
  return canBeNorthAmerican(ten) ? `1${ten}` : undefined;
}

/** Area codes begin with 2 to 9. Exchanges do too, but validatePhone says so, with a reason people understand. */
function canBeNorthAmerican(ten: string): boolean {
  return ten.length === 10 && ten.charCodeAt(0) >= 50;
}

/** Digits that begin with a calling code. */
function international(digits: string): string | undefined {
  if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS + 3) return undefined;
  const code = callingCodeOf(digits);
  if (code === undefined) return undefined;
  if (code === '1') return canBeNorthAmerican(digits.slice(1)) ? digits : undefined;
  const plan = findDialingPlanByCode(code);
  if (!plan) return digits.length <= MOST_DIGITS ? digits : undefined;
  return withCode(digits.slice(code.length), plan);
}

/** Digits as an organization in that country writes them: with the calling code, or as one dials at home. */
function fromCountry(digits: string, plan: DialingPlan): ReadNumber | undefined {
  if (plan.countryId === 9 && digits.startsWith('0011')) return known(international(digits.slice(4)));
  if (digits.startsWith('00')) return known(international(digits.slice(2)));
  if (digits.startsWith(plan.callingCode) && !isItalianMobile(digits, plan)) {
    const number = withCode(digits.slice(plan.callingCode.length), plan);
    if (number !== undefined) return { phone: number };
    // It has lost digits. Read as a number without its 0 it would be a stranger's: 336123456 in France.
    if (plan.trunkPrefixes.length > 0) return undefined;
  }
  const phone = withCode(digits, plan);
  if (phone === undefined) return undefined;
  const isOurs = digits.startsWith('0') || digits.length <= plan.mostBareDigits;
  return isOurs ? { phone } : { phone, bareDigits: digits };
}

/** 391 234 5678 is a mobile number of Italy that looks like one with the calling code 39 before it. */
function isItalianMobile(digits: string, plan: DialingPlan): boolean {
  return plan.countryId === ITALY && digits.length <= 10;
}

function withCode(written: string, plan: DialingPlan): string | undefined {
  let national = written;
  const fits = (candidate: string) =>
    candidate.length >= plan.minDigits && candidate.length <= plan.maxDigits;
  for (const prefix of plan.trunkPrefixes) {
    const rest = national.slice(prefix.length);
    if (national.startsWith(prefix) && fits(rest)) {
      national = rest;
      break;
    }
  }
  if (!fits(national)) return undefined;
  if (national.startsWith('0') && plan.trunkPrefixes.length > 0) return undefined;
  const number = plan.callingCode + national;
  return number.length <= MOST_DIGITS ? number : undefined;
}
