import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { isSupportedCode, phoneHint } from '../reference/countries.ts';
import { checkAreaCode } from './check-area-code.ts';
import { callingCodeOf, findDialingPlan } from './dialing-plans.ts';
import { readNumber } from './normalize-phone.ts';
import { type PhoneCheck, readPhone } from './read-phone.ts';

/**
 * Checks that the text is a number that can exist and that an organization in that country can reach. The server
 * decides by libphonenumber's full tables (about 150 kB); pages take a first look with readPhone, which has none.
 *
 * The specification's maximum digits are in the hint and are never a reason to refuse a number: a Dutch
 * number has 11 digits although the hint says 9.
 */
export function validatePhone(text: string, countryId = 1): PhoneCheck {
  const check = readPhone(text, countryId);
  // Our own area codes are newer than the library's, and have been checked already.
  if (check.phone === undefined || check.phone.startsWith('1')) return check;
  return isValidPhoneNumber(`+${check.phone}`) && !isForeign(text, countryId)
    ? check
    : { error: phoneHint(countryId) };
}

/**
 * Digits that lack their 0 and are a whole number of another country. 13108207129 in Austria is somebody in California
 * rather than a very long number in Vienna, and never to be guessed. Where numbers have one length, only the countries
 * that can be reached count: 535 123 4567 is a mobile number in Turkey, and could be one in Cuba.
 */
function isForeign(text: string, countryId: number): boolean {
  const digits = readNumber(text, countryId)?.bareDigits;
  const code = digits === undefined ? undefined : callingCodeOf(digits);
  if (code === undefined) return false;
  const { minDigits = 0, maxDigits = 0 } = findDialingPlan(countryId) ?? {};
  const isLoose = maxDigits - minDigits > looseBy;
  // Our own area codes are newer than the library's, and have the numbers that are kept for examples.
  if (code === '1' && checkAreaCode(digits ?? '') === undefined) return digits?.length === 11;
  return (isLoose || isSupportedCode(code)) && isValidPhoneNumber(`+${digits}`);
}

/** Germany, Italy and Austria: almost any digits are one of their numbers. */
const looseBy = 4;
