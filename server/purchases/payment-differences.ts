import { sql } from 'kysely';
import { formatCents } from '../../contract/money/cents.ts';
import type { Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { ProcessorError } from '../outside/card-processor.ts';
import { recordEvents } from '../record-events.ts';
import type { ChargeContext } from './run-charge.ts';

/** Migration 0220 explains the kinds. */
export interface Difference {
  kind: 'unknown' | 'missing' | 'returned';
  paymentId: string;
  amountCents: number;
}

const words: Readonly<Record<Difference['kind'], string>> = {
  unknown: 'the processor has a payment that is not in the books',
  missing: 'the books have a payment that the processor doesn’t list',
  returned: 'a refund came back from the cardholder’s bank',
};

type Context = ChargeContext & { log: Log };

/** Saves the differences, and notifies the operator about new ones. */
export async function noteDifferences({ database, log }: Context, found: Difference[]): Promise<void> {
  for (const { kind, paymentId, amountCents } of found) {
    const { rows } = await sql`
      insert into payment_differences (kind, payment_id, amount_cents)
      values (${kind}, ${paymentId}, ${amountCents})
      on conflict (kind, payment_id) do update
        set amount_cents = excluded.amount_cents, found_at = now(), resolved_at = null, explanation = ''
        where payment_differences.amount_cents <> excluded.amount_cents
          or payment_differences.resolved_at is not null and payment_differences.explanation = ''
      returning kind`.execute(database.system);
    if (rows.length > 0) log.error({ kind, payment: paymentId, amountCents }, words[kind]);
  }
}

/**
 * Checks the differences of earlier days again, and resolves those that are gone. The explanation of a returned refund
 * is removed with it, because the same amount may come back again. `refunded` were refunded in full; for a charge
 * without a payment the processor can't be asked.
 */
export async function reviewDifferences(
  context: Context,
  { found, refunded }: { found: ReadonlySet<string>; refunded: ReadonlySet<string> },
): Promise<void> {
  const { rows } = await sql<{ kind: Difference['kind']; payment_id: string }>`
    select kind, payment_id from payment_differences
    where resolved_at is null or kind = 'returned' and explanation <> '' order by found_at`.execute(
    context.database.system,
  );
  for (const { kind, payment_id } of rows) {
    if (found.has(payment_id)) continue;
    if (!refunded.has(payment_id) && (await holdsStill(context, { kind, paymentId: payment_id }))) continue;
    await sql`update payment_differences set resolved_at = now(), explanation = ''
      where kind = ${kind} and payment_id = ${payment_id}`.execute(context.database.system);
  }
}

async function holdsStill(
  { database, processor }: Context,
  { kind, paymentId }: Pick<Difference, 'kind' | 'paymentId'>,
): Promise<boolean> {
  const { rows } = await sql<{ returned_cents: number }>`
    select returned_cents from charges where payment_id = ${paymentId}`.execute(database.system);
  const row = rows[0];
  if (kind === 'returned') return (row?.returned_cents ?? 0) > 0;
  if (kind === 'unknown' && row !== undefined) return false;
  try {
    const payment = await processor.readPayment(paymentId);
    if (kind === 'missing') return payment.state !== 'paid';
    return payment.state === 'paid' && payment.refundedCents < payment.amountCents;
  } catch (error) {
    if (error instanceof ProcessorError && error.kind === 'refused') return true;
    throw error;
  }
}

const advice: Readonly<Record<Difference['kind'], (amount: string) => string>> = {
  unknown: (amount) => `${amount} at the processor, not in the books. Refund it there if it is nobody’s.`,
  missing: (amount) => `${amount} in the books, not listed by the processor.`,
  returned: (amount) =>
    `${amount} was refunded and came back. Refund it again ("npx muster refund"), or pay otherwise and explain it.`,
};

/** For the operator: all unexplained differences, oldest first. */
export async function listDifferences(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{
    kind: Difference['kind'];
    payment_id: string;
    amount_cents: number;
    day: string;
    owner: string | null;
  }>`
    select d.kind, d.payment_id, d.amount_cents, to_char(d.found_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      c.account_id || ' ' || a.company_name || ', charge ' || c.charge_id as owner
    from payment_differences d
    left join charges c on c.payment_id = d.payment_id
    left join accounts a on a.account_id = c.account_id
    where d.resolved_at is null order by d.found_at, d.payment_id limit 200`.execute(trx);
  if (rows.length === 0) return ['The books are what the card processor says.'];
  return rows.map(({ kind, payment_id, amount_cents, day, owner }) =>
    [day, payment_id, ...(owner === null ? [] : [owner]), advice[kind](formatCents(amount_cents))].join('  '),
  );
}

/** The operator knows the cause. It is not reported again unless its amount changes. */
export async function explainDifference(trx: Trx, paymentId: string, why: string): Promise<string[]> {
  if (why.trim() === '') return ['Say how it came about: "Paid by check 4410".'];
  const { rows } = await sql<{ kind: Difference['kind'] }>`
    update payment_differences set resolved_at = now(), explanation = ${why.slice(0, 500)}
    where payment_id = ${paymentId} and resolved_at is null returning kind`.execute(trx);
  // The log is of accounts: a payment that is nobody's has no entry.
  const charge = await trx
    .selectFrom('charges')
    .select(['account_id', 'charge_id'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  if (rows[0] !== undefined && charge !== undefined)
    await recordEvents(trx, { accountId: charge.account_id, isOperator: true }, [
      {
        kind: 'charge.explained',
        id: charge.charge_id,
        changes: { Difference: rows[0].kind, Explanation: why.slice(0, 500) },
      },
    ]);
  return [rows.length === 0 ? `"${paymentId}" is not on the list.` : `${paymentId}: ${why.slice(0, 500)}`];
}
