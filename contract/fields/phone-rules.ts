import { checkAreaCode } from '../phone/check-area-code.ts';
import { callingCodeOf } from '../phone/dialling-plans.ts';
import { normalisePhone } from '../phone/normalise-phone.ts';
import { countries, isInternational, phoneHint } from '../reference/countries.ts';
import { textField } from './form.ts';
import { type Rule, ruleThat } from './rule.ts';

export const notFromSupportedCountry = 'Phone number must be from a supported country.';

const supportedCodes = new Set(countries.map((country) => country.callingCode));

/**
 * A telephone number as an organisation in that country writes it. What is no number at all gets the country's
 * hint; a number of a place that can't be reached from there is told so, since its digits are right. Whether
 * it is in use is for the server, which has the whole numbering plans (validatePhone).
 */
export function phone(countryId = 1, hint = phoneHint(countryId)): Rule {
  return (value) => {
    if (value === '') return undefined;
    const digits = normalisePhone(value, countryId);
    if (digits === undefined) return hint;
    if (!isInternational(countryId)) return checkAreaCode(digits);
    return supportedCodes.has(callingCodeOf(digits) ?? '') ? undefined : notFromSupportedCountry;
  };
}

/** The number that stands as the caller; abroad one sentence says it all. */
export function callerId(countryId = 1): Rule {
  const check = phone(countryId);
  return isInternational(countryId)
    ? ruleThat((value) => check(value) === undefined, notFromSupportedCountry)
    : check;
}

/** A phone field whose value leaves the form normalised ("14235550143"), or empty. */
export function phoneField(countryId: number, ...rules: readonly Rule[]) {
  return textField(...rules, phone(countryId)).transform((value) => normalisePhone(value, countryId) ?? '');
}
