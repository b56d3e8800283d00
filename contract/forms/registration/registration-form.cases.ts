import { ruleTable } from '../../testing/rule-table.ts';

export const validRegistration = {
  IsSoleProprietor: false,
  Country: 'United States' as const,
  Ein: '12-3456789',
  EntityType: 'NON_PROFIT',
  CompanyName: 'Hamilton County Schools',
  DisplayName: 'HCS',
  Vertical: 'EDUCATION',
  Street: '3074 Hickory Valley Rd',
  City: 'Chattanooga',
  State: 'TN',
  PostalCode: '37421',
  Email: 'office@district.example',
  PhoneNumber: '423-555-0143',
  BrandWebsite: 'https://www.district.example',
  IsPromotionalRegistration: false,
  ConsentType: 'Written',
  Description: 'We text parents about closings, delays and events at their school.',
  Sample1: 'HCS: Schools are closed tomorrow. Reply STOP to opt out.',
  Sample2: 'HCS: Buses run two hours late. Reply STOP to opt out.',
  PrivacyPolicyUserSelection: 'Not Yet',
};

const canadian = {
  Country: 'Canada',
  CanadianBusinessNumber: '123456789',
  State: 'ON',
  PostalCode: 'K1A 0B1',
};
const publicCompany = {
  EntityType: 'PUBLIC_PROFIT',
  StockSymbol: 'HCS',
  StockExchange: 'NYSE',
  BusinessContactEmail: 'jo@company.example',
};
const soleProprietor = { IsSoleProprietor: true, FirstName: 'Dolores', LastName: 'Núñez' };

const companyEmail =
  'Must be a valid email. The email should reflect your company domain e.g., @company.com. Do not use shared email addresses like support@ or info@ or free email domains like @gmail.com.';

type Change = Record<string, unknown>;

/** Each case changes a valid registration of a US non-profit; the result is the form's errors by field. */
export const registration = ruleTable<Change, Record<string, string>>({
  about: 'Registration wizard',
  file: 'contract/forms/registration/registration-form.ts',
  rows: [
    {
      rule: 'CanadianBusinessNumber: required for Canada, max 9, 9-digit format',
      message: 'Enter a 9-digit Canadian Business Number',
      cases: [
        [{}, {}],
        [canadian, {}],
        [
          { ...canadian, CanadianBusinessNumber: '' },
          { CanadianBusinessNumber: 'Enter a Canadian Business Number' },
        ],
        [
          { ...canadian, CanadianBusinessNumber: '12345678' },
          { CanadianBusinessNumber: 'Enter a 9-digit Canadian Business Number' },
        ],
        [{ CanadianBusinessNumber: '' }, {}],
      ],
    },
    {
      rule: 'Ein: required for the US ("Enter an EIN")',
      message: 'Enter an EIN',
      cases: [
        [{ Ein: '' }, { Ein: 'Enter an EIN' }],
        [{ Ein: '12-345' }, { Ein: 'Invalid EIN. Must be a 9 digit number.' }],
        [{ ...canadian, Ein: '' }, {}],
      ],
    },
    {
      rule: 'EntityType: required ("Enter an Organization Type"). GOVERNMENT is excluded when the country is Canada',
      message: 'Enter an Organization Type',
      cases: [
        [{ EntityType: '' }, { EntityType: 'Enter an Organization Type' }],
        [{ EntityType: 'CLUB' }, { EntityType: 'Enter an Organization Type' }],
        [{ EntityType: 'GOVERNMENT' }, {}],
        [{ ...canadian, EntityType: 'GOVERNMENT' }, { EntityType: 'Enter an Organization Type' }],
      ],
    },
    {
      rule: 'Ours: sole proprietors register in the US only',
      cases: [
        [{ ...soleProprietor, Ein: '', EntityType: '' }, {}],
        [
          { ...canadian, ...soleProprietor, CanadianBusinessNumber: '', EntityType: '' },
          {
            CanadianBusinessNumber: 'Enter a Canadian Business Number',
            EntityType: 'Enter an Organization Type',
          },
        ],
      ],
    },
    {
      rule: 'DisplayName: required, max 255, not whitespace only. Labeled Brand Name, or Organization Name for sole proprietors',
      message: 'Enter an Organization Name',
      cases: [
        [{ DisplayName: '  ' }, { DisplayName: 'Enter a Brand Name' }],
        [{ DisplayName: 'x'.repeat(256) }, { DisplayName: 'Brand Name must be at most 255 characters' }],
        [{ ...soleProprietor, DisplayName: '' }, { DisplayName: 'Enter an Organization Name' }],
      ],
    },
    {
      rule: 'CompanyName: required, max 255, for non-sole-proprietors',
      cases: [
        [{ CompanyName: '' }, { CompanyName: 'Enter a Company Name' }],
        [{ CompanyName: 'x'.repeat(256) }, { CompanyName: 'Company Name must be at most 255 characters' }],
        [{ ...soleProprietor, CompanyName: '' }, {}],
      ],
    },
    {
      rule: 'Vertical: required ("Enter an Industry")',
      message: 'Enter an Industry',
      cases: [
        [{ Vertical: '' }, { Vertical: 'Enter an Industry' }],
        [{ Vertical: 'toString' }, { Vertical: 'Enter an Industry' }],
      ],
    },
    {
      rule: 'Street: required, max 100 ("Enter an Address"). City: required, max 100',
      message: 'Enter an Address',
      cases: [
        [{ Street: '' }, { Street: 'Enter an Address' }],
        [{ Street: 'x'.repeat(101) }, { Street: 'Address must be at most 100 characters' }],
        [{ City: '' }, { City: 'Enter a City' }],
        [{ City: 'x'.repeat(101) }, { City: 'City must be at most 100 characters' }],
      ],
    },
    {
      rule: 'PostalCode: required, max 13, postal format (Zip Code for the US)',
      message: 'Use a valid U.S. or Canadian postal code',
      cases: [
        [{ PostalCode: '' }, { PostalCode: 'Enter a Zip Code' }],
        [{ ...canadian, PostalCode: '' }, { PostalCode: 'Enter a Postal Code' }],
        [{ PostalCode: '1'.repeat(14) }, { PostalCode: 'Zip Code must be at most 13 characters' }],
        [{ PostalCode: 'K1A 0B1' }, { PostalCode: 'Use a valid U.S. or Canadian postal code' }],
        [{ ...canadian, PostalCode: '37421' }, { PostalCode: 'Use a valid U.S. or Canadian postal code' }],
      ],
    },
    {
      rule: 'State: required, max 2 ("Select a state" for US, "Select a province" for Canada)',
      message: 'Select a state',
      cases: [
        [{ State: '' }, { State: 'Select a state' }],
        [{ ...canadian, State: '' }, { State: 'Select a province' }],
        [{ State: 'Tennessee' }, { State: 'State must be at most 2 characters' }],
        [{ State: 'ON' }, { State: 'Select a state' }],
        [{ ...canadian, State: 'TN' }, { State: 'Select a province' }],
      ],
    },
    {
      rule: 'Email: required, max 100, valid ("Enter an Email")',
      message: 'Enter an Email',
      cases: [
        [{ Email: '' }, { Email: 'Enter an Email' }],
        [{ Email: `${'x'.repeat(95)}@a.example` }, { Email: 'Email must be at most 100 characters' }],
        [{ Email: 'office' }, { Email: 'Use a valid Email' }],
      ],
    },
    {
      rule: 'PhoneNumber: required and valid',
      cases: [
        [{ PhoneNumber: '' }, { PhoneNumber: 'Enter a Phone Number' }],
        [{ PhoneNumber: '12' }, { PhoneNumber: 'Must be 10 digits; use only numbers' }],
      ],
    },
    {
      rule: 'Description: required unless the account has Infobip numbers or is on the sole-proprietor form. Min 40, max 4096',
      cases: [
        [{ Description: '' }, { Description: 'Enter a Description' }],
        [{ Description: 'x'.repeat(39) }, { Description: 'Description must be at least 40 characters' }],
        [{ Description: 'x'.repeat(4097) }, { Description: 'Description must be at most 4096 characters' }],
        [{ ...soleProprietor, Description: '', Sample1: '', Sample2: '', ConsentType: '' }, {}],
      ],
    },
    {
      rule: 'Sample1 ("Sample Message"): same condition, min 20, max 1024. Sample2 differs from Sample1',
      message: 'Sample messages must be different.',
      cases: [
        [{ Sample1: '' }, { Sample1: 'Enter a Sample Message' }],
        [{ Sample1: 'too short' }, { Sample1: 'Sample Message must be at least 20 characters' }],
        [{ Sample1: 'x'.repeat(1025) }, { Sample1: 'Sample Message must be at most 1024 characters' }],
        [{ Sample2: '' }, {}],
        [{ Sample2: 'too short' }, { Sample2: 'Sample Message must be at least 20 characters' }],
        [
          { Sample2: 'hcs:  schools are closed tomorrow. Reply STOP to opt out.' },
          { Sample2: 'Sample messages must be different.' },
        ],
      ],
    },
    {
      rule: 'Ours: a campaign says how people agreed to it',
      message: 'Select a consent type',
      cases: [
        [{ ConsentType: '' }, { ConsentType: 'Select a consent type' }],
        [{ ConsentType: 'Telepathy' }, { ConsentType: 'Select a consent type' }],
      ],
    },
    {
      rule: 'BrandWebsite: required ("Enter a Website."), max 100. Failure shows "Please enter a valid website."',
      message: 'Enter a Website.',
      cases: [
        [{ BrandWebsite: '' }, { BrandWebsite: 'Enter a Website.' }],
        [
          { BrandWebsite: `https://${'x'.repeat(100)}.example` },
          { BrandWebsite: 'Website must be at most 100 characters' },
        ],
        [{ BrandWebsite: 'our site' }, { BrandWebsite: 'Please enter a valid website.' }],
        [{ BrandWebsite: 'district.example' }, {}],
      ],
    },
    {
      rule: 'PrivacyPolicyUserSelection: required ("Select if you have a privacy policy")',
      message: 'Select if you have a privacy policy',
      cases: [
        [
          { PrivacyPolicyUserSelection: '' },
          { PrivacyPolicyUserSelection: 'Select if you have a privacy policy' },
        ],
        [
          { PrivacyPolicyUserSelection: 'Maybe' },
          { PrivacyPolicyUserSelection: 'Select if you have a privacy policy' },
        ],
      ],
    },
    {
      rule: 'PrivacyPolicyUrl: required when Yes, max 255. It must not contain the product\'s own default privacy-policy host text ("You must use your own privacy policy."). It must match a URL pattern',
      message: 'You must use your own privacy policy.',
      cases: [
        [{ PrivacyPolicyUserSelection: 'Yes' }, { PrivacyPolicyUrl: 'Enter a Privacy Policy URL' }],
        [{ PrivacyPolicyUserSelection: 'Yes', PrivacyPolicyUrl: 'district.example/privacy' }, {}],
        [
          { PrivacyPolicyUserSelection: 'Yes', PrivacyPolicyUrl: `district.example/${'x'.repeat(255)}` },
          { PrivacyPolicyUrl: 'Privacy Policy URL must be at most 255 characters' },
        ],
        [
          { PrivacyPolicyUserSelection: 'Yes', PrivacyPolicyUrl: 'https://Muster.example/privacy' },
          { PrivacyPolicyUrl: 'You must use your own privacy policy.' },
        ],
        [
          { PrivacyPolicyUserSelection: 'Yes', PrivacyPolicyUrl: 'ours' },
          { PrivacyPolicyUrl: 'Must be a valid website. ex: https://www.example.org/privacy' },
        ],
        [{ PrivacyPolicyUrl: 'ours' }, {}],
      ],
    },
    {
      rule: 'IsPromotionalRegistration: not null ("Please select an option.")',
      message: 'Please select an option.',
      cases: [
        [{ IsPromotionalRegistration: null }, { IsPromotionalRegistration: 'Please select an option.' }],
        [{ IsPromotionalRegistration: true }, {}],
      ],
    },
    {
      rule: 'StockSymbol: required for public companies, max 10. StockExchange is required for them too',
      cases: [
        [publicCompany, {}],
        [{ ...publicCompany, StockSymbol: '' }, { StockSymbol: 'Enter a Stock Symbol' }],
        [
          { ...publicCompany, StockSymbol: 'x'.repeat(11) },
          { StockSymbol: 'Stock Symbol must be at most 10 characters' },
        ],
        [{ ...publicCompany, StockExchange: '' }, { StockExchange: 'Enter a Stock Exchange' }],
        [{ ...publicCompany, StockExchange: 'NONE' }, { StockExchange: 'Enter a Stock Exchange' }],
        [{ ...publicCompany, StockExchange: 'OTHER' }, {}],
      ],
    },
    {
      rule: 'BusinessContactEmail: required for public companies, max 100, valid email. Rejected prefixes: help@, support@, info@, admin@, sales@. Rejected domains: eleven free ones',
      message: companyEmail,
      cases: [
        [
          { ...publicCompany, BusinessContactEmail: '' },
          { BusinessContactEmail: 'Enter a Business Contact Email' },
        ],
        [
          { ...publicCompany, BusinessContactEmail: `${'x'.repeat(95)}@a.example` },
          { BusinessContactEmail: 'Business Contact Email must be at most 100 characters' },
        ],
        [{ ...publicCompany, BusinessContactEmail: 'jo' }, { BusinessContactEmail: companyEmail }],
        [
          { ...publicCompany, BusinessContactEmail: 'Info@company.example' },
          { BusinessContactEmail: companyEmail },
        ],
        [{ ...publicCompany, BusinessContactEmail: 'jo@GMAIL.com' }, { BusinessContactEmail: companyEmail }],
        [{ ...publicCompany, BusinessContactEmail: 'infoline@company.example' }, {}],
        [{ ...publicCompany, BusinessContactEmail: 'jo@notgmail.com' }, {}],
        [{ BusinessContactEmail: 'jo@gmail.com' }, {}],
      ],
    },
    {
      rule: 'FirstName and LastName: required for sole proprietors. The tax ID step is skipped for sole proprietors',
      message: 'Enter a First Name',
      cases: [
        [{ ...soleProprietor, Ein: '', EntityType: '' }, {}],
        [
          { ...soleProprietor, FirstName: '', LastName: '' },
          { FirstName: 'Enter a First Name', LastName: 'Enter a Last Name' },
        ],
        [{ FirstName: '', LastName: '' }, {}],
      ],
    },
  ],
});
