import { formatCents } from '../../contract/money/cents.ts';
import { lockCredits } from '../billing/lock-credits.ts';
import { moveCredits } from '../billing/move-credits.ts';
import type { postMoney } from '../billing/post-money.ts';
import type { Trx } from '../db.ts';
import { invoiceSubject } from './earn-months.ts';
import { mailInvoice } from './mail-invoice.ts';

type Lines = Parameters<typeof postMoney>[1]['lines'];

export interface RefundedPayment {
  accountId: number;
  invoiceId: number;
  /** The refunded card payment. */
  chargeId: number;
  amountCents: number;
  method: string;
  at: Date;
  publicUrl: string;
}

interface Refunded {
  lines: Lines;
  taxCents: number;
  credits: number;
  creditsShort: number;
  /** The part that was paid for the invoice, not beyond it. */
  paidCents: number;
  /** The tax office has the invoice, or is about to get it. */
  isTaxTold: boolean;
}

/**
 * A payment for an invoice was refunded. The invoice stays paid, since nothing of it is owed again; its
 * credits are removed in proportion, as far as they are free. An overpayment is refunded first: nothing was
 * given for it. Returns the postings besides the cash. The caller locks the account's row.
 */
export async function refundPayment(trx: Trx, refund: RefundedPayment): Promise<Refunded> {
  const { accountId, invoiceId, chargeId, at } = refund;
  const invoice = await trx
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const payments = await trx
    .selectFrom('invoice_payments')
    .select(['amount_cents', 'charge_id'])
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .execute();
  const taken = payments.find((payment) => payment.charge_id === chargeId)?.amount_cents ?? 0;
  const charge = await trx
    .selectFrom('charges')
    .select(['total_cents', 'refunded_cents'])
    .where('account_id', '=', accountId)
    .where('charge_id', '=', chargeId)
    .executeTakeFirstOrThrow();
  const tooMuch = charge.total_cents - taken;
  const restLeft = Math.max(0, tooMuch - charge.refunded_cents);
  const rest = Math.min(restLeft, refund.amountCents);
  const amountCents = refund.amountCents - rest;
  const before = -payments.reduce((sum, { amount_cents }) => sum + Math.min(0, amount_cents), 0);
  const part = (whole: number, paid: number) =>
    invoice.total_cents === 0 ? 0 : Math.floor((whole * paid) / invoice.total_cents);
  const of = (whole: number) => part(whole, before + amountCents) - part(whole, before);
  const taxCents = of(invoice.tax_cents);
  const wanted = invoice.delivered_at === null ? 0 : of(invoice.number_of_credits ?? 0);
  const free = wanted === 0 ? 0 : ((await lockCredits(trx, [accountId])).get(accountId) ?? 0);
  const credits = Math.min(wanted, free);
  if (amountCents > 0)
    await trx
      .insertInto('invoice_payments')
      .values({
        account_id: accountId,
        invoice_id: invoiceId,
        charge_id: null,
        amount_cents: -amountCents,
        method: `Refund to ${refund.method}`,
        user_id: null,
        created_at: at,
      })
      .execute();
  if (credits > 0)
    await moveCredits(trx, [
      {
        ...{ accountId, kind: 'refund', credits, note: `Refund of invoice ${invoiceId}` },
        reference: { kind: 'invoice', ids: [invoiceId] },
      },
    ]);
  await mailInvoice(trx, {
    ...{ accountId, invoiceId, kind: 'Refunded', publicUrl: refund.publicUrl },
    more: refundWords({ ...refund, credits, creditsShort: wanted - credits }),
  });
  const paidFor = {
    book: invoice.is_payg ? 'credits' : 'deferred',
    subject: invoice.is_payg ? '' : invoiceSubject(invoiceId),
  } as const;
  return {
    ...{ taxCents, credits, creditsShort: wanted - credits },
    ...{ paidCents: amountCents, isTaxTold: invoice.tax_quote_id !== null },
    lines: [
      { book: 'deferred', amountCents: rest, subject: `charge:${chargeId}` },
      { ...paidFor, amountCents: amountCents - taxCents },
    ],
  };
}

/** The refund, and its part of the credits. */
export function refundWords({
  amountCents,
  method,
  credits,
  creditsShort,
}: {
  amountCents: number;
  method: string;
  credits: number;
  creditsShort: number;
}): string[] {
  const count = (many: number) => many.toLocaleString('en-US');
  const rest = (many: number) =>
    many === 0 ? 'None were removed.' : `The other ${count(many)} were removed.`;
  return [
    `${formatCents(amountCents)} went back to ${method}.`,
    ...(creditsShort > 0
      ? [
          `Of its ${count(credits + creditsShort)} credits, ${count(creditsShort)} had been spent. ${rest(credits)}`,
        ]
      : credits > 0
        ? [`Its ${count(credits)} credits were removed.`]
        : []),
  ];
}
