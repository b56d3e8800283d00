import { isValidPhoneNumber } from 'libphonenumber-js/min';
import { countries, isInternational, phoneHint } from '../reference/countries.ts';
import { checkAreaCode } from './check-area-code.ts';
import { callingCodeOf } from './dialling-plans.ts';
import { normalisePhone } from './normalise-phone.ts';

export const notFromSupportedCountry = 'Phone number must be from a supported country.';

/** Either the number as it is written down, or the sentence to show. */
export type PhoneCheck = { phone: string; error?: undefined } | { phone?: undefined; error: string };

const supportedCodes = new Set(countries.map((country) => country.callingCode));

/**
 * Whether the text is a number that can exist and that an organisation in that country can reach. This module
 * carries libphonenumber's tables (about 80 kB): pages that only show or compare numbers use normalisePhone.
 *
 * The specification's maximum digits stand in the hint and are never a reason to refuse: a Dutch number has 11
 * digits although the hint says 9.
 */
export function validatePhone(text: string, countryId = 1): PhoneCheck {
  const phone = normalisePhone(text, countryId);
  if (phone === undefined) return { error: phoneHint(countryId) };
  if (!isInternational(countryId)) {
    const error = checkAreaCode(phone);
    return error === undefined ? { phone } : { error };
  }
  const code = callingCodeOf(phone);
  if (code === undefined || !supportedCodes.has(code)) return { error: notFromSupportedCountry };
  // Our own area codes are newer than the library's.
  if (code === '1')
    return checkAreaCode(phone) === undefined ? { phone } : { error: notFromSupportedCountry };
  return isValidPhoneNumber(`+${phone}`) ? { phone } : { error: phoneHint(countryId) };
}
