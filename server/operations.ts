import { resolve } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Config } from './config.ts';
import type { Database } from './db.ts';
import type { FileStore } from './files.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';

export interface OperationContext {
  config: Pick<Config, 'DATA_DIR'>;
  database: Database;
  carriers: ReadonlyMap<number, { name: string }>;
  files: FileStore;
  log: Log;
  metrics: Metrics;
  /** True when this process is fully working at the moment; `/readyz` returns it. */
  isReady: () => boolean;
  /** Messages about everything that its worker can't do at the moment. */
  problems?: () => string[];
}

/** A load balancer's questions to a process: is it alive, is it ready. */
export function healthRoutes(
  http: FastifyInstance,
  { config, database, carriers, files, log, isReady, problems }: Omit<OperationContext, 'metrics'>,
): void {
  const nameCarrier = (id: number) => carriers.get(id)?.name ?? `Carrier ${id}`;
  const names = [
    [5, 'Infobip'],
    [6, 'SMPP'],
    [2, 'Twilio'],
  ] as const;
  const ask = createReadiness({
    ...{ database, log, isReady, nameCarrier, dataDir: resolve(config.DATA_DIR) },
    lacking: new Map(names.filter(([id]) => !carriers.has(id))),
  });
  const findFilesProblem = askNowAndThen(() => files.findProblem(), log);
  http.get('/healthz', async () => ({ status: 'alive' }));
  http.get('/readyz', async (_request, reply) => {
    const readiness = await ask();
    if (readiness.status !== 'ready') return reply.code(503).send(readiness);
    // Only pictures and recordings need files: a process without them still sends, and stays in use.
    const problem = findFilesProblem();
    // Reports are read from the primary while the replica can't be used.
    const replica = database.replica?.problem();
    // Each of them was logged when it was found.
    const work = problems?.() ?? [];
    return {
      ...readiness,
      ...(problem === undefined ? {} : { files: problem }),
      ...(replica === undefined ? {} : { replica }),
      ...(work.length === 0 ? {} : { work }),
    };
  });
}

/** Interval at which files are tested; load balancers ask every second. */
const filesEveryMs = 30_000;

/** The latest result, which is refreshed in the background. Each change is logged once. */
function askNowAndThen(ask: () => Promise<string | undefined>, log: Log): () => string | undefined {
  let latest: string | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - askedMs > filesEveryMs) {
      askedMs = performance.now();
      ask().then(
        (answer) => {
          if (answer !== latest) log.warn(answer ?? 'Files can be written again.');
          latest = answer;
        },
        () => undefined,
      );
    }
    return latest;
  };
}

/** The metrics of the process. Metrics of a whole installation are private: they have their own port. */
function metricsRoute(http: FastifyInstance, { database, metrics }: OperationContext): void {
  http.get('/metrics', async (_request, reply) => {
    const { rows } = await sql<{ waiting: number; stuck: number }>`
      select (select count(*) from outbox) as waiting, count_stuck_jobs() as stuck`.execute(database.system);
    metrics.outboxWaiting.set(rows[0]?.waiting ?? 0);
    metrics.jobsStuck.set(rows[0]?.stuck ?? 0);
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Health and metrics, on a separate port. */
export async function serveOperations(
  context: OperationContext,
  address: { port: number; host: string },
): Promise<FastifyInstance> {
  const http = Fastify({ logger: false });
  healthRoutes(http, context);
  metricsRoute(http, context);
  await http.listen(address);
  return http;
}
