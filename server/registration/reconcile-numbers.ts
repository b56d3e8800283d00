import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { findLostOrder, recordBought } from '../numbers/order-number.ts';
import type { ProviderNumber } from '../outside/number-provider.ts';
import type { Providers } from '../outside/providers.ts';

/**
 * Compares our text numbers with those that are ours at each provider. If we pay for a number whose order was
 * given up, it is added as ordered; every other difference is recorded in number_differences for the
 * operator.
 */
export async function reconcileNumbers({
  database,
  providers,
  log,
}: {
  database: Database;
  providers: Providers;
  log: Log;
}): Promise<void> {
  for (const provider of providers.numbers.values()) {
    const owned = await provider.listOwned();
    if (owned === undefined) continue;
    const differences = await asSystem(database, (trx) => compare(trx, provider.aggregatorId, owned));
    if (differences > 0)
      log.warn(
        { aggregatorId: provider.aggregatorId, differences },
        'numbers differ from the provider’s: see the table number_differences',
      );
  }
}

async function compare(trx: Trx, aggregatorId: number, owned: ProviderNumber[]): Promise<number> {
  const phones = owned.map(({ phone }) => phone);
  const { rows: unknown } = await sql<{ phone: string }>`
    select p.phone from unnest(${phones}::text[]) p(phone)
    where not exists (select from text_numbers n where n.phone = p.phone and n.released_at is null)`.execute(
    trx,
  );
  const notOurs: string[] = [];
  for (const { phone } of unknown) {
    const number = owned.find((each) => each.phone === phone);
    const lost = await findLostOrder(trx, aggregatorId, phone);
    if (number !== undefined && lost !== undefined) await recordBought(trx, lost, number);
    else notOurs.push(phone);
  }
  // Numbers without a key existed before: their account at the provider was never managed by us.
  const { rows: missing } = await sql<{ phone: string }>`
    select phone from text_numbers
    where aggregator_id = ${aggregatorId} and released_at is null and provider_key <> ''
      and phone <> all(${phones}::text[])`.execute(trx);
  await sql`delete from number_differences where aggregator_id = ${aggregatorId}`.execute(trx);
  const found = [
    ...notOurs.map((phone) => ({ phone, problem: 'not ours' as const })),
    ...missing.map(({ phone }) => ({ phone, problem: 'not at the provider' as const })),
  ];
  if (found.length > 0)
    await trx
      .insertInto('number_differences')
      .values(found.map((each) => ({ aggregator_id: aggregatorId, ...each })))
      .execute();
  return found.length;
}
