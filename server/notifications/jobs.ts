import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import { createMailer } from '../outside/mail.ts';
import { firebaseService } from '../outside/push-firebase.ts';
import { webPushService } from '../outside/push-web.ts';
import { getVapidKeys, vapidSubject } from './queries.ts';
import { serverPauseMs } from './rules.ts';
import { sendMails } from './send-mails.ts';
import { sendNotices } from './send-notices.ts';
import { mostPushes, type PushServices, sendPushes } from './send-pushes.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Users who want notifications about unread texts, by mail or text, may be due. */
    send_notices: Record<string, never>;
    /** Mails are ready for the mail server. */
    send_mails: Record<string, never>;
    /** Notifications are ready for browsers. */
    send_pushes: Record<string, never>;
  }
}

export function createNotificationJobs(context: JobContext) {
  const { database } = context;
  const work = createNotificationWork(context);
  return {
    tasks: { send_notices: work.sendNotices, send_mails: work.sendMails, send_pushes: work.sendPushes },
    waiting: [
      {
        where: sql`exists (select from notification_settings where due_at <= now())`,
        run: work.sendNotices,
      },
      {
        where: sql`exists (select from mails where sent_at is null and problem is null)`,
        run: work.sendMails,
      },
      { where: sql`exists (select from push_queue where send_at <= now())`, run: work.sendPushes },
    ],
    async sweep() {
      await sql`delete from mails where created_at < now() - interval '30 days'`.execute(database.system);
    },
    stop: work.stop,
  } satisfies SliceJobs;
}

const noticesAtOnce = 200;
const mailsAtOnce = 40;

interface NotificationWork {
  sendNotices(): Promise<void>;
  sendMails(): Promise<void>;
  sendPushes(): Promise<void>;
  /** Takes nothing more; resolves when active work is recorded. */
  stop(): Promise<void>;
}

/** The loops behind the jobs: each runs until nothing in its table is due. */
function createNotificationWork(context: { config: Config; database: Database; log: Log }): NotificationWork {
  const { config, database, log } = context;
  const mailer = createMailer(config);
  let services: Promise<PushServices> | undefined;
  let failures = 0;
  let restUntilMs = 0;
  let isStopping = false;

  const notices = loop(() => sendNotices({ database, publicUrl: config.PUBLIC_URL }, noticesAtOnce));
  const mails = loop(async () => {
    if (performance.now() < restUntilMs) return false;
    const { claimed, isServerDown } = await sendMails({ database, mailer, log }, mailsAtOnce);
    failures = isServerDown ? failures + 1 : 0;
    if (isServerDown) restUntilMs = performance.now() + serverPauseMs(failures);
    return claimed === mailsAtOnce && !isServerDown;
  });
  const pushes = loop(async () => (await sendPushes(database, openServices, mostPushes)) === mostPushes);

  /** Opened when the first push is waiting: the keys are generated only when they are needed. */
  function openServices(): Promise<PushServices> {
    services ??= createServices(config, database);
    services.catch(() => {
      services = undefined;
    });
    return services;
  }

  /** Runs `step` until it returns that nothing is left; never twice at once in this process. */
  function loop(step: () => Promise<boolean>) {
    let running: Promise<void> | undefined;
    let wasNudged = false;
    async function run(): Promise<void> {
      do {
        wasNudged = false;
        while (!isStopping && (await step()));
      } while (wasNudged && !isStopping);
    }
    return async () => {
      wasNudged = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      await running;
    };
  }

  return {
    sendNotices: notices,
    sendMails: mails,
    sendPushes: pushes,
    async stop() {
      isStopping = true;
      await Promise.allSettled([notices(), mails(), pushes()]);
      mailer?.close();
      const opened = await services?.catch(() => undefined);
      await Promise.all(Object.values(opened ?? {}).map((service) => service.close()));
    },
  };
}

async function createServices(config: Config, database: Database): Promise<PushServices> {
  const { FIREBASE_SERVICE_ACCOUNT, FIREBASE_BASE_URL } = config;
  return {
    WebPush: webPushService(await getVapidKeys(database, config), vapidSubject(config)),
    ...(FIREBASE_SERVICE_ACCOUNT === undefined
      ? {}
      : { Firebase: firebaseService(FIREBASE_SERVICE_ACCOUNT, FIREBASE_BASE_URL) }),
  };
}
