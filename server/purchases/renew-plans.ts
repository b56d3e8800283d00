import { type RawBuilder, sql } from 'kysely';
import { changePlan } from '../billing/change-plan.ts';
import { lockCredits } from '../billing/lock-credits.ts';
import { earnDeferred, subscriptionSubject } from '../billing/post-money.ts';
import { now } from '../clock.ts';
import { asAccount } from '../db.ts';
import { beginInvoicedMonth } from '../invoices/deliver-invoice.ts';
import { earnMonths } from '../invoices/earn-months.ts';
import { keepByInvoice, listKeptTogether } from '../invoices/keep-by-invoice.ts';
import { renewByInvoice } from '../invoices/renew-invoice.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import { setFlatRate } from '../numbers/set-flat-rate.ts';
import { recordEvents } from '../record-events.ts';
import type { App } from '../serve.ts';
import { renewNumber, renewSubscription, type UnattendedContext } from './charge-unattended.ts';
import { mailOwners } from './mail-owners.ts';
import { failedUntilEndedMs, numberSubject } from './rules.ts';
import { listNumbersToTell, listToTell, tellOfNumberPrice, tellOfPlanPrice } from './tell-of-prices.ts';

/** Number of accounts processed in one run; the next run takes the next. */
const atOnce = 200;

type RenewContext = Omit<UnattendedContext, 'processor'> &
  Partial<Pick<UnattendedContext, 'processor'>> &
  Pick<App, 'config'> & { log: Log };

/**
 * All calendar events: months that begin, cancellations that take effect, missing payments, invoices that are
 * due again. The rows show what is left to do, so it may run at any time and twice. Returns whether there was
 * anything to do: the clock may have moved by months.
 */
export async function renewPlans(context: RenewContext): Promise<boolean> {
  const at = now();
  const { database, processor } = context;
  let count = 0;
  const each = async <Row extends { account_id: number }>(
    rows: Row[],
    run: (row: Row) => Promise<unknown>,
  ) => {
    for (const row of rows) {
      try {
        // False: it has to wait. Counted as work done, it would be tried again at once, and again.
        if ((await run(row)) !== false) count += 1;
      } catch (error) {
        // An error of one account must not delay the months of others.
        context.log.error({ err: error, account: row.account_id }, 'renewing failed; it is tried again');
      }
    }
  };
  // First: a month that begins earns what is kept for months that are paid by card.
  await each(await listKeptTogether(database, at), ({ account_id }) =>
    asAccount(database, account_id, async (trx) => {
      await lockCredits(trx, [account_id]);
      await keepByInvoice(trx, account_id, at);
    }),
  );
  if (processor !== undefined) {
    await each(await listToTell(context, at, atOnce), ({ account_id }) =>
      tellOfPlanPrice(context, account_id),
    );
    await each(await listNumbersToTell(context, at, atOnce), (row) => tellOfNumberPrice(context, row));
    const charging = { ...context, processor };
    const subscriptions = await sql<{ account_id: number }>`
      select a.account_id from accounts a join subscriptions s on s.account_id = a.account_id
      where a.type_id = 1 and a.status_id = 0 and a.subscription_cycle_end_at <= ${at}
        and (s.try_at is null and s.failing_since is null or s.try_at <= ${at})
        and not exists (select from charges c where c.account_id = a.account_id and c.lane = 'renewal'
          and c.state in ('open', 'action'))
      order by a.account_id limit ${atOnce}`.execute(database.system);
    await each(subscriptions.rows, (row) => renewSubscription(charging, row.account_id));
    const numbers = await sql<{ account_id: number; text_number_id: number }>`
      select n.account_id, n.text_number_id from text_numbers n join accounts a on a.account_id = n.account_id
      where n.flat_rate_status = 'Active' and n.flat_rate_end_at <= ${at} and n.released_at is null
        and a.type_id in (0, 2) and ${isWorking(at)}
        and not exists (select from charges c where c.account_id = n.account_id
          and c.lane = 'number:' || n.text_number_id and c.state in ('open', 'action'))
      order by n.account_id, n.text_number_id limit ${atOnce}`.execute(database.system);
    await each(numbers.rows, (row) =>
      renewNumber(charging, { accountId: row.account_id, textNumberId: row.text_number_id }),
    );
  }
  const ended = await sql<{ account_id: number; text_number_id: number }>`
    select n.account_id, n.text_number_id from text_numbers n join accounts a on a.account_id = n.account_id
    where n.flat_rate_end_at <= ${at}
      and (n.flat_rate_status = 'CancelPending'
        or n.flat_rate_status = 'Active'
          and (n.released_at is not null or a.type_id in (1, 3) or not ${isWorking(at)}))
    limit ${atOnce}`.execute(database.system);
  await each(ended.rows, ({ account_id, text_number_id }) =>
    asAccount(database, account_id, async (trx) => {
      await setFlatRate(trx, account_id, text_number_id, { flat_rate_status: null, flat_rate_end_at: null });
      await earnDeferred(trx, {
        accountId: account_id,
        subject: numberSubject(text_number_id),
        keepCents: 0,
        at,
      });
    }),
  );
  const months = await sql<{ account_id: number }>`
    select account_id from accounts
    where type_id = 3 and status_id in (0, 8) and subscription_cycle_end_at <= ${at} and subscription_end_at > ${at}
    order by account_id limit ${atOnce}`.execute(database.system);
  await each(months.rows, ({ account_id }) =>
    asAccount(database, account_id, async (trx) => {
      const began = await beginInvoicedMonth(trx, account_id, at);
      if (began) await notify(trx, account_id, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
      return began;
    }),
  );
  const earning = await sql<{ account_id: number; invoice_id: number }>`
    select account_id, invoice_id from invoices where next_earning_at <= ${at}
    order by next_earning_at limit ${atOnce}`.execute(database.system);
  await each(earning.rows, ({ account_id, invoice_id }) =>
    asAccount(database, account_id, async (trx) => {
      await lockCredits(trx, [account_id]);
      await earnMonths(trx, { accountId: account_id, invoiceId: invoice_id, at });
    }),
  );
  await each(await listLapsed(context, at), ({ account_id, status_id }) =>
    asAccount(database, account_id, async (trx) => {
      await earnDeferred(trx, { accountId: account_id, subject: subscriptionSubject, keepCents: 0, at });
      // 8 with an end in the past already means that it is over, and what the operator stopped stays so.
      if (status_id === 0 || status_id === 3) await changePlan(trx, account_id, { status_id: 4 });
      else await changePlan(trx, account_id, { subscription_cycle_end_at: null });
      await recordEvents(trx, { accountId: account_id }, [{ kind: 'subscription.ended' }]);
      // Paid by invoice, and nothing followed. Whoever canceled, or whose card failed, has been told before.
      if (status_id === 0)
        await mailOwners(
          trx,
          { accountId: account_id, publicUrl: context.publicUrl },
          {
            title: 'Your subscription has stopped',
            lines: [
              'The months that you have paid for are over.',
              'Your organization can’t send until you reactivate it on the billing page.',
            ],
          },
        );
      await notify(trx, account_id, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
    }),
  );
  const invoices = await sql<{ account_id: number }>`
    select account_id from accounts
    where invoice_auto_renewal and invoice_renewal_at <= ${at} and status_id = 0 limit ${atOnce}`.execute(
    database.system,
  );
  await each(invoices.rows, (row) => renewByInvoice(context, row.account_id, context.salesTax));
  return count > 0;
}

/**
 * For an account `a`: it is active, or canceled and still running. An account that the operator stopped is
 * not charged.
 */
function isWorking(at: Date): RawBuilder<boolean> {
  return sql<boolean>`(a.status_id = 0 or a.status_id = 8 and a.subscription_end_at > ${at})`;
}

/**
 * Subscriptions that are over: canceled ones at their end, those paid by invoice at theirs, those unpaid for
 * a month, and those that the operator stopped at the end of their last month.
 */
async function listLapsed({ database }: RenewContext, at: Date) {
  const { rows } = await sql<{ account_id: number; status_id: number }>`
    select account_id, status_id from accounts
    where (status_id = 8 and subscription_end_at <= ${at} and subscription_cycle_end_at is not null)
      or (type_id = 3 and status_id = 0 and subscription_end_at <= ${at})
      or (type_id = 1 and status_id in (1, 5, 6, 7) and subscription_cycle_end_at <= ${at})
      or (status_id = 3 and subscription_end_at <= ${new Date(at.getTime() - failedUntilEndedMs)})
    order by account_id limit ${atOnce}`.execute(database.system);
  return rows;
}
