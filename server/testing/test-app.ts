import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, runOnce } from 'graphile-worker';
import { sql } from 'kysely';
import type { CallDefinition, CallInput, Reply } from '../../contract/call.ts';
import { pathOf, prefixOf, queryOf } from '../../contract/call-address.ts';
import { type ErrorBody, errorBody } from '../../contract/error-body.ts';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { type Database, openDatabase, openOwnerPool } from '../db.ts';
import type { JobContext } from '../jobs.ts';
import { createLog } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { createCarriers } from '../outside/carriers.ts';
import { openFiles } from '../outside/file-store.ts';
import { createTasks, startWorker, type Worker } from '../worker.ts';
import { closeAtEnd, closeFirstAtEnd } from './closers.ts';
import { cloneDatabase } from './test-db.ts';
import {
  asteriskCredentials,
  freePort,
  smppCredentials,
  startSandbox,
  type TestSandbox,
  testCredentials,
} from './test-sandbox.ts';
import { mostMs } from './wait-until.ts';

export interface TestReply<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface TestApp {
  url: string;
  /** The URL of the database's owner. */
  databaseUrl: string;
  database: Database;
  /** The folder of its files. */
  dataDir: string;
  sandbox: TestSandbox;
  metrics: Metrics;
  /** The worker's context, for a test that runs one of its steps directly. */
  context: JobContext;
  /** Makes a call with a session cookie or without one, and returns the reply. */
  call<C extends CallDefinition>(
    call: C,
    input: CallInput<C>,
    as?: { cookie?: string; headers?: Record<string, string> },
  ): Promise<TestReply<Reply<C>>>;
  /** Runs the queue to its end: jobs, texts, receipts, inbound texts that are due now. */
  drain(): Promise<void>;
  /** The nightly deletion of old rows. */
  sweep(): Promise<void>;
  /** Drains until a condition is true, or fails. For asynchronous events of the carrier. */
  until<T>(what: () => Promise<T | undefined | false>): Promise<T>;
  /** Another web process on the same database, or with another way to reach it; returns its URL. */
  startSecondWeb(database?: Database): Promise<string>;
  /** The worker as it runs in production, beside or instead of `drain`, until the end of the file. */
  startWorker(): Promise<Worker>;
}

/** A reply that should be a refusal: its status and its body. */
export function refusalOf(reply: TestReply<unknown>): ErrorBody & { status: number } {
  return { status: reply.status, ...errorBody.parse(reply.body) };
}

function smppSettings(sandbox: TestSandbox) {
  return {
    ...smppCredentials,
    SMPP_URL: sandbox.smppUrl,
    // The meaning of the sandbox's own codes (sandbox/smsc.ts).
    SMPP_ERROR_CODES: '88=carrier_limit_exceeded,603=opted_out,604=blacklisted,607=spam_rejected',
  };
}

/**
 * The whole server on a port, with its own database and a sandbox. One per test file; the queue runs when the
 * test says so.
 */
export async function testApp(
  numbers: Record<string, 'infobip' | 'smpp' | 'twilio'> = {},
  env: Record<string, string> = {},
  options: { logTo?: string[] } = {},
): Promise<TestApp> {
  const { url: databaseUrl, drop } = await cloneDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox(url, numbers);
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-test-'));
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    INFOBIP_BASE_URL: sandbox.url,
    TWILIO_BASE_URL: sandbox.url,
    GOOGLE_SPEECH_BASE_URL: sandbox.url,
    SPEECH_BASE_URL: sandbox.url,
    EIN_LOOKUP_BASE_URL: sandbox.url,
    WEBSITE_PLAYED_AT: sandbox.url,
    STRIPE_BASE_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.url}/stripe.js`,
    OUTSIDE_ALLOWED_HOSTS: new URL(sandbox.url).host,
    GOOGLE_CONTACTS_BASE_URL: `${sandbox.url}/sources/google`,
    GOOGLE_AUTHORIZE_URL: `${sandbox.url}/sources/google/authorize`,
    GOOGLE_TOKEN_URL: `${sandbox.url}/sources/google/token`,
    MICROSOFT_LOGIN_URL: `${sandbox.url}/sources/microsoft`,
    MICROSOFT_GRAPH_URL: `${sandbox.url}/sources/microsoft/v1.0`,
    SPEECH_VOICES: 'alloy,nova',
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'Muster <muster@example.org>',
    ...testCredentials,
    ...(Object.values(numbers).includes('smpp') ? smppSettings(sandbox) : {}),
    ...(env.CALL_CARRIER === 'asterisk' ? { ASTERISK_URL: sandbox.url, ...asteriskCredentials } : {}),
    ...env,
  });
  const { logTo } = options;
  const log =
    logTo === undefined
      ? createLog(config)
      : createLog({ ...config, LOG_LEVEL: 'debug' }, { write: (line) => logTo.push(line) });
  const metrics = createMetrics({ withDefaults: false });
  const database = openDatabase(databaseUrl, { connections: 16 });
  const carriers = createCarriers(config);
  const files = openFiles(config);
  const context = { config, database, carriers, files, log, metrics };
  const bound = createTasks(context);
  const { tasks, look, sweep, problems, stop } = bound;
  const { http, realtime } = await createApp({
    ...{ ...context, problems },
    ...{ isReady: () => true, applyHere: () => false },
  });
  await http.listen({ port, host: '127.0.0.1' });
  const owner = openOwnerPool(databaseUrl, 4);
  const quiet = new Logger(() => () => undefined);

  /**
   * Readers of events pass by those that are younger than any running transaction, such as one that notes in the background
   * when a session was last used. Waits for such transactions for a moment, and says whether there were any.
   */
  async function eventsBecomeFinal(): Promise<boolean> {
    for (let tries = 0; tries < 15; tries += 1) {
      const { rows } = await owner.query<{ waits: boolean }>(
        'select exists (select from events where xact_id >= pg_snapshot_xmin(pg_current_snapshot())) as waits',
      );
      if (rows[0]?.waits !== true) return tries > 0;
      await owner.query('select pg_sleep(0.02)');
    }
    return true;
  }

  async function drain(): Promise<void> {
    await runOnce({ pgPool: owner, taskList: tasks, logger: quiet, noHandleSignals: true });
    await look();
    if (await eventsBecomeFinal()) await look();
    const failed = await owner.query<{ task_identifier: string; last_error: string }>(
      'select task_identifier, last_error from graphile_worker.jobs where last_error is not null',
    );
    const first = failed.rows[0];
    if (first) throw new Error(`job ${first.task_identifier} failed: ${first.last_error}`);
  }

  closeAtEnd(async () => {
    await stop();
    await realtime.close();
    await http.close();
    await Promise.all([...carriers.values(), files].map((each) => each.close()));
    await owner.end();
    await database.close();
  });
  closeAtEnd(async () => {
    await sandbox.kill();
    await drop();
    await rm(dataDir, { recursive: true });
  });

  async function startSecondWeb(given?: Database): Promise<string> {
    const secondPort = await freePort();
    const other = given ?? openDatabase(databaseUrl, { connections: 8 });
    const second = await createApp({
      ...context,
      database: other,
      isReady: () => true,
      applyHere: () => false,
    });
    await second.http.listen({ port: secondPort, host: '127.0.0.1' });
    closeFirstAtEnd(async () => {
      await second.realtime.close();
      await second.http.close();
      await other.close();
    });
    return `http://127.0.0.1:${secondPort}`;
  }

  async function startOwnWorker(): Promise<Worker> {
    const worker = await startWorker(context);
    closeFirstAtEnd(() => worker.stop());
    return worker;
  }

  return {
    url,
    databaseUrl,
    database,
    dataDir,
    sandbox,
    metrics,
    context,
    drain,
    sweep,
    startSecondWeb,
    startWorker: startOwnWorker,
    async call(call, input, as = {}) {
      const { params, query, body } = input as { params?: object; query?: object; body?: object };
      const path =
        pathOf(call, params as Record<string, unknown>) + queryOf(query as Record<string, unknown>);
      const answer = await fetch(url + prefixOf(call) + path, {
        method: call.method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(as.cookie === undefined ? {} : { cookie: as.cookie }),
          ...as.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        body: text === '' ? undefined : JSON.parse(text),
        headers: answer.headers,
      };
    },
    async until(what) {
      const deadline = performance.now() + mostMs;
      for (;;) {
        await drain();
        const found = await what();
        if (found !== undefined && found !== false) return found;
        if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
        await sql`select pg_sleep(0.02)`.execute(database.system);
      }
    },
  };
}
