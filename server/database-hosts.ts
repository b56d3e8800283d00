import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/**
 * The hosts in an address such as `postgres://muster:…@one:5432,two:5432/muster`: an address for each. One of
 * them accepts changes; the others are standbys that may be promoted when it is lost.
 */
export function splitHosts(url: string): string[] {
  const [, scheme, login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)(?:(.*)@)?([^@/?]*)([/?].*)?$/.exec(url) ?? [];
  if (scheme === undefined || !hosts.includes(',')) return [url];
  const before = login === '' ? scheme : `${scheme}${login}@`;
  return hosts.split(',').map((host) => before + host.trim() + rest);
}

/** A machine that doesn't respond is given up after this long. */
const askMs = 2_000;
/**
 * Interval at which the host that accepts changes is asked whether it still does, and the others whether one of them
 * does.
 */
const lookMs = 1_000;
const looksBetweenAll = 10;

interface Answer {
  /** Each promotion begins a new timeline; null at a standby. */
  timeline: string | null;
}

const question = `select case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

function openClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'muster_hosts',
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  client.on('error', () => undefined);
  return client;
}

async function askOnce(url: string): Promise<Answer | undefined> {
  const client = openClient(url);
  try {
    await client.connect();
    return (await client.query<Answer>(question)).rows[0];
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * The host that accepts changes, or undefined. If there are two, because one that was replaced has come back,
 * it is the one that was promoted last.
 */
async function findPrimary(urls: readonly string[]): Promise<string | undefined> {
  const answers = await Promise.all(urls.map(askOnce));
  const found = urls.flatMap((url, index) => {
    const timeline = answers[index]?.timeline;
    return timeline == null ? [] : [{ url, timeline }];
  });
  return found.sort((a, b) => (a.timeline < b.timeline ? 1 : a.timeline > b.timeline ? -1 : 0))[0]?.url;
}

/** The address of the host that accepts changes; the only one there is, or undefined while none does. */
export async function primaryOf(url: string): Promise<string | undefined> {
  const [first, ...others] = splitHosts(url);
  return others.length === 0 ? first : findPrimary(splitHosts(url));
}

/** Follows the host that accepts changes, wherever it moves. */
export interface Hosts {
  readonly current: string;
  close(): void;
}

/** `onMove` is called when another host accepts the changes, or the same one again after it was lost. */
export function followPrimary(
  urls: readonly string[],
  start: string,
  onMove: (url: string, host: string) => void,
): Hosts {
  let current = start;
  let client: pg.Client | undefined;
  let isClosed = false;
  let looks = 0;

  async function isStillPrimary(): Promise<boolean> {
    try {
      if (client === undefined) {
        client = openClient(current);
        await client.connect();
      }
      return (await client.query<Answer>(question)).rows[0]?.timeline != null;
    } catch {
      return false;
    }
  }

  async function look(): Promise<void> {
    const isFine = await isStillPrimary();
    looks += 1;
    if (isFine && looks % looksBetweenAll !== 0) return;
    const found = await findPrimary(urls);
    if (isClosed || found === undefined || (isFine && found === current)) return;
    client?.end().catch(() => undefined);
    client = undefined;
    current = found;
    onMove(found, hostOf(found));
  }

  async function keepLooking(): Promise<void> {
    while (!isClosed) {
      await delay(lookMs, undefined, { ref: false });
      if (!isClosed) await look();
    }
    await client?.end().catch(() => undefined);
  }
  keepLooking();

  return {
    get current() {
      return current;
    },
    close() {
      isClosed = true;
      client?.end().catch(() => undefined);
    },
  };
}

/** For messages: without the user and the password. */
function hostOf(url: string): string {
  return /@?([^@/?]*)([/?].*)?$/.exec(url.replace(/^postgres(ql)?:\/\//, ''))?.[1] ?? '';
}
