import type { Input } from '../../contract/call.ts';
import type { downloadInvoices as definition } from '../../contract/invoices.ts';
import { zonedTime } from '../consents/rules.ts';
import { csvDownload } from '../csv.ts';
import { asAccount } from '../db.ts';
import { askedMoments } from '../reports/rules.ts';
import type { Actor, App, Download } from '../serve.ts';
import { listInvoices } from './queries.ts';

const batch = 1000;

export async function downloadInvoices(
  app: App,
  actor: Actor,
  { query }: Input<typeof definition>,
): Promise<Download> {
  const zone = actor.timeZone;
  const between = askedMoments(query, zone);
  async function* rows() {
    for (let page = 1; ; page++) {
      const { Items } = await asAccount(app.database, actor.accountId, (trx) =>
        listInvoices(trx, actor.accountId, {
          ...{ page, pagesize: batch, q: '', between },
          category: query.category,
        }),
      );
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
      if (Items.length < batch) return;
    }
  }
  return csvDownload(
    'invoices.csv',
    ['Invoice', `Time (${zone})`, 'What', 'Status', 'PO Number', 'Amount', 'Sales Tax', 'Total', 'Due'],
    rows(),
    actor,
  );
}
