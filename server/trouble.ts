import type { Log } from './log.ts';

/** Time that it is reported after it last occurred. */
const toldMs = 3_600_000;

export interface Trouble {
  /** Records that it happened this many times. */
  tell(times: number): void;
  /** The message on /readyz. */
  problem(): string[];
}

/**
 * Events that should not happen and did, without stopping any work: a line in the log, and an hour on
 * /readyz.
 */
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
