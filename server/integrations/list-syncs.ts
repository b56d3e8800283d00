import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type {
  listSyncChanges as changesDefinition,
  IntegrationSync,
  listIntegrationSyncs as listDefinition,
  SyncChange,
} from '../../contract/integrations.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { findUndoable } from './keep-groups.ts';
import { requireConnection } from './queries.ts';

/** As many as a page shows. */
const listed = 20;

export async function listSyncs(
  trx: Trx,
  { accountId }: Actor,
  { params }: Input<typeof listDefinition>,
): Promise<{ Items: IntegrationSync[]; Size: number }> {
  await requireConnection(trx, accountId, params.IntegrationID, 'read');
  const undoable = await findUndoable(trx, accountId, params.IntegrationID);
  const { rows } = await sql<
    Omit<IntegrationSync, 'CanUndo' | 'StartTimestamp' | 'EndTimestamp'> & {
      StartTimestamp: Date;
      EndTimestamp: Date | null;
    }
  >`
    select s.sync_id as "SyncID", s.state as "State", s.started_at as "StartTimestamp", s.ended_at as "EndTimestamp",
      coalesce(trim(u.first_name || ' ' || u.last_name), '') as "UserName", s.added as "AddedCount",
      s.changed as "ChangedCount", s.left_count as "LeftCount", s.skipped as "SkippedCount", s.error as "ErrorMessage"
    from integration_syncs s
    left join users u on u.account_id = s.account_id and u.user_id = s.user_id
    where s.account_id = ${accountId} and s.integration_id = ${params.IntegrationID}
    order by s.sync_id desc limit ${listed}`.execute(trx);
  const Items = rows.map((row) => ({
    ...row,
    StartTimestamp: row.StartTimestamp.toISOString(),
    EndTimestamp: row.EndTimestamp?.toISOString() ?? null,
    CanUndo: row.SyncID === undoable,
  }));
  return { Items, Size: Items.length };
}

interface ChangeRow extends Omit<SyncChange, 'Before'> {
  before: Record<string, string | null> | null;
  firstName: string;
  lastName: string;
  phone: string;
}

export async function listChanges(
  trx: Trx,
  { accountId }: Actor,
  { params, query }: Input<typeof changesDefinition>,
): Promise<{ Items: SyncChange[]; Next: string | null }> {
  const found = await trx
    .selectFrom('integration_syncs')
    .select('sync_id')
    .where('account_id', '=', accountId)
    .where('integration_id', '=', params.IntegrationID)
    .where('sync_id', '=', params.SyncID)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('notFound');
  const names = (column: 'joined_lists' | 'left_lists') => sql`array(
    select g.name from groups g where g.account_id = h.account_id and g.group_id = any(h.${sql.ref(column)}) order by g.name)`;
  const { rows } = await sql<ChangeRow>`
    select h.person_id as "PersonID", h.kind as "Kind", coalesce(c.first_name, '') as "FirstName",
      coalesce(c.last_name, '') as "LastName", coalesce(c.primary_phone, '') as "PrimaryPhone", h.before,
      ${names('joined_lists')} as "Joined", ${names('left_lists')} as "Left"
    from integration_changes h
    left join contacts c on c.account_id = h.account_id and c.person_id = h.person_id
    where h.account_id = ${accountId} and h.sync_id = ${params.SyncID}
      ${query.kind === undefined ? sql`` : sql`and h.kind = ${query.kind}`}
      ${query.next === undefined ? sql`` : sql`and h.person_id > ${Number(query.next)}`}
    order by h.person_id limit ${query.pagesize + 1}`.execute(trx);
  const shown = rows.slice(0, query.pagesize);
  return {
    Items: shown.map(({ before, ...row }) => ({ ...row, Before: wordsOf(before, row) })),
    Next: rows.length > query.pagesize ? String(shown.at(-1)?.PersonID) : null,
  };
}

/** The contact's previous name and phone, if different. */
function wordsOf(
  before: ChangeRow['before'],
  { FirstName, LastName, PrimaryPhone }: Pick<SyncChange, 'FirstName' | 'LastName' | 'PrimaryPhone'>,
): string {
  if (before === null) return '';
  const name = `${before.first_name ?? ''} ${before.last_name ?? ''}`.trim();
  const parts = [
    ...(name !== `${FirstName} ${LastName}`.trim() ? [name] : []),
    ...((before.primary_phone ?? '') !== PrimaryPhone ? [before.primary_phone ?? ''] : []),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
