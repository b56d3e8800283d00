import { findState } from '../reference/states.ts';
import { type Rule, ruleThat } from './rule.ts';

/** Rules about numbers and codes that some authority gives out. */

const zipCode = /^[0-9]{5}(?:-?[0-9]{4})?$/;
/** Canada Post uses neither D, F, I, O, Q nor U, and neither W nor Z in front. */
const canadianPostalCode = /^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]$/i;

/** A ZIP Code (5 or 9 digits) or a Canadian code (K1A 0B1); with a country, only that country's. */
export function postalCode(country?: 'US' | 'CA'): Rule {
  return ruleThat((value) => {
    const text = value.trim();
    return (country !== 'CA' && zipCode.test(text)) || (country !== 'US' && canadianPostalCode.test(text));
  }, 'Use a valid U.S. or Canadian postal code');
}

/** A state, territory or province of the US or Canada, by code or by name. */
export function isState(): Rule {
  return ruleThat((value) => findState(value) !== undefined, 'Not a valid state');
}

export function ein(): Rule {
  return ruleThat((value) => /^[0-9]{2}-?[0-9]{7}$/.test(value), 'Invalid EIN. Must be a 9 digit number.');
}

/** The number of an account with the Canada Revenue Agency: 9 digits. */
export function canadianBusinessNumber(): Rule {
  return ruleThat((value) => /^[0-9]{9}$/.test(value), 'Enter a 9-digit Canadian Business Number');
}

/** A National Provider Identifier: 10 digits, whose checksum is computed with 80840 in front. */
export function isValidNpi(label: string): Rule {
  return ruleThat(
    (value) => /^[12][0-9]{9}$/.test(value) && hasLuhnChecksum(`80840${value}`),
    `${label} is invalid`,
  );
}

/** The checksum of card numbers and provider identifiers (ISO/IEC 7812-1, annex B). */
export function hasLuhnChecksum(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}
