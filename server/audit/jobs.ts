import { asSystem } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { sealEvents } from './seal-events.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Events since the last seal are waiting to be sealed. */
    seal_events: Record<string, never>;
  }
}

const eventsAtOnce = 5_000;
/** At most this many a minute: the rest wait for the next run, so that other jobs get their turn. */
const sealsAtOnce = 100;

export function createAuditJobs({ database, log }: JobContext) {
  return {
    tasks: {
      async seal_events() {
        for (let turn = 0; turn < sealsAtOnce; turn += 1) {
          const seal = await asSystem(database, (trx) => sealEvents(trx, eventsAtOnce));
          if (seal === undefined) return;
          // A copy of this log elsewhere proves later that the chain was not rebuilt.
          log.info(
            { seal: seal.sealId, events: seal.count, hash: seal.hash.toString('hex') },
            'events sealed',
          );
          if (seal.count < eventsAtOnce) return;
        }
      },
    },
    cron: ['* * * * * seal_events'],
  } satisfies SliceJobs;
}
