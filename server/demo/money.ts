import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { formatCents } from '../../contract/money/cents.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { postMoney } from '../billing/post-money.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { taxOfPayment } from '../invoices/rules.ts';
import { writeInvoice } from '../invoices/write-invoice.ts';
import { openStripeLine, type StripeLine } from '../outside/stripe-line.ts';

/** The district's purchases: 10,800 at 3.5¢ and 6,500 at 4¢, with Tennessee's 9.25%. */
const purchases = [
  { days: 49, credits: 6_500, unitCost: 0.04, amountCents: 26_000, taxCents: 2_405 },
  { days: 15, credits: 10_800, unitCost: 0.035, amountCents: 37_800, taxCents: 3_497 },
] as const;
const taxLabel = 'Tennessee 9.25%';
const dayMs = 86_400_000;

/** Credits bought in the demo. */
export const boughtCredits = purchases.reduce((sum, { credits }) => sum + credits, 0);

const address = {
  address1: 'Harlow Creek School District',
  address2: 'Accounts Payable',
  address3: '410 Mill Street',
  address4: 'Suite 200',
  city: 'Chattanooga',
  state: 'TN',
  postal_code: '37402',
};
const billTo = [
  address.address1,
  address.address2,
  address.address3,
  address.address4,
  `${address.city}, ${address.state} ${address.postal_code}`,
];

interface Cast {
  accountId: number;
  ownerId: number;
  adminId: number;
}

/** Purchases with their receipts, a partly paid invoice, a voided one, and the refill setting. */
export async function createMoney(trx: Trx, { accountId, ownerId, adminId }: Cast): Promise<void> {
  const { invoice_address_id } = await trx
    .insertInto('invoice_addresses')
    .values({ account_id: accountId, is_default: true, ...address })
    .returning('invoice_address_id')
    .executeTakeFirstOrThrow();
  const [first, second] = purchases;
  await buy(trx, { accountId, ownerId }, first);
  const common = {
    account_id: accountId,
    is_payg: true,
    terms: 'Due on Receipt',
    tax_label: taxLabel,
    invoice_address_id,
    bill_to: billTo,
    email_to: 'ap@harlowcreek.example',
  };
  const voided = daysAgo(31);
  await writeInvoice(
    trx,
    {
      ...common,
      user_id: adminId,
      description: '18,100 credits',
      number_of_credits: 18_100,
      quantity: 18_100,
      unit_cost: '0.035',
      amount_cents: 63_350,
      tax_cents: 5_860,
      total_cents: 69_210,
      voided_at: daysAgo(30),
      emailed_at: voided,
    },
    voided,
  );
  await buy(trx, { accountId, ownerId }, second);
  await writeOpenInvoice(trx, { ...common, user_id: adminId }, { accountId, adminId });
  await trx
    .insertInto('auto_refills')
    .values({
      account_id: accountId,
      is_enabled: false,
      number_of_credits: 10_800,
      trigger_amount: 5_000,
      user_id: ownerId,
    })
    .execute();
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMs);
}

/** 30,200 credits by purchase order. A check has paid 400 dollars of them. */
async function writeOpenInvoice(
  trx: Trx,
  common: Omit<
    Parameters<typeof writeInvoice>[1],
    'description' | 'amount_cents' | 'tax_cents' | 'total_cents' | 'quantity'
  >,
  { accountId, adminId }: Pick<Cast, 'accountId' | 'adminId'>,
): Promise<void> {
  const created = daysAgo(9);
  const paidCents = 40_000;
  const totalCents = 98_981;
  const taxCents = 8_381;
  const invoiceId = await writeInvoice(
    trx,
    {
      ...common,
      description: '30,200 credits',
      number_of_credits: 30_200,
      quantity: 30_200,
      unit_cost: '0.03',
      amount_cents: totalCents - taxCents,
      tax_cents: taxCents,
      total_cents: totalCents,
      paid_cents: paidCents,
      po_number: '4417',
      additional_notes: 'Spring term. Board approval 26-031.',
      emailed_at: created,
    },
    created,
  );
  const at = daysAgo(8);
  await trx
    .insertInto('invoice_payments')
    .values({
      account_id: accountId,
      invoice_id: invoiceId,
      amount_cents: paidCents,
      method: 'Check 20117',
      user_id: adminId,
      created_at: at,
    })
    .execute();
  const ofTaxCents = taxOfPayment({ total_cents: totalCents, tax_cents: taxCents, paid_cents: 0 }, paidCents);
  await postMoney(trx, {
    accountId,
    invoiceId,
    at,
    note: `Invoice ${invoiceId}`,
    lines: [
      { book: 'bank', amountCents: paidCents },
      { book: 'credits', amountCents: ofTaxCents - paidCents },
      { book: 'tax', amountCents: -ofTaxCents },
    ],
  });
}

/** A purchase by card: the charge, its receipt, its credits and the books. */
async function buy(
  trx: Trx,
  { accountId, ownerId }: Pick<Cast, 'accountId' | 'ownerId'>,
  { days, credits, unitCost, amountCents, taxCents }: (typeof purchases)[number],
): Promise<void> {
  const at = daysAgo(days);
  const description = `${credits.toLocaleString('en-US')} credits`;
  const totalCents = amountCents + taxCents;
  const { charge_id } = await trx
    .insertInto('charges')
    .values({
      account_id: accountId,
      charge_type: 'CreditPurchase',
      state: 'paid',
      lane: 'person',
      card_label: 'Visa ending in 4242',
      description,
      purchase: JSON.stringify({ what: { kind: 'credits', credits, unitCost } }),
      amount_cents: amountCents,
      tax_cents: taxCents,
      tax_label: taxLabel,
      total_cents: totalCents,
      is_attended: true,
      user_id: ownerId,
      created_at: at,
      settled_at: at,
    })
    .returning('charge_id')
    .executeTakeFirstOrThrow();
  const invoiceId = await writeInvoice(
    trx,
    {
      account_id: accountId,
      user_id: ownerId,
      charge_id,
      is_payg: true,
      description,
      number_of_credits: credits,
      quantity: credits,
      unit_cost: String(unitCost),
      amount_cents: amountCents,
      tax_cents: taxCents,
      tax_label: taxLabel,
      total_cents: totalCents,
      paid_cents: totalCents,
      paid_at: at,
      delivered_at: at,
      terms: 'Paid by card',
      bill_to: billTo,
      email_to: 'dana@harlowcreek.example',
      emailed_at: at,
    },
    at,
  );
  await moveCredits(trx, [
    {
      accountId,
      kind: 'purchase',
      credits,
      note: description,
      reference: { kind: 'invoice', ids: [invoiceId] },
      userId: ownerId,
    },
  ]);
  await postMoney(trx, {
    accountId,
    chargeId: charge_id,
    at,
    note: `${description}, ${formatCents(totalCents)}`,
    lines: [
      { book: 'cash', amountCents: totalCents },
      { book: 'tax', amountCents: -taxCents },
      { book: 'credits', amountCents: -amountCents },
    ],
  });
}

const object = z.object({ id: z.string() });
const confirmed = z.object({ payment_method: z.string() });
const cardShape = z.object({ card: z.object({ exp_month: z.number(), exp_year: z.number() }) });

/**
 * The district's card and its two purchases, at the processor that the sandbox simulates: the card can be
 * charged, and the processor's list agrees with the books.
 */
export async function createDemoCard(
  database: Database,
  { sandboxUrl, secretKey }: { sandboxUrl: string; secretKey: string },
): Promise<void> {
  const line = openStripeLine({ baseUrl: sandboxUrl, secretKey, timeoutMs: 25_000 });
  try {
    await fillProcessor(database, line);
  } finally {
    await line.close();
  }
}

async function fillProcessor(database: Database, line: StripeLine): Promise<void> {
  const post = async (path: string, form: Record<string, string>) =>
    object.parse(await line.post(`/v1/${path}`, form, randomUUID())).id;
  const owner = await database.system
    .selectFrom('users')
    .select(['account_id', 'user_id'])
    .where('user_name', '=', 'demo-owner')
    .executeTakeFirstOrThrow();
  const customer = await post('customers', {
    name: 'Harlow Creek Schools',
    email: 'dana@harlowcreek.example',
    'metadata[account]': String(owner.account_id),
  });
  const setup = await post('setup_intents', { customer, 'payment_method_types[0]': 'card' });
  const { payment_method } = confirmed.parse(
    await line.post(`/v1/setup_intents/${setup}/confirm`, { payment_method: 'pm_card_visa' }, randomUUID()),
  );
  const { card } = cardShape.parse(await line.get(`/v1/payment_methods/${payment_method}`));
  const charges = await database.system
    .selectFrom('charges')
    .select(['charge_id', 'total_cents', 'description', 'processor_key'])
    .where('account_id', '=', owner.account_id)
    .orderBy('charge_id')
    .execute();
  const payments: { chargeId: number; id: string }[] = [];
  for (const charge of charges)
    payments.push({
      chargeId: charge.charge_id,
      id: await post('payment_intents', {
        amount: String(charge.total_cents),
        currency: 'usd',
        customer,
        payment_method,
        description: charge.description,
        confirm: 'true',
        off_session: 'true',
        'metadata[account]': String(owner.account_id),
        'metadata[charge]': String(charge.charge_id),
        'metadata[key]': charge.processor_key,
      }),
    });
  await asSystem(database, async (trx) => {
    await trx.insertInto('payers').values({ account_id: owner.account_id, customer_id: customer }).execute();
    await trx
      .insertInto('cards')
      .values({
        account_id: owner.account_id,
        payment_method_id: payment_method,
        brand: 'Visa',
        last_four: '4242',
        expires_month: card.exp_month,
        expires_year: card.exp_year,
        first_name: 'Dana',
        last_name: 'Whitfield',
        address: '410 Mill Street',
        city: 'Chattanooga',
        state: 'TN',
        zip_code: '37402',
        user_id: owner.user_id,
      })
      .execute();
    for (const { chargeId, id } of payments)
      await sql`update charges set payment_id = ${id}, payment_method_id = ${payment_method}
        where account_id = ${owner.account_id} and charge_id = ${chargeId}`.execute(trx);
    await trx
      .updateTable('auto_refills')
      .set({ is_enabled: true })
      .where('account_id', '=', owner.account_id)
      .execute();
  });
}
