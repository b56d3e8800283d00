import { type SelectQueryBuilder, sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Invoice, WholeInvoice } from '../../contract/invoices.ts';
import type { InvoiceStatusCategory } from '../../contract/states/invoice-status.ts';
import type { Trx } from '../db.ts';
import { hasPendingPayment, invoicesIn } from '../reports/queries.ts';
import type { DB } from '../schema.types.ts';
import { categoryOf } from './rules.ts';

type InvoiceQuery<Row> = SelectQueryBuilder<DB, 'invoices', Row>;

const createdBy = sql<string>`coalesce((select u.first_name || ' ' || u.last_name from users u
  where u.account_id = invoices.account_id and u.user_id = invoices.user_id), '')`;

function selectInvoices(trx: Trx, accountId: number) {
  return trx
    .selectFrom('invoices')
    .selectAll('invoices')
    .select([hasPendingPayment.as('hasPending'), createdBy.as('createdBy')])
    .where('invoices.account_id', '=', accountId);
}

type InvoiceRow = Awaited<ReturnType<ReturnType<typeof selectInvoices>['executeTakeFirstOrThrow']>>;

export function toInvoice(row: InvoiceRow): Invoice {
  const moment = (date: Date | null) => date?.toISOString() ?? null;
  return {
    InvoiceID: row.invoice_id,
    Amount: row.amount_cents / 100,
    BalanceDue: row.voided_at === null ? (row.total_cents - row.paid_cents) / 100 : 0,
    GrandTotal: row.total_cents / 100,
    MonthlyFee: row.monthly_fee_cents === null ? null : row.monthly_fee_cents / 100,
    PartialCredits: row.partial_credit_cents / 100,
    SalesTax: row.tax_cents / 100,
    Tax: row.tax_cents / 100,
    InvoiceStatusCategory: categoryOf(row, row.hasPending),
    ChargeTimestamp: row.created_at.toISOString(),
    PoNumber: row.po_number,
    AdditionalNotes: row.additional_notes,
    InvoiceAddressID: row.invoice_address_id,
    AutoRenewInvoices: row.auto_renew,
    IsPayG: row.is_payg,
    AddCreditsToAccount: row.add_credits_to_account,
    SendEmail: row.email_to !== '',
    SubscriptionDuration: row.subscription_duration,
    SubscriptionStartDate: moment(row.subscription_start_at),
    SubscriptionEndDate: moment(row.subscription_end_at),
    MaxPeople: row.max_people,
    NumberOfCredits: row.number_of_credits,
    Terms: row.terms,
    CustomPricing: row.custom_pricing,
    Description: row.description,
    TaxLabel: row.tax_label,
    Quantity: row.quantity,
    UnitCost: row.unit_cost === null ? null : Number(row.unit_cost),
    CreatedBy: row.createdBy,
    BillTo: row.bill_to,
    EmailedTo: row.email_to,
    EmailedDate: moment(row.emailed_at),
  };
}

interface Wanted {
  category?: InvoiceStatusCategory | undefined;
  q?: string;
  between?: { begins: Date | null; ends: Date | null };
}

/** Narrows a query to the wanted invoices of an account. */
function narrow<Row>(query: InvoiceQuery<Row>, { category, q = '', between }: Wanted): InvoiceQuery<Row> {
  const sinceThen = between?.begins ? query.where('created_at', '>=', between.begins) : query;
  const ofDays = between?.ends ? sinceThen.where('created_at', '<', between.ends) : sinceThen;
  const ofCategory = category === undefined ? ofDays : ofDays.where(invoicesIn[category]);
  if (q === '') return ofCategory;
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return ofCategory.where(
    sql<boolean>`(invoice_id::text = ${q} or po_number ilike ${like} or description ilike ${like})`,
  );
}

export async function listInvoices(
  trx: Trx,
  accountId: number,
  { page, pagesize, ...wanted }: Wanted & { page: number; pagesize: number },
): Promise<{ Items: Invoice[]; Size: number }> {
  const rows = await narrow(selectInvoices(trx, accountId), wanted)
    .orderBy('invoice_id', 'desc')
    .limit(pagesize)
    .offset((page - 1) * pagesize)
    .execute();
  const { size } = await narrow(
    trx
      .selectFrom('invoices')
      .select((from) => from.fn.countAll<number>().as('size'))
      .where('invoices.account_id', '=', accountId),
    wanted,
  ).executeTakeFirstOrThrow();
  return { Items: (rows as InvoiceRow[]).map(toInvoice), Size: size };
}

/** The invoices before one, newest first: for a file, whose pages new invoices must not move. */
export async function listInvoicesBefore(
  trx: Trx,
  accountId: number,
  { before, most, ...wanted }: Wanted & { before: number | undefined; most: number },
): Promise<Invoice[]> {
  const query = narrow(selectInvoices(trx, accountId), wanted);
  const rows = await (before === undefined ? query : query.where('invoice_id', '<', before))
    .orderBy('invoice_id', 'desc')
    .limit(most)
    .execute();
  return (rows as InvoiceRow[]).map(toInvoice);
}

export async function getInvoice(trx: Trx, accountId: number, invoiceId: number): Promise<WholeInvoice> {
  const row = await selectInvoices(trx, accountId).where('invoice_id', '=', invoiceId).executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound');
  const payments =
    row.charge_id === null
      ? await listPayments(trx, accountId, invoiceId)
      : await listReceived(trx, accountId, row.charge_id);
  return {
    ...toInvoice(row),
    Payments: payments.map(({ at, Amount, ...payment }) => ({
      ...payment,
      Amount: Amount / 100,
      Date: at.toISOString(),
    })),
  };
}

interface PaymentRow {
  PaymentID: number;
  Amount: number;
  Method: string;
  at: Date;
  By: string;
}

function listPayments(trx: Trx, accountId: number, invoiceId: number): Promise<PaymentRow[]> {
  return trx
    .selectFrom('invoice_payments')
    .leftJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'invoice_payments.account_id')
        .onRef('users.user_id', '=', 'invoice_payments.user_id'),
    )
    .select([
      'invoice_payment_id as PaymentID',
      'amount_cents as Amount',
      'method as Method',
      'invoice_payments.created_at as at',
      sql<string>`coalesce(users.first_name || ' ' || users.last_name, '')`.as('By'),
    ])
    .where('invoice_payments.account_id', '=', accountId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('invoice_payment_id')
    .execute();
}

/** For a receipt: its charge, and the refunded part. */
async function listReceived(trx: Trx, accountId: number, chargeId: number): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select row_number() over (order by place) as "PaymentID", amount_cents as "Amount", method as "Method", at,
      coalesce(u.first_name || ' ' || u.last_name, '') as "By"
    from (
      select 0 as place, c.total_cents as amount_cents, c.card_label as method, coalesce(c.settled_at, c.created_at) as at,
        c.user_id
      from charges c where c.account_id = ${accountId} and c.charge_id = ${chargeId} and c.total_cents > 0
      union all
      select r.refund_id, -r.amount_cents, 'Refund to ' || c.card_label, r.created_at, null
      from refunds r join charges c on c.account_id = r.account_id and c.charge_id = r.charge_id
      where r.account_id = ${accountId} and r.charge_id = ${chargeId}) p
    left join users u on u.account_id = ${accountId} and u.user_id = p.user_id
    order by place`.execute(trx);
  return rows;
}
