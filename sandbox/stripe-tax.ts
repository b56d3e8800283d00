// Sales tax: rates by state, and some addresses that are wrong on purpose.

import { badRequest, missing, StripeError } from './stripe-errors.ts';
import type { StripeRequest } from './stripe-request.ts';
import { newId, type StripeObject } from './stripe-store.ts';

/** Percent. Elsewhere nothing is collected. */
const rates: Readonly<Record<string, string>> = {
  TN: '9.25',
  GA: '7.0',
  TX: '8.25',
  NY: '8.875',
  CA: '8.5',
  WA: '10.1',
};
const now = () => Math.floor(Date.now() / 1000);

export function serveTax(request: StripeRequest): StripeObject {
  const { method, path } = request;
  if (request.stripe.store.faults.TaxDown)
    throw new StripeError(500, { type: 'api_error', message: 'An unknown error occurred' });
  if (method === 'POST' && path === '/v1/tax/calculations') return calculate(request);
  if (method === 'POST' && path === '/v1/tax/transactions/create_from_calculation') return record(request);
  if (method === 'POST' && path === '/v1/tax/transactions/create_reversal') return reverse(request);
  const id = /^\/v1\/tax\/transactions\/(\w+)$/.exec(path)?.[1];
  const found = id === undefined ? undefined : request.stripe.store.find(id, 'tax.transaction');
  if (found === undefined) throw missing('tax transaction', id ?? '');
  return found;
}

function calculate({ stripe, form }: StripeRequest): StripeObject {
  const part = (name: string) => form.get(`customer_details[address][${name}]`) ?? '';
  const amount = Number(form.get('line_items[0][amount]'));
  if (!Number.isInteger(amount)) throw badRequest('Invalid integer: line_items[0][amount]');
  const [city, state, postalCode] = [part('city'), part('state'), part('postal_code')];
  // A provider that knows cities would say so; this one does for one city.
  if (/^nowhere$/i.test(city)) throw badRequest('City not found in state.', 'city_not_found');
  if (postalCode === '00000' || /^invalid$/i.test(city))
    throw badRequest('The customer’s location isn’t recognized.', 'customer_tax_location_invalid');
  if (/^taxdown$/i.test(city)) throw badRequest('Taxes could not be calculated.', 'taxes_calculation_failed');
  const rate = rates[state];
  const tax = rate === undefined ? 0 : Math.round((amount * Math.round(Number(rate) * 1000)) / 100_000);
  return stripe.store.save({
    id: newId('taxcalc'),
    object: 'tax.calculation',
    amount_total: amount + tax,
    currency: 'usd',
    customer: null,
    customer_details: {
      address: {
        line1: part('line1'),
        line2: null,
        city,
        state,
        postal_code: postalCode,
        country: part('country'),
      },
      address_source: 'billing',
      ip_address: null,
      tax_ids: [],
      taxability_override: 'none',
    },
    expires_at: now() + 172_800,
    livemode: false,
    shipping_cost: null,
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_breakdown: [
      {
        amount: tax,
        inclusive: false,
        tax_rate_details: { country: 'US', percentage_decimal: rate ?? '0.0', state, tax_type: 'sales_tax' },
        taxability_reason: rate === undefined ? 'not_collecting' : 'standard_rated',
        taxable_amount: amount,
      },
    ],
    tax_date: now(),
  });
}

function record({ stripe, form }: StripeRequest): StripeObject {
  const calculation = stripe.store.find(form.get('calculation') ?? '', 'tax.calculation');
  if (calculation === undefined) throw missing('tax calculation', form.get('calculation') ?? '');
  const reference = form.get('reference') ?? '';
  const isTold = stripe.store.list('tax.transaction').some((each) => each.reference === reference);
  if (isTold)
    throw badRequest(`Reference '${reference}' is already in use.`, 'resource_already_exists', 'reference');
  return stripe.store.save({
    id: newId('tax'),
    object: 'tax.transaction',
    created: now(),
    currency: 'usd',
    livemode: false,
    reference,
    reversal: null,
    type: 'transaction',
    tax_date: calculation.tax_date,
    amount_total: calculation.amount_total,
  });
}

function reverse({ stripe, form }: StripeRequest): StripeObject {
  const original = stripe.store.find(form.get('original_transaction') ?? '', 'tax.transaction');
  if (original === undefined) throw missing('tax transaction', form.get('original_transaction') ?? '');
  return stripe.store.save({
    id: newId('tax'),
    object: 'tax.transaction',
    created: now(),
    currency: 'usd',
    livemode: false,
    reference: form.get('reference'),
    reversal: { original_transaction: original.id },
    type: 'reversal',
    amount_total: Number(form.get('flat_amount')),
  });
}
