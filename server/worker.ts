import { setTimeout as delay } from 'node:timers/promises';
import { parseCrontab, type Runner, run, type TaskList, Logger as WorkerLogger } from 'graphile-worker';
import { completeBroadcasts } from './broadcasts/complete-broadcasts.ts';
import { createRepeatWork } from './broadcasts/run-repeating.ts';
import { sampleBroadcasts } from './broadcasts/sample-broadcasts.ts';
import type { Config } from './config.ts';
import { createPhoneLookups } from './consents/jobs.ts';
import { createContactIndexing } from './contacts/index-contacts.ts';
import { createContactWork } from './contacts/jobs.ts';
import { sweepDeletedGroups } from './contacts/sweep-deleted-groups.ts';
import { sweepKnownWords } from './contacts/sweep-known-words.ts';
import { createConversationChanges } from './conversations/change-in-slices.ts';
import { createConversationWork } from './conversations/jobs.ts';
import { type Database, openOwnerPool } from './db.ts';
import { createRecipientWork } from './drafts/jobs.ts';
import { createMergeWork } from './drafts/merge-draft.ts';
import { sweepDeletedDrafts } from './drafts/sweep-deleted-drafts.ts';
import type { FileStore } from './files.ts';
import { findWaiting, type Place } from './find-waiting.ts';
import { sweepOldFiles } from './imports/clear-files.ts';
import { createFileWork } from './imports/jobs.ts';
import { cronLines, type TaskName, type Tasks } from './jobs.ts';
import type { Log } from './log.ts';
import { fetchInboundMedia, resumeInboundMedia } from './media/fetch-inbound-media.ts';
import { createPictureJudge } from './media/judge-pictures.ts';
import type { OwnReceipt } from './messages/apply-receipts.ts';
import { createMessageWork, type MessageWork } from './messages/jobs.ts';
import type { Metrics } from './metrics.ts';
import { createNotificationWork } from './notifications/jobs.ts';
import type { Carrier } from './outside/carrier.ts';
import { createScheduledWork } from './scheduled/jobs.ts';
import { sweepOldRows } from './sweep-old-rows.ts';

export interface WorkerContext {
  config: Config;
  database: Database;
  carriers: Map<number, Carrier>;
  files: FileStore;
  log: Log;
  metrics: Metrics;
}

export interface Worker {
  /** Does this task's work now, without a job; false once it stops. */
  apply(task: 'apply_receipts' | 'apply_inbound'): boolean;
  /** Applies receipts now; false when they have to be stored. */
  takeReceipts(receipts: OwnReceipt[]): Promise<boolean>;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** How often the tables are looked at without a nudge: what a lost job would have done is done then. */
const lookMs = 1_000;
const concurrency = 8;
/** How long the job engine may take to end, once it has begun to. */
const endMs = 5_000;

export interface BoundTasks {
  tasks: TaskList;
  work: MessageWork;
  /** Does whatever waits in the tables, job or no job. */
  look(): Promise<void>;
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Every task bound to what runs it. */
export function createTasks(context: WorkerContext): BoundTasks {
  const { config, database } = context;
  const work = createMessageWork({
    ...context,
    publicUrl: config.PUBLIC_URL,
    lanes: config.SEND_LANES,
    slice: config.SEND_SLICE,
  });
  const contactWork = createContactWork(context);
  const judgePictures = createPictureJudge(context);
  const conversationChanges = createConversationChanges(context);
  const contactIndexing = createContactIndexing(context);
  const fileWork = createFileWork(context);
  const notifications = createNotificationWork(context);
  const conversationWork = createConversationWork(context);
  const scheduledWork = createScheduledWork(context);
  const repeatWork = createRepeatWork(context);
  const recipientWork = createRecipientWork(context);
  const mergeWork = createMergeWork(context);
  const tasks: { [Name in TaskName]: (payload: Tasks[Name]) => Promise<void> } = {
    send_messages: () => work.send(),
    apply_receipts: () => work.applyReceipts(),
    apply_inbound: () => work.applyInbound(),
    fetch_inbound_media: (payload) => fetchInboundMedia(context, payload),
    do_work: async () => {
      await Promise.all([contactWork.run(), conversationChanges.run(), recipientWork.run()]);
    },
    index_contacts: () => contactIndexing.run(),
    look_up_phones: createPhoneLookups(context),
    advance_files: () => fileWork.advance(),
    wake_conversations: () => conversationWork.wake(),
    fold_counts: () => conversationWork.foldCounts(),
    index_messages: () => conversationWork.indexMessages(),
    send_notices: () => notifications.sendNotices(),
    send_mails: () => notifications.sendMails(),
    send_pushes: () => notifications.sendPushes(),
    send_scheduled: () => scheduledWork.run(),
    repeat_broadcasts: () => repeatWork.run(),
    classify_media: judgePictures,
    merge_drafts: () => mergeWork.run(),
    sweep_old_rows: async () => {
      await sweepOldRows(database);
      await sweepDeletedGroups(database);
      await sweepKnownWords(database);
      await sweepOldFiles(context);
      await sweepDeletedDrafts(database);
    },
  };
  const looks: Record<Place, (() => Promise<void>)[]> = {
    texts: [work.send],
    receipts: [work.applyReceipts],
    inbound: [work.applyInbound],
    broadcasts: [() => completeBroadcasts(database), () => sampleBroadcasts(database)],
    pictures: [judgePictures],
    work: [contactWork.run, conversationChanges.run, recipientWork.run],
    contactWords: [contactIndexing.run],
    files: [fileWork.advance],
    scheduled: [scheduledWork.run],
    repeating: [repeatWork.run],
    merges: [mergeWork.run],
    notices: [notifications.sendNotices],
    mails: [notifications.sendMails],
    pushes: [notifications.sendPushes],
    snoozed: [conversationWork.wake],
    counts: [conversationWork.foldCounts],
    messageWords: [conversationWork.indexMessages],
  };
  return {
    tasks: tasks as unknown as TaskList,
    work,
    async look() {
      const waiting = await findWaiting(database);
      await Promise.all(waiting.flatMap((place) => looks[place]).map((run) => run()));
    },
    async stop() {
      await Promise.all([
        scheduledWork.stop(),
        repeatWork.stop(),
        recipientWork.stop(),
        mergeWork.stop(),
        work.stop(),
        contactWork.stop(),
        conversationChanges.stop(),
        contactIndexing.stop(),
        fileWork.stop(),
        notifications.stop(),
        conversationWork.stop(),
      ]);
    },
  };
}

/**
 * The worker process. Jobs are nudges that commit with the rows they speak of; the rows are the truth.
 * A job that a killed process held stays locked for hours, so nothing relies on it: the look every
 * second picks up whatever waits, and leases on texts run out in seconds.
 */
export async function startWorker(context: WorkerContext): Promise<Worker> {
  const { database, log, metrics } = context;
  const { work, tasks, look, stop } = createTasks(context);

  let isStopping = false;
  let runner: Runner | undefined;

  /** Runs the job engine; should it end by itself (the database went away), it is started again. */
  async function keepRunning(): Promise<void> {
    while (!isStopping) {
      const pool = openOwnerPool(database.url, concurrency + 2, () => undefined);
      try {
        await resumeInboundMedia(database);
        runner = await run({
          pgPool: pool,
          // In batches, because one by one nobody awaits them: a connection that broke would end the process.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          taskList: tasks,
          parsedCronItems: parseCrontab(cronLines.join('\n')),
          concurrency,
          noHandleSignals: true,
          pollInterval: 2_000,
          logger: workerLogger(log, metrics),
        });
        const ended = untilEnded(runner);
        // Asked to stop while it was starting.
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

  const timer = setInterval(() => {
    look().catch((error) => log.debug({ err: error }, 'look at the tables failed'));
  }, lookMs);

  return {
    apply(task) {
      if (isStopping) return false;
      const applied = task === 'apply_receipts' ? work.applyReceipts() : work.applyInbound();
      applied.catch((error) => log.debug({ err: error }, 'applying failed; the next look tries again'));
      return true;
    },
    takeReceipts: (receipts) => work.takeReceipts(receipts),
    isRunning: () => runner !== undefined,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await Promise.all([stop(), runner?.stop().catch(() => undefined)]);
      await running;
    },
  };
}

/**
 * Resolves when the job engine has ended. When the database cuts its connections at the wrong moment it shuts down and
 * never says that it has: so some seconds after it began to it is taken for ended, and another is started.
 */
async function untilEnded({ promise, events }: Runner): Promise<void> {
  const isEnding = new Promise<void>((resolve) => {
    for (const name of ['stop', 'pool:gracefulShutdown', 'pool:forcefulShutdown'] as const) {
      events.once(name, () => resolve());
    }
  });
  await Promise.race([promise, isEnding.then(() => delay(endMs, undefined, { ref: false }))]);
}

/** The job engine's words in our log. A failed try is a warning and is counted; it will be tried again. */
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
