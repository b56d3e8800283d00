import { sql } from 'kysely';
import { machineNowMs } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Payment } from '../outside/card-processor.ts';
import type { ChargeContext } from './run-charge.ts';
import { settleCharge } from './settle-charge.ts';

/** Further back than a day, so that what was in doubt yesterday is looked at again. */
const backMs = 3 * 86_400_000;

/**
 * Compares the books with the processor's list. Whatever is on the list and not in the books is taken over, as if the
 * processor had just told us; what belongs to nobody is counted and told to the operator.
 */
export async function reconcilePayments(
  context: ChargeContext & { log: Log },
  since = new Date(machineNowMs() - backMs),
): Promise<{ payments: number; mended: number; unexplained: number }> {
  const { database, log } = context;
  const result = { payments: 0, mended: 0, unexplained: 0 };
  for await (const payment of context.processor.listPayments(since)) {
    result.payments += 1;
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
  await sql`insert into reconciliations (began_at, payments, mended, unexplained)
    values (${since}, ${result.payments}, ${result.mended}, ${result.unexplained})`.execute(database.system);
  if (result.unexplained > 0) log.error(result, 'the processor has payments that are not in the books');
  return result;
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
