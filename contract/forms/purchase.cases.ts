import { ruleTable } from '../testing/rule-table.ts';
import type { PurchaseMode } from './purchase.ts';

type Purchase = { mode: PurchaseMode; usesCardOnFile?: boolean; Consent?: boolean; CVN?: string };

export const purchase = ruleTable<Purchase, Record<string, string>>({
  about: 'Purchase',
  file: 'contract/forms/purchase.ts',
  rows: [
    {
      rule: 'consent required for monthly subscription: "You must provide consent to proceed."',
      message: 'You must provide consent to proceed.',
      cases: [
        [{ mode: 'monthly subscription' }, { Consent: 'You must provide consent to proceed.' }],
        [{ mode: 'monthly subscription', Consent: true }, {}],
        [{ mode: 'credits' }, {}],
        [{ mode: 'convert to pay-as-you-go', usesCardOnFile: true }, {}],
      ],
    },
    {
      rule: 'Ours: a flat-rate text number is charged every month too, and its call carries the consent text',
      cases: [[{ mode: 'flat-rate text number' }, { Consent: 'You must provide consent to proceed.' }]],
    },
    {
      rule: 'Ours: a card on file is charged with its CVN',
      message: 'Only 3-4 digits',
      cases: [
        [{ mode: 'credits', usesCardOnFile: true }, { CVN: 'Enter a CVN' }],
        [{ mode: 'credits', usesCardOnFile: true, CVN: '1' }, { CVN: 'Only 3-4 digits' }],
        [{ mode: 'credits', usesCardOnFile: true, CVN: '123' }, {}],
      ],
    },
  ],
});

export const invoicePayment = ruleTable<string | number | undefined, Record<string, string>>({
  about: 'Invoice payment (25.00 due)',
  file: 'contract/forms/invoice.ts',
  rows: [
    {
      rule: 'Payment amount required, min 0.01 ("Amount is Too Small"), max the balance due ("Amount is Too Big")',
      message: 'Amount is Too Small; Amount is Too Big',
      cases: [
        ['', { Amount: 'Enter an Amount' }],
        [undefined, { Amount: 'Enter an Amount' }],
        ['0', { Amount: 'Amount is Too Small' }],
        ['0.00', { Amount: 'Amount is Too Small' }],
        ['-5', { Amount: 'Amount is Too Small' }],
        ['0.01', {}],
        ['25', {}],
        [25, {}],
        ['$25.00', {}],
        ['25.01', { Amount: 'Amount is Too Big' }],
        ['1,000', { Amount: 'Amount is Too Big' }],
      ],
    },
    {
      rule: 'Ours: what is no amount of money is said to be none, not rounded',
      message: 'Use only numbers',
      cases: [
        ['1.005', { Amount: 'Use only numbers' }],
        ['ten', { Amount: 'Use only numbers' }],
        ['1e1', { Amount: 'Use only numbers' }],
      ],
    },
  ],
});

export const cents = ruleTable<string, number | undefined>({
  about: 'Dollars as typed',
  file: 'contract/forms/invoice.ts',
  rows: [
    {
      rule: 'Ours: amounts are read into cents without rounding',
      cases: [
        ['1,234.50', 123_450],
        ['.5', 50],
        ['19.99', 1999],
        ['1,23', undefined],
        ['.', undefined],
        ['', undefined],
      ],
    },
  ],
});

export const validInvoice = { IsPayG: true, NumberOfCredits: '500', InvoiceAddressID: 7 };

export const invoice = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Invoice',
  file: 'contract/forms/invoice.ts',
  rows: [
    {
      rule: 'PoNumber max 25 ("Purchase Order Number must be at most 25 characters")',
      message: 'Purchase Order Number must be at most 25 characters',
      cases: [
        [{ PoNumber: 'x'.repeat(25) }, {}],
        [{ PoNumber: 'x'.repeat(26) }, { PoNumber: 'Purchase Order Number must be at most 25 characters' }],
      ],
    },
    {
      rule: 'AdditionalNotes max 50',
      cases: [
        [
          { AdditionalNotes: 'x'.repeat(51) },
          { AdditionalNotes: 'Additional Notes must be at most 50 characters' },
        ],
      ],
    },
    {
      rule: 'when the server says invoice address ID 0 is missing: "Please add an invoice billing address."',
      message: 'Please add an invoice billing address.',
      cases: [
        [{ InvoiceAddressID: 0 }, { InvoiceAddressID: 'Please add an invoice billing address.' }],
        [{ InvoiceAddressID: null }, { InvoiceAddressID: 'Please add an invoice billing address.' }],
      ],
    },
    {
      rule: 'Ours: an invoice is for credits or for a group size',
      cases: [
        [{ NumberOfCredits: '' }, { NumberOfCredits: 'Enter a Number of Credits' }],
        [{ IsPayG: false }, { MaxPeople: 'Enter a Group Size' }],
        [{ NumberOfCredits: 'many' }, { NumberOfCredits: 'Use only numbers' }],
      ],
    },
  ],
});

export const validAddress = { Address3: '1 Main St', City: 'Chattanooga', State: 'TN', PostalCode: '37402' };

export const invoiceAddress = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Invoice billing address',
  file: 'contract/forms/postal-address.ts',
  rows: [
    {
      rule: 'Address required max 41 ("Enter an Address"); Address 2 max 41; City required max 31 ("Enter a City"); Zip required ("Enter a Zip Code")',
      cases: [
        [{}, {}],
        [{ Address3: '' }, { Address3: 'Enter an Address' }],
        [{ Address4: 'x'.repeat(42) }, { Address4: 'Address 2 must be at most 41 characters' }],
        [{ City: '' }, { City: 'Enter a City' }],
        [{ State: '' }, { State: 'Enter a State' }],
        [{ PostalCode: '' }, { PostalCode: 'Enter a Zip Code' }],
        [{ PostalCode: 'nowhere' }, { PostalCode: 'Use a valid U.S. or Canadian postal code' }],
      ],
    },
  ],
});
