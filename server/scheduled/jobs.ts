import { sql } from 'kysely';
import { asAccount, asSystem, type Database, isDatabaseDown, type Trx } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import { endRow, sendDue } from './send-scheduled.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Scheduled texts are due. */
    send_scheduled: Record<string, never>;
  }
}

export function createScheduledJobs(context: JobContext) {
  const work = createScheduledWork(context);
  return {
    tasks: { send_scheduled: work.run },
    waiting: [
      {
        where: sql`exists (
          select from scheduled_conversations where state = 'scheduled' and greatest(start_at, retry_at) <= now())`,
        run: work.run,
      },
    ],
    stop: work.stop,
  } satisfies SliceJobs;
}

interface ScheduledWork {
  /** Sends due texts, until none is left. */
  run(): Promise<void>;
  /** Starts no further one; resolves when the active ones have ended. */
  stop(): Promise<void>;
}

/** Many are for nine o'clock sharp. */
const atOnce = 50;
const lanes = 4;
/** The last try is 17 minutes after the first: by then the database is back, or it is a permanent bug. */
const mostAttempts = 10;

function createScheduledWork({ database, log }: { database: Database; log: Log }): ScheduledWork {
  let isStopping = false;
  let wasNudged = false;
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    do {
      wasNudged = false;
      for (let due = await findDue(database); due.length > 0 && !isStopping; due = await findDue(database)) {
        const tried = await Promise.all(Array.from({ length: lanes }, () => lane(due)));
        // Another worker holds all of them, and will process them.
        if (tried.every((isAny) => !isAny)) return;
      }
    } while (wasNudged && !isStopping);
  }

  async function lane(due: Due[]): Promise<boolean> {
    let isAny = false;
    for (let next = due.shift(); next !== undefined && !isStopping; next = due.shift()) {
      isAny = (await trySend(next)) || isAny;
    }
    return isAny;
  }

  async function trySend({ account_id, scheduled_id }: Due): Promise<boolean> {
    try {
      return await asAccount(database, account_id, (trx) => sendDue(trx, account_id, scheduled_id));
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      log.warn({ err: error, scheduled: scheduled_id }, 'a scheduled text could not be sent');
      await asAccount(database, account_id, (trx) => noteFailure(trx, account_id, scheduled_id));
      return true;
    }
  }

  return {
    async run() {
      wasNudged = true;
      running ??= runAll().finally(() => {
        running = undefined;
      });
      await running;
    },
    async stop() {
      isStopping = true;
      await running?.catch(() => undefined);
    },
  };
}

interface Due {
  account_id: number;
  scheduled_id: number;
}

function findDue(database: Database): Promise<Due[]> {
  return asSystem(database, (trx) =>
    trx
      .selectFrom('scheduled_conversations')
      .select(['account_id', 'scheduled_id'])
      .where('state', '=', 'scheduled')
      .where(sql<boolean>`greatest(start_at, retry_at) <= now()`)
      .orderBy(sql`greatest(start_at, retry_at)`)
      .limit(atOnce)
      .execute(),
  );
}

/** A bug, not a refusal: retried later, twice as long each time. */
async function noteFailure(trx: Trx, accountId: number, scheduledId: number): Promise<void> {
  const row = await trx
    .updateTable('scheduled_conversations')
    .set({
      attempts: sql`attempts + 1`,
      retry_at: sql`now() + (2 ^ (attempts + 1)) * interval '1 second'`,
    })
    .where('account_id', '=', accountId)
    .where('scheduled_id', '=', scheduledId)
    .where('state', '=', 'scheduled')
    .returning('attempts')
    .executeTakeFirst();
  if (row !== undefined && row.attempts >= mostAttempts) {
    await endRow(trx, accountId, scheduledId, { state: 'failed', problem: 'Something went wrong.' });
  }
}
