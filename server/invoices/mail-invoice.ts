import { formatCents } from '../../contract/money/cents.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { type InvoiceMailKind, invoiceMailTitle } from './rules.ts';

/** Mails the payer about an invoice: to its billing address, or else to the owner. */
export async function mailInvoice(
  trx: Trx,
  {
    accountId,
    invoiceId,
    kind,
    publicUrl,
    more = [],
  }: { accountId: number; invoiceId: number; kind: InvoiceMailKind; publicUrl: string; more?: string[] },
): Promise<void> {
  const row = await trx
    .selectFrom('invoices')
    .innerJoin('accounts', 'accounts.account_id', 'invoices.account_id')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'invoices.account_id').on('users.role', '=', 'owner'),
    )
    .select([
      'description',
      'total_cents',
      'paid_cents',
      'email_to',
      'company_name',
      'users.email',
      'users.user_id',
    ])
    .where('invoices.account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const title = invoiceMailTitle(kind, invoiceId, row.total_cents);
  const due = row.total_cents - row.paid_cents;
  const mail = composeMail({
    subject: title,
    from: row.company_name,
    title,
    paragraphs: [
      `${row.description}, ${formatCents(row.total_cents)} in all.`,
      ...more,
      ...(kind === 'SendVoided' ? ['It doesn’t have to be paid.'] : []),
      ...(kind === 'Created' || kind === 'Resent' ? [`Balance due: ${formatCents(due)}.`] : []),
    ],
    action: { label: 'Open the invoice', url: `${publicUrl}/settings/billing/invoices/${invoiceId}` },
  });
  const to = row.email_to === '' ? row.email : row.email_to;
  await queueMails(trx, [{ ...mail, accountId, userId: row.user_id, kind: 'invoice', to }]);
  await trx
    .updateTable('invoices')
    .set({ emailed_at: now(), email_to: to })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .execute();
}
