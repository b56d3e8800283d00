import { isValidPhoneNumber } from 'libphonenumber-js/min';
import { phoneHint } from '../reference/countries.ts';
import { type PhoneCheck, readPhone } from './read-phone.ts';

/**
 * Whether the text is a number that can exist and that an organisation in that country can reach. This module
 * carries libphonenumber's tables (about 80 kB): pages that only show or compare numbers use normalisePhone.
 *
 * The specification's maximum digits stand in the hint and are never a reason to refuse: a Dutch number has 11
 * digits although the hint says 9.
 */
export function validatePhone(text: string, countryId = 1): PhoneCheck {
  const check = readPhone(text, countryId);
  // Our own area codes are newer than the library's, and have said all there is to say.
  if (check.phone === undefined || check.phone.startsWith('1')) return check;
  return isValidPhoneNumber(`+${check.phone}`) ? check : { error: phoneHint(countryId) };
}
