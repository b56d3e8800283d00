import { asSystem, type Database } from '../db.ts';
import { recordReleased, takeLeavingNumbers } from '../numbers/release-text-number.ts';
import type { Providers } from '../outside/providers.ts';

const atOnce = 20;

/**
 * Gives numbers back whose grace is over. The provider is asked while the row is locked: should the answer be lost, the
 * next try hears that the number isn’t ours any more, which is as good.
 */
export async function releaseNumbers({
  database,
  providers,
}: {
  database: Database;
  providers: Providers;
}): Promise<boolean> {
  const leaving = await asSystem(database, (trx) => takeLeavingNumbers(trx, atOnce));
  let released = 0;
  for (const number of leaving) {
    const provider = providers.numbers.get(number.aggregator_id);
    // A number that was here before we bought any has no key: only our own books change.
    const isGone = number.provider_key === '' || (await provider?.release(number.provider_key)) === true;
    if (!isGone) continue;
    await asSystem(database, (trx) => recordReleased(trx, number));
    released += 1;
  }
  return released === atOnce;
}
