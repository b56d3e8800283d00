import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, isDatabaseDown } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { createSources } from './open-source.ts';
import { keptDays, leaseSeconds } from './rules.ts';
import { type HeldIntegration, NotHeld, type SyncContext, syncHeld } from './sync-integration.ts';
import { undoHeldSync } from './undo-sync.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** An integration has to be synchronized, or a sync undone. */
    sync_integrations: Record<string, never>;
  }
}

/** Each waits for another company's service most of the time. */
const atOnce = 4;

const isDue = sql`(next_sync_at <= now() or undo_sync_id is not null) and (lease_until is null or lease_until < now())`;

export function createIntegrationJobs({ config, database, log }: JobContext) {
  const sources = createSources({ config, database });
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const context = { database, sources, publicUrl: config.PUBLIC_URL, log, stopping: ending.signal };
  let wasNudged = false;

  async function lane(): Promise<void> {
    while (!ending.signal.aborted) {
      wasNudged = false;
      const held = await claim(database);
      if (held === undefined) {
        if (!wasNudged) return;
        continue;
      }
      if (running.size < atOnce) start();
      await workOn(context, held).catch(async (error: unknown) => {
        if (error instanceof NotHeld) return;
        // It keeps its lease, so that it isn't tried again at once.
        if (!isDatabaseDown(error))
          log.error({ err: error, integration: held.integrationId }, 'a sync failed');
        throw error;
      });
    }
  }

  function start(): void {
    const promise = lane().finally(() => running.delete(promise));
    running.add(promise);
    promise.catch(() => undefined);
  }

  async function advance(): Promise<void> {
    wasNudged = true;
    if (running.size === 0 && !ending.signal.aborted) start();
    while (running.size > 0) await Promise.all(running);
  }

  return {
    tasks: { sync_integrations: advance },
    waiting: [{ where: sql`exists (select from integrations where ${isDue})`, run: advance }],
    async sweep() {
      await sql`
        delete from integration_changes c using integration_syncs s
        where s.account_id = c.account_id and s.sync_id = c.sync_id
          and s.started_at < now() - ${keptDays} * interval '1 day' and s.state <> 'undoing'`.execute(
        database.system,
      );
      await sql`
        delete from integration_syncs s
        where s.started_at < now() - ${keptDays} * interval '1 day' and s.state not in ('running', 'undoing', 'held')
          and exists (select from integration_syncs later where later.account_id = s.account_id
            and later.integration_id = s.integration_id and later.sync_id > s.sync_id and later.state = 'done')`.execute(
        database.system,
      );
    },
    async stop() {
      ending.abort();
      // Another system may take minutes: nobody waits for it.
      await sources.close();
      await Promise.allSettled(running);
    },
  } satisfies SliceJobs;
}

type Claimed = HeldIntegration & { undoSyncId: number | null };

/** Takes a waiting connection, or one whose worker has died. If two try at once, one gets it. */
async function claim(database: Database): Promise<Claimed | undefined> {
  const leaseId = randomUUID();
  const { rows } = await sql<Claimed>`
    update integrations i set lease_id = ${leaseId}, lease_until = now() + ${leaseSeconds} * interval '1 second'
    from (
      select account_id, integration_id from integrations where ${isDue}
      order by next_sync_at nulls first limit 1 for update skip locked) due
    where i.account_id = due.account_id and i.integration_id = due.integration_id
    returning i.account_id as "accountId", i.integration_id as "integrationId", i.lease_id as "leaseId",
      coalesce(i.user_id, 0) as "userId", i.asked_by as "askedBy", i.is_confirmed as "isConfirmed", i.mark,
      i.undo_sync_id as "undoSyncId"`.execute(database.system);
  return rows[0];
}

async function workOn(context: SyncContext, held: Claimed): Promise<void> {
  const { accountId, integrationId, leaseId } = held;
  // Reading a large address book takes longer than a lease.
  const renewing = setInterval(
    () => {
      void sql`
        update integrations set lease_until = now() + ${leaseSeconds} * interval '1 second'
        where account_id = ${accountId} and integration_id = ${integrationId} and lease_id = ${leaseId}`
        .execute(context.database.system)
        .catch(() => undefined);
    },
    (leaseSeconds * 1000) / 3,
  );
  try {
    if (held.undoSyncId !== null)
      await undoHeldSync(context, {
        accountId,
        integrationId,
        leaseId,
        undoSyncId: held.undoSyncId,
      });
    else await syncHeld(context, held);
  } finally {
    clearInterval(renewing);
    if (context.stopping.aborted) await release(context.database, held);
  }
}

/** Another process can continue at once. */
async function release(database: Database, { accountId, integrationId, leaseId }: Claimed): Promise<void> {
  await sql`
    update integrations set lease_until = now()
    where account_id = ${accountId} and integration_id = ${integrationId} and lease_id = ${leaseId}`
    .execute(database.system)
    .catch(() => undefined);
}
