import { countries, isInternational } from '../reference/countries.ts';
import { type DialingPlan, findDialingPlan } from './dialing-plans.ts';

/** E.164 allows no more, calling code included. */
const mostDigits = 15;
const northAmerican = '[2-9][0-9]{9}';

/**
 * A regular expression for the phones that the API answers to an organization in that country (wirePhone): ten digits in
 * the United States and Canada. Abroad the country's own numbers are digits with its calling code, and those of the other
 * countries that can be reached begin with a plus.
 */
export function phonePattern(countryId: number): string {
  const own = findDialingPlan(countryId);
  if (own === undefined) return `^${northAmerican}$`;
  const others = countries.flatMap(({ id }) => {
    const plan = id === countryId || !isInternational(id) ? undefined : findDialingPlan(id);
    return plan === undefined ? [] : [digitsOf(plan)];
  });
  return `^(?:${digitsOf(own)}|\\+(?:1${northAmerican}|${others.join('|')}))$`;
}

/** Where people dial a 0 before a number at home, no number begins with one. */
function digitsOf({ callingCode, trunkPrefixes, minDigits, maxDigits }: DialingPlan): string {
  const most = Math.min(maxDigits, mostDigits - callingCode.length);
  return trunkPrefixes.length === 0
    ? `${callingCode}[0-9]{${minDigits},${most}}`
    : `${callingCode}[1-9][0-9]{${minDigits - 1},${most - 1}}`;
}
