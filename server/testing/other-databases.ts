import type pg from 'pg';
import { waitUntil } from './wait-until.ts';

/**
 * Events are read once no older transaction runs, and PostgreSQL counts those of every database in the cluster
 * (read-events.ts). Waits for those that other tests have under way now, so that what was recorded here can be read.
 * Only the owner sees them.
 */
export async function waitForOtherDatabases(owner: pg.Pool | pg.Client): Promise<void> {
  const findRunning = async (): Promise<string[]> => {
    const { rows } = await owner.query<{ name: string }>(
      `select pid || ' ' || backend_xid as name from pg_stat_activity
        where backend_xid is not null and datname is distinct from current_database()`,
    );
    return rows.map(({ name }) => name);
  };
  const running = new Set(await findRunning());
  if (running.size === 0) return;
  await waitUntil(async () => (await findRunning()).every((name) => !running.has(name)));
}
