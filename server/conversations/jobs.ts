import { asSystem, type Database, type Trx } from '../db.ts';
import { foldCounts } from './fold-counts.ts';
import { indexMessages } from './index-messages.ts';
import { wakeConversations } from './wake-conversations.ts';

export interface ConversationWork {
  /** Each does what waits, until nothing does. */
  wake(): Promise<void>;
  foldCounts(): Promise<void>;
  indexMessages(): Promise<void>;
  /** Begins no further slice; resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** Rows a slice. Each is one transaction: whoever is killed in the middle of one leaves no trace of it. */
const slices = {
  wake: 1_000,
  foldCounts: 10_000,
  // Half a second: eighty trigrams a text.
  indexMessages: 5_000,
} as const;

export function createConversationWork({ database }: { database: Database }): ConversationWork {
  let isStopping = false;
  const running = new Set<Promise<void>>();

  /** Takes slices until one isn't full. Who asks while it runs waits for the same run. */
  function inSlices(take: (trx: Trx, most: number) => Promise<number>, most: number): () => Promise<void> {
    let current: Promise<void> | undefined;
    async function takeAll(): Promise<void> {
      while (!isStopping && (await asSystem(database, (trx) => take(trx, most))) >= most);
    }
    return async () => {
      if (current === undefined) {
        const mine = takeAll().finally(() => {
          current = undefined;
          running.delete(mine);
        });
        current = mine;
        running.add(mine);
      }
      await current;
    };
  }

  return {
    wake: inSlices(wakeConversations, slices.wake),
    foldCounts: inSlices(foldCounts, slices.foldCounts),
    indexMessages: inSlices(indexMessages, slices.indexMessages),
    async stop() {
      isStopping = true;
      await Promise.allSettled(running);
    },
  };
}
