import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import { invoiceForm, invoicePaymentForm, parseCents } from './invoice.ts';
import { invoiceAddressForm } from './postal-address.ts';
import * as cases from './purchase.cases.ts';
import { purchaseForm } from './purchase.ts';

testRuleTable(cases.purchase, ({ mode, usesCardOnFile = false, ...values }) =>
  fieldErrors(purchaseForm({ mode, usesCardOnFile }), values),
);
testRuleTable(cases.invoicePayment, (Amount) =>
  fieldErrors(invoicePaymentForm({ balanceDueCents: 2500, usesCardOnFile: false }), { Amount }),
);
testRuleTable(cases.cents, parseCents);
testRuleTable(cases.invoice, (change) => fieldErrors(invoiceForm, { ...cases.validInvoice, ...change }));
testRuleTable(cases.invoiceAddress, (change) =>
  fieldErrors(invoiceAddressForm(), { ...cases.validAddress, ...change }),
);

describe('amounts', () => {
  it('every amount of cents is read back from how it is written', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (amount) => {
        const text = (amount / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
        expect(parseCents(text)).toBe(amount);
        expect(parseCents((amount / 100).toFixed(2))).toBe(amount);
      }),
    );
  });

  it('leaves the form as cents', () => {
    const form = invoicePaymentForm({ balanceDueCents: 2500, usesCardOnFile: true });
    expect(form.parse({ Amount: '19.99', CVN: '123' })).toEqual({ amountCents: 1999, CVN: '123' });
    expect(fieldErrors(form, { Amount: '1' })).toEqual({ CVN: 'Enter a CVN' });
  });

  it('reads 100,000 hostile characters at once', () => {
    const ms = cpuMs(() => {
      for (const text of ['1,111'.repeat(20_000), '9'.repeat(100_000), ' '.repeat(100_000)]) {
        expect(parseCents(text)).toBeUndefined();
      }
    });
    expect(ms).toBeLessThan(900);
  });
});

describe('invoice', () => {
  it('lasts 3 months when nothing else is said', () => {
    expect(invoiceForm.parse(cases.validInvoice).SubscriptionDuration).toBe(3);
  });

  it('goes to any address abroad', () => {
    const address = { Address3: '10 Downing St', City: 'London', PostalCode: 'SW1A 2AA' };
    expect(fieldErrors(invoiceAddressForm({ countryId: 4 }), address)).toEqual({});
    expect(Object.keys(fieldErrors(invoiceAddressForm(), address))).toEqual(['State', 'PostalCode']);
  });
});
