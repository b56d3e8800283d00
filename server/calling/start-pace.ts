import { setTimeout as delay } from 'node:timers/promises';
import { firstGuard, startGuard } from '../calls/rules.ts';

/**
 * Lets requests for calls go to a provider, never more in any second than its pace. Starts are assigned far enough apart
 * (claim-calls.ts), but a slow statement or a busy process makes some late, and they would go together with the next ones.
 */
export interface StartPace {
  /** The most in a second. It may change while calls wait for their turn. */
  set(perSecond: number): void;
  /** The first moment at which one more may go, after those that wait for their turn already. */
  freeAtMs(): number;
  /** Resolves when it may go, in the order in which they asked, and counts it. */
  turn(): Promise<void>;
}

export function createStartPace(): StartPace {
  /** Times when the last ones went, as many as may go within the window. */
  const gone: number[] = [];
  let most = 1;
  let secondMs = 0;
  let waiting = 0;
  let sent = 0;
  let turns = Promise.resolve();

  /** One may go when the one that went `most` before it is a window ago. */
  function freeAfter(ahead: number): number {
    const before = gone[Math.min(gone.length - 1, gone.length - most + ahead)];
    const guard = sent + ahead < 4 * most ? firstGuard : startGuard;
    return before === undefined ? 0 : before + (1 + guard) * secondMs;
  }

  async function waitForTurn(): Promise<void> {
    for (;;) {
      const waitMs = freeAfter(0) - performance.now();
      if (waitMs <= 0) break;
      await delay(Math.ceil(waitMs));
    }
    waiting -= 1;
    sent += 1;
    gone.push(performance.now());
    while (gone.length > most) gone.shift();
  }

  return {
    set(perSecond) {
      if (perSecond <= 0) return;
      most = Math.max(1, Math.floor(perSecond));
      secondMs = (1000 * most) / perSecond;
    },
    freeAtMs: () => freeAfter(waiting),
    turn() {
      waiting += 1;
      turns = turns.then(waitForTurn);
      return turns;
    },
  };
}
