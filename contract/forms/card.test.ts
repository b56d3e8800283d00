import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './card.cases.ts';
import {
  canSaveBillingAddress,
  cardBrand,
  cardForm,
  cardPayload,
  cleanCardNumber,
  expirationDate,
  isExpired,
  isExpiredOn,
  onlyDigits,
} from './card.ts';

const { nowMs, validCard } = cases;

testRuleTable(cases.cardForm, (change) => fieldErrors(cardForm({ nowMs }), { ...validCard, ...change }));
testRuleTable(cases.cardBrands, cardBrand);
testRuleTable(cases.expirationDates, ([month, year]) => expirationDate(month, year));
testRuleTable(cases.savedBillingAddress, canSaveBillingAddress);

/** The numbers that card processors publish for testing. */
const published = {
  Visa: ['4242424242424242', '4111111111111111', '4012888888881881', '4000056655665556', '4222222222222'],
  Mastercard: ['5555555555554444', '5105105105105100', '2223003122003222', '5200828282828210'],
  Amex: ['378282246310005', '371449635398431', '378734493671000'],
  Discover: ['6011111111111117', '6011000990139424', '6011981111111113'],
  none: ['3056930009020004', '36227206271667', '3566002020360505', '30569309025904', '38520000023237'],
};

describe('published test card numbers', () => {
  for (const [brand, numbers] of Object.entries(published)) {
    for (const number of numbers) {
      it(`${number} is ${brand} and passes`, () => {
        expect(cardBrand(number) ?? 'none').toBe(brand);
        expect(fieldErrors(cardForm({ nowMs }), { ...validCard, CardNumber: number })).toEqual({});
      });
    }
  }

  it('no number passes once a digit has changed', () => {
    const numbers = Object.values(published).flat();
    fc.assert(
      fc.property(
        fc.constantFrom(...numbers),
        fc.nat(12),
        fc.integer({ min: 1, max: 9 }),
        (number, at, by) => {
          const digit = (Number(number.charAt(at)) + by) % 10;
          const changed = number.slice(0, at) + digit + number.slice(at + 1);
          expect(fieldErrors(cardForm({ nowMs }), { ...validCard, CardNumber: changed })).toHaveProperty(
            'CardNumber',
          );
        },
      ),
    );
  });
});

describe('card form', () => {
  it('asks for everything when nothing is given', () => {
    expect(fieldErrors(cardForm({ nowMs }), {})).toEqual({
      FirstName: 'Enter a First Name',
      LastName: 'Enter a Last Name',
      BillingAddress1: 'Enter an address',
      BillingCity: 'Enter a city',
      BillingState: 'Enter a State',
      BillingZipCode: 'Enter a Zip Code',
      CardNumber: 'Enter a Card Number',
      ccExpirationMonth: 'Enter a 2 digit month',
      ccExpirationYear: 'Enter a year',
      CVN: 'Enter a CVN',
    });
  });

  it('accepts an address outside the United States and Canada', () => {
    const london = { ...validCard, BillingState: '', BillingZipCode: 'SW1A 1AA' };
    expect(fieldErrors(cardForm({ nowMs, countryId: 4 }), london)).toEqual({});
    expect(Object.keys(fieldErrors(cardForm({ nowMs }), london))).toEqual(['BillingState', 'BillingZipCode']);
  });

  it('reports an expired card while other fields are wrong too', () => {
    const errors = fieldErrors(cardForm({ nowMs }), { ...validCard, FirstName: '', ccExpirationYear: '24' });
    expect(errors).toEqual({ FirstName: 'Enter a First Name', ccExpirationYear: 'Credit card is expired.' });
  });

  it('makes the CreditCard object of the calls', () => {
    expect(cardPayload(cardForm({ nowMs }).parse(validCard))).toEqual({
      FirstName: 'Dolores',
      LastName: "O'Brien-Núñez",
      BillingAddress1: '12 Station Road',
      BillingCity: 'Chattanooga',
      BillingState: 'TN',
      BillingZipCode: '37402',
      CardNumber: '4242424242424242',
      CVN: '123',
      ExpirationDate: '2027-05-01',
    });
  });
});

describe('expiry', () => {
  it('holds through the last moment of the month anywhere on earth', () => {
    const endOfNovemberAtUtcMinus12 = Date.UTC(2026, 11, 1, 12);
    expect(isExpired('11', '26', endOfNovemberAtUtcMinus12 - 1)).toBe(false);
    expect(isExpired('11', '26', endOfNovemberAtUtcMinus12)).toBe(true);
  });

  it('reads an expiration on file', () => {
    expect(isExpiredOn('2026-10-01', nowMs)).toBe(true);
    expect(isExpiredOn('2026-11-01T00:00:00Z', nowMs)).toBe(false);
    expect(isExpiredOn('', nowMs)).toBe(false);
  });
});

describe('typing', () => {
  it('keeps at most 16 digits of anything', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(cleanCardNumber(text)).toBe(text.replace(/[^0-9]/g, '').slice(0, 16));
      }),
    );
  });

  it('keeps digits only', () => {
    expect(onlyDigits('1 2a34', 3)).toBe('123');
    expect(onlyDigits('0042', 4)).toBe('0042');
  });
});
