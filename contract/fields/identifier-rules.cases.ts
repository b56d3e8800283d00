import { ruleTable } from '../testing/rule-table.ts';
import { canadianBusinessNumber, ein, isState, isValidNpi, postalCode } from './identifier-rules.ts';
import { callerId, phone } from './phone-rules.ts';

export const identifierRules = {
  phone: phone(),
  'phone in the United Kingdom': phone(4),
  'phone in the Netherlands': phone(24),
  'callerId in the United Kingdom': callerId(4),
  postalCode: postalCode(),
  'postalCode in the US': postalCode('US'),
  'postalCode in Canada': postalCode('CA'),
  ein: ein(),
  canadianBusinessNumber: canadianBusinessNumber(),
  isState: isState(),
  'isValidNpi(NPI)': isValidNpi('NPI'),
};
type Case = [rule: keyof typeof identifierRules, value: string];

const tenDigits = 'Must be 10 digits; use only numbers';
const notHere = "This number isn't in the US, Puerto Rico, or Canada";
const unsupported = 'Phone number must be from a supported country.';
const postal = 'Use a valid U.S. or Canadian postal code';
const einMessage = 'Invalid EIN. Must be a 9 digit number.';
const bn = 'Enter a 9-digit Canadian Business Number';

export const identifierFieldRules = ruleTable<Case, string | undefined>({
  about: 'Phones, codes and identifiers',
  file: 'contract/fields/identifier-rules.ts',
  rows: [
    {
      rule: 'phone: "Must be 10 digits; use only numbers"',
      message: tenDigits,
      cases: [
        [['phone', '4235550143'], undefined],
        [['phone', '(423) 555-0143'], undefined],
        [['phone', '1-423-555-0143'], undefined],
        [['phone', ''], undefined],
        [['phone', '555-0143'], tenDigits],
        [['phone', 'call me'], tenDigits],
      ],
    },
    {
      rule: 'phone area code (failure: "This number isn\'t in the US, Puerto Rico, or Canada")',
      message: notHere,
      cases: [
        [['phone', '+44 20 7946 0958'], notHere],
        [['phone', '787-555-0143'], undefined],
        [['phone', '416-555-0143'], undefined],
      ],
    },
    {
      rule: 'International hint text: "Must start with [country code]; no more than N digits; use only numbers"',
      message: 'Must start with 44; no more than 12 digits; use only numbers',
      cases: [
        [['phone in the United Kingdom', '020 7946 0958'], undefined],
        [['phone in the United Kingdom', '+44 20 7946 0958'], undefined],
        [
          ['phone in the United Kingdom', 'number'],
          'Must start with 44; no more than 12 digits; use only numbers',
        ],
      ],
    },
    {
      rule: 'Ours: a valid Dutch number has 11 digits and passes although the hint says 9',
      cases: [[['phone in the Netherlands', '+31 6 12345678'], undefined]],
    },
    {
      rule: 'International phone matching the country pattern, otherwise "Phone number must be from a supported country."',
      message: unsupported,
      cases: [
        [['callerId in the United Kingdom', '+44 20 7946 0958'], undefined],
        [['callerId in the United Kingdom', '+7 495 123 45 67'], unsupported],
        [['callerId in the United Kingdom', 'number'], unsupported],
      ],
    },
    {
      rule: 'postalCode: "Use a valid U.S. or Canadian postal code"',
      message: postal,
      cases: [
        [['postalCode', '37402'], undefined],
        [['postalCode', '37402-1234'], undefined],
        [['postalCode', 'K1A 0B1'], undefined],
        [['postalCode', 'k1a0b1'], undefined],
        [['postalCode', '3740'], postal],
        [['postalCode', '37402-12'], postal],
        [['postalCode', 'D1A 0B1'], postal],
        [['postalCode', 'W1A 0B1'], postal],
        [['postalCode', 'SW1A 1AA'], postal],
        [['postalCode in the US', 'K1A 0B1'], postal],
        [['postalCode in Canada', '37402'], postal],
      ],
    },
    {
      rule: 'ein: "Invalid EIN. Must be a 9 digit number."',
      message: einMessage,
      cases: [
        [['ein', '12-3456789'], undefined],
        [['ein', '123456789'], undefined],
        [['ein', '12345678'], einMessage],
        [['ein', '123-45-6789'], einMessage],
      ],
    },
    {
      rule: 'CanadianBusinessNumber: max 9, 9-digit format',
      message: bn,
      cases: [
        [['canadianBusinessNumber', '123456789'], undefined],
        [['canadianBusinessNumber', '12345678'], bn],
        [['canadianBusinessNumber', '123456789RC'], bn],
      ],
    },
    {
      rule: 'isState: "Not a valid state"',
      message: 'Not a valid state',
      cases: [
        [['isState', 'TN'], undefined],
        [['isState', 'tennessee'], undefined],
        [['isState', 'Québec'], undefined],
        [['isState', 'Puerto Rico'], undefined],
        [['isState', 'DC'], undefined],
        [['isState', 'ZZ'], 'Not a valid state'],
        [['isState', '__proto__'], 'Not a valid state'],
      ],
    },
    {
      rule: 'isValidNpi (checksum): "[field] is invalid"',
      message: '[field] is invalid',
      cases: [
        [['isValidNpi(NPI)', '1234567893'], undefined],
        [['isValidNpi(NPI)', '1245319599'], undefined],
        [['isValidNpi(NPI)', '1234567890'], 'NPI is invalid'],
        [['isValidNpi(NPI)', '3234567893'], 'NPI is invalid'],
        [['isValidNpi(NPI)', '123456789'], 'NPI is invalid'],
      ],
    },
  ],
});
