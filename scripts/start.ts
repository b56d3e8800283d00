import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demoCodeNumber, demoNumbers } from '../server/demo/demo-numbers.ts';
import { build, buildWeb, sandboxPageBuild, webBuild } from './build.ts';
import { errorCode, PlainError, runMain } from './plain-error.ts';
import { findPorts } from './ports.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { claimPorts, clearRun, writeRun } from './previous-run.ts';
import { createSteps, formatDuration } from './steps.ts';
import { type Program, startProgram } from './supervise.ts';

/** The sandbox's substitute for Google's key: it is on this machine only and gives nothing away. */
/** The sandbox's own; it gives nothing away. */
const sandboxSourceSecret = 'sandbox-contacts-secret';
const sandboxVisionKey = 'sandbox-vision-key';
/** The same for cards: no money moves there. */
const sandboxStripe = {
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
};

/** The same for its SMSC, and what it means by its own codes (sandbox/smsc.ts). */
const sandboxSmpp = { SMPP_SYSTEM_ID: 'sandbox', SMPP_PASSWORD: 'sandbox' };
const sandboxErrorCodes = '88=carrier_limit_exceeded,603=opted_out,604=blacklisted,607=spam_rejected';

/**
 * `npm start`: PostgreSQL → migrations → demo organization, and beside that the two builds; then sandbox and
 * server; then it watches over them until Ctrl-C, and stops server, sandbox and PostgreSQL in that order.
 */
const root = join(import.meta.dirname, '..');
const startedAt = performance.now();
const steps = createSteps(process.stdout);
const stopping = new AbortController();
const failed = new AbortController();
/** Somebody stopped us, or a step failed: what is under way is to end. */
const ending = AbortSignal.any([stopping.signal, failed.signal]);
const watching = { note: steps.note, verbose: process.env.LOG_LEVEL === 'debug', signal: ending };

let postgres: Postgres | undefined;
let sandbox: Program | undefined;
let server: Program | undefined;

await runMain(async () => {
  const settings = await readSettings();
  watchSignals();
  makeDataDir(settings.dataDir);
  await claimPorts(settings.dataDir, settings.port);
  try {
    record(settings);
    await startAll(settings);
    await untilStopped();
    return 0;
  } catch (error) {
    // Ctrl-C while starting ends a step with an error that nobody needs to read; the signal may come after it.
    await delay(50);
    if (stopping.signal.aborted) return 0;
    throw error;
  } finally {
    await stopAll(settings);
  }
});

type Settings = {
  port: number;
  /** Port where the sandbox speaks SMPP; undefined where there is a real carrier that does. */
  smppPort: number | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  demo: boolean;
};

async function readSettings(): Promise<Settings> {
  const { PORT, DATA_DIR, DATABASE_URL, DEMO } = process.env;
  const port = Number(PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_533) {
    throw new PlainError(`PORT must be a number from 1 to 65533, and it is "${PORT}".`);
  }
  return {
    port,
    smppPort: process.env.SMPP_URL
      ? undefined
      : Number(process.env.SANDBOX_SMPP_PORT) || (await findPorts(1)),
    dataDir: resolve(root, DATA_DIR || '.data'),
    databaseUrl: DATABASE_URL || undefined,
    demo: DEMO !== '0',
  };
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    // Made and removed here, so that a folder without rights is told before anything is started.
    writeFileSync(join(dataDir, 'running.json'), '', { flag: 'a' });
  } catch (error) {
    const code = errorCode(error);
    const why =
      code === 'ENOSPC'
        ? 'its disk is full: make room'
        : code === 'ENOTDIR' || code === 'EEXIST'
          ? 'it is not a folder: remove it'
          : 'this user has no right to: give it to this user';
    throw new PlainError(
      `Muster can't write to the data folder ${dataDir}, ${why}, or choose another with DATA_DIR.`,
    );
  }
}

async function startAll(settings: Settings): Promise<void> {
  const { port, dataDir } = settings;
  const credentials = readCredentials(dataDir);

  // Side by side: on two cores the builds take longer than the database.
  const database = startDatabase(settings);
  const web = steps.run('Web application', async (say) => {
    if (!(await buildWeb(ending))) say('unchanged');
  });
  const telephones = steps.run('Telephones', async (say) => {
    if (!(await build(sandboxPageBuild, ending))) say('unchanged');
    sandbox = await startProgram({
      name: 'sandbox',
      main: 'sandbox/main.ts',
      env: { ...process.env, ...sandboxEnvironment(settings, credentials) },
      logFile: join(dataDir, 'logs/sandbox.log'),
      healthUrl: `http://127.0.0.1:${port + 1}/stats`,
      ...watching,
    });
    record(settings);
  });
  const serving = Promise.all([database, web]).then(([databaseUrl]) =>
    steps.run('Server', async () => {
      ending.throwIfAborted();
      server = await startProgram({
        name: 'server',
        main: 'server/main.ts',
        // With a heap for each thread, what one frees the others can't use: an import took a fifteenth more memory.
        env: {
          MALLOC_ARENA_MAX: '2',
          ...process.env,
          ...serverEnvironment(settings, credentials, databaseUrl),
        },
        logFile: join(dataDir, 'logs/server.log'),
        healthUrl: `http://127.0.0.1:${port}/readyz`,
        ...watching,
      });
    }),
  );
  await allOrFirstFailure([database, web, telephones, serving]);
  ending.throwIfAborted();
  record(settings);
  greet(settings);
}

/** The first failure ends the others; they are waited for, so that nothing is started after the stop. */
async function allOrFirstFailure(work: Promise<unknown>[]): Promise<void> {
  const failures: unknown[] = [];
  for (const each of work) {
    each.catch((error) => {
      failures.push(error);
      failed.abort();
    });
  }
  await Promise.allSettled(work);
  if (failures.length > 0) throw failures[0];
}

async function startDatabase({ databaseUrl, dataDir, port, demo }: Settings): Promise<string> {
  if (!databaseUrl) {
    postgres = await steps.run('PostgreSQL', () =>
      startPostgres({ dataDir, durable: true, log: steps.note, avoidPorts: [port, port + 1, port + 2] }),
    );
  }
  const url = databaseUrl ?? postgres?.url ?? '';
  ending.throwIfAborted();
  await steps.run('Database', async (say) => {
    const { migrate } = await import('../server/migrate.ts');
    const { applied } = await migrate(url).catch(toPlainError);
    say(applied === 0 ? 'up to date' : `${applied} migrations`);
  });
  ending.throwIfAborted();
  if (demo) {
    const { loadDemo } = await import('../server/demo/load-demo.ts');
    await steps.run('Demo organization', async (say) => {
      const { loaded } = await loadDemo(url, dataDir, {
        sandboxUrl: `http://127.0.0.1:${port + 1}`,
        processorKey: process.env.STRIPE_SECRET_KEY ? undefined : sandboxStripe.STRIPE_SECRET_KEY,
        // People of the demo have no real mailbox.
        publicUrl: process.env.SMTP_URL ? undefined : publicUrl(port),
      });
      if (loaded) writeFileSync(demoMarker(dataDir), '');
      else say('nothing to do');
    });
  }
  ending.throwIfAborted();
  return url;
}

/** A migration that can't be applied says so in a sentence of its own. */
function toPlainError(error: unknown): never {
  throw error instanceof Error ? new PlainError(error.message, { cause: error }) : error;
}

/** With this file the sign-ins of the demo organization are shown again at the next start. */
function demoMarker(dataDir: string): string {
  return join(dataDir, 'demo-loaded');
}

type Credentials = Record<
  'INFOBIP_API_KEY' | 'INFOBIP_WEBHOOK_SECRET' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN',
  string
>;

/** Credentials by which server and sandbox know each other; made once. */
function readCredentials(dataDir: string): Credentials {
  const file = join(dataDir, 'sandbox-credentials.json');
  if (!existsSync(file)) {
    const secret = (bytes: number) => randomBytes(bytes).toString('hex');
    const credentials: Credentials = {
      INFOBIP_API_KEY: secret(24),
      INFOBIP_WEBHOOK_SECRET: secret(24),
      TWILIO_ACCOUNT_SID: `AC${secret(16)}`,
      TWILIO_AUTH_TOKEN: secret(16),
    };
    writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function serverEnvironment(settings: Settings, credentials: Credentials, databaseUrl: string) {
  const { port, smppPort, dataDir } = settings;
  const { INFOBIP_API_KEY, INFOBIP_WEBHOOK_SECRET, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = credentials;
  const sandboxUrl = `http://127.0.0.1:${port + 1}`;
  return {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ROLE: process.env.ROLE || 'all',
    WEB_DIR: webBuild.outDir,
    // A carrier whose address the operator gave is a real one, with the operator's own credentials.
    ...(process.env.INFOBIP_BASE_URL
      ? {}
      : {
          INFOBIP_BASE_URL: sandboxUrl,
          INFOBIP_API_KEY,
          INFOBIP_WEBHOOK_SECRET,
          INFOBIP_VETTING: process.env.INFOBIP_VETTING || '1',
          CODE_NUMBER: process.env.CODE_NUMBER || demoCodeNumber,
        }),
    // The sandbox plays a help chat, and the demo has somebody to turn to.
    HELP_CHAT_URL: process.env.HELP_CHAT_URL || (process.env.PUBLIC_URL ? '' : `${sandboxUrl}/help-chat.js`),
    LABS_URL:
      process.env.LABS_URL ||
      (process.env.PUBLIC_URL ? '' : `${sandboxUrl}/labs?from=http://127.0.0.1:${port}`),
    SUPPORT_EMAIL: process.env.SUPPORT_EMAIL || (process.env.SMTP_URL ? '' : 'support@example.org'),
    ...(process.env.TWILIO_BASE_URL
      ? {}
      : {
          TWILIO_BASE_URL: sandboxUrl,
          TWILIO_ACCOUNT_SID,
          TWILIO_AUTH_TOKEN,
          // As many as the sandbox begins in a second.
          CALL_STARTS_PER_SECOND: process.env.CALL_STARTS_PER_SECOND || '10',
          ...sandboxLookups(sandboxUrl),
        }),
    ...(smppPort === undefined
      ? {}
      : { SMPP_URL: `smpp://127.0.0.1:${smppPort}`, ...sandboxSmpp, SMPP_ERROR_CODES: sandboxErrorCodes }),
    ...(process.env.VISION_API_KEY || process.env.VISION_BASE_URL
      ? {}
      : { VISION_BASE_URL: sandboxUrl, VISION_API_KEY: sandboxVisionKey }),
    ...(process.env.EIN_LOOKUP_BASE_URL ? {} : { EIN_LOOKUP_BASE_URL: sandboxUrl }),
    WEBSITE_PLAYED_AT: sandboxUrl,
    ...(process.env.STRIPE_SECRET_KEY
      ? {}
      : {
          STRIPE_BASE_URL: sandboxUrl,
          STRIPE_SCRIPT_URL: `${sandboxUrl}/stripe.js`,
          SALES_TAX: process.env.SALES_TAX || 'stripe',
          ...sandboxStripe,
        }),
    // The sandbox's directory, for single sign-on, is on this machine and has no TLS.
    SSO_ALLOWED_HOSTS: process.env.SSO_ALLOWED_HOSTS || `127.0.0.1:${port + 1}`,
    OUTSIDE_ALLOWED_HOSTS: process.env.OUTSIDE_ALLOWED_HOSTS || `127.0.0.1:${port + 1}`,
    ...(process.env.GOOGLE_CONTACTS_CLIENT_ID
      ? {}
      : {
          GOOGLE_CONTACTS_CLIENT_ID: 'muster-demo',
          GOOGLE_CONTACTS_CLIENT_SECRET: sandboxSourceSecret,
          GOOGLE_CONTACTS_BASE_URL: `${sandboxUrl}/sources/google`,
          GOOGLE_AUTHORIZE_URL: `${sandboxUrl}/sources/google/authorize`,
          GOOGLE_TOKEN_URL: `${sandboxUrl}/sources/google/token`,
        }),
    ...(process.env.MICROSOFT_CLIENT_ID
      ? {}
      : {
          MICROSOFT_CLIENT_ID: 'muster-demo',
          MICROSOFT_CLIENT_SECRET: sandboxSourceSecret,
          MICROSOFT_LOGIN_URL: `${sandboxUrl}/sources/microsoft`,
          MICROSOFT_GRAPH_URL: `${sandboxUrl}/sources/microsoft/v1.0`,
        }),
    INTEGRATIONS_PLAYED_AT: process.env.INTEGRATIONS_PLAYED_AT || sandboxUrl,
    // The same with mail: without a mail server of the operator's it goes to the sandbox's mailbox.
    ...(process.env.SMTP_URL
      ? {}
      : {
          SMTP_URL: `smtp://127.0.0.1:${port + 2}`,
          MAIL_FROM: process.env.MAIL_FROM || 'Muster <muster@example.org>',
        }),
  };
}

/** At the sandbox a look-up costs nothing, so phones are looked up by themselves, unless somebody says otherwise. */
function sandboxLookups(sandboxUrl: string) {
  return { TWILIO_LOOKUP_BASE_URL: sandboxUrl, LOOKUPS: process.env.LOOKUPS || '1' };
}

function sandboxEnvironment({ port, smppPort, dataDir }: Settings, credentials: Credentials) {
  const hooks = `http://127.0.0.1:${port}/hooks`;
  return {
    ...credentials,
    VISION_API_KEY: sandboxVisionKey,
    ...sandboxStripe,
    STRIPE_WEBHOOK_URL: `${hooks}/stripe`,
    SANDBOX_PORT: String(port + 1),
    SANDBOX_MAIL_PORT: String(port + 2),
    ...(smppPort === undefined ? {} : { SANDBOX_SMPP_PORT: String(smppPort), ...sandboxSmpp }),
    // It has no sign-in: this machine only, whoever may reach Muster itself.
    HOST: process.env.SANDBOX_HOST || '127.0.0.1',
    SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
    SANDBOX_WEB_DIR: sandboxPageBuild.outDir,
    // The demo organization's text numbers and who carries them.
    SANDBOX_NUMBERS:
      process.env.SANDBOX_NUMBERS ||
      Object.entries(demoNumbers)
        .map(([number, carrier]) => `${number}=${carrier}`)
        .join(','),
    INFOBIP_INBOUND_URL: `${hooks}/infobip/inbound/${credentials.INFOBIP_WEBHOOK_SECRET}`,
    TWILIO_INBOUND_URL: `${hooks}/twilio/inbound`,
    TWILIO_VOICE_URL: `${hooks}/twilio/voice`,
  };
}

function publicUrl(port: number): string {
  return (process.env.PUBLIC_URL || `http://127.0.0.1:${port}`).replace(/\/+$/, '');
}

function greet({ port, dataDir, demo }: Settings): void {
  const address = publicUrl(port);
  const lines = [
    '',
    `  Muster      ${address}`,
    `  Telephones  http://127.0.0.1:${port + 1}`,
    `  Mailbox     http://127.0.0.1:${port + 1}/#mailbox`,
    '',
  ];
  if (existsSync(demoMarker(dataDir))) {
    lines.push(
      '  Sign in as  demo-owner, demo-admin, demo-user, or new-owner who has just signed up',
      '  Password    muster-demo-1',
      '',
    );
  } else if (!demo) {
    lines.push(`  The first visit to ${address}/setup creates the organization and its owner.`, '');
  }
  lines.push(`Muster is ready (${formatDuration(performance.now() - startedAt)}). Ctrl-C stops it.`, '');
  process.stdout.write(lines.join('\n'));
}

function record({ dataDir, port }: Settings): void {
  const children = [server?.pid(), sandbox?.pid()].filter((pid) => pid !== undefined);
  writeRun(dataDir, { starter: process.pid, children, port, isStopping: stopping.signal.aborted });
}

function untilStopped(): Promise<void> {
  return new Promise((done) => {
    if (stopping.signal.aborted) done();
    stopping.signal.addEventListener('abort', () => done());
  });
}

/** Ctrl-C comes more than once (the terminal, npm and bootstrap.mjs each send it): within a second it is one. */
function watchSignals(): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      stopping.abort();
    } else if (Date.now() - firstAt > 1_000) {
      server?.stopNow();
      sandbox?.stopNow();
      postgres?.stopNow();
      process.exit(130);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  // The process above was killed.
  process.on('disconnect', onSignal);
  process.channel?.unref();
}

async function stopAll(settings: Settings): Promise<void> {
  if (!server && !sandbox && !postgres) return clearRun(settings.dataDir);
  stopping.abort();
  record(settings);
  await steps.run('Stopped', async () => {
    await server?.stop(10_000);
    await sandbox?.stop(5_000);
    await postgres?.stop();
  });
  clearRun(settings.dataDir);
}
