import { ruleTable } from '../testing/rule-table.ts';

/** 15 November 2026, noon UTC. */
export const nowMs = Date.UTC(2026, 10, 15, 12);

export const validCard = {
  FirstName: 'Dolores',
  LastName: "O'Brien-Núñez",
  BillingAddress1: '12 Station Road',
  BillingCity: 'Chattanooga',
  BillingState: 'TN',
  BillingZipCode: '37402',
  CardNumber: '4242 4242 4242 4242',
  ccExpirationMonth: '05',
  ccExpirationYear: '27',
  CVN: '123',
};

/** Each case changes a valid card; the result is the form's errors by field. */
export const cardForm = ruleTable<Partial<typeof validCard>, Record<string, string>>({
  about: 'Card form',
  file: 'contract/forms/card.ts',
  rows: [
    { rule: 'A complete card passes', cases: [[{}, {}]] },
    {
      rule: 'BillingAddress1 required max 40 ("Enter an address")',
      message: 'Enter an address',
      cases: [
        [{ BillingAddress1: '' }, { BillingAddress1: 'Enter an address' }],
        [{ BillingAddress1: '   ' }, { BillingAddress1: 'Enter an address' }],
        [{ BillingAddress1: 'x'.repeat(40) }, {}],
        [{ BillingAddress1: 'x'.repeat(41) }, { BillingAddress1: 'Address must be at most 40 characters' }],
      ],
    },
    {
      rule: 'BillingCity required max 30 ("Enter a city")',
      message: 'Enter a city',
      cases: [
        [{ BillingCity: '' }, { BillingCity: 'Enter a city' }],
        [{ BillingCity: 'x'.repeat(31) }, { BillingCity: 'City must be at most 30 characters' }],
      ],
    },
    {
      rule: 'BillingState required max 50 and a valid state',
      message: 'Not a valid state',
      cases: [
        [{ BillingState: '' }, { BillingState: 'Enter a State' }],
        [{ BillingState: 'x'.repeat(51) }, { BillingState: 'State must be at most 50 characters' }],
        [{ BillingState: 'Tenessee' }, { BillingState: 'Not a valid state' }],
        [{ BillingState: 'tennessee' }, {}],
        [{ BillingState: 'ON' }, {}],
        [{ BillingState: 'PR' }, {}],
      ],
    },
    {
      rule: 'BillingZipCode required max 10 and postal code',
      message: 'Use a valid U.S. or Canadian postal code',
      cases: [
        [{ BillingZipCode: '' }, { BillingZipCode: 'Enter a Zip Code' }],
        [{ BillingZipCode: '3740' }, { BillingZipCode: 'Use a valid U.S. or Canadian postal code' }],
        [{ BillingZipCode: '37402-1234' }, {}],
        [{ BillingZipCode: 'K1A 0B1' }, {}],
        [{ BillingZipCode: '37402-12345' }, { BillingZipCode: 'Zip Code must be at most 10 characters' }],
      ],
    },
    {
      rule: 'CardNumber required, 13-16 digits, passes a checksum, message "Use a valid [brand] card number" for Amex, Discover, Mastercard, Visa, otherwise "Use a valid [field]"',
      message: 'Use a valid [brand] card number',
      cases: [
        [{ CardNumber: '' }, { CardNumber: 'Enter a Card Number' }],
        [{ CardNumber: '4242 4242 4242 4241' }, { CardNumber: 'Use a valid Visa card number' }],
        [{ CardNumber: '5555 5555 5555 4445' }, { CardNumber: 'Use a valid Mastercard card number' }],
        [{ CardNumber: '2223 0031 2200 3221' }, { CardNumber: 'Use a valid Mastercard card number' }],
        [{ CardNumber: '3782 822463 10006' }, { CardNumber: 'Use a valid Amex card number' }],
        [{ CardNumber: '6011 1111 1111 1118' }, { CardNumber: 'Use a valid Discover card number' }],
        [{ CardNumber: '3530 1113 3330 0001' }, { CardNumber: 'Use a valid Card Number' }],
        [{ CardNumber: '424242424240' }, { CardNumber: 'Use a valid Visa card number' }],
      ],
    },
    {
      rule: 'Non-digits are stripped and the value truncated to 16',
      cases: [
        [{ CardNumber: '4242-4242-4242-4242' }, {}],
        [{ CardNumber: '4242 4242 4242 4242 999' }, {}],
      ],
    },
    {
      rule: 'ccExpirationMonth required, 2 digits, 1-12, "Enter a 2 digit month"',
      message: 'Enter a 2 digit month',
      cases: [
        [{ ccExpirationMonth: '' }, { ccExpirationMonth: 'Enter a 2 digit month' }],
        [{ ccExpirationMonth: '5' }, { ccExpirationMonth: 'Enter a 2 digit month' }],
        [{ ccExpirationMonth: '00' }, { ccExpirationMonth: 'Enter a 2 digit month' }],
        [{ ccExpirationMonth: '13' }, { ccExpirationMonth: 'Enter a 2 digit month' }],
        [{ ccExpirationMonth: '12' }, {}],
      ],
    },
    {
      rule: 'ccExpirationYear required, "Enter a year"',
      message: 'Enter a year',
      cases: [
        [{ ccExpirationYear: '' }, { ccExpirationYear: 'Enter a year' }],
        [{ ccExpirationYear: '202' }, { ccExpirationYear: 'Must be a year.' }],
        [{ ccExpirationYear: '2027' }, {}],
      ],
    },
    {
      rule: 'expired card: "Credit card is expired."',
      message: 'Credit card is expired.',
      cases: [
        [
          { ccExpirationMonth: '10', ccExpirationYear: '26' },
          { ccExpirationYear: 'Credit card is expired.' },
        ],
        [{ ccExpirationMonth: '11', ccExpirationYear: '26' }, {}],
        [
          { ccExpirationMonth: '12', ccExpirationYear: '2025' },
          { ccExpirationYear: 'Credit card is expired.' },
        ],
      ],
    },
    {
      rule: 'CVN required, 3-4 digits, "Only 3-4 digits"',
      message: 'Only 3-4 digits',
      cases: [
        [{ CVN: '' }, { CVN: 'Enter a CVN' }],
        [{ CVN: '12' }, { CVN: 'Only 3-4 digits' }],
        [{ CVN: '12345' }, { CVN: 'Only 3-4 digits' }],
        [{ CVN: '12a' }, { CVN: 'Only 3-4 digits' }],
        [{ CVN: '1234' }, {}],
      ],
    },
    {
      rule: 'FirstName and LastName required, letters, max 50',
      message: 'Use letters only',
      cases: [
        [{ FirstName: '' }, { FirstName: 'Enter a First Name' }],
        [{ LastName: '' }, { LastName: 'Enter a Last Name' }],
        [{ FirstName: 'R2D2' }, { FirstName: 'Use letters only' }],
        [{ FirstName: 'Ann & Bob' }, {}],
        [{ LastName: 'x'.repeat(51) }, { LastName: 'Last Name must be at most 50 characters' }],
      ],
    },
  ],
});

export const cardBrands = ruleTable<string, string | undefined>({
  about: 'Card brand',
  file: 'contract/forms/card.ts',
  rows: [
    {
      rule: 'Brand from prefix: 34 or 37 Amex; 51-55 Mastercard; 6011 Discover; 4 Visa',
      cases: [
        ['34', 'Amex'],
        ['37', 'Amex'],
        ['36', undefined],
        ['51', 'Mastercard'],
        ['55', 'Mastercard'],
        ['50', undefined],
        ['56', undefined],
        ['6011', 'Discover'],
        ['6012', undefined],
        ['4', 'Visa'],
        ['', undefined],
      ],
    },
    {
      rule: "Ours: Mastercard's 2-series and Discover's 64 and 65 are recognized",
      cases: [
        ['2221', 'Mastercard'],
        ['2720', 'Mastercard'],
        ['2220', undefined],
        ['2721', undefined],
        ['222', undefined],
        ['644', 'Discover'],
        ['649', 'Discover'],
        ['643', undefined],
        ['65', 'Discover'],
      ],
    },
  ],
});

export const expirationDates = ruleTable<[string, string], string>({
  about: 'Outgoing expiration',
  file: 'contract/forms/card.ts',
  rows: [
    {
      rule: 'The outgoing expiration is the first day of the month in YYYY-MM-DD; a two-digit year gets 2000 added',
      cases: [
        [['05', '27'], '2027-05-01'],
        [['12', '2031'], '2031-12-01'],
        [['1', '99'], '2099-01-01'],
      ],
    },
  ],
});

export const savedBillingAddress = ruleTable<string, boolean>({
  about: 'Saving a billing address',
  file: 'contract/forms/card.ts',
  rows: [
    {
      rule: 'Billing postal code needs at least 5 characters before an address is saved',
      cases: [
        ['3740', false],
        ['37402', true],
        ['K1A0B1', true],
        ['', false],
      ],
    },
  ],
});
