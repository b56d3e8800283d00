import { failOverBroadcasts } from '../broadcasts/feed/move-broadcasts.ts';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { Carrier, HandOver } from '../outside/carrier.ts';
import { failOverTexts, findDown, noteCarrier } from '../texts/move-texts.ts';

/** Interval at which it is recorded that a carrier accepts texts. */
const noteEveryMs = 5_000;

/**
 * After this many minutes without a text accepted by a carrier, its numbers use their second one. A text that
 * one carrier may have is never given to another. Once a minute the carrier that is down gets the next texts,
 * as a test.
 */
export function createFailOver(context: {
  database: Database;
  carriers: Map<number, Carrier>;
  log: Log;
  failoverMinutes?: number | undefined;
}) {
  const minutes = context.failoverMinutes ?? 5;
  /** By carrier: the last recorded state, and when. */
  const noted = new Map<number, { isDown: boolean; atMs: number }>();

  return {
    /** The result of a slice shows whether its carrier is up. */
    async note({ aggregatorId }: Carrier, results: HandOver[]): Promise<void> {
      const problem = problemOf(results);
      if (problem === undefined) return;
      const last = noted.get(aggregatorId);
      const isDown = problem !== '';
      const atMs = performance.now();
      if (!isDown && last !== undefined && !last.isDown && atMs - last.atMs < noteEveryMs) return;
      noted.set(aggregatorId, { isDown, atMs });
      await noteCarrier(context.database, aggregatorId, isDown ? problem : undefined);
    },
    /** Moves texts that wait for a carrier that is down to the other one of their number. */
    async run(): Promise<void> {
      const down = await findDown(context.database, minutes);
      if (down.length === 0) return;
      const up = [...context.carriers.keys()].filter((id) => !down.includes(id));
      const broadcasts = await failOverBroadcasts(context.database, down, up);
      const texts = await failOverTexts(context.database, down, up);
      if (texts + broadcasts === 0) return;
      const names = down.map((id) => context.carriers.get(id)?.name ?? String(id));
      context.log.warn(
        { down: names, texts, broadcasts },
        'carrier is down; texts of numbers with a second carrier go through that one',
      );
    },
  };
}

/** Empty if the carrier responded for any text; undefined if these results don't show it. */
function problemOf(results: HandOver[]): string | undefined {
  if (results.some(({ outcome }) => outcome === 'accepted' || outcome === 'refused')) return '';
  const down = results.find(
    (one) => one.outcome === 'doubt' || (one.outcome === 'later' && one.isCarrierDown),
  );
  return down?.outcome === 'doubt' || down?.outcome === 'later' ? down.reason.slice(0, 200) : undefined;
}
