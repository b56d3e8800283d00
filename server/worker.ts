import { setTimeout as delay } from 'node:timers/promises';
import { parseCrontab, type Runner, run, type TaskList, Logger as WorkerLogger } from 'graphile-worker';
import { createAuditJobs } from './audit/jobs.ts';
import { createAuthJobs } from './auth/jobs.ts';
import { getSecret } from './auth/queries.ts';
import { createBroadcastJobs } from './broadcasts/jobs.ts';
import { createCallingJobs } from './calling/jobs.ts';
import { createConsentJobs } from './consents/jobs.ts';
import { createContactJobs } from './contacts/jobs.ts';
import { createConversationJobs } from './conversations/jobs.ts';
import { openOwnerPool } from './db.ts';
import { sweepEvents } from './event-partitions.ts';
import { findWaiting } from './find-waiting.ts';
import { createImportJobs } from './imports/jobs.ts';
import { createInboundJobs } from './inbound/jobs.ts';
import { createIntegrationJobs } from './integrations/jobs.ts';
import type { JobContext, SliceJobs, TaskName } from './jobs.ts';
import type { Log } from './log.ts';
import { resumeInboundMedia } from './media/fetch-inbound-media.ts';
import { createMediaJobs } from './media/jobs.ts';
import { signLinksWith } from './media-links.ts';
import type { Metrics } from './metrics.ts';
import { createNotificationJobs } from './notifications/jobs.ts';
import { createOnboardingJobs } from './onboarding/jobs.ts';
import { createPurchaseJobs } from './purchases/jobs.ts';
import { createRegistrationJobs } from './registration/jobs.ts';
import { createReplyJobs } from './replies/jobs.ts';
import { createReportJobs } from './reports/jobs.ts';
import { createScheduledJobs } from './scheduled/jobs.ts';
import { createSendingJobs, type SendingWork } from './sending/jobs.ts';
import { sweepOldRows } from './sweep-old-rows.ts';
import type { OwnReceipt } from './texts/apply-receipts.ts';
import { inJob } from './trace.ts';
import { createWebhookJobs } from './webhooks/jobs.ts';

export interface Worker {
  /** Runs this task's work now, without a job; false once it stops. */
  apply(task: 'apply_receipts' | 'apply_inbound'): boolean;
  /** Applies receipts now; false when they have to be stored. */
  takeReceipts(receipts: OwnReceipt[]): Promise<boolean>;
  isRunning(): boolean;
  /** Messages about everything that it can't do at the moment. */
  problems(): string[];
  stop(): Promise<void>;
}

/** Interval at which the tables are checked without a job: a lost job's work is done then. */
const lookMs = 1_000;
const concurrency = 8;
/** Time that the job engine may take to end, once it has started to. */
const endMs = 5_000;

export interface BoundTasks {
  tasks: TaskList;
  cron: string[];
  sending: SendingWork;
  applyInbound(): Promise<void>;
  /** Processes everything that waits in the tables, with or without a job. */
  look(): Promise<void>;
  /** Deletes rows that no slice needs any more. */
  sweep(): Promise<void>;
  problems(): string[];
  /** Starts nothing more; resolves when active work has ended. */
  stop(): Promise<void>;
}

/** The jobs of every slice. A new slice adds its line here. */
function createSlices(context: JobContext) {
  return {
    auth: createAuthJobs(context),
    audit: createAuditJobs(context),
    registration: createRegistrationJobs(context),
    consents: createConsentJobs(context),
    contacts: createContactJobs(context),
    media: createMediaJobs(context),
    conversations: createConversationJobs(context),
    replies: createReplyJobs(context),
    scheduled: createScheduledJobs(context),
    imports: createImportJobs(context),
    broadcasts: createBroadcastJobs(context),
    onboarding: createOnboardingJobs(context),
    reports: createReportJobs(context),
    notifications: createNotificationJobs(context),
    purchases: createPurchaseJobs(context),
    webhooks: createWebhookJobs(context),
    integrations: createIntegrationJobs(context),
    inbound: createInboundJobs(context),
    sending: createSendingJobs(context),
    calling: createCallingJobs(context),
  };
}

type Slices = ReturnType<typeof createSlices>;
type NamesOf<Slice> = Slice extends { tasks: infer Bound } ? keyof Bound : never;
type Run = (payload: unknown) => Promise<void>;
type BoundName = { [Name in keyof Slices]: NamesOf<Slices[Name]> }[keyof Slices];

/** Every task with the functions that run it. */
export function createTasks(context: JobContext): BoundTasks {
  const slices = createSlices(context);
  const all: SliceJobs[] = Object.values(slices);
  const waiting = all.flatMap((slice) => slice.waiting ?? []);
  const sweep = async () => {
    await sweepOldRows(context.database);
    await sweepEvents(context.database, context.config.EVENT_MONTHS);
    for (const slice of all) await slice.sweep?.();
  };
  return {
    // A task that a slice declares and nobody binds does not compile.
    tasks: { ...joinTasks(all), sweep_old_rows: sweep } satisfies Record<TaskName, Run>,
    cron: ['17 3 * * * sweep_old_rows', ...all.flatMap((slice) => slice.cron ?? [])],
    sending: slices.sending.work,
    applyInbound: slices.inbound.tasks.apply_inbound,
    async look() {
      const found = await findWaiting(
        context.database,
        waiting.map(({ where }) => where),
      );
      await Promise.all(found.map((index) => inJob('look', async () => waiting[index]?.run())));
    },
    sweep,
    problems: () => all.flatMap((slice) => slice.problems?.() ?? []),
    async stop() {
      await Promise.all(all.map((slice) => slice.stop?.()));
    },
  };
}

/** Slices that bind the same name all run. */
function joinTasks(all: SliceJobs[]): Record<BoundName, Run> {
  const runs = new Map<string, Run[]>();
  for (const [name, run] of all.flatMap((slice) => Object.entries(slice.tasks ?? {}))) {
    runs.set(name, [...(runs.get(name) ?? []), run as Run]);
  }
  return Object.fromEntries(
    [...runs].map(([name, each]) => [
      name,
      async (payload: unknown) => {
        await inJob(name, () => Promise.all(each.map((run) => run(payload))));
      },
    ]),
  ) as Record<BoundName, Run>;
}

/**
 * The worker process. Jobs are wake-ups that commit with their rows; the rows are the source of truth. A job
 * held by a killed process stays locked for hours, so nothing relies on it: the check every second finds
 * everything that waits, and leases on texts expire in seconds.
 */
export async function startWorker(context: JobContext): Promise<Worker> {
  const { database, log, metrics } = context;
  signLinksWith(await getSecret(database));
  const { sending, applyInbound, tasks, cron, look, problems, stop } = createTasks(context);

  let isStopping = false;
  let runner: Runner | undefined;

  /** Runs the job engine; if it ends by itself (the database went away), it is started again. */
  async function keepRunning(): Promise<void> {
    while (!isStopping) {
      const pool = openOwnerPool(database.url, concurrency + 2, () => undefined);
      try {
        await resumeInboundMedia(database);
        runner = await run({
          pgPool: pool,
          // In batches, because nobody awaits single ones: a connection that broke would end the process.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          taskList: tasks,
          parsedCronItems: parseCrontab(cron.join('\n')),
          concurrency,
          noHandleSignals: true,
          pollInterval: 2_000,
          logger: workerLogger(log, metrics),
        });
        const ended = untilEnded(runner);
        // A stop was requested while it was starting.
        if (isStopping) await runner.stop();
        await ended;
      } catch (error) {
        if (!isStopping) log.warn({ err: error }, 'the job engine stopped; starting it again');
      }
      runner = undefined;
      await Promise.race([pool.end().catch(() => undefined), delay(endMs, undefined, { ref: false })]);
      if (!isStopping) await delay(500);
    }
  }
  const running = keepRunning();

  const lookNow = () => {
    look().catch((error) => log.debug({ err: error }, 'checking the tables failed'));
  };
  // At once: work left behind by the previous process is already waiting.
  lookNow();
  const timer = setInterval(lookNow, lookMs);

  return {
    apply(task) {
      if (isStopping) return false;
      const applied = task === 'apply_receipts' ? sending.applyReceipts() : applyInbound();
      applied.catch((error) => log.debug({ err: error }, 'applying failed; the next check retries it'));
      return true;
    },
    takeReceipts: (receipts) => sending.takeReceipts(receipts),
    isRunning: () => runner !== undefined,
    problems,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await Promise.all([stop(), runner?.stop().catch(() => undefined)]);
      await running;
    },
  };
}

/**
 * Resolves when the job engine has ended. When the database cuts its connections at the wrong moment it shuts
 * down and never reports that: so some seconds after it started to, it is considered ended, and another is
 * started.
 */
async function untilEnded({ promise, events }: Runner): Promise<void> {
  const isEnding = new Promise<void>((resolve) => {
    for (const name of ['stop', 'pool:gracefulShutdown', 'pool:forcefulShutdown'] as const) {
      events.once(name, () => resolve());
    }
  });
  await Promise.race([promise, isEnding.then(() => delay(endMs, undefined, { ref: false }))]);
}

/** The job engine's messages in our log. A failed try is a warning and is counted; it will be tried again. */
function workerLogger(log: Log, metrics: Metrics): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    if (level === 'error') {
      const task = scope.taskIdentifier ?? 'engine';
      metrics.jobsFailed.inc({ task });
      log.warn({ task, job: scope.jobId, err: (meta as { error?: unknown } | undefined)?.error }, message);
    } else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
