import { sql } from 'kysely';
import { asSystem } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { dueOrders, sweepOrders } from '../numbers/order-number.ts';
import { createProviders, type Providers } from '../outside/providers.ts';
import { advanceRequests, dueRequests } from './advance-requests.ts';
import { reconcileNumbers } from './reconcile-numbers.ts';
import { releaseNumbers } from './release-numbers.ts';
import { settleOrders } from './settle-orders.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Orders of numbers are due: one has to be bought, looked up, or set up. */
    settle_orders: Record<string, never>;
    /** Registrations are due. */
    advance_registrations: Record<string, never>;
    /** The grace period of released numbers is over. */
    release_numbers: Record<string, never>;
    /** Compares our numbers with the providers’. */
    reconcile_numbers: Record<string, never>;
  }
}

export function createRegistrationJobs({ config, database, log }: JobContext) {
  let opened: Providers | undefined;
  const context = () => {
    opened ??= createProviders(config);
    return { database, providers: opened, publicUrl: config.PUBLIC_URL, log };
  };
  const settle = loop(() => settleOrders(context()));
  const advance = loop(() => advanceRequests(context()));
  const release = loop(async () => {
    await releaseNumbers(context());
    return false;
  });
  const reconcile = loop(async () => {
    await reconcileNumbers(context());
    return false;
  });

  return {
    tasks: {
      settle_orders: settle,
      advance_registrations: advance,
      release_numbers: release,
      reconcile_numbers: reconcile,
    },
    cron: ['*/10 * * * * release_numbers', '41 4 * * * reconcile_numbers'],
    waiting: [
      { where: sql`exists (select from number_orders where ${dueOrders})`, run: settle },
      { where: sql`exists (select from registration_requests where ${dueRequests})`, run: advance },
    ],
    sweep: () => asSystem(database, sweepOrders),
    async stop() {
      await Promise.allSettled([settle.ended(), advance.ended(), release.ended(), reconcile.ended()]);
      await opened?.close();
    },
  } satisfies SliceJobs;
}

/** Runs `step` until nothing is left; never twice at once in this process. */
function loop(step: () => Promise<boolean>) {
  let running: Promise<void> | undefined;
  let wasNudged = false;
  let isStopping = false;
  async function run(): Promise<void> {
    do {
      wasNudged = false;
      while (!isStopping && (await step()));
    } while (wasNudged && !isStopping);
  }
  const start = async () => {
    wasNudged = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    await running;
  };
  return Object.assign(start, {
    async ended() {
      isStopping = true;
      await running?.catch(() => undefined);
    },
  });
}
