import { sql } from 'kysely';
import { specialGroups } from '../../contract/contacts.ts';
import type { Database } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import type { NudgedWork } from '../run-once.ts';
import { nextKeptIds } from '../undo.ts';
import { createSlicedWork, sliceRows, type WorkRow, workWaits } from '../work.ts';
import { changeRows, isOnlyJoin, type PlannedChange } from './change/change-selection.ts';
import { putBack } from './change/undo-contacts.ts';
import { sweepDeletedGroups } from './groups/sweep-deleted-groups.ts';
import { createContactIndexing } from './list/index-contacts.ts';
import { sweepKnownWords } from './list/sweep-known-words.ts';
import { lockLane, lockSlice } from './lock-contacts.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Imported contacts have to be added to the index of words. */
    index_contacts: Record<string, never>;
  }
}

export function createContactJobs(context: JobContext) {
  const { database } = context;
  const changes = createContactWork(context);
  const indexing = createContactIndexing(context);
  return {
    tasks: { do_work: changes.run, index_contacts: indexing.run },
    waiting: [
      { where: workWaits, run: changes.run },
      { where: sql`exists (select from search_backlog)`, run: indexing.run },
    ],
    async sweep() {
      await sql`delete from exports where created_at < now() - interval '1 day'`.execute(database.system);
      await sql`delete from mass_changes where created_at < now() - ${context.config.EVENT_MONTHS} * interval '1 month'`.execute(
        database.system,
      );
      await sweepDeletedGroups(database);
      await sweepKnownWords(database);
    },
    async stop() {
      await Promise.all([changes.stop(), indexing.stop()]);
    },
  } satisfies SliceJobs;
}

/**
 * Contacts per slice at most: a third of a second. It holds the organization's lock while it runs; people who
 * add a contact in the meantime wait for it.
 */
const mostRows = 20_000;

/** Long work on contacts. */
function createContactWork(context: { database: Database; log: Log }): NudgedWork {
  return createSlicedWork(context, {
    isOwn: sql<boolean>`kind not like 'conversations.%' and kind <> 'draft-recipients'`,
    lock: lockSlice,
    nextIds: (accountId, row) =>
      row.kind === 'undo'
        ? nextKeptIds(accountId, undoOf(row), row.cursor ?? 0, sliceRows(row.total, mostRows))
        : sql`select person_id as id from contacts
            where account_id = ${accountId} and person_id > ${row.cursor ?? 0} and person_id <= ${row.last_id}
            order by id limit ${sliceRows(row.total, mostRows * lanesOf(row))}`,
    lanes: { count: lanesOf, lock: lockLane },
    async doSlice(trx, actor, row, slice) {
      if (row.kind === 'undo')
        return putBack(trx, actor, { undoId: undoOf(row), nextUndoId: row.undo_id ?? 0, within: slice });
      const { chosen } = await changeRows(trx, actor, row.input as PlannedChange, {
        undoId: row.undo_id,
        within: slice,
      });
      return chosen;
    },
    tables: ({ kind }) =>
      isOfMembers(kind)
        ? ['group_members', 'undo_rows', 'undo_sets']
        : ['contacts', 'group_members', 'contact_search', 'undo_rows', 'undo_sets'],
    changed: [{ type: 'contacts.changed' }],
  });
}

/**
 * People who join a group without leaving one are selected as before, and are already in it after a retry:
 * one lane per core.
 */
function lanesOf({ kind, input }: WorkRow): number {
  if (kind !== 'join') return 1;
  const { change, from } = input as PlannedChange;
  const isSteady = 'listId' in from && from.listId !== specialGroups.unfiled;
  return isSteady && isOnlyJoin(change) ? 2 : 1;
}

/** People who only join and leave groups stay the same contact. */
function isOfMembers(kind: string): boolean {
  return kind === 'join' || kind === 'leave' || kind === 'unfile';
}

function undoOf(row: WorkRow): number {
  return (row.input as { undoId: number }).undoId;
}
