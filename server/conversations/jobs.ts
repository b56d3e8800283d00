import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { workWaits } from '../work.ts';
import { createConversationChanges } from './change/change-in-slices.ts';
import { wakeConversations } from './change/wake-conversations.ts';
import { foldCounts } from './list/fold-counts.ts';
import { indexMessages } from './list/index-messages.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Snoozed conversations are due. */
    wake_conversations: Record<string, never>;
    /** Changes to the counts of conversations have to be added up. */
    fold_counts: Record<string, never>;
    /** Texts have to be added to the index of words. */
    index_messages: Record<string, never>;
  }
}

export function createConversationJobs(context: JobContext) {
  const work = createConversationWork(context);
  const changes = createConversationChanges(context);
  return {
    tasks: {
      do_work: changes.run,
      wake_conversations: work.wake,
      fold_counts: work.foldCounts,
      index_messages: work.indexMessages,
    },
    waiting: [
      { where: workWaits, run: changes.run },
      { where: sql`exists (select from conversations where snoozed_until <= now())`, run: work.wake },
      { where: sql`exists (select from conversation_count_changes)`, run: work.foldCounts },
      { where: sql`exists (select from message_search_queue)`, run: work.indexMessages },
    ],
    async stop() {
      await Promise.all([work.stop(), changes.stop()]);
    },
  } satisfies SliceJobs;
}

export interface ConversationWork {
  /** Each processes waiting rows until none is left. */
  wake(): Promise<void>;
  foldCounts(): Promise<void>;
  indexMessages(): Promise<void>;
  /** Starts no further slice; resolves when the active ones have ended. */
  stop(): Promise<void>;
}

/** Rows per slice. Each is one transaction: a kill midway leaves no trace of it. */
const slices = {
  wake: 1_000,
  foldCounts: 10_000,
  // Half a second: eighty trigrams per text.
  indexMessages: 5_000,
} as const;

export function createConversationWork({ database }: { database: Database }): ConversationWork {
  let isStopping = false;
  const running = new Set<Promise<void>>();

  /** Processes slices until one isn't full. A caller during a run waits for the same run. */
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
