import { asSystem, type Database } from '../db.ts';
import { listLeavingNumbers, recordReleased } from '../numbers/release-text-number.ts';
import type { Providers } from '../outside/providers.ts';

const atOnce = 20;

/**
 * Releases numbers at the provider whose grace period is over. A failed release is retried next time, and
 * doesn't delay others. If a response is lost, the next try learns that the number isn’t ours any more, which
 * is just as good.
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
      // A number from before we bought any has no key: only our own tables change.
      const isGone = number.provider_key === '' || (await provider?.release(number.provider_key)) === true;
      if (isGone) await asSystem(database, (trx) => recordReleased(trx, number));
      last = number.text_number_id;
    }
    if (leaving.length < atOnce) return;
  }
}
