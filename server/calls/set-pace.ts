import type { Database } from '../db.ts';

/** What the settings say of each provider: pages reckon with it, and workers hold to it. Without lines none is set up. */
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
