import { sql } from 'kysely';
import { formatCents } from '../../contract/money/cents.ts';
import { listReachableOwners } from '../accounts/list-reachable-owners.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { type InvoiceMailKind, invoiceMailTitle } from './rules.ts';

/**
 * Mails the payer about an invoice: to where it was mailed before, or else to an owner. False if the account has no owner
 * with an email: then nobody is mailed.
 */
export async function mailInvoice(
  trx: Trx,
  {
    accountId,
    invoiceId,
    kind,
    publicUrl,
    more = [],
  }: { accountId: number; invoiceId: number; kind: InvoiceMailKind; publicUrl: string; more?: string[] },
): Promise<boolean> {
  const row = await trx
    .selectFrom('invoices')
    .innerJoin('accounts', 'accounts.account_id', 'invoices.account_id')
    .select(['description', 'total_cents', 'paid_cents', 'email_to', 'company_name'])
    .where('invoices.account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const to = await findPayer(trx, accountId, row.email_to);
  if (to === undefined) return false;
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
  await queueMails(trx, [{ ...mail, accountId, userId: to.userId, kind: 'invoice', to: to.email }]);
  await trx
    .updateTable('invoices')
    .set({ emailed_at: now(), email_to: to.email })
    .where('account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .execute();
  return true;
}

/** The address that an invoice is mailed to. An owner who can no longer sign in doesn't get it again: another owner does. */
async function findPayer(
  trx: Trx,
  accountId: number,
  before: string,
): Promise<{ email: string; userId: number | null } | undefined> {
  const owners = await listReachableOwners(trx, accountId);
  const [first] = owners;
  const same = owners.find(({ email }) => email.toLowerCase() === before.toLowerCase());
  if (before !== '' && same === undefined && !(await belongsToUser(trx, accountId, before)))
    return { email: before, userId: first?.user_id ?? null };
  const owner = same ?? first;
  return owner && { email: owner.email, userId: owner.user_id };
}

async function belongsToUser(trx: Trx, accountId: number, email: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return user !== undefined;
}
