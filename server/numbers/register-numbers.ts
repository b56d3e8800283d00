import { sql } from 'kysely';
import type { RegistrationStatus } from '../../contract/states/registration-status.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

export interface RegisteredNumber {
  text_number_id: number;
  phone: string;
  provider_key: string;
  registration_status: RegistrationStatus;
  request_id: number | null;
}

const tollFree = sql`phone ~ '^1(800|833|844|855|866|877|888)'`;

/** The numbers of a kind at a provider: those that a registration there covers. */
export async function listNumbersToRegister(
  trx: Trx,
  { accountId, aggregatorId, kind }: { accountId: number; aggregatorId: number; kind: 'Local' | 'TollFree' },
): Promise<RegisteredNumber[]> {
  const { rows } = await sql<RegisteredNumber>`
    select text_number_id, phone, provider_key, registration_status, request_id from text_numbers
    where account_id = ${accountId} and aggregator_id = ${aggregatorId} and released_at is null
      and (${tollFree}) = ${kind === 'TollFree'}
    order by text_number_id`.execute(trx);
  return rows;
}

/** Whichever provider it is from. */
export async function hasTollFreeNumber(trx: Trx, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from text_numbers where account_id = ${accountId} and released_at is null and ${tollFree} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Stores the registry's answer. `perMinute`: the pace it grants; null leaves the pace as it is. */
export async function registerNumbers(
  trx: Trx,
  accountId: number,
  textNumberIds: readonly number[],
  to: { status: RegistrationStatus; requestId: number | null; perMinute?: number | null },
): Promise<void> {
  if (textNumberIds.length === 0) return;
  await sql`
    update text_numbers
    set registration_status = ${to.status}, request_id = ${to.requestId},
      per_minute = coalesce(${to.perMinute ?? null}::integer, per_minute)
    where account_id = ${accountId} and text_number_id = any(${[...textNumberIds]}::bigint[])`.execute(trx);
  await notify(trx, accountId, [{ type: 'textnumbers.changed' }]);
}
