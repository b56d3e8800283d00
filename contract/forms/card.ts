import { z } from 'zod';
import { maxLength, minLength, required } from '../fields/basic-rules.ts';
import { name, year } from '../fields/character-rules.ts';
import { failures, textField, trimmedField } from '../fields/form.ts';
import { hasLuhnChecksum, isState, postalCode } from '../fields/identifier-rules.ts';
import { firstFailure, type Rule, ruleThat, when } from '../fields/rule.ts';
import { isInternational } from '../reference/countries.ts';
import { limits } from '../reference/limits.ts';

export type CardBrand = 'Amex' | 'Discover' | 'Mastercard' | 'Visa';

const { min: minDigits, max: maxDigits } = limits.card.digits;

/** Non-digits are stripped and the value truncated to 16. */
export function cleanCardNumber(text: string): string {
  let digits = '';
  for (let index = 0; index < text.length && digits.length < maxDigits; index++) {
    const character = text.charAt(index);
    if (character >= '0' && character <= '9') digits += character;
  }
  return digits;
}

/**
 * Brand from prefix: 34 or 37 Amex; 51-55 Mastercard; 6011 Discover; 4 Visa. Two of them have more prefixes
 * in reality: Mastercard's 2-series (2221-2720, since 2017) and Discover's 64 (644-649) and 65.
 */
export function cardBrand(cardNumber: string): CardBrand | undefined {
  const digits = cleanCardNumber(cardNumber);
  if (/^3[47]/.test(digits)) return 'Amex';
  if (digits.startsWith('4')) return 'Visa';
  if (/^5[1-5]/.test(digits)) return 'Mastercard';
  if (/^(?:6011|64[4-9]|65)/.test(digits)) return 'Discover';
  const firstFour = Number(digits.slice(0, 4));
  return digits.length >= 4 && firstFour >= 2221 && firstFour <= 2720 ? 'Mastercard' : undefined;
}

/** 13-16 digits that pass the checksum; the message names the brand as far as it is known. */
export function cardNumber(label: string): Rule {
  return (value) => {
    const digits = cleanCardNumber(value);
    if (digits.length >= minDigits && hasLuhnChecksum(digits)) return undefined;
    const brand = cardBrand(digits);
    return brand ? `Use a valid ${brand} card number` : `Use a valid ${label}`;
  };
}

/** A two-digit year gets 2000 added. */
export function fullYear(text: string): number {
  const typed = Number(text);
  return typed < 100 ? typed + 2000 : typed;
}

/** The outgoing expiration: the first day of the month in YYYY-MM-DD. */
export function expirationDate(month: string, year: string): string {
  return `${fullYear(year)}-${month.padStart(2, '0')}-01`;
}

const halfDayMs = 12 * 60 * 60 * 1000;

/**
 * A card is good through the last day of its month. The card's time zone isn't known here, so the day ends in
 * the last time zone on earth (UTC-12); the bank has the last word anyway.
 */
export function isExpired(month: string, year: string, nowMs: number): boolean {
  return Date.UTC(fullYear(year), Number(month), 1) + halfDayMs <= nowMs;
}

/** An expiration on file: only its year and month count, whatever day the wire gives it. */
export function isExpiredOn(expirationDateText: string, nowMs: number): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})/.exec(expirationDateText);
  return parts !== null && isExpired(parts[2] ?? '', parts[1] ?? '', nowMs);
}

/**
 * The billing address of a card. Outside the United States and Canada not every address has a state, and
 * postal codes have other forms: there only the lengths are checked.
 */
export function billingFields(countryId = 1) {
  const isForeign = isInternational(countryId);
  return {
    FirstName: trimmedField(...personName('First Name')),
    LastName: trimmedField(...personName('Last Name')),
    BillingAddress1: trimmedField(
      required('Address', 'Enter an address'),
      maxLength('Address', limits.billing.address),
    ),
    BillingCity: trimmedField(required('City', 'Enter a city'), maxLength('City', limits.billing.city)),
    BillingState: trimmedField(
      ...when(!isForeign, required('State')),
      maxLength('State', limits.billing.state),
      ...when(!isForeign, isState()),
    ),
    BillingZipCode: trimmedField(
      required('Zip Code'),
      maxLength('Zip Code', limits.billing.zipCode),
      ...when(!isForeign, postalCode()),
    ),
  };
}

function personName(label: string): Rule[] {
  return [required(label), name(), maxLength(label, limits.billing.name)];
}

export function cvn(): Rule {
  const { min, max } = limits.card.cvn;
  return ruleThat(
    (value) => /^[0-9]+$/.test(value) && value.length >= min && value.length <= max,
    'Only 3-4 digits',
  );
}

const monthMessage = 'Enter a 2 digit month';

function isMonth(text: string): boolean {
  return /^(?:0[1-9]|1[0-2])$/.test(text);
}

/** The card form. `nowMs` is the caller's clock. The card number is for the card processor, never for our server. */
export function cardForm({ nowMs, countryId = 1 }: { nowMs: number; countryId?: number }) {
  return z
    .object({
      ...billingFields(countryId),
      CardNumber: textField(required('Card Number'), cardNumber('Card Number')).transform(cleanCardNumber),
      ccExpirationMonth: trimmedField(required('Month', monthMessage), ruleThat(isMonth, monthMessage)),
      ccExpirationYear: trimmedField(required('Year', 'Enter a year'), year()),
      CVN: trimmedField(required('CVN'), cvn()),
    })
    .superRefine(
      failures((values) => {
        const isWholeDate =
          isMonth(values.ccExpirationMonth) &&
          firstFailure(values.ccExpirationYear, [required('Year'), year()]) === undefined;
        return isWholeDate && isExpired(values.ccExpirationMonth, values.ccExpirationYear, nowMs)
          ? { ccExpirationYear: 'Credit card is expired.' }
          : {};
      }),
    );
}
export type CardForm = z.output<ReturnType<typeof cardForm>>;

/** The CreditCard object of the calls, from a form that passed. */
export function cardPayload(form: CardForm) {
  const { ccExpirationMonth, ccExpirationYear, ...rest } = form;
  return { ...rest, ExpirationDate: expirationDate(ccExpirationMonth, ccExpirationYear) };
}

/** The billing postal code needs at least 5 characters before an address is saved. */
export function canSaveBillingAddress(billingZipCode: string): boolean {
  return (
    firstFailure(billingZipCode.trim(), [
      required('Zip Code'),
      minLength('Zip Code', limits.billingZipCodeToSave),
    ]) === undefined
  );
}

/** Reduces the input of a numeric box to its digits. */
export function onlyDigits(text: string, most: number): string {
  return text.replace(/[^0-9]/g, '').slice(0, most);
}
