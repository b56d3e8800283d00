import { sql } from 'kysely';
import type { Database } from '../../db.ts';
import { preferIndexes } from '../../imports/import-slice.ts';
import type { Log } from '../../log.ts';
import type { NudgedWork } from '../../run-once.ts';
import { createSlicedWork } from '../../work.ts';
import { recipientWork } from '../draft/queries.ts';
import { addSlice, type PlannedAddition } from './add-recipients.ts';
import { placesAlong } from './find-candidates.ts';
import { type PlannedRemoval, removeSlice } from './remove-recipients.ts';

/** Recipients per slice: a third of a second, in which nobody else changes the draft. */
const sliceRows = 20_000;

type Planned = PlannedAddition | PlannedRemoval;

/** Adds many people to drafts and removes many. */
export function createRecipientWork(context: { database: Database; log: Log }): NudgedWork {
  return createSlicedWork(context, {
    isOwn: sql<boolean>`kind = ${recipientWork}`,
    // Locks the draft's row first, because every transaction locks it before a row of work.
    lock: async () => undefined,
    nextIds(accountId, row) {
      const planned = row.input as Planned;
      const after = row.cursor ?? 0;
      const places =
        'adds' in planned
          ? placesAlong(accountId, { walk: planned.walk, source: planned.adds, after, limit: sliceRows })
          : sql`select recipient_id as id from broadcast_recipients
              where account_id = ${accountId} and broadcast_id = ${planned.broadcastId} and recipient_id > ${after}
              order by id limit ${sliceRows}`;
      // A deleted draft needs no more work. People beyond the last id were added later.
      return sql`
        select least(id, ${row.last_id}) as id from (${places}) places where exists (
          select from broadcasts where account_id = ${accountId} and broadcast_id = ${planned.broadcastId}
            and status in ('draft', 'model') and deleted_at is null)`;
    },
    async doSlice(trx, actor, row, slice) {
      // If the machine fails during a slice, its cursor is lost with it, and the slice is repeated.
      await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
      await preferIndexes(trx);
      const planned = row.input as Planned;
      if ('adds' in planned) {
        const tallies = await addSlice(trx, actor, planned, slice);
        return tallies.reduce((sum, { count }) => sum + count, 0);
      }
      return removeSlice(trx, actor, planned, { within: slice, isLast: slice.lastId >= row.last_id });
    },
    tables: () => ['broadcast_recipients'],
    changed: [],
  });
}
