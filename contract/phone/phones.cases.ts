import { ruleTable } from '../testing/rule-table.ts';

/** A text, read by an organization in the country with that id (1 the United States, 4 the United Kingdom …). */
type Written = readonly [text: string, countryId: number];

export const normalizedPhones = ruleTable<Written, string | undefined>({
  about: 'Normalized phone numbers',
  file: 'contract/phone/normalize-phone.ts',
  rows: [
    {
      rule: 'Domestic numbers are 10 digits after stripping non-digits, a leading 1 dropped',
      cases: [
        [['4235550143', 1], '14235550143'],
        [['(423) 555-0143', 1], '14235550143'],
        [['423.555.0143', 2], '14235550143'],
        [['1-423-555-0143', 1], '14235550143'],
        [['+1 423 555 0143', 1], '14235550143'],
        [['Cell: 423-555-0143 (home)', 1], '14235550143'],
        [['423\u00a0555\u20110143', 1], '14235550143'],
        [['４２３５５５０１４３', 1], '14235550143'],
        [['423555014', 1], undefined],
        [['42355501433', 1], undefined],
        [['0235550143', 1], undefined],
        [['1235550143', 1], undefined],
        [['', 1], undefined],
        [['no number', 1], undefined],
      ],
    },
    {
      rule: "Ours: a number written with + and another country's code is that country's, never a US number made by stripping",
      cases: [
        [['+44 20 7946 0958', 1], '442079460958'],
        [['+31 6 12345678', 1], '31612345678'],
        [['011 44 20 7946 0958', 1], '442079460958'],
        [['0044 20 7946 0958', 1], '442079460958'],
        [['+423 555 0143', 1], '4235550143'],
        [['+1 023 555 0143', 1], undefined],
        [['+999 555 0143 22', 1], undefined],
        [['+1 423 555 0143', 4], '14235550143'],
      ],
    },
    {
      rule: 'Ours: an international organization writes numbers with the country code or as they are dialed at home',
      cases: [
        [['442079460958', 4], '442079460958'],
        [['020 7946 0958', 4], '442079460958'],
        [['+44 (0)20 7946 0958', 4], '442079460958'],
        [['0171 1234567', 5], '491711234567'],
        [['06 12345678', 24], '31612345678'],
        [['0664 1234567', 14], '436641234567'],
        [['612 34 56 78', 13], '34612345678'],
        [['06 1234 5678', 12], '390612345678'],
        [['391 234 5678', 12], '393912345678'],
        [['39 333 123 4567', 12], '393331234567'],
        [['55 1234 5678', 3], '525512345678'],
        [['+52 1 55 1234 5678', 3], '525512345678'],
        [['044 55 1234 5678', 3], '525512345678'],
        [['9123 4567', 10], '6591234567'],
        [['٠٥٠١٢٣٤٥٦٧', 23], '966501234567'],
        [['0011 44 20 7946 0958', 9], '442079460958'],
        [['+44 00 7946 0958', 4], undefined],
        [['12', 4], undefined],
      ],
    },
    {
      rule: 'Ours: what a spreadsheet made of a number is undone, and is never a guess',
      cases: [
        [['3.108207129E9', 1], '13108207129'],
        [['4235550143.0', 1], '14235550143'],
        [["'4235550143", 1], '14235550143'],
        [['="4235550143"', 1], '14235550143'],
        [['4,235,550,143.00', 1], '14235550143'],
        [['4.42079460958E+11', 4], '442079460958'],
        [['423.555.0000', 1], '14235550000'],
        [['3.11E+09', 1], undefined],
        [['1.423555014E9', 1], undefined],
        [['423555014.0', 1], undefined],
        [['5550100.0', 1], undefined],
      ],
    },
    {
      rule: 'Ours: letters between digits are no separator, so an extension never becomes part of a number',
      cases: [
        [['423-555-014 ext 3', 1], undefined],
        [['423-555-0143 x12', 1], undefined],
        [['423-555-O143', 1], undefined],
      ],
    },
  ],
});

export const repairedPhones = ruleTable<string, string | undefined>({
  about: 'Spreadsheet damage',
  file: 'contract/phone/repair-spreadsheet-phone.ts',
  rows: [
    {
      rule: 'Ours: repair of 3.108207129E9, 5550100.0, leading apostrophes, non-breaking spaces',
      cases: [
        ['3.108207129E9', '3108207129'],
        ['3.108207129E+09', '3108207129'],
        ['3,108207129E9', '3108207129'],
        ['3108207129E0', '3108207129'],
        ['5550100.0', '5550100'],
        ['4235550143.00', '4235550143'],
        ["'4235550143", '4235550143'],
        ['\u00a04235550143\u00a0', '4235550143'],
        ['(423) 555-0143', '(423) 555-0143'],
        ['423.555.0100', '423.555.0100'],
        ['4,235,550,000', '4,235,550,000'],
      ],
    },
    {
      rule: 'Ours: a number that has lost digits (3.11E+09) is an error, not a guess',
      cases: [
        ['3.11E+09', undefined],
        ['3.10820712E9', undefined],
        ['4.23556E+09', undefined],
        ['-3.108207129E9', undefined],
        ['3.108207129E-2', undefined],
        ['3.1082071295E9', undefined],
      ],
    },
  ],
});

export const formattedPhones = ruleTable<string, string>({
  about: 'Phone numbers as shown',
  file: 'contract/phone/format-phone.ts',
  rows: [
    {
      rule: 'Phone numbers formatted (555) 010-0199',
      cases: [
        ['14235550143', '(423) 555-0143'],
        ['4235550143', '(423) 555-0143'],
        ['+14235550143', '(423) 555-0143'],
      ],
    },
    {
      rule: 'Ours: other countries with plus, calling code and their own groups',
      cases: [
        ['442079460958', '+44 20 7946 0958'],
        ['+447911123456', '+44 7911 123456'],
        ['33612345678', '+33 6 12 34 56 78'],
        ['+6591234567', '+65 9123 4567'],
        ['+4235550143', '+423 555 0143'],
        ['420601123456', '+420 601 123 456'],
      ],
    },
    {
      rule: 'Ours: what is no number stays as it is',
      cases: [
        ['', ''],
        ['Unknown', 'Unknown'],
        ['911', '911'],
      ],
    },
  ],
});

export const phonesOnTheWire = ruleTable<Written, string>({
  about: 'Phone numbers in the API',
  file: 'contract/phone/normalize-phone.ts',
  rows: [
    {
      rule: 'Ours: organizations in the United States and Canada get ten digits',
      cases: [
        [['14235550143', 1], '4235550143'],
        [['14165550143', 2], '4165550143'],
        [['', 1], ''],
      ],
    },
    {
      rule: 'Ours: abroad, the country’s own numbers are digits with its code, and all others begin with a plus',
      cases: [
        [['447911123456', 4], '447911123456'],
        [['14235550143', 4], '+14235550143'],
        [['13108207129', 14], '+13108207129'],
        [['442079460958', 5], '+442079460958'],
        [['6591234567', 10], '6591234567'],
        [['', 4], ''],
      ],
    },
  ],
});

export const typedPhones = ruleTable<Written, string>({
  about: 'Phone numbers in fields',
  file: 'contract/phone/format-phone.ts',
  rows: [
    {
      rule: 'Ours: a field shows a number so that it can be saved again unchanged',
      cases: [
        [['4235550143', 1], '(423) 555-0143'],
        [['+14235550143', 4], '+1 423 555 0143'],
        [['447911123456', 4], '+44 7911 123456'],
        [['+442079460958', 5], '+44 20 7946 0958'],
        [['6591234567', 10], '+65 9123 4567'],
        [['', 4], ''],
      ],
    },
  ],
});

export const validatedPhones = ruleTable<Written, { phone: string } | { error: string }>({
  about: 'Phone number validation by country',
  file: 'contract/phone/validate-phone.ts',
  rows: [
    {
      rule: 'Default "Must be 10 digits; use only numbers"',
      message: 'Must be 10 digits; use only numbers',
      cases: [
        [['(423) 555-0143', 1], { phone: '14235550143' }],
        [['423555014', 1], { error: 'Must be 10 digits; use only numbers' }],
        [['', 2], { error: 'Must be 10 digits; use only numbers' }],
      ],
    },
    {
      rule: 'International hint text: "Must start with [country code]; no more than N digits; use only numbers"',
      message: 'Must start with [country code]; no more than N digits; use only numbers',
      cases: [
        [['12', 4], { error: 'Must start with 44; no more than 12 digits; use only numbers' }],
        [['+44 20 7946 0958', 4], { phone: '442079460958' }],
        [['0800', 24], { error: 'Must start with 31; no more than 9 digits; use only numbers' }],
      ],
    },
    {
      rule: 'Ours: the maximum digits never refuse a real number',
      cases: [
        [['+31 6 12345678', 24], { phone: '31612345678' }],
        [['+43 664 1234567890', 14], { phone: '436641234567890' }],
      ],
    },
    {
      rule: 'Ours: a number that lacks digits is refused, never read as somebody else’s',
      message: 'Must start with [country code]; no more than N digits; use only numbers',
      cases: [
        [['336123456', 11], { error: 'Must start with 33; no more than 11 digits; use only numbers' }],
        [['33 6 12 34 56', 11], { error: 'Must start with 33; no more than 11 digits; use only numbers' }],
        [['3161234567', 24], { error: 'Must start with 31; no more than 9 digits; use only numbers' }],
        [['8255555555555', 26], { error: 'Must start with 82; no more than 12 digits; use only numbers' }],
        [['+49 1511 12', 5], { error: 'Must start with 49; no more than 13 digits; use only numbers' }],
        [['0612345678', 11], { phone: '33612345678' }],
        [['612345678', 11], { phone: '33612345678' }],
      ],
    },
    {
      rule: 'Ours: digits that are a whole number of another country are refused, never read as one of this country',
      message: 'Must start with [country code]; no more than N digits; use only numbers',
      cases: [
        [['13108207129', 14], { error: 'Must start with 43; no more than 14 digits; use only numbers' }],
        [['4915112345678', 14], { error: 'Must start with 43; no more than 14 digits; use only numbers' }],
        [['41781234567', 5], { error: 'Must start with 49; no more than 13 digits; use only numbers' }],
        [['34612345678', 12], { error: 'Must start with 39; no more than 13 digits; use only numbers' }],
        [['13108207129', 3], { error: 'Must start with 52; no more than 13 digits; use only numbers' }],
        [['+13108207129', 14], { phone: '13108207129' }],
        [['01 3108207129', 14], { phone: '4313108207129' }],
        [['6641234567', 14], { phone: '436641234567' }],
        [['5321234567', 27], { phone: '905321234567' }],
        [['656 123 4567', 3], { phone: '526561234567' }],
        [['537 123 456', 6], { phone: '48537123456' }],
      ],
    },
    {
      rule: 'Ours: ten digits as people in the United States write them are refused abroad, never read as a number that has lost its 0',
      message: 'Must start with [country code]; no more than N digits; use only numbers',
      cases: [
        [['(770) 555-0143', 4], { error: 'Must start with 44; no more than 12 digits; use only numbers' }],
        [
          ['Cell: 770-555-0143', 4],
          { error: 'Must start with 44; no more than 12 digits; use only numbers' },
        ],
        [['212.555.0143', 27], { error: 'Must start with 90; no more than 12 digits; use only numbers' }],
        [['(813) 555-0143', 7], { error: 'Must start with 63; no more than 12 digits; use only numbers' }],
        [['12025550143', 5], { error: 'Must start with 49; no more than 13 digits; use only numbers' }],
        [['+1 770 555 0143', 4], { phone: '17705550143' }],
        [['00 1 770 555 0143', 4], { phone: '17705550143' }],
        [['7705550143', 4], { phone: '447705550143' }],
        [['(0770) 555-0143', 4], { phone: '447705550143' }],
        [['(656) 123-4567', 3], { phone: '526561234567' }],
      ],
    },
    {
      rule: 'International phone matching the country pattern, otherwise "Phone number must be from a supported country."',
      message: 'Phone number must be from a supported country.',
      cases: [
        [['+44 20 7946 0958', 9], { phone: '442079460958' }],
        [['+1 423 555 0143', 4], { phone: '14235550143' }],
        [['+41 44 668 18 00', 4], { error: 'Phone number must be from a supported country.' }],
        [['+1 876 555 0143', 4], { error: 'Phone number must be from a supported country.' }],
      ],
    },
    {
      rule: 'Phone area code check: "This number isn\'t in the US, Puerto Rico, or Canada"',
      message: "This number isn't in the US, Puerto Rico, or Canada",
      cases: [
        [['787 555 0143', 1], { phone: '17875550143' }],
        [['416 555 0143', 1], { phone: '14165550143' }],
        [['800 555 0143', 1], { phone: '18005550143' }],
        [['876 555 0143', 1], { error: "This number isn't in the US, Puerto Rico, or Canada" }],
        [['555 555 0143', 1], { error: "This number isn't in the US, Puerto Rico, or Canada" }],
        [['423 155 0143', 1], { error: "This number isn't in the US, Puerto Rico, or Canada" }],
        [['423 911 0143', 1], { error: "This number isn't in the US, Puerto Rico, or Canada" }],
        [['+44 20 7946 0958', 1], { error: "This number isn't in the US, Puerto Rico, or Canada" }],
      ],
    },
    {
      rule: 'Three specific numbers: "This number is not allowed"',
      message: 'This number is not allowed',
      cases: [
        [['5555555555', 1], { error: 'This number is not allowed' }],
        [['999-999-9999', 1], { error: 'This number is not allowed' }],
        [['12345678901', 1], { error: 'This number is not allowed' }],
      ],
    },
  ],
});

export const tollFreePhones = ruleTable<string, boolean>({
  about: 'Toll-free numbers',
  file: 'contract/phone/toll-free.ts',
  rows: [
    {
      rule: 'Toll-free (prefixes 1800, 1833, 1844, 1855, 1866, 1877, 1888)',
      cases: [
        ...['1800', '1833', '1844', '1855', '1866', '1877', '1888'].map((prefix): [string, boolean] => [
          `${prefix}5550143`,
          true,
        ]),
        ['8005550143', true],
        ['+18005550143', true],
        ['14235550143', false],
        ['18225550143', false],
        ['4235550143', false],
        ['+8005550143', false],
        ['442079460958', false],
      ],
    },
  ],
});

export const areaCodePlaces = ruleTable<string, { place: string; zones: readonly string[] } | undefined>({
  about: 'Area codes',
  file: 'contract/phone/area-codes.ts',
  rows: [
    {
      rule: 'Ours: area code to place and time zone',
      cases: [
        ['212', { place: 'New York, NY', zones: ['America/New_York'] }],
        ['787', { place: 'San Juan, PR', zones: ['America/Puerto_Rico'] }],
        ['604', { place: 'Vancouver, BC', zones: ['America/Vancouver'] }],
        ['602', { place: 'Phoenix, AZ', zones: ['America/Phoenix'] }],
        ['915', { place: 'El Paso, TX', zones: ['America/Denver'] }],
        ['808', { place: 'Honolulu, HI', zones: ['Pacific/Honolulu'] }],
      ],
    },
    {
      rule: 'Ours: an area code that spans two zones gives both',
      cases: [
        ['423', { place: 'Chattanooga, TN', zones: ['America/New_York', 'America/Chicago'] }],
        ['850', { place: 'Tallahassee, FL', zones: ['America/New_York', 'America/Chicago'] }],
        ['605', { place: 'Sioux Falls, SD', zones: ['America/Chicago', 'America/Denver'] }],
        ['208', { place: 'Boise, ID', zones: ['America/Boise', 'America/Los_Angeles'] }],
        ['928', { place: 'Flagstaff, AZ', zones: ['America/Phoenix', 'America/Denver'] }],
      ],
    },
    {
      rule: 'Ours: other codes have no place',
      cases: [
        ['800', undefined],
        ['876', undefined],
        ['555', undefined],
        ['', undefined],
      ],
    },
  ],
});
