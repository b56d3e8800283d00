/** Customers and their cards. */

import { behaviorOf, type CardBehavior, hasChecksum, numberOf } from './stripe-cards.ts';
import { badRequest, cardError, missing } from './stripe-errors.ts';
import { find, metadataOf, nowSeconds, type Stripe, type StripeRequest } from './stripe-request.ts';
import { newId, type StripeObject } from './stripe-store.ts';

export function createCustomer({ stripe, form }: StripeRequest): StripeObject {
  return stripe.store.save({
    id: newId('cus'),
    object: 'customer',
    created: nowSeconds(),
    name: form.get('name'),
    email: form.get('email'),
    description: form.get('description'),
    livemode: false,
    metadata: metadataOf(form),
    invoice_settings: { default_payment_method: null },
  });
}

export function updateCustomer(request: StripeRequest, id: string): StripeObject {
  const customer = find(request, 'customer', id);
  const { stripe, form } = request;
  return stripe.store.save({
    ...customer,
    name: form.get('name') ?? customer.name,
    email: form.get('email') ?? customer.email,
    metadata: { ...(customer.metadata as object), ...metadataOf(form) },
  });
}

function savePaymentMethod(
  stripe: Stripe,
  {
    behavior,
    month,
    year,
    billing,
  }: { behavior: CardBehavior; month: number; year: number; billing: object },
): StripeObject {
  const id = newId('pm');
  stripe.store.saveCard(id, behavior);
  return stripe.store.save({
    id,
    object: 'payment_method',
    type: 'card',
    created: nowSeconds(),
    customer: null,
    livemode: false,
    metadata: {},
    billing_details: billing,
    card: {
      brand: behavior.brand,
      last4: behavior.last4,
      exp_month: month,
      exp_year: year,
      country: 'US',
      funding: 'credit',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    },
  });
}

/** A card by its number, as only the processor's own frames send it. */
export function cardFromForm(stripe: Stripe, form: URLSearchParams, prefix: string): StripeObject {
  const field = (name: string) => (form.get(`${prefix}[${name}]`) ?? '').replace(/\D/g, '');
  const number = field('number');
  if (!hasChecksum(number))
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.' });
  const month = Number(field('exp_month'));
  const year = (Number(field('exp_year')) % 100) + 2000;
  const isPast = Date.UTC(year, month, 1) < Date.now();
  if (!(month >= 1 && month <= 12) || isPast)
    throw cardError({ code: 'expired_card', message: 'Your card has expired.' });
  return savePaymentMethod(stripe, { behavior: behaviorOf(number), month, year, billing: {} });
}

export function createPaymentMethod({ stripe, form }: StripeRequest): StripeObject {
  if (form.get('type') !== 'card') throw badRequest('Only cards are taken here.', undefined, 'type');
  return cardFromForm(stripe, form, 'card');
}

/** An id of ours, or one of the names that stand for a test card. */
export function requireMethod(stripe: Stripe, id: string): StripeObject {
  const found = stripe.store.find(id, 'payment_method');
  if (found !== undefined) return found;
  const number = numberOf(id);
  if (number === undefined) throw missing('PaymentMethod', id);
  return savePaymentMethod(stripe, { behavior: behaviorOf(number), month: 12, year: 2034, billing: {} });
}

export function behaviorOfMethod(stripe: Stripe, id: string): CardBehavior {
  return stripe.store.cards.get(id) ?? behaviorOf('4242424242424242');
}

export function attach(request: StripeRequest, id: string): StripeObject {
  const { stripe, form } = request;
  const customer = find({ ...request, isBrowser: false }, 'customer', form.get('customer') ?? '');
  const method = requireMethod(stripe, id);
  const { onSetup } = behaviorOfMethod(stripe, method.id);
  if (onSetup) throw cardError(onSetup);
  return stripe.store.save({ ...method, customer: customer.id });
}

export function detach(request: StripeRequest, id: string): StripeObject {
  const method = find(request, 'payment_method', id);
  if (method.customer === null) throw badRequest('The payment method is not attached to a customer.');
  return request.stripe.store.save({ ...method, customer: null });
}

/** A token for a CVN that was typed again; its digits go no further. */
export function createToken({ stripe, form }: StripeRequest): StripeObject {
  const cvc = form.get('cvc_update[cvc]') ?? '';
  if (!/^\d{3,4}$/.test(cvc))
    throw cardError({ code: 'invalid_cvc', message: 'Your card’s security code is invalid.' });
  return stripe.store.save({
    id: newId('cvctok'),
    object: 'token',
    type: 'cvc_update',
    created: nowSeconds(),
    livemode: false,
    used: false,
  });
}
