import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import mobileExamples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { countries, isInternational } from '../reference/countries.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import { formatE164, formatPhone, typedPhone } from './format-phone.ts';
import { domesticDigits, normalizePhone, wirePhone } from './normalize-phone.ts';
import { phonePattern } from './phone-pattern.ts';
import {
  formattedPhones,
  normalizedPhones,
  phonesOnTheWire,
  repairedPhones,
  tollFreePhones,
  typedPhones,
  validatedPhones,
} from './phones.cases.ts';
import { repairSpreadsheetPhone } from './repair-spreadsheet-phone.ts';
import { isTollFree } from './toll-free.ts';
import { validatePhone } from './validate-phone.ts';

testRuleTable(normalizedPhones, ([text, countryId]) => normalizePhone(text, countryId));
testRuleTable(repairedPhones, repairSpreadsheetPhone);
testRuleTable(formattedPhones, formatPhone);
testRuleTable(validatedPhones, ([text, countryId]) => validatePhone(text, countryId));
testRuleTable(tollFreePhones, isTollFree);
testRuleTable(phonesOnTheWire, ([e164, countryId]) => wirePhone(e164, countryId));
testRuleTable(typedPhones, ([phone, countryId]) => typedPhone(phone, countryId));

const abroad = countries.filter(({ id }) => isInternational(id));
/** Ten digits that can be a domestic number: area code and exchange begin with 2 to 9. */
const ten = fc
  .tuple(
    fc.integer({ min: 200, max: 999 }),
    fc.integer({ min: 200, max: 999 }),
    fc.integer({ min: 1000, max: 9999 }),
  )
  .map((parts) => parts.join(''));
const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '–', '/');

/**
 * A country's example mobile number with its last digits changed, if libphonenumber still considers it valid.
 */
function numberOf(code: string, ending: number) {
  const example = getExampleNumber(code as CountryCode, mobileExamples)?.number ?? '';
  const text = example.slice(0, -4) + String(ending).padStart(4, '0');
  const number = parsePhoneNumberFromString(text);
  return number?.isValid() ? number : undefined;
}

describe('beside libphonenumber', () => {
  for (const { id, code, name } of abroad) {
    it(`reads the numbers of ${name} however they are written`, () => {
      fc.assert(
        fc.property(fc.nat(9999), (ending) => {
          const number = numberOf(code, ending);
          fc.pre(number !== undefined);
          const digits = number.number.slice(1);
          expect(normalizePhone(number.number, id)).toBe(digits);
          expect(normalizePhone(digits, id)).toBe(digits);
          expect(normalizePhone(number.formatInternational(), 1)).toBe(digits);
          expect(normalizePhone(number.formatNational(), id)).toBe(digits);
          expect(normalizePhone(`00${digits}`, id)).toBe(digits);
          expect(validatePhone(digits, id)).toEqual({ phone: digits });
          expect(formatE164(digits)).toBe(number.formatInternational().replaceAll('-', ' '));
        }),
        { numRuns: 60 },
      );
    });
  }

  it('never makes a US number out of one from another country', () => {
    for (const country of getCountries()) {
      const number = getExampleNumber(country, mobileExamples);
      if (!number || number.countryCallingCode === '1') continue;
      for (const { id } of countries) {
        expect(normalizePhone(number.formatInternational(), id), country).toBe(number.number.slice(1));
      }
    }
  });

  it('turns no foreign number that can be reached, and no number that lacks digits, into a domestic one', () => {
    for (const { id, code } of abroad) {
      const own = getExampleNumber(code as CountryCode, mobileExamples)?.number.slice(1) ?? '';
      // 48 123 45 67 is a whole number of Poland, as people write it there; so are some of Singapore and Italy.
      const isWrittenBare = ['PL', 'SG', 'IT'].includes(code);
      for (const lost of isWrittenBare ? [] : [1, 2, 3, 4]) {
        const { phone } = validatePhone(own.slice(0, -lost), id);
        expect([undefined, own.slice(0, -lost)], `${code} without ${lost}`).toContain(phone);
      }
      for (const other of countries) {
        const digits = getExampleNumber(other.code as CountryCode, mobileExamples)?.number.slice(1) ?? '';
        // 658 123 4567 is a whole number of Mexico.
        if (code === 'MX' && other.code === 'SG') continue;
        expect([undefined, digits], `${other.code} in ${code}`).toContain(validatePhone(digits, id).phone);
      }
    }
  });

  it('reads domestic numbers as it does, whatever is between the digits', () => {
    fc.assert(
      fc.property(
        ten,
        separator,
        separator,
        fc.constantFrom('', '1', '+1', '+1 '),
        (number, a, b, prefix) => {
          const text = `${prefix}${a}${number.slice(0, 3)}${a}${number.slice(3, 6)}${b}${number.slice(6)}`;
          expect(normalizePhone(text)).toBe(`1${number}`);
          expect(parsePhoneNumberFromString(text, 'US')?.number).toBe(`+1${number}`);
          expect(formatPhone(number)).toBe(parsePhoneNumberFromString(number, 'US')?.formatNational());
        },
      ),
    );
  });
});

describe('normalizePhone', () => {
  it('reads digits of other scripts among ours', () => {
    const scripts = fc.array(fc.constantFrom(48, 0xff10, 0x0660, 0x06f0), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(ten, scripts, separator, (number, zeros, between) => {
        const digits = zeros.map((zero, at) => String.fromCharCode(zero + Number(number[at])));
        const text = `${digits.slice(0, 3).join('')}${between}${digits.slice(3).join('')}`;
        expect(normalizePhone(text)).toBe(`1${number}`);
      }),
    );
  });

  it('gives E.164 digits or nothing, and the same again for what it gave', () => {
    const country = fc.constantFrom(...countries.map(({ id }) => id));
    const anything = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789+-(). eE\u00a0') }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(anything, country, (text, id) => {
        const phone = normalizePhone(text, id);
        if (phone === undefined) return;
        expect(phone).toMatch(/^[1-9]\d{6,14}$/);
        expect(normalizePhone(`+${phone}`, id)).toBe(phone);
      }),
      { numRuns: 3000 },
    );
  });

  it('never makes up a digit: all that it returns are in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,eE+ ') }), (text) => {
        const phone = normalizePhone(text);
        if (phone !== undefined) expect(text.replace(/\D/g, '')).toContain(domesticDigits(phone));
      }),
      { numRuns: 3000 },
    );
  });

  it('repairs a float or gives up, but never names another number', () => {
    fc.assert(
      fc.property(
        ten,
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom('E9', 'E+09', 'e9'),
        (number, kept, exponent) => {
          const float = `${number[0]}.${number.slice(1, 1 + kept) || '0'}${exponent}`;
          const whole = kept >= 9 ? `1${number}` : undefined;
          expect(normalizePhone(float)).toBe(whole);
          expect(normalizePhone(`${number}.0`)).toBe(`1${number}`);
          expect(normalizePhone(`${number.slice(0, 9)}.0`)).toBeUndefined();
        },
      ),
    );
  });

  it('takes well under a second for 100,000 hostile characters', () => {
    for (const piece of [
      '1',
      ' ',
      '+',
      "'",
      '.',
      '0',
      '.0',
      'e',
      '1e',
      '1,',
      '\u00a0',
      '😀',
      '漢',
      '٣',
      '(',
      '="',
      '\u0316\u0301',
    ]) {
      const text = piece.repeat(100_000 / piece.length);
      const ms = cpuMs(() => {
        for (const id of [1, 4, 12]) normalizePhone(text, id);
        repairSpreadsheetPhone(text);
        formatPhone(text);
        validatePhone(text, 4);
      });
      expect(ms).toBeLessThan(900);
    }
  });
});

describe('formatPhone', () => {
  it('can be read back', () => {
    const all = getCountries().flatMap((country) => getExampleNumber(country, mobileExamples)?.number ?? []);
    for (const number of all) {
      expect(normalizePhone(formatE164(number), number.startsWith('+1') ? 1 : 4)).toBe(number.slice(1));
    }
  });
});

describe('abroad', () => {
  it('every number that the API answers can be sent back, and saved again from a field', () => {
    const all = getCountries().flatMap(
      (country) => getExampleNumber(country, mobileExamples)?.number.slice(1) ?? [],
    );
    const american = ['4235550143', '3108207129', '7705550143', '2125550143', '6592345678', '4302345678'];
    for (const { id } of abroad)
      for (const phone of [...all, ...american.map((digits) => `1${digits}`)]) {
        if (validatePhone(`+${phone}`, id).phone === undefined) continue;
        const wire = wirePhone(phone, id);
        expect([id, validatePhone(wire, id).phone]).toEqual([id, phone]);
        expect([id, validatePhone(typedPhone(wire, id), id).phone]).toEqual([id, phone]);
      }
  });

  it('every number that the API answers fits the pattern of the account, and no other', () => {
    const all = getCountries().flatMap(
      (country) => getExampleNumber(country, mobileExamples)?.number.slice(1) ?? [],
    );
    for (const { id, callingCode } of countries) {
      const pattern = new RegExp(phonePattern(id));
      const fits = (phone: string) => pattern.test(phone);
      for (const phone of [...all, '14235550143', '13108207129']) {
        if (validatePhone(`+${phone}`, id).phone === undefined) continue;
        expect([id, phone, fits(wirePhone(phone, id))]).toEqual([id, phone, true]);
      }
      const ten = isInternational(id) ? '+14235550143' : '4235550143';
      expect([id, fits(ten)]).toEqual([id, true]);
      // Too short, too long, of nobody, with the wrong beginning, and not the whole text.
      const wrong = [
        ...['', callingCode, `${callingCode}1234`, `${callingCode}1234567890123456`, '+8613123456789'],
        ...['+11235550143', '+1423555014', '14235550143', `x${ten}`, `${ten} `, `+${callingCode}`],
        isInternational(id) ? '4235550143' : '+14235550143',
      ];
      for (const phone of wrong) expect([id, phone, fits(phone)]).toEqual([id, phone, false]);
    }
  });
});
