import { sql } from 'kysely';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { runOnce } from '../run-once.ts';
import { createTrouble } from '../trouble.ts';
import { applyInbound } from './apply-inbound.ts';
import { sweepHeard } from './store-heard.ts';
import { closeParts, hasOldParts } from './store-parts.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Inbound texts have to be added to their conversations. */
    apply_inbound: Record<string, never>;
  }
}

/** Large enough for speed, small enough to stop soon. */
const inboundAtOnce = 500;

export function createInboundJobs({ database, carriers, log, metrics }: JobContext) {
  const broughtTwice = createTrouble(
    log,
    'Two carriers brought the same text: it is shown once. Check which numbers both of them carry.',
  );
  const { run, stop } = runOnce(async () => {
    const taken = await applyInbound(database, inboundAtOnce, {
      tellOfTwice: broughtTwice.tell,
      hasOneCarrier: carriers.size === 1,
    });
    metrics.inboundApplied.inc(taken);
    return taken === inboundAtOnce;
  });
  return {
    tasks: { apply_inbound: run },
    waiting: [
      { where: sql`exists (select from carrier_inbound where problem is null)`, run },
      { where: hasOldParts, run: () => closeParts(database) },
    ],
    sweep: () => sweepHeard(database),
    problems: broughtTwice.problem,
    stop,
  } satisfies SliceJobs;
}
