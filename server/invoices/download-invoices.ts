import type { Input } from '../../contract/call.ts';
import type { downloadInvoices as definition } from '../../contract/invoices.ts';
import { zonedTime } from '../consents/rules.ts';
import { csvDownload, readAhead } from '../csv.ts';
import { asAccount } from '../db.ts';
import { askedMoments } from '../reports/rules.ts';
import type { Actor, App, Download } from '../serve.ts';
import { listInvoicesBefore } from './queries.ts';

const batch = 1000;

export async function downloadInvoices(
  app: App,
  actor: Actor,
  { query }: Input<typeof definition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const between = askedMoments(query, zone);
  async function* rows() {
    const pages = readAhead(async (next) => {
      const Items = await asAccount(app.database, actor.accountId, (trx) =>
        listInvoicesBefore(trx, actor.accountId, {
          before: next === undefined ? undefined : Number(next),
          ...{ most: batch, category: query.category, between },
        }),
      );
      return { Items, Next: Items.length < batch ? null : String(Items.at(-1)?.InvoiceID) };
    });
    for await (const { Items } of pages)
      for (const item of Items)
        yield [
          String(item.InvoiceID),
          zonedTime(new Date(item.ChargeTimestamp), zone),
          item.Description,
          item.InvoiceStatusCategory,
          item.PoNumber,
          ...[item.Amount, item.SalesTax, item.GrandTotal, item.BalanceDue].map((amount) =>
            amount.toFixed(2),
          ),
        ];
  }
  return csvDownload(
    'invoices.csv',
    ['Invoice', `Time (${zone})`, 'What', 'Status', 'PO Number', 'Amount', 'Sales Tax', 'Total', 'Due'],
    rows(),
    actor,
  );
}
