import { sql } from 'kysely';
import { machineNowMs } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Payment } from '../outside/card-processor.ts';
import type { ChargeContext } from './run-charge.ts';
import { settleCharge } from './settle-charge.ts';

/** Further back than a day, so that what was in doubt yesterday is looked at again. */
const backMs = 3 * 86_400_000;

/** What was charged so shortly before is looked at the next day. */
const marginMs = 10 * 60_000;

/**
 * Compares the books with the processor's list. Whatever is on the list and not in the books is taken over, as if the
 * processor had just told us; what belongs to nobody is counted and told to the operator, and
 * so is what the books have and the list has not.
 */
export async function reconcilePayments(
  context: ChargeContext & { log: Log },
  since = new Date(machineNowMs() - backMs),
): Promise<{ payments: number; mended: number; unexplained: number; missing: number }> {
  const { database, log } = context;
  const result = { payments: 0, mended: 0, unexplained: 0, missing: 0 };
  const until = new Date(machineNowMs() - marginMs);
  const listed = new Set<string>();
  for await (const payment of context.processor.listPayments(since)) {
    result.payments += 1;
    listed.add(payment.paymentId);
    const row = await findOwn(context, payment);
    if (row === undefined) {
      if (payment.state === 'paid' && payment.refundedCents < payment.amountCents) result.unexplained += 1;
      continue;
    }
    const isSame =
      (payment.state === 'paid') === (row.state === 'paid') &&
      (payment.state !== 'paid' || payment.refundedCents === row.refunded_cents);
    if (isSame) continue;
    if (row.state === 'failed' && payment.refundedCents === payment.amountCents) continue;
    await settleCharge(context, { accountId: row.account_id, chargeId: row.charge_id }, payment);
    result.mended += 1;
  }
  const booked = await listBooked(context, { since: new Date(since.getTime() + marginMs), until });
  result.missing = booked.filter((paymentId) => !listed.has(paymentId)).length;
  await sql`insert into reconciliations (began_at, payments, mended, unexplained, missing)
    values (${since}, ${result.payments}, ${result.mended}, ${result.unexplained}, ${result.missing})`.execute(
    database.system,
  );
  if (result.unexplained > 0) log.error(result, 'the processor has payments that are not in the books');
  if (result.missing > 0) log.error(result, 'the books have payments that the processor doesn’t know');
  return result;
}

/** What the books say was paid. At both ends of the time, the processor's clock may have seen it otherwise. */
async function listBooked(
  { database }: ChargeContext,
  { since, until }: { since: Date; until: Date },
): Promise<string[]> {
  const { rows } = await sql<{ payment_id: string }>`select payment_id from charges
    where state = 'paid' and payment_id is not null and recorded_at between ${since} and ${until}`.execute(
    database.system,
  );
  return rows.map(({ payment_id }) => payment_id);
}

async function findOwn({ database }: ChargeContext, payment: Payment) {
  const { rows } = await sql<{
    account_id: number;
    charge_id: number;
    state: string;
    refunded_cents: number;
  }>`select account_id, charge_id, state, refunded_cents from charges
    where payment_id = ${payment.paymentId}`.execute(database.system);
  if (rows[0] !== undefined) return rows[0];
  const { accountId, chargeId, key } = payment;
  if (accountId === undefined || chargeId === undefined) return undefined;
  // Made, and the process ended before it could keep the id.
  const kept = await sql<{
    account_id: number;
    charge_id: number;
    state: string;
    refunded_cents: number;
  }>`update charges set payment_id = ${payment.paymentId}
    where account_id = ${accountId} and charge_id = ${chargeId} and processor_key::text = ${key} and payment_id is null
    returning account_id, charge_id, state, refunded_cents`.execute(database.system);
  return kept.rows[0];
}
