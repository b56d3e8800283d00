import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { keepLivePhone } from './keep-live-phone.ts';

export interface CodeNumber {
  accountId: number;
  textNumberId: number;
  aggregatorId: 2 | 5 | 6;
}

/**
 * The installation's number for codes as a row, so that texts are sent by the same loop; created when first
 * needed.
 */
export async function keepCodeNumber(
  trx: Trx,
  accountId: number,
  { phone, aggregatorId }: { phone: string; aggregatorId: 2 | 5 | 6 },
): Promise<CodeNumber> {
  const find = () =>
    trx
      .selectFrom('text_numbers')
      .select('text_number_id')
      .where('account_id', '=', accountId)
      .where('phone', '=', phone)
      .where('aggregator_id', '=', aggregatorId)
      .where('released_at', 'is', null)
      .executeTakeFirst();
  const before = await find();
  if (before !== undefined) return { accountId, aggregatorId, textNumberId: before.text_number_id };
  await sql`select pg_advisory_xact_lock(${codeNumberLock})`.execute(trx);
  const made = await find();
  if (made !== undefined) return { accountId, aggregatorId, textNumberId: made.text_number_id };
  // The operator has changed the setting: the previous number is released.
  const released = await trx
    .updateTable('text_numbers')
    .set({ released_at: sql`now()`, is_default: false })
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .returning('text_number_id')
    .execute();
  for (const { text_number_id } of released) await keepLivePhone(trx, accountId, text_number_id);
  const row = await trx
    .insertInto('text_numbers')
    .values({
      account_id: accountId,
      phone,
      name: 'Codes',
      registration_status: 'Registered',
      aggregator_id: aggregatorId,
      is_default: true,
    })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  await keepLivePhone(trx, accountId, row.text_number_id);
  return { accountId, aggregatorId, textNumberId: row.text_number_id };
}

const codeNumberLock = 7_316_027;
