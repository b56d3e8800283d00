import { isInternational, isSupportedCode, phoneHint } from '../reference/countries.ts';
import { checkAreaCode } from './check-area-code.ts';
import { callingCodeOf } from './dialing-plans.ts';
import { normalizePhone } from './normalize-phone.ts';
import { notFromSupportedCountry } from './phone-messages.ts';

/** Either the number as it is written down, or the sentence to show. */
export type PhoneCheck = { phone: string; error?: undefined } | { phone?: undefined; error: string };

/**
 * A number that an organization in that country can reach, as far as calling codes and area codes tell. Input
 * that isn't a number at all gets the country's hint. A number of a place that can't be reached from there
 * gets that message instead, since its digits are right. Whether a number abroad can exist is decided by
 * validatePhone.
 */
export function readPhone(text: string, countryId = 1): PhoneCheck {
  const phone = normalizePhone(text, countryId);
  if (phone === undefined) return { error: phoneHint(countryId) };
  const error = isInternational(countryId) ? checkCountry(phone) : checkAreaCode(phone);
  return error === undefined ? { phone } : { error };
}

function checkCountry(phone: string): string | undefined {
  const code = callingCodeOf(phone) ?? '';
  // The 1 also belongs to places that can't be reached, such as Jamaica.
  const isReached = code === '1' ? checkAreaCode(phone) === undefined : isSupportedCode(code);
  return isReached ? undefined : notFromSupportedCountry;
}
