import { asSystem, type Database } from '../db.ts';
import { listLeavingNumbers, recordReleased } from '../numbers/release-text-number.ts';
import type { Providers } from '../outside/providers.ts';

const atOnce = 20;

/**
 * Gives numbers back whose grace is over. One that the provider doesn't take back now is tried again next time, and holds
 * up no other. Should an answer be lost, the next try hears that the number isn’t ours any more, which is as good.
 */
export async function releaseNumbers({
  database,
  providers,
}: {
  database: Database;
  providers: Providers;
}): Promise<void> {
  for (let last = 0; ; ) {
    const leaving = await asSystem(database, (trx) => listLeavingNumbers(trx, atOnce, last));
    for (const number of leaving) {
      const provider = providers.numbers.get(number.aggregator_id);
      // A number that was here before we bought any has no key: only our own books change.
      const isGone = number.provider_key === '' || (await provider?.release(number.provider_key)) === true;
      if (isGone) await asSystem(database, (trx) => recordReleased(trx, number));
      last = number.text_number_id;
    }
    if (leaving.length < atOnce) return;
  }
}
