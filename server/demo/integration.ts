import { sql } from 'kysely';
import { getSecret } from '../auth/queries.ts';
import type { Database } from '../db.ts';
import { integrationIds, secretPlace } from '../integrations/rules.ts';
import { sealSecret } from '../seal-secret.ts';

/**
 * The school district's office keeps its volunteers in a published sheet, which the sandbox simulates. It is
 * connected, and one of its groups is kept in contacts: the first sync runs when Muster starts. The sandbox
 * may have another port at the next start, so the address is set again.
 */
export async function setDemoIntegration(
  database: Database,
  sandboxUrl: string,
  isNew: boolean,
): Promise<void> {
  const integrationId = integrationIds.sheet;
  const host = new URL(sandboxUrl).host;
  const { rows } = await sql<{ accountId: number; userId: number; name: string | null }>`
    select u.account_id as "accountId", u.user_id as "userId", i.account_name as name from users u
    left join integrations i on i.account_id = u.account_id and i.integration_id = ${integrationId}
    where u.user_name = 'demo-owner'`.execute(database.system);
  const [owner] = rows;
  if (owner === undefined) return;
  const { accountId, userId } = owner;
  const fields = { SheetUrl: `${sandboxUrl}/sheet.csv` };
  const place = secretPlace(accountId, integrationId);
  const secret = sealSecret(await getSecret(database), place, JSON.stringify({ fields }));
  if (!isNew) {
    // One that a user connected to their own sheet stays.
    if (owner.name === null || !/^127\.0\.0\.1:\d+$/.test(owner.name) || owner.name === host) return;
    await sql`update integrations set secret = ${secret}, account_name = ${host}, connected_at = now()
      where account_id = ${accountId} and integration_id = ${integrationId}`.execute(database.system);
    return;
  }
  await sql`
    insert into integrations (account_id, integration_id, user_id, account_name, secret, next_sync_at)
    values (${accountId}, ${integrationId}, ${userId}, ${host}, ${secret}, now())`.execute(database.system);
  await sql`
    with made as (
      insert into groups (account_id, name, color) values (${accountId}, 'Volunteers', 4)
      on conflict (account_id, lower(name)) where deleted_at is null do update set name = groups.name
      returning group_id)
    insert into integration_groups (account_id, integration_id, group_key, list_id)
    select ${accountId}, ${integrationId}, 'group:Volunteers', group_id from made`.execute(database.system);
}
