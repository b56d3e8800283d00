import { ruleTable } from '../testing/rule-table.ts';

export const validCompany = {
  CompanyName: 'Hamilton County Schools',
  Industry: 'EDUCATION',
  Phone: '423-555-0143',
  State: 'TN',
  Address3: '3074 Hickory Valley Rd',
  City: 'Chattanooga',
  PostalCode: '37421',
};

/** An account that is asked for everything. */
export const onboarding = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Onboarding',
  file: 'contract/forms/onboarding.ts',
  rows: [
    {
      rule: 'CompanyName required max 41 ("Enter an Account Name")',
      message: 'Enter an Account Name',
      cases: [
        [{}, {}],
        [{ CompanyName: '' }, { CompanyName: 'Enter an Account Name' }],
        [{ CompanyName: 'x'.repeat(42) }, { CompanyName: 'Account Name must be at most 41 characters' }],
      ],
    },
    {
      rule: 'HowTheyHeard max 50',
      cases: [
        [
          { HowTheyHeard: 'x'.repeat(51) },
          { HowTheyHeard: 'How you heard about us must be at most 50 characters' },
        ],
      ],
    },
    {
      rule: 'industry required ("Enter an Industry"); Phone required ("Enter a Phone Number"); State required 2 chars',
      message: 'Enter an Industry',
      cases: [
        [{ Industry: '' }, { Industry: 'Enter an Industry' }],
        [{ Phone: '' }, { Phone: 'Enter a Phone Number' }],
        [{ State: '' }, { State: 'Enter a State' }],
        [{ State: 'Tennessee' }, { State: 'State must be at most 2 characters' }],
        [{ State: 'ZZ' }, { State: 'Not a valid state' }],
      ],
    },
    {
      rule: 'Address required max 41 ("Enter an Address"); Address 2 max 41; City required max 31 ("Enter a City"); Zip required ("Enter a Zip Code")',
      message: 'Enter an Address',
      cases: [
        [{ Address3: '' }, { Address3: 'Enter an Address' }],
        [{ Address3: 'x'.repeat(42) }, { Address3: 'Address must be at most 41 characters' }],
        [{ Address4: 'x'.repeat(42) }, { Address4: 'Address 2 must be at most 41 characters' }],
        [{ City: '' }, { City: 'Enter a City' }],
        [{ City: 'x'.repeat(32) }, { City: 'City must be at most 31 characters' }],
        [{ PostalCode: '' }, { PostalCode: 'Enter a Zip Code' }],
        [{ PostalCode: '90210' }, { PostalCode: 'ZIP Code not found in State.' }],
      ],
    },
    {
      rule: 'LawsonNumber max 4 digits; BlanketPO max 25; AmazonEmail valid, max 100',
      cases: [
        [{ LawsonNumber: '1234' }, {}],
        [{ LawsonNumber: '12345' }, { LawsonNumber: 'Lawson Number must be at most 4 digits' }],
        [{ LawsonNumber: '12a' }, { LawsonNumber: 'Use only numbers' }],
        [{ BlanketPO: 'x'.repeat(26) }, { BlanketPO: 'Blanket PO must be at most 25 characters' }],
        [{ AmazonEmail: 'nobody' }, { AmazonEmail: 'Use a valid Email' }],
        [
          { AmazonEmail: `${'x'.repeat(101)}@a.example` },
          { AmazonEmail: 'Email must be at most 100 characters' },
        ],
      ],
    },
  ],
});

export const areaCode = ruleTable<string, Record<string, string>>({
  about: 'Local number area code',
  file: 'contract/forms/onboarding.ts',
  rows: [
    {
      rule: 'area code 3 digits ("Enter a 3 digit area code")',
      message: 'Enter a 3 digit area code',
      cases: [
        ['423', {}],
        ['', { LocalNumberAreaCode: 'Enter a 3 digit area code' }],
        ['42', { LocalNumberAreaCode: 'Enter a 3 digit area code' }],
        ['4233', { LocalNumberAreaCode: 'Enter a 3 digit area code' }],
        ['4a3', { LocalNumberAreaCode: 'Enter a 3 digit area code' }],
      ],
    },
  ],
});

export const companyErrors = ruleTable<string, string | undefined>({
  about: 'Company errors',
  file: 'contract/forms/onboarding.ts',
  rows: [
    {
      rule: 'Company errors mentioning phone, zip, postal, state or province are mapped to the matching field',
      cases: [
        ['The Phone number is invalid', 'Phone'],
        ['ZIP code not found', 'PostalCode'],
        ['Bad postal code', 'PostalCode'],
        ['State is required', 'State'],
        ['Unknown province', 'State'],
        ['Only for organizations in the United States', undefined],
        ['Something else', undefined],
      ],
    },
  ],
});
