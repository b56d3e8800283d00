import { sql } from 'kysely';
import { undoSyncedContacts } from '../contacts/change/sync-contacts.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { asAccount } from '../db.ts';
import { preferIndexes } from '../imports/import-slice.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { sliceRows } from './rules.ts';
import { NotHeld, type SyncContext } from './sync-integration.ts';

/** Undoes a sync, slice by slice; an interrupted one continues where it was. */
export async function undoHeldSync(
  { database, stopping }: Pick<SyncContext, 'database' | 'stopping'>,
  {
    accountId,
    integrationId,
    leaseId,
    undoSyncId,
  }: { accountId: number; integrationId: number; leaseId: string; undoSyncId: number },
): Promise<void> {
  const plan = { accountId, integrationId, syncId: undoSyncId };
  for (let isMore = true; isMore; ) {
    if (stopping.aborted) throw new NotHeld();
    isMore = await asAccount(database, accountId, async (trx) => {
      await lockContacts(trx, accountId);
      await preferIndexes(trx);
      return undoSyncedContacts(trx, plan, sliceRows);
    });
  }
  await asAccount(database, accountId, async (trx) => {
    // Only once, should another worker have taken it over meanwhile.
    const { rows } = await sql<{ AddedCount: number; ChangedCount: number; LeftCount: number }>`
      update integration_syncs set state = 'undone'
      where account_id = ${accountId} and sync_id = ${undoSyncId} and state = 'undoing'
      returning added as "AddedCount", changed as "ChangedCount", left_count as "LeftCount"`.execute(trx);
    const [counts] = rows;
    if (counts !== undefined) {
      const changes = { SyncID: undoSyncId, ...counts };
      await recordEvents(trx, { accountId }, [{ kind: 'integration.restored', id: integrationId, changes }]);
    }
    // Nobody is synchronized any more: the next sync requests everybody.
    await sql`
      update integrations set undo_sync_id = null, mark = null, lease_id = null, lease_until = null
      where account_id = ${accountId} and integration_id = ${integrationId} and lease_id = ${leaseId}`.execute(
      trx,
    );
    await notify(trx, accountId, [{ type: 'contacts.changed' }, { type: 'integrations.changed' }]);
  });
}
