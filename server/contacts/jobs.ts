import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { asAccount, asSystem, type Database, isDatabaseDown, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import { type NudgedWork, runOnce } from '../run-once.ts';
import type { Actor } from '../serve.ts';
import { changeRows, type PlannedChange } from './change-selection.ts';
import { lockContacts } from './lock-contacts.ts';
import type { Within } from './queries.ts';
import { putBack } from './undo-contacts.ts';

/**
 * Long work on contacts. States of a row of `work`:
 *   InProgress → Complete   its last slice committed, or it was undone on the way
 *   InProgress → Error      a slice failed again and again, or can't be done any more
 * A slice is one transaction: rows, undo, counts and the cursor commit together. Whoever is killed in
 * the middle of one leaves no trace of it, and the next look goes on at the cursor.
 */
export function createContactWork({ database, log }: { database: Database; log: Log }): NudgedWork {
  // One slice of each in turn: a small change doesn't wait for a large one.
  return runOnce(async (isStopping) => {
    const due = await dueWork(database);
    for (const { account_id, work_id } of due) {
      if (!isStopping()) await tryStep(account_id, work_id);
    }
    return due.length > 0;
  });

  async function tryStep(accountId: number, workId: number): Promise<void> {
    try {
      await asAccount(database, accountId, (trx) => step(trx, accountId, workId));
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      log.warn({ err: error, work: workId }, 'a slice of work failed');
      await asAccount(database, accountId, (trx) => noteFailure(trx, accountId, workId, error));
    }
  }
}

/**
 * Contacts a slice: a third of a second. It holds the organisation's lock for as long as it runs; people who add a
 * contact meanwhile wait for it.
 */
const sliceRows = 20_000;
const mostAttempts = 5;

interface WorkRow {
  user_id: number;
  kind: string;
  input: unknown;
  cursor: number | null;
  last_id: number;
  undo_id: number | null;
  done: number;
}

function dueWork(database: Database) {
  return asSystem(database, (trx) =>
    trx
      .selectFrom('work')
      .select(['account_id', 'work_id'])
      .where('status', '=', 'InProgress')
      .where(sql<boolean>`coalesce(lease_until <= now(), true)`)
      .orderBy('created_at')
      .limit(20)
      .execute(),
  );
}

/** The next slice. The lock comes before the row: so does it for who undoes the work meanwhile. */
async function step(trx: Trx, accountId: number, workId: number): Promise<void> {
  await lockContacts(trx, accountId);
  const row = await trx
    .selectFrom('work')
    .select(['user_id', 'kind', 'input', 'cursor', 'last_id', 'undo_id', 'done'])
    .where('account_id', '=', accountId)
    .where('work_id', '=', workId)
    .where('status', '=', 'InProgress')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const within = await nextSlice(trx, accountId, row);
  const done = within === undefined ? 0 : await doSlice(trx, accountId, row, within);
  const isOver = within === undefined || within.lastId >= row.last_id;
  await trx
    .updateTable('work')
    .set({
      cursor: within?.lastId ?? row.last_id,
      done: row.done + done,
      attempts: 0,
      lease_until: null,
      ...(isOver ? { status: 'Complete', ended_at: sql<Date>`now()` } : {}),
    })
    .where('account_id', '=', accountId)
    .where('work_id', '=', workId)
    .execute();
  // A table that was empty a moment ago is still taken for empty, and every row held against every other. So the
  // planner's figures are taken anew after the first slice, whenever eight times as many have changed, and at the end.
  const sizeOf = (rows: number) => Math.floor(Math.log2(rows + 1) / 3);
  if (isOver || sizeOf(row.done) < sizeOf(row.done + done)) {
    await sql`analyze contacts, group_members, contact_search, undo_rows`.execute(trx);
  }
  await notify(trx, accountId, [{ type: 'contacts.changed' }, { type: 'work.changed', WorkID: workId }]);
}

/** The next ids behind the cursor, so many rows of them; undefined when there are none. */
async function nextSlice(trx: Trx, accountId: number, row: WorkRow): Promise<Within | undefined> {
  const { rows } = await sql<{ lastId: number | null }>`
    select max(id) as "lastId" from (
      ${
        row.kind === 'undo'
          ? sql`select row_id as id from undo_rows
            where account_id = ${accountId} and undo_id = ${undoOf(row)} and row_id > ${row.cursor ?? 0}`
          : sql`select person_id as id from contacts
            where account_id = ${accountId} and person_id > ${row.cursor ?? 0} and person_id <= ${row.last_id}`
      }
      order by id limit ${sliceRows}) slice`.execute(trx);
  const lastId = rows[0]?.lastId ?? null;
  return lastId === null ? undefined : { firstId: (row.cursor ?? 0) + 1, lastId };
}

function undoOf(row: WorkRow): number {
  return (row.input as { undoId: number }).undoId;
}

async function doSlice(trx: Trx, accountId: number, row: WorkRow, within: Within): Promise<number> {
  const actor = await actorOf(trx, accountId, row.user_id);
  if (row.kind === 'undo') return putBack(trx, actor, undoOf(row), row.undo_id ?? 0, within);
  const { chosen } = await changeRows(trx, actor, row.input as PlannedChange, row.undo_id, within);
  return chosen;
}

/** Who asked for the work, with what they may see now. */
async function actorOf(trx: Trx, accountId: number, userId: number): Promise<Actor> {
  const user = await trx
    .selectFrom('users')
    .select([
      'role',
      'time_zone as timeZone',
      sql<boolean>`role = 'owner' or can_see_all_roster`.as('canSeeAllRoster'),
      sql<string>`first_name || ' ' || last_name`.as('name'),
    ])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) throw new Refusal('refused', 'The user who asked for this is no longer here.');
  return { ...user, accountId, userId, sessionId: 0, address: '' };
}

/** Tried again after 1, 2, 4, 8 seconds; what can't be done any more is not. */
async function noteFailure(trx: Trx, accountId: number, workId: number, error: unknown): Promise<void> {
  const words =
    error instanceof Refusal ? error.message : 'Something went wrong, and trying again didn’t help.';
  const { rows } = await sql<{ status: string }>`
    update work set
      attempts = attempts + 1,
      lease_until = now() + power(2, attempts) * interval '1 second',
      status = case when ${isFinal(error)} then 'Error' else status end,
      ended_at = case when ${isFinal(error)} then now() end,
      error_message = case when ${isFinal(error)} then
        ${words} || ' ' || done || ' of ' || total || ' were done' ||
        case when undo_id is null then '.' else '; that can be undone.' end end
    where account_id = ${accountId} and work_id = ${workId} and status = 'InProgress'
    returning status`.execute(trx);
  if (rows[0]?.status === 'Error') {
    await notify(trx, accountId, [{ type: 'work.changed', WorkID: workId }]);
  }
}

function isFinal(error: unknown) {
  return error instanceof Refusal ? sql`true` : sql`attempts + 1 >= ${mostAttempts}`;
}
