import { sql } from 'kysely';
import { now } from '../clock.ts';
import { asAccount } from '../db.ts';
import { recordInvoiceTaxes, reverseVoidedTax } from '../invoices/record-invoice-taxes.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { ProcessorError } from '../outside/card-processor.ts';
import { createSalesTax } from '../outside/sales-tax.ts';
import { createCardProcessor } from '../outside/stripe-processor.ts';
import { runOnce } from '../run-once.ts';
import { refillCredits } from './charge-unattended.ts';
import { createHold } from './hold-charges.ts';
import { type Charge, getCharge } from './queries.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { renewPlans } from './renew-plans.ts';
import { resolveCharge } from './run-charge.ts';
import { settleCharge } from './settle-charge.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** The processor sent an event about a payment. */
    settle_charge: { accountId: number; chargeId: number };
    /** The processor is asked about charges with an unknown result. */
    resolve_charges: Record<string, never>;
    /** Months begin and end. */
    renew_plans: Record<string, never>;
    /** Some account's credits ran low. */
    refill_credits: Record<string, never>;
    /** Sales have to be reported to the tax office. */
    record_taxes: Record<string, never>;
    /** `ofInvoiceCents`: the part of the refund that was paid for an invoice, not beyond it. */
    reverse_tax: { accountId: number; refundId: number; ofInvoiceCents?: number };
    /** A reported invoice was voided. */
    reverse_voided_tax: { accountId: number; invoiceId: number };
    /**
     * Money goes back to a card. What had gone back before (`beforeCents`), and what of it had come back, make the job the
     * same refund however often it runs.
     */
    refund_charge: {
      accountId: number;
      chargeId: number;
      amountCents: number;
      beforeCents: number;
      returnedCents?: number;
    };
    /** The books are compared with the processor's list. */
    reconcile_payments: Record<string, never>;
  }
}

const atOnce = 100;
/** Time until an unsettled charge is asked about again. */
const againMs = 60_000;

export function createPurchaseJobs(context: JobContext) {
  const { config, database, log } = context;
  const processor = createCardProcessor(config);
  const salesTax = createSalesTax(config);
  const common = { database, salesTax, publicUrl: config.PUBLIC_URL, config, log };

  const resolving = runOnce(async () => {
    if (processor === undefined) return false;
    const { rows } = await sql<Charge>`
      update charges c set check_at = ${new Date(now().getTime() + againMs)}
      from (select account_id, charge_id from charges where state in ('open', 'action') and check_at <= ${now()}
        order by check_at limit ${atOnce} for update skip locked) d
      where c.account_id = d.account_id and c.charge_id = d.charge_id returning c.*`.execute(database.system);
    for (const charge of rows) {
      try {
        await resolveCharge({ ...common, processor }, charge, true);
      } catch (error) {
        if (!(error instanceof ProcessorError)) throw error;
        log.warn({ charge: charge.charge_id, reason: error.message }, 'a charge is still in doubt');
      }
    }
    return rows.length === atOnce;
  });

  const areChargesHeld = createHold(database, log);

  const renewing = runOnce(async () => {
    if (await areChargesHeld()) return false;
    return renewPlans({ ...common, ...(processor && { processor }) });
  });

  const refilling = runOnce(async () => {
    if (processor === undefined || (await areChargesHeld())) return false;
    const { rows } = await sql<{ account_id: number; auto_refill_request_id: number }>`
      select account_id, auto_refill_request_id from refill_requests
      where state = 'waiting' and charge_id is null order by created_at limit ${atOnce}`.execute(
      database.system,
    );
    for (const row of rows)
      await refillCredits(
        { ...common, processor },
        { accountId: row.account_id, requestId: row.auto_refill_request_id },
      );
    // A request delayed by the tax office is checked again at the next wake-up.
    return false;
  });

  const taxing = runOnce(async () => {
    const { rows } = await sql<Charge>`select * from charges
      where tax_quote_id is not null and tax_recorded_at is null and state = 'paid' limit ${atOnce}`.execute(
      database.system,
    );
    for (const charge of rows) {
      const transactionId = await salesTax.record(charge.tax_quote_id ?? '', charge.processor_key);
      await sql`update charges set tax_recorded_at = ${now()}, tax_transaction_id = ${transactionId}
        where account_id = ${charge.account_id} and charge_id = ${charge.charge_id}`.execute(database.system);
    }
    const moreInvoices = await recordInvoiceTaxes({ database, salesTax });
    return rows.length === atOnce || moreInvoices;
  });

  return {
    tasks: {
      async settle_charge({ accountId, chargeId }) {
        if (processor === undefined) return;
        const charge = await asAccount(database, accountId, (trx) => getCharge(trx, accountId, chargeId));
        if (charge.payment_id === null) return;
        await settleCharge(
          { ...common, processor },
          { accountId, chargeId },
          await processor.readPayment(charge.payment_id),
        );
      },
      resolve_charges: resolving.run,
      renew_plans: renewing.run,
      refill_credits: refilling.run,
      record_taxes: taxing.run,
      async reverse_tax({ accountId, refundId, ofInvoiceCents }) {
        // The sale must have been reported before.
        await taxing.run();
        const { rows } = await sql<{ transaction: string; key: string; total: number }>`
          select coalesce(c.tax_transaction_id, i.tax_transaction_id) as transaction,
            c.processor_key || '-' || r.refund_id as key, r.amount_cents as total
          from refunds r join charges c on c.account_id = r.account_id and c.charge_id = r.charge_id
          left join invoices i on i.account_id = c.account_id and i.invoice_id = c.invoice_id
          where r.account_id = ${accountId} and r.refund_id = ${refundId}
            and coalesce(c.tax_transaction_id, i.tax_transaction_id) is not null`.execute(database.system);
        for (const { transaction, key, total } of rows)
          await salesTax.reverse({
            transactionId: transaction,
            refundKey: key,
            totalCents: ofInvoiceCents ?? total,
          });
      },
      reverse_voided_tax: (voided) => reverseVoidedTax({ database, salesTax }, voided),
      async refund_charge({ accountId, chargeId, amountCents, beforeCents, returnedCents = 0 }) {
        if (processor === undefined) return;
        const charge = await asAccount(database, accountId, (trx) => getCharge(trx, accountId, chargeId));
        if (charge.payment_id === null) return;
        await processor.refund({
          paymentId: charge.payment_id,
          amountCents,
          key: `${charge.processor_key}-refund-${beforeCents}${returnedCents > 0 ? `-${returnedCents}` : ''}`,
        });
        await settleCharge(
          { ...common, processor },
          { accountId, chargeId },
          await processor.readPayment(charge.payment_id),
        );
      },
      async reconcile_payments() {
        if (processor !== undefined) await reconcilePayments({ ...common, processor, log });
      },
    },
    cron: ['* * * * * renew_plans', '41 4 * * * reconcile_payments'],
    waiting: [
      {
        where: sql`exists (select from charges where state in ('open', 'action') and check_at <= now())`,
        run: resolving.run,
      },
      {
        where: sql`exists (select from refill_requests where state = 'waiting' and charge_id is null
          and created_at < now() - interval '30 seconds')`,
        run: refilling.run,
      },
    ],
    async stop() {
      await Promise.all([resolving.stop(), renewing.stop(), refilling.stop(), taxing.stop()]);
      await Promise.all([processor?.close(), salesTax.close()]);
    },
  } satisfies SliceJobs;
}
