/**
 * The card processor, in our terms. A card's number never passes through here: the browser gives it to the
 * processor, and we know it by the processor's ids.
 */
export interface CardProcessor {
  /** The data that the page needs to show the processor's fields. */
  fields: { scriptUrl: string; publishableKey: string };
  createCustomer(customer: { accountId: number; name: string; email: string; key: string }): Promise<string>;
  createSetup(customerId: string): Promise<{ setupId: string; clientSecret: string }>;
  /** The owner of a setup and the card that it saved; undefined while it hasn't succeeded. */
  findSetup(setupId: string): Promise<{ customerId: string | null; paymentMethodId: string } | undefined>;
  readCard(paymentMethodId: string): Promise<CardOnFile>;
  forgetCard(paymentMethodId: string): Promise<void>;
  /**
   * Creates a payment that nothing is charged for until it is confirmed. The same key creates the same
   * payment.
   */
  createPayment(payment: NewPayment): Promise<Payment>;
  confirmPayment(confirm: PaymentToConfirm): Promise<Payment>;
  readPayment(paymentId: string): Promise<Payment>;
  /** After this it can't be charged any more, unless it was already: the reply shows which. */
  cancelPayment(paymentId: string): Promise<Payment>;
  /** A payment that we lost track of before we had its id. */
  findPayment(of: { customerId: string; key: string; since: Date }): Promise<Payment | undefined>;
  /** Everything in a period, newest first. */
  listPayments(since: Date): AsyncIterable<Payment>;
  /** The refunds in a period, newest first, whenever their payments were made. */
  listRefunds(since: Date): AsyncIterable<Refund>;
  refund(refund: { paymentId: string; amountCents: number; key: string }): Promise<void>;
  /** The subject of a webhook. Throws HookRefused when it isn't from the processor. */
  readHook(hook: {
    signature: string;
    body: Buffer;
  }): { paymentId: string /** And nothing else has happened to it. */; saysPaid: boolean } | undefined;
  close(): Promise<void>;
}

interface CardOnFile {
  brand: string;
  lastFour: string;
  expiresMonth: number;
  expiresYear: number;
}

interface NewPayment {
  accountId: number;
  chargeId: number;
  key: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  description: string;
}

interface PaymentToConfirm {
  paymentId: string;
  key: string;
  /** The cardholder is at the screen and can answer their bank. */
  isAttended: boolean;
  cvnToken?: string | undefined;
}

export interface Payment {
  paymentId: string;
  /**
   * open: not confirmed, nothing was charged; action: the cardholder's bank asks them; waiting: it takes
   * time.
   */
  state: 'open' | 'action' | 'waiting' | 'paid' | 'refused' | 'canceled';
  amountCents: number;
  refundedCents: number;
  clientSecret: string;
  /** Reason why the card was refused. The message is the processor's, for the cardholder. */
  failure: { code: string; message: string } | undefined;
  /** The reference that we gave it. */
  key: string;
  accountId: number | undefined;
  chargeId: number | undefined;
}

export interface Refund {
  /** For a payment that was not made by us, the processor may have only a charge. */
  paymentId: string | undefined;
  chargeId: string;
  /** The refunded part of the whole payment so far, this refund and others. */
  refundedCents: number;
  /** The remaining amount. */
  keptCents: number;
}

/** lost: it may or may not have happened. refused: the processor doesn't do this, and nothing happened. */
export class ProcessorError extends Error {
  override name = 'ProcessorError';
  readonly kind: 'lost' | 'refused';
  readonly code: string;
  constructor(kind: 'lost' | 'refused', code: string, message: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
