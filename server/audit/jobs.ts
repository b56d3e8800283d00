import { asSystem } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { sealEvents } from './seal-events.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** What happened since the last seal waits to be sealed. */
    seal_events: Record<string, never>;
  }
}

const eventsAtOnce = 5_000;
/** At most this many a minute: what is left waits for the next one, and other jobs have their turn. */
const sealsAtOnce = 100;

export function createAuditJobs({ database, log }: JobContext) {
  return {
    tasks: {
      async seal_events() {
        for (let turn = 0; turn < sealsAtOnce; turn += 1) {
          const seal = await asSystem(database, (trx) => sealEvents(trx, eventsAtOnce));
          if (seal === undefined) return;
          // A log that is kept elsewhere proves later that the chain was not made again.
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
