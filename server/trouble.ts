import type { Log } from './log.ts';

/** How long it is spoken of after it was last seen. */
const toldMs = 3_600_000;

export interface Trouble {
  /** It happened, so many times. */
  tell(times: number): void;
  /** What /readyz says of it. */
  problem(): string[];
}

/** What should not happen and did, without keeping anything from working: a line in the log, and an hour on /readyz. */
export function createTrouble(log: Log, sentence: string): Trouble {
  let atMs = Number.NEGATIVE_INFINITY;
  return {
    tell(times) {
      if (times === 0) return;
      atMs = performance.now();
      log.warn({ times }, sentence);
    },
    problem: () => (performance.now() - atMs < toldMs ? [sentence] : []),
  };
}
