import { sql } from 'kysely';
import { machineNowMs } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Payment } from '../outside/card-processor.ts';
import { type Difference, noteDifferences, reviewDifferences } from './payment-differences.ts';
import type { ChargeContext } from './run-charge.ts';
import { settleCharge } from './settle-charge.ts';

const dayMs = 86_400_000;

/** Before the last comparison, so that payments in doubt then are checked again. */
const backMs = 3 * dayMs;
/** A bank can return a refund for a month, and the processor lists it by the day on which it was made. */
const refundsBackMs = 35 * dayMs;

/** Charges made less than this before are checked the next day. */
const marginMs = 10 * 60_000;

export interface Reconciliation {
  payments: number;
  refunds: number;
  /** Added from the processor. */
  mended: number;
  /** Refunds that were returned and not repeated. */
  returned: number;
  unexplained: number;
  missing: number;
}

type Context = ChargeContext & { log: Log };

/**
 * Compares the books with the processor's two lists: payments, and refunds, because a refund of an older
 * payment isn't among the recent payments. An entry that is missing in the books is added, as if the
 * processor had just sent it. Differences that can't be resolved are reported to the operator, once: payments
 * without an account, payments that the processor doesn't list, and returned refunds.
 */
export async function reconcilePayments(context: Context): Promise<Reconciliation> {
  const { database } = context;
  const result = { payments: 0, refunds: 0, mended: 0, returned: 0, unexplained: 0, missing: 0 };
  const differences: Difference[] = [];
  const compare = async (payment: Payment) => {
    const found = await comparePayment(context, payment);
    if (found === 'mended') result.mended += 1;
    else if (found !== 'same') differences.push(found);
  };
  const since = await findSince(context);
  const until = new Date(machineNowMs() - marginMs);
  const listed = new Set<string>();
  for await (const payment of context.processor.listPayments(since.payments)) {
    result.payments += 1;
    listed.add(payment.paymentId);
    await compare(payment);
  }
  const looked = new Set<string>();
  const refunded = new Set<string>();
  for await (const refund of context.processor.listRefunds(since.refunds)) {
    result.refunds += 1;
    const { paymentId, chargeId, keptCents, refundedCents } = refund;
    if (listed.has(paymentId ?? '') || looked.has(paymentId ?? chargeId)) continue;
    looked.add(paymentId ?? chargeId);
    if (paymentId !== undefined) {
      // Most are booked, which one database query shows.
      if (await isBooked(context, paymentId, refundedCents)) continue;
      await compare(await context.processor.readPayment(paymentId));
    } else if (keptCents > 0)
      differences.push({ kind: 'unknown', paymentId: chargeId, amountCents: keptCents });
    else refunded.add(chargeId);
  }
  const from = new Date(since.payments.getTime() + marginMs);
  const booked = await listBooked(context, { from, until });
  differences.push(...booked.filter(({ paymentId }) => !listed.has(paymentId)));
  differences.push(...(await listReturned(context)));
  const count = (wanted: Difference['kind']) => differences.filter(({ kind }) => kind === wanted).length;
  result.unexplained = count('unknown');
  result.missing = count('missing');
  result.returned = count('returned');
  await noteDifferences(context, differences);
  await reviewDifferences(context, {
    found: new Set(differences.map(({ paymentId }) => paymentId)),
    refunded,
  });
  await sql`insert into reconciliations (began_at, payments, refunds, mended, returned, unexplained, missing)
    values (${since.payments}, ${result.payments}, ${result.refunds}, ${result.mended}, ${result.returned},
      ${result.unexplained}, ${result.missing})`.execute(database.system);
  return result;
}

/**
 * The start of the lists. Nights without a comparison are included, and if refunds were never compared, they
 * are from the first charge on.
 */
async function findSince({ database }: Context): Promise<{ payments: Date; refunds: Date }> {
  const { rows } = await sql<{ payments: Date | null; refunds: Date | null }>`
    select (select max(created_at) from reconciliations) as payments,
      coalesce((select max(created_at) from reconciliations where refunds is not null),
        (select min(recorded_at) from charges)) as refunds`.execute(database.system);
  const before = (at: Date | null | undefined, byMs: number) =>
    new Date(Math.min(at?.getTime() ?? machineNowMs(), machineNowMs()) - byMs);
  return { payments: before(rows[0]?.payments, backMs), refunds: before(rows[0]?.refunds, refundsBackMs) };
}

async function comparePayment(context: Context, payment: Payment): Promise<'same' | 'mended' | Difference> {
  const row = await findOwn(context, payment);
  const keptCents = payment.state === 'paid' ? payment.amountCents - payment.refundedCents : 0;
  if (row === undefined)
    return keptCents > 0 ? { kind: 'unknown', paymentId: payment.paymentId, amountCents: keptCents } : 'same';
  const isSame =
    (payment.state === 'paid') === (row.state === 'paid') &&
    (payment.state !== 'paid' || payment.refundedCents === row.refunded_cents - row.returned_cents);
  if (isSame || (row.state === 'failed' && keptCents === 0)) return 'same';
  // The list may be older than a webhook in the meantime: the current status counts.
  const current = await context.processor.readPayment(payment.paymentId);
  await settleCharge(context, { accountId: row.account_id, chargeId: row.charge_id }, current);
  return 'mended';
}

/** Returned refunds, however they were detected. */
async function listReturned({ database }: Context): Promise<Difference[]> {
  const { rows } = await sql<{ payment_id: string; returned_cents: number }>`
    select payment_id, returned_cents from charges where returned_cents > 0 and payment_id is not null`.execute(
    database.system,
  );
  return rows.map(({ payment_id, returned_cents }) => ({
    ...{ kind: 'returned', paymentId: payment_id, amountCents: returned_cents },
  }));
}

async function isBooked({ database }: Context, paymentId: string, refundedCents: number): Promise<boolean> {
  const { rows } = await sql<{
    is_booked: boolean;
  }>`select refunded_cents - returned_cents = ${refundedCents} as is_booked
    from charges where payment_id = ${paymentId} and state = 'paid'`.execute(database.system);
  return rows[0]?.is_booked ?? false;
}

/** Payments in the books. At both ends of the period, the processor's clock may differ. */
async function listBooked(
  { database }: Context,
  { from, until }: { from: Date; until: Date },
): Promise<Difference[]> {
  const { rows } = await sql<{ payment_id: string; total_cents: number }>`select payment_id, total_cents
    from charges where state = 'paid' and payment_id is not null and recorded_at between ${from} and ${until}`.execute(
    database.system,
  );
  return rows.map(({ payment_id, total_cents }) => ({
    ...{ kind: 'missing', paymentId: payment_id, amountCents: total_cents },
  }));
}

interface Own {
  account_id: number;
  charge_id: number;
  state: string;
  refunded_cents: number;
  returned_cents: number;
}

async function findOwn({ database }: Context, payment: Payment): Promise<Own | undefined> {
  const { rows } =
    await sql<Own>`select account_id, charge_id, state, refunded_cents, returned_cents from charges
    where payment_id = ${payment.paymentId}`.execute(database.system);
  if (rows[0] !== undefined) return rows[0];
  const { accountId, chargeId, key } = payment;
  if (accountId === undefined || chargeId === undefined) return undefined;
  // Created, and the process ended before it could save the id.
  const kept = await sql<Own>`update charges set payment_id = ${payment.paymentId}
    where account_id = ${accountId} and charge_id = ${chargeId} and processor_key::text = ${key} and payment_id is null
    returning account_id, charge_id, state, refunded_cents, returned_cents`.execute(database.system);
  return kept.rows[0];
}
