import { z } from 'zod';

export const numberSubject = (textNumberId: number) => `number:${textNumberId}`;

const instant = z.iso.datetime().transform((text) => new Date(text));

/** A new card that the purchase makes the card on file. */
const cardToKeep = z.object({
  paymentMethodId: z.string(),
  brand: z.string(),
  lastFour: z.string(),
  expiresMonth: z.number(),
  expiresYear: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
});
export type CardToKeep = z.output<typeof cardToKeep>;

/** The content of a charge, as stored in its row: everything needed to deliver it after the payment. */
const what = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('credits'), credits: z.number(), unitCost: z.number() }),
  z.object({
    kind: z.literal('subscription'),
    maxPeople: z.number(),
    feeCents: z.number(),
    startAt: instant,
    endAt: instant,
    anchorDay: z.number(),
    addOnIds: z.array(z.number()),
    addOnCents: z.number(),
    isReactivation: z.boolean(),
  }),
  z.object({
    kind: z.literal('renewal'),
    maxPeople: z.number(),
    feeCents: z.number(),
    startAt: instant,
    endAt: instant,
    addOnIds: z.array(z.number()),
    addOnCents: z.number(),
  }),
  z.object({
    kind: z.literal('number'),
    textNumberId: z.number(),
    feeCents: z.number(),
    startAt: instant,
    endAt: instant,
    anchorDay: z.number(),
  }),
  z.object({ kind: z.literal('add-ons'), addOnIds: z.array(z.number()), addOnCents: z.number() }),
  z.object({ kind: z.literal('invoice'), invoiceId: z.number() }),
  z.object({
    kind: z.literal('refill'),
    credits: z.number(),
    unitCost: z.number(),
    requestId: z.number(),
  }),
]);
export const purchaseShape = z.object({
  what,
  card: cardToKeep.optional(),
  consentText: z.string().optional(),
});
export type Purchase = z.output<typeof purchaseShape>;
export type What = Purchase['what'];

/** The unused part of a month's fee, in cents, rounded down. */
export function unusedCents(feeCents: number, startAt: Date, endAt: Date, at: Date): number {
  const whole = endAt.getTime() - startAt.getTime();
  const left = Math.min(Math.max(endAt.getTime() - at.getTime(), 0), whole);
  return whole <= 0 ? 0 : Number((BigInt(feeCents) * BigInt(left)) / BigInt(whole));
}

export function cardLabel(card: { brand: string; lastFour: string }): string {
  return `${card.brand} ending in ${card.lastFour}`;
}

/** Interval at which a renewal is retried, and the time before the account stops. */
export const renewalRetryMs = 86_400_000;
export const renewalGraceMs = 3 * 86_400_000;
/** Time that a number can still text after its month could not be paid. */
export const numberGraceMs = 7 * 86_400_000;
/** After this long without payment a subscription is over. */
export const failedUntilEndedMs = 30 * 86_400_000;

/** Shortest notice that an owner gets before a month costs more. */
export const noticeMs = 7 * 86_400_000;
/** Before that, the price is looked at once within this time. */
export const noticeWithinMs = 3 * 86_400_000;

/** While a user may still be waiting at the screen no other code changes a charge. */
export const firstCheckMs = 90_000;
/** Time that the cardholder has to answer their bank. */
export const actionMs = 30 * 60_000;
/** The same purchase in another request within this time is treated as a mistake. */
export const repeatMs = 60_000;
