/** Shared by the parts of Stripe: the request, and finding the objects that it names. */
import { badRequest, missing } from './stripe-errors.ts';
import type { StripeObject, StripeStore } from './stripe-store.ts';
import type { StripeWebhooks } from './stripe-webhooks.ts';

export type Stripe = {
  store: StripeStore;
  webhooks: StripeWebhooks;
  secretKey: string;
  publishableKey: string;
  random: () => number;
};

export type StripeRequest = {
  stripe: Stripe;
  method: string;
  path: string;
  form: URLSearchParams;
  /** The browser's: it may only do what the client secret allows. */
  isBrowser: boolean;
};

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Time with which a payment or a refund that is made now is dated. */
export const madeSeconds = ({ store }: Stripe) => Math.floor((Date.now() - store.faults.DatedBackMs) / 1000);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function find({ stripe, isBrowser, form }: StripeRequest, object: string, id = ''): StripeObject {
  const found = stripe.store.find(id, object);
  if (found === undefined) throw missing(object, id);
  if (isBrowser && form.get('client_secret') !== found.client_secret)
    throw badRequest('The client_secret provided does not match.', 'resource_missing', 'client_secret');
  return found;
}

export function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}
