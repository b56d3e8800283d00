import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { describeZoneData, zoneData } from '../contract/time/zone-offset.ts';
import { ConfigError, readConfig, readReplica, sharedPool } from './config.ts';
import { primaryOf } from './database-hosts.ts';
import { openDatabase, refuseWrongRoles, WrongRole } from './db.ts';
import { prepareEvents } from './event-partitions.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { MigrationError, migrate } from './migrate.ts';
import { beginTracing, stopTracing } from './trace.ts';
import type { Worker } from './worker.ts';

// Collects garbage when memory has grown by half, not when it has multiplied: on a small machine the database
// makes better use of it. At 1,600 texts per second it is 270 MB instead of 390.
setFlagsFromString('--heap-growing-percent=50');

/** Exit code for errors that the operator has to fix: starting again won't help. */
const misconfigured = 78;

/** Time that active work may take to end after a stop was requested. */
const stopMs = 10_000;

/**
 * Only the process's own user can read its files. Folders that an earlier version made readable for others
 * are restricted.
 */
async function keepToOwner(dataDir: string): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true });
  for (const name of ['media', 'uploads']) await chmod(join(dataDir, name), 0o700).catch(() => undefined);
}

/**
 * The rest is loaded once the settings are known to be valid, and only where the role needs it: a mistake is
 * reported at once, and a process that only sends doesn't load the web part.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config);
  log.info(describeZoneData(zoneData(process.versions.tz)));
  // Loaded during the database query: while a worker restarts, nothing is sent.
  const loading = config.ROLE === 'web' ? undefined : import('./worker.ts');
  await migrate(config.DATABASE_URL, undefined, {
    applies: config.MIGRATE,
    say: (sentence) => log.warn(sentence),
  });
  await keepToOwner(resolve(config.DATA_DIR));
  await access(resolve(config.DATA_DIR), constants.W_OK | constants.X_OK);

  const metrics = createMetrics({ withDefaults: true });
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint !== undefined) {
    const { createTracing } = await import('./outside/tracing.ts');
    beginTracing(createTracing({ endpoint, role: config.ROLE }));
  }
  const database = openDatabase(
    config.DATABASE_URL,
    {
      connections: config.DATABASE_CONNECTIONS,
      pool: sharedPool(config),
      replica: readReplica(config),
      onError: (error) => log.warn({ err: error }, 'lost a connection to the database'),
      say: (sentence) => log.warn(sentence),
    },
    await primaryOf(config.DATABASE_URL),
  );
  await refuseWrongRoles(database);
  await prepareEvents(database);
  const { createCarriers } = await import('./outside/carriers.ts');
  const carriers = createCarriers(config);
  const { openFiles } = await import('./outside/file-store.ts');
  const files = openFiles(config);
  // Texts can be sent without files, so it starts anyway.
  const problem = await files.findProblem();
  if (problem !== undefined) log.error(problem);
  const context = { config, database, carriers, files, log, metrics };

  // The port first: a program that fails to get it must not have started to send.
  let worker: Worker | undefined;
  const isReady = () => config.ROLE === 'web' || worker?.isRunning() === true;
  const problems = () => worker?.problems() ?? [];
  const web =
    config.ROLE === 'worker'
      ? undefined
      : await (await import('./app.ts')).createApp({
          ...context,
          isReady,
          problems,
          applyHere: (task) => worker?.apply(task) ?? false,
          takeHere: async (receipts) => (await worker?.takeReceipts(receipts)) ?? false,
        });
  if (web !== undefined) {
    await web.http.listen({ port: config.PORT, host: config.HOST });
    log.info({ port: config.PORT }, 'listening');
    (await import('./auth/ask-hasher.ts')).hashElsewhere();
  }
  const operations =
    config.METRICS_PORT !== undefined
      ? await (await import('./operations.ts')).serveOperations(
          { ...context, isReady, problems },
          { port: config.METRICS_PORT, host: config.HOST },
        )
      : undefined;
  worker = await (await loading)?.startWorker(context);

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopMs).unref();
    // First no new requests, then no new work, then the connections are closed.
    await web?.realtime.close();
    await web?.http.close();
    await operations?.close();
    await worker?.stop();
    await Promise.all([...carriers.values(), files].map((each) => each.close()));
    await database.close();
    await stopTracing();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  const isMetrics = port !== undefined && String(port) === process.env.METRICS_PORT;
  const setting = isMetrics ? 'METRICS_PORT' : 'PORT';
  if ([ConfigError, MigrationError, WrongRole].some((kind) => error instanceof kind)) {
    console.error((error as Error).message);
    process.exit(misconfigured);
  }
  if (syscall === 'listen' && code === 'EACCES') {
    console.error(`Port ${port} may not be used by this user: set ${setting} to one above 1023.`);
    process.exit(misconfigured);
  }
  if (code === 'EADDRINUSE') {
    console.error(`Port ${port} is in use by another program: set ${setting} to a free one.`);
    process.exit(misconfigured);
  }
  if (['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'EROFS'].includes(code ?? '')) {
    console.error(
      `The data folder ${process.env.DATA_DIR ?? './.data'} can’t be written to: give this user the right, or set DATA_DIR.`,
    );
    process.exit(misconfigured);
  }
  console.error(error);
  process.exit(1);
});
