import { hasLuhnChecksum } from '../fields/identifier-rules.ts';
import { cardBrand } from './card.ts';

const shortest = 13;
const longest = 19;
/** Digits with at most one space or dash between two of them. */
const digitRun = /[0-9](?:[ -]?[0-9]){12,199}/g;

/** The processor's own names for things are long and may hold any digits; they have letters among them. */
const processorId = /^(?:seti|cvctok|pm|pi)_(?=\w*[A-Za-z])\w+$/;

/**
 * True if a text contains digits that can only be a card number: the right count, the prefix of a network, and the
 * right checksum. Its date or CVN may follow directly; in a longer run of digits the number may be anywhere.
 */
export function looksLikeCardNumber(text: string): boolean {
  if (processorId.test(text)) return false;
  for (const [run] of text.matchAll(digitRun)) {
    const digits = run.replace(/[ -]/g, '');
    if (digits.length <= longest && isCardNumber(digits)) return true;
    const last = digits.length > longest ? digits.length - shortest : 0;
    for (let start = 0; start <= last; start++) {
      const usual = digits.slice(start, start + usualLength(digits.slice(start)));
      if (isCardNumber(usual)) return true;
    }
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  return digits.length >= shortest && hasPrefix(digits) && hasLuhnChecksum(digits);
}

/** Amex has 15 digits, Diners 14, all others mostly 16. */
function usualLength(digits: string): number {
  if (cardBrand(digits) === 'Amex') return 15;
  return /^3[068]/.test(digits) ? 14 : 16;
}

/** Brands that the card form knows, and the others: Diners, JCB, Maestro, UnionPay. */
function hasPrefix(digits: string): boolean {
  return cardBrand(digits) !== undefined || /^(?:3[05689]|5[06-9]|6)/.test(digits);
}
