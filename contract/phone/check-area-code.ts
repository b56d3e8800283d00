import { findAreaCode } from './area-codes.ts';
import { domesticDigits } from './normalize-phone.ts';
import { notInNorthAmerica, numberNotAllowed } from './phone-messages.ts';
import { isTollFree } from './toll-free.ts';

/**
 * "Three specific numbers": which ones isn't written. Ours are those that people type to get past a field; the last
 * is what 12345678901 comes to, and somebody in Ohio has it.
 */
const numbersNotAllowed: readonly string[] = ['15555555555', '19999999999', '12345678901'];

/** The area-code check on a normalized number: the sentence to show, or undefined when it may be used. */
export function checkAreaCode(e164: string): string | undefined {
  if (numbersNotAllowed.includes(e164)) return numberNotAllowed;
  const ten = domesticDigits(e164);
  if (ten === e164) return notInNorthAmerica;
  return (findAreaCode(ten.slice(0, 3)) || isTollFree(e164)) && isExchange(ten.slice(3, 6))
    ? undefined
    : notInNorthAmerica;
}

/** The three digits after the area code begin with 2 to 9, and 211, 311 … 911 are services, not exchanges. */
function isExchange(three: string): boolean {
  return three.charCodeAt(0) >= 50 && !three.endsWith('11');
}
