import type { Database } from '../db.ts';

/**
 * The configured limits of each provider: pages use them for estimates, and workers respect them. Zero lines
 * mean that no provider is configured.
 */
export async function setPace(
  database: Database,
  providers: ReadonlySet<number>,
  { lines, startsPerSecond, first }: { lines: number; startsPerSecond: number; first: number | undefined },
): Promise<void> {
  for (const provider of [2, 5, 7]) {
    await database.system
      .updateTable('call_pace')
      .set({
        lines: providers.has(provider) ? lines : 0,
        starts_per_second: startsPerSecond,
        is_first: provider === first,
      })
      .where('provider', '=', provider)
      .execute();
  }
}
