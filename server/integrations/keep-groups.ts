import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type {
  decideIntegrationSync as decideDefinition,
  Integration,
  keepIntegrationGroups as keepDefinition,
  syncIntegration as syncDefinition,
  undoSync as undoDefinition,
} from '../../contract/integrations.ts';
import type { Config } from '../config.ts';
import { findOrCreateGroups } from '../contacts/groups/find-or-create-groups.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { asAccount, type Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { askSource } from './browse-source.ts';
import type { Sources } from './open-source.ts';
import { readIntegration, readKeptGroups, requireConnection } from './queries.ts';
import { foreignIdOf } from './rules.ts';

/**
 * Sets which groups are synchronized with contacts. Each gets a group there with its name; an existing group
 * with this name is used. A group that is no longer synchronized stays in contacts unchanged.
 */
export async function keepGroups(
  app: App,
  sources: Sources,
  actor: Actor,
  { params, body }: Input<typeof keepDefinition>,
): Promise<Integration> {
  const { accountId } = actor;
  const integrationId = params.IntegrationID;
  const groups = await askSource(app, sources, { accountId, integrationId }, (source) => source.groups());
  const wanted = body.Groups.map(({ GroupID }) => {
    const found = groups.find(({ key }) => foreignIdOf(key) === GroupID);
    if (found === undefined) throw new Refusal('notFound', 'That group is no longer there.');
    return found;
  });
  return asAccount(app.database, accountId, async (trx) => {
    // First the connection, then contacts: a sync locks in the same order.
    refuseWhileBusy(await requireConnection(trx, accountId, integrationId));
    await lockContacts(trx, accountId);
    const before = await readKeptGroups(trx, accountId, integrationId);
    const added = wanted.filter(({ key }) => !before.some(({ groupKey }) => groupKey === key));
    const { groupIds } = await findOrCreateGroups(
      trx,
      accountId,
      added.map(({ name }) => name),
    );
    for (const { key, name } of added) {
      const listId = groupIds.get(name.toLowerCase());
      if (listId === undefined)
        throw new Refusal('refused', `“${name}” can’t be the name of a group in contacts. Rename it first.`);
      await trx
        .insertInto('integration_groups')
        .values({ account_id: accountId, integration_id: integrationId, group_key: key, list_id: listId })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'integration_id', 'group_key']).doUpdateSet({ list_id: listId }),
        )
        .execute();
    }
    const keys = wanted.map(({ key }) => key);
    await letGo(trx, { accountId, integrationId, keys });
    await sql`
      update integrations set mark = null, is_paused = false, error = '', is_locked_out = false, asked_by = ${actor.userId},
        next_sync_at = ${wanted.length === 0 ? sql`null` : sql`now()`}
      where account_id = ${accountId} and integration_id = ${integrationId}`.execute(trx);
    await enqueue(trx, 'sync_integrations', {});
    const changes = { Groups: wanted.map(({ name }) => name) };
    await recordEvents(trx, actor, [{ kind: 'integration.groupsChosen', id: integrationId, changes }]);
    await notify(trx, accountId, [{ type: 'integrations.changed' }, { type: 'contacts.changed' }]);
    return readIntegration(trx, app.config, accountId, integrationId);
  });
}

/** Forgets groups that are not among these, and people who came only from them. Their members stay. */
export async function letGo(
  trx: Trx,
  { accountId, integrationId, keys }: { accountId: number; integrationId: number; keys: string[] },
): Promise<void> {
  await sql`
    delete from integration_groups where account_id = ${accountId} and integration_id = ${integrationId}
      and group_key <> all(${keys}::text[])`.execute(trx);
  const kept = sql`array(select list_id from integration_groups
    where account_id = ${accountId} and integration_id = ${integrationId})`;
  await sql`
    delete from integration_members where account_id = ${accountId} and integration_id = ${integrationId}
      and list_id <> all(${kept})`.execute(trx);
  await sql`
    update integration_people p set list_ids = array(select l from unnest(p.list_ids) l where l = any(${kept}))
    where account_id = ${accountId} and integration_id = ${integrationId} and not p.list_ids <@ ${kept}`.execute(
    trx,
  );
  await sql`
    delete from integration_people
    where account_id = ${accountId} and integration_id = ${integrationId} and list_ids = '{}'`.execute(trx);
}

function refuseWhileBusy({
  lease_until,
  undo_sync_id,
}: {
  lease_until: Date | null;
  undo_sync_id: number | null;
}) {
  if (undo_sync_id !== null || (lease_until !== null && lease_until > new Date()))
    throw new Refusal('conflict', 'A sync is under way. Wait until it has ended.');
}

/** Requests a sync. One that is running or waiting already is reused. */
export async function askForSync(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params }: Input<typeof syncDefinition>,
): Promise<Integration> {
  const { accountId } = actor;
  await requireConnection(trx, accountId, params.IntegrationID);
  if ((await readKeptGroups(trx, accountId, params.IntegrationID)).length === 0)
    throw new Refusal('refused', 'Choose a group to keep in contacts first.');
  await sql`
    update integrations set next_sync_at = now(), asked_by = ${actor.userId}, is_paused = false
    where account_id = ${accountId} and integration_id = ${params.IntegrationID}
      and (lease_until is null or lease_until < now()) and undo_sync_id is null`.execute(trx);
  await enqueue(trx, 'sync_integrations', {});
  await notify(trx, accountId, [{ type: 'integrations.changed' }]);
  return readIntegration(trx, config, accountId, params.IntegrationID);
}

/** Answers a sync that is on hold: it continues, or contacts stay unchanged and automatic syncs stop. */
export async function decideSync(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params, body }: Input<typeof decideDefinition>,
): Promise<Integration> {
  const { accountId } = actor;
  await requireConnection(trx, accountId, params.IntegrationID);
  const { numUpdatedRows } = await trx
    .updateTable('integration_syncs')
    .set({ state: 'declined' })
    .where('account_id', '=', accountId)
    .where('integration_id', '=', params.IntegrationID)
    .where('state', '=', 'held')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Refusal('conflict', 'No sync waits for an answer.');
  await sql`
    update integrations set is_confirmed = ${body.GoAhead}, is_paused = ${!body.GoAhead}, asked_by = ${actor.userId},
      mark = null, next_sync_at = ${body.GoAhead ? sql`now()` : sql`null`}
    where account_id = ${accountId} and integration_id = ${params.IntegrationID}`.execute(trx);
  await enqueue(trx, 'sync_integrations', {});
  const changes = { GoAhead: body.GoAhead };
  await recordEvents(trx, actor, [{ kind: 'integration.syncDecided', id: params.IntegrationID, changes }]);
  await notify(trx, accountId, [{ type: 'integrations.changed' }]);
  return readIntegration(trx, config, accountId, params.IntegrationID);
}

/** Starts to undo the last sync; a job does it. */
export async function beginUndo(
  trx: Trx,
  config: Config,
  actor: Actor,
  { params }: Input<typeof undoDefinition>,
): Promise<Integration> {
  const { accountId } = actor;
  const integrationId = params.IntegrationID;
  const connection = await requireConnection(trx, accountId, integrationId);
  const found = await trx
    .selectFrom('integration_syncs')
    .select(['sync_id', 'state'])
    .where('account_id', '=', accountId)
    .where('integration_id', '=', integrationId)
    .where('sync_id', '=', params.SyncID)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('notFound');
  refuseWhileBusy(connection);
  const last = await findUndoable(trx, accountId, integrationId);
  if (last !== params.SyncID)
    throw new Refusal('conflict', 'Only the last sync that changed something can be undone.');
  await sql`update integration_syncs set state = 'undoing'
    where account_id = ${accountId} and sync_id = ${params.SyncID}`.execute(trx);
  await sql`update integrations set undo_sync_id = ${params.SyncID}, next_sync_at = null, is_paused = true
    where account_id = ${accountId} and integration_id = ${integrationId}`.execute(trx);
  await enqueue(trx, 'sync_integrations', {});
  await recordEvents(trx, actor, [{ kind: 'integration.syncUndone', id: integrationId }]);
  await notify(trx, accountId, [{ type: 'integrations.changed' }]);
  return readIntegration(trx, config, accountId, integrationId);
}

/** The last sync with changes, while they are still stored. */
export async function findUndoable(
  trx: Trx,
  accountId: number,
  integrationId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ syncId: number; state: string; isKept: boolean }>`
    select s.sync_id as "syncId", s.state, exists (
      select from integration_changes c where c.account_id = s.account_id and c.sync_id = s.sync_id) as "isKept"
    from integration_syncs s
    where s.account_id = ${accountId} and s.integration_id = ${integrationId}
      and (s.added + s.changed + s.left_count > 0) and s.state in ('done', 'failed', 'undone', 'undoing')
    order by s.sync_id desc limit 1`.execute(trx);
  const [row] = rows;
  return row?.isKept && (row.state === 'done' || row.state === 'failed') ? row.syncId : undefined;
}
