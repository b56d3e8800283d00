import { openOwnerPool } from '../db.ts';

/**
 * Row counts of everything that a text creates. Jobs requested by a carrier's webhooks aren't counted:
 * receipts of earlier texts arrive at any time.
 */
export async function textTraces(databaseUrl: string): Promise<Record<string, number>> {
  const owner = openOwnerPool(databaseUrl, 1);
  const { rows } = await owner.query<Record<string, number>>(`
    select (select count(*) from messages) as messages, (select count(*) from outbox) as outbox,
      (select count(*) from conversations) as conversations, (select count(*) from credit_entries) as credits,
      (select count(*) from graphile_worker.jobs
        where task_identifier not in ('apply_receipts', 'apply_inbound')) as jobs`);
  await owner.end();
  return rows[0] ?? {};
}
