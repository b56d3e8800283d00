import { isInternational, isSupportedCode, phoneHint } from '../reference/countries.ts';
import { checkAreaCode } from './check-area-code.ts';
import { callingCodeOf } from './dialing-plans.ts';
import { type ReadNumber, readNumber } from './normalize-phone.ts';
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
  const read = readNumber(text, countryId);
  if (read === undefined || isNorthAmerican(text, read)) return { error: phoneHint(countryId) };
  const { phone } = read;
  const error = isInternational(countryId) ? checkCountry(phone) : checkAreaCode(phone);
  return error === undefined ? { phone } : { error };
}

/** (423) 555-0143, 423-555-0143, 423.555.0143: groups of three, three and four with something between them. */
const northAmericanForm =
  /(?:^|[^0-9])(?:\([0-9]{3}\)[ \u00a0]?|[0-9]{3}[-.\u2010-\u2015])[0-9]{3}[-.\u2010-\u2015 \u00a0][0-9]{4}(?:[^0-9]|$)/;

/**
 * Ten digits without the country's 0, written as people in the United States write them. A spreadsheet drops the 0 only
 * from plain digits, so this is more likely somebody there, and never to be guessed.
 */
function isNorthAmerican(text: string, { bareDigits }: ReadNumber): boolean {
  return (
    bareDigits?.length === 10 && northAmericanForm.test(text) && checkAreaCode(`1${bareDigits}`) === undefined
  );
}

function checkCountry(phone: string): string | undefined {
  const code = callingCodeOf(phone) ?? '';
  // The 1 also belongs to places that can't be reached, such as Jamaica.
  const isReached = code === '1' ? checkAreaCode(phone) === undefined : isSupportedCode(code);
  return isReached ? undefined : notFromSupportedCountry;
}
