import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { DB } from './schema.types.ts';

/**
 * A copy of the database with streaming replication. It is only read, and only for data that may be some
 * seconds old.
 */
export interface Replica {
  app: Kysely<DB>;
  /** True if it is known to be within the allowed lag. */
  isClose(): boolean;
  /** Reason why it isn't used, as a message. */
  problem(): string | undefined;
  /** Checks at once; for tests. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Interval at which its progress is queried. */
const lookMs = 1_000;
/** The time-out of each of the two queries. */
const answerMs = 2_000;

interface Sample {
  lsn: string;
  system: string;
}

interface Seen {
  isStandby: boolean;
  isThere: boolean;
  /** Number of the primary's sampled positions that the replica has passed. */
  passed: number;
  /** By its own clock, since the last transaction that it has applied was committed. */
  ageSeconds: number | null;
  system: string;
}

/**
 * The lag isn't computed from the clocks of two machines. The primary returns the length of its log, once a
 * second, and the replica how much of that it has applied: its lag is the age of that length.
 */
export function openReplica(options: {
  url: string;
  mostSeconds: number;
  primary: Kysely<DB>;
  open: (url: string) => pg.Pool;
  say: (sentence: string) => void;
}): Replica {
  const { mostSeconds, primary, say } = options;
  const app = new Kysely<DB>({ dialect: new PostgresDialect({ pool: options.open(options.url) }) });
  /** The length of the primary's log, with times; the oldest first. */
  let samples: { lsn: string; atMs: number }[] = [];
  /** Its lag was at most this, then. */
  let known: { behindMs: number; atMs: number } | undefined;
  let problem: string | undefined;
  let isClosed = false;
  let looking: Promise<void> | undefined;

  const isClose = () =>
    problem === undefined &&
    known !== undefined &&
    known.behindMs + performance.now() - known.atMs <= mostSeconds * 1000;

  function settle(found: string | undefined): void {
    if (isClosed || found?.split(':')[0] === problem?.split(':')[0]) {
      problem = found;
      return;
    }
    problem = found;
    say(found === undefined ? 'The replica is read from again.' : found);
  }

  async function look(): Promise<void> {
    const atMs = performance.now();
    const now = await within(askPrimary(primary));
    // Without the primary the lag is unknown; isClose() becomes false by itself.
    if (now === undefined) return;
    samples = [...samples.filter((sample) => atMs - sample.atMs < 600_000), { lsn: now.lsn, atMs }];
    const seen = await within(askReplica(app, samples));
    if (isClosed) return;
    if (seen === undefined) return settle(`The replica can’t be reached: reports are read from the primary.`);
    if (seen.system !== now.system)
      return settle('The replica is a copy of another database: reports are read from the primary.');
    if (!seen.isStandby)
      return settle(
        'The replica takes changes of its own and follows nobody: reports are read from the primary.',
      );
    const latest = samples[seen.passed - 1];
    const behindMs = seen.isThere
      ? 0
      : latest === undefined
        ? Math.max(atMs - (samples[0]?.atMs ?? atMs), (seen.ageSeconds ?? 0) * 1000)
        : atMs - latest.atMs;
    known = { behindMs, atMs };
    samples = samples.slice(Math.max(0, seen.passed - 1));
    if (behindMs <= mostSeconds * 1000) return settle(undefined);
    settle(
      `The replica is too far behind: ${Math.round(behindMs / 1000)} seconds, and ${mostSeconds} are allowed. Reports are read from the primary.`,
    );
  }

  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(lookOnce, lookMs);
  timer.unref();
  lookOnce();

  return {
    app,
    isClose,
    problem: () => problem,
    look: async () => {
      await looking;
      await lookOnce();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await app.destroy();
    },
  };
}

/** Undefined when it fails or takes too long. */
async function within<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(done, answerMs, undefined);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

async function askPrimary(primary: Kysely<DB>): Promise<Sample | undefined> {
  const { rows } = await sql<Sample>`
    select pg_current_wal_lsn()::text as lsn, system_identifier::text as system from pg_control_system()`.execute(
    primary,
  );
  return rows[0];
}

async function askReplica(app: Kysely<DB>, samples: { lsn: string }[]): Promise<Seen | undefined> {
  const lsns = samples.map(({ lsn }) => lsn);
  const { rows } = await sql<Seen>`
    select pg_is_in_recovery() as "isStandby",
      coalesce(pg_last_wal_replay_lsn() >= ${lsns.at(-1)}::pg_lsn, false) as "isThere",
      (select count(*)::int from unnest(${lsns}::pg_lsn[]) as at(lsn)
        where at.lsn <= pg_last_wal_replay_lsn()) as passed,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "ageSeconds",
      (select system_identifier::text from pg_control_system()) as system`.execute(app);
  return rows[0];
}
