import type { ServerResponse } from 'node:http';
import { sendJson } from './http.ts';
import type { Decline } from './stripe-cards.ts';
import type { StripeObject } from './stripe-store.ts';

/** A refusal in Stripe's shape. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  constructor(
    status: number,
    body: { type: string; code?: string; message: string } & Record<string, unknown>,
  ) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export function badRequest(message: string, code?: string, param?: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

export function missing(kind: string, id: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  });
}

/** The card was refused; the intent that it happened to comes with it. */
export function cardError(decline: Decline, more: Record<string, StripeObject | string> = {}): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode === undefined ? {} : { decline_code: decline.declineCode }),
    message: decline.message,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    ...more,
  });
}

export function sendStripeError(response: ServerResponse, error: StripeError): void {
  sendJson(response, error.status, { error: error.body });
}
