import type { Insertable } from 'kysely';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';

export type NewInvoice = Omit<Insertable<DB['invoices']>, 'invoice_id' | 'created_at'>;

/** Inserts an invoice; the caller decides whether it is paid and delivered. */
export async function writeInvoice(trx: Trx, invoice: NewInvoice, at: Date = now()): Promise<number> {
  const { invoice_id } = await trx
    .insertInto('invoices')
    .values({ ...invoice, created_at: at })
    .returning('invoice_id')
    .executeTakeFirstOrThrow();
  return invoice_id;
}
