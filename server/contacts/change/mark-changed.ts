import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../serve.ts';
import type { ContactChange } from './change-selection.ts';

/** Ids that share a row. Their places in it are small numbers, and the row stays below two kilobytes and a half. */
const perBlock = 1024;

interface Mark {
  accountId: number;
  userId: number | null;
  kind:
    | 'joined'
    | 'left'
    | 'unfiled'
    | 'deleted'
    | 'restored'
    | 'edited'
    | 'imported'
    | 'undone'
    | 'import_undone'
    | 'synced';
  groupId?: number | null;
  fileId?: number;
  syncId?: number;
  fields?: readonly string[];
}

/**
 * A statement that keeps, for the histories of contacts, that a change of many reached those in `people`, a table or a part
 * of the statement with their ids in `column`.
 */
export function markChanged(mark: Mark, people: RawBuilder<unknown>, column: string): RawBuilder<unknown> {
  const id = sql.ref(column);
  return sql`
    insert into mass_changes (account_id, block, places, kind, group_id, file_id, sync_id, fields, user_id)
    select ${mark.accountId}::bigint, ${id} / ${sql.lit(perBlock)}, array_agg(distinct (${id} % ${sql.lit(perBlock)})::smallint),
      ${mark.kind}, ${mark.groupId ?? null}::bigint, ${mark.fileId ?? null}::bigint, ${mark.syncId ?? null}::bigint, ${[...(mark.fields ?? [])]}::text[],
      ${mark.userId}::bigint
    from ${people} group by 2`;
}

/** The rows about a person. */
export function marksOf(accountId: RawBuilder<unknown>, personId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`account_id = ${accountId} and block = ${personId} / ${sql.lit(perBlock)}
    and (${personId} % ${sql.lit(perBlock)})::smallint = any(places)`;
}

/** The same statement for a change of a selection, whose rows are in `changed`. None where nobody is left to have a history. */
export function markSelection(
  { accountId, userId }: Actor,
  change: ContactChange,
): RawBuilder<unknown> | undefined {
  const mark = markOf(change);
  return mark && markChanged({ accountId, userId, ...mark }, sql`changed`, 'row_id');
}

function markOf(change: ContactChange): Pick<Mark, 'kind' | 'groupId' | 'fields'> | undefined {
  switch (change.kind) {
    case 'delete':
      return { kind: 'deleted' };
    case 'restore':
      return { kind: 'restored', groupId: change.groupId };
    case 'join':
      return { kind: 'joined', groupId: change.groupId };
    case 'leave':
      return { kind: 'left', groupId: change.groupId };
    case 'unfile':
      return { kind: 'unfiled' };
    case 'edit': {
      const notes = change.notes === null ? [] : ['Notes'];
      return {
        kind: 'edited',
        fields: [...notes, ...(Object.keys(change.custom).length > 0 ? ['CustomData'] : [])],
      };
    }
    case 'clearField':
      return { kind: 'edited', fields: ['CustomData'] };
    case 'purge':
      return undefined;
  }
}
