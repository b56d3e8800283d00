import { normalizePhone } from '../phone/normalize-phone.ts';
import { notFromSupportedCountry } from '../phone/phone-messages.ts';
import { readPhone } from '../phone/read-phone.ts';
import { isInternational } from '../reference/countries.ts';
import { textField } from './form.ts';
import { type Rule, ruleThat } from './rule.ts';

/**
 * A telephone number as an organization in that country writes it. Only the server can tell whether it is in
 * use.
 */
export function phone(countryId = 1): Rule {
  return (value) => (value === '' ? undefined : readPhone(value, countryId).error);
}

/** The number shown as the caller; outside the United States and Canada one message covers everything. */
export function callerId(countryId = 1): Rule {
  const check = phone(countryId);
  return isInternational(countryId)
    ? ruleThat((value) => check(value) === undefined, notFromSupportedCountry)
    : check;
}

/** A phone field whose value leaves the form normalized ("14235550143"), or empty. */
export function phoneField(countryId: number, ...rules: readonly Rule[]) {
  return textField(...rules, phone(countryId)).transform((value) => normalizePhone(value, countryId) ?? '');
}
