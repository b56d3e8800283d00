import type { Selectable } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { ChargeReply } from '../../contract/purchases.ts';
import type { Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';

export type Charge = Omit<Selectable<DB['charges']>, 'state'> & {
  state: 'open' | 'action' | 'paid' | 'failed';
};
export type CardRow = Selectable<DB['cards']>;

export function findCard(trx: Trx, accountId: number): Promise<CardRow | undefined> {
  return trx.selectFrom('cards').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export function toCreditCard(card: CardRow) {
  return {
    NumberMasked: `************${card.last_four}`,
    ExpirationDate: expirationOf(card),
    BillingAddress1: card.address,
    BillingCity: card.city,
    BillingState: card.state,
    BillingZipCode: card.zip_code,
    FirstName: card.first_name,
    LastName: card.last_name,
    Brand: card.brand,
    LastFour: card.last_four,
  };
}

/** The first day of the month in which a card expires. */
export function expirationOf(card: { expires_month: number; expires_year: number }): string {
  return `${card.expires_year}-${String(card.expires_month).padStart(2, '0')}-01`;
}

export async function getCharge(trx: Trx, accountId: number, chargeId: number): Promise<Charge> {
  const charge = await trx
    .selectFrom('charges')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();
  if (charge === undefined) throw new Refusal('notFound');
  return charge as Charge;
}

const statuses = { open: 'Pending', action: 'Action', paid: 'Paid', failed: 'Failed' } as const;

const stillPending =
  'The card processor has not answered yet. You will not be charged twice: look at your billing page in a minute.';

export async function toChargeReply(trx: Trx, charge: Charge, clientSecret?: string): Promise<ChargeReply> {
  const receipt = await trx
    .selectFrom('invoices')
    .select('invoice_id')
    .where('account_id', '=', charge.account_id)
    .where('charge_id', '=', charge.charge_id)
    .executeTakeFirst();
  return {
    ChargeID: charge.charge_id,
    ChargeType: charge.charge_type,
    Status: statuses[charge.state],
    Amount: charge.amount_cents / 100,
    SalesTax: charge.tax_cents / 100,
    TotalAmount: charge.total_cents / 100,
    InvoiceID: charge.invoice_id ?? receipt?.invoice_id ?? null,
    ClientSecret: charge.state === 'action' ? (clientSecret ?? null) : null,
    Message: charge.state === 'open' ? stillPending : charge.failure_message,
  };
}
