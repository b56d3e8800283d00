import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../contract/errors.ts';
import type { Event } from '../contract/events.ts';
import { findUserActor } from './access/load-actor.ts';
import { asAccount, asSystem, type Database, isDatabaseDown, type Trx } from './db.ts';
import { enqueue } from './jobs.ts';
import type { Log } from './log.ts';
import { notify } from './notify.ts';
import { type NudgedWork, runOnce } from './run-once.ts';
import type { Actor } from './serve.ts';

/** True if any work is left, of any slice. */
export const workWaits = sql`exists (select from work where status = 'InProgress')`;

/** An inclusive range of ids. */
export interface Slice {
  firstId: number;
  lastId: number;
}

export interface WorkRow {
  user_id: number;
  kind: string;
  input: unknown;
  cursor: number | null;
  last_id: number;
  undo_id: number | null;
  done: number;
  total: number;
}

/**
 * Rows per slice: a quarter of them, so that a medium-sized change also shows progress; never less than a
 * thousand.
 */
export function sliceRows(total: number, most: number): number {
  return Math.min(most, Math.max(1_000, Math.ceil(total / 4)));
}

/** The work of one domain in slices. */
export interface WorkKinds {
  /** Its own rows in `work`. */
  isOwn: RawBuilder<boolean>;
  /** Locked by a slice, and by an undo of the work meanwhile: both lock it before the work's row. */
  lock(trx: Trx, accountId: number): Promise<void>;
  /** The ids after the cursor, in order, up to this many: a query with one column `id`. */
  nextIds(accountId: number, row: WorkRow): RawBuilder<unknown>;
  /** Processes the rows of a slice; returns how many there were. */
  doSlice(trx: Trx, actor: Actor, row: WorkRow, slice: Slice): Promise<number>;
  /**
   * If a repeat changes nothing and counts the same: the number of parallel transactions, and the lock that
   * each of them takes.
   */
  lanes?: { count(row: WorkRow): number; lock(trx: Trx, accountId: number): Promise<void> };
  /** The tables that it changes, for which the planner needs fresh statistics. */
  tables(row: WorkRow): string[];
  changed: Event[];
}

const mostAttempts = 5;

/**
 * Long work on many rows. States of a row of `work`:
 *   InProgress → Complete   its last slice committed, or it was undone midway
 *   InProgress → Error      a slice failed repeatedly, or became impossible
 * A slice is one transaction: rows, undo, counts and the cursor commit together. A kill midway leaves no
 * trace of it, and the next run continues at the cursor. With lanes, the rows commit in the lanes'
 * transactions first, and are processed once more.
 */
export function createSlicedWork(
  { database, log }: { database: Database; log: Log },
  kinds: WorkKinds,
): NudgedWork {
  // One slice of each in turn: a small change doesn't wait for a large one.
  return runOnce(async (isStopping) => {
    const due = await dueWork(database, kinds);
    for (const { account_id, work_id } of due) {
      if (!isStopping()) await tryStep(account_id, work_id);
    }
    return due.length > 0;
  });

  async function tryStep(accountId: number, workId: number): Promise<void> {
    try {
      const changed = await asAccount(database, accountId, (trx) =>
        step(database, trx, kinds, { accountId, workId }),
      );
      if (changed !== undefined) await takeFigures(database, changed);
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
      log.warn({ err: error, work: workId }, 'a slice of work failed');
      await asAccount(database, accountId, (trx) => noteFailure(trx, accountId, workId, error));
    }
  }
}

function dueWork(database: Database, { isOwn }: WorkKinds) {
  return asSystem(database, (trx) =>
    trx
      .selectFrom('work')
      .select(['account_id', 'work_id'])
      .where('status', '=', 'InProgress')
      .where(sql<boolean>`coalesce(lease_until <= now(), true)`)
      .where(isOwn)
      .orderBy('created_at')
      .limit(20)
      .execute(),
  );
}

/** Tables that may have outgrown PostgreSQL's statistics. */
interface Grown {
  tables: string[];
  done: number;
  isOver: boolean;
}

/**
 * The next slice; returns the changed tables after the first one, whenever their number has grown eightfold,
 * and at the end.
 */
async function step(
  database: Database,
  trx: Trx,
  kinds: WorkKinds,
  { accountId, workId }: { accountId: number; workId: number },
): Promise<Grown | undefined> {
  await kinds.lock(trx, accountId);
  const row = await trx
    .selectFrom('work')
    .select(['user_id', 'kind', 'input', 'cursor', 'last_id', 'undo_id', 'done', 'total'])
    .where('account_id', '=', accountId)
    .where('work_id', '=', workId)
    .where('status', '=', 'InProgress')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const slice = await nextSlice(trx, kinds, accountId, row);
  const done = slice === undefined ? 0 : await doSlice(database, trx, kinds, { accountId, row, slice });
  const isOver = slice === undefined || slice.lastId >= row.last_id;
  await trx
    .updateTable('work')
    .set({
      cursor: slice?.lastId ?? row.last_id,
      done: row.done + done,
      attempts: 0,
      lease_until: null,
      ...(isOver ? { status: 'Complete', ended_at: sql<Date>`now()` } : {}),
    })
    .where('account_id', '=', accountId)
    .where('work_id', '=', workId)
    .execute();
  await notify(trx, accountId, [...kinds.changed, { type: 'work.changed', WorkID: workId }]);
  const sizeOf = (rows: number) => Math.floor(Math.log2(rows + 1) / 3);
  return isOver || sizeOf(row.done) < sizeOf(row.done + done)
    ? { tables: kinds.tables(row), done: row.done + done, isOver }
    : undefined;
}

/**
 * PostgreSQL still plans for an empty table if it was empty a moment ago, and then compares every row with
 * every other. Along the way only tables where this can happen are analyzed, outside of the slice, so that
 * nobody waits for it.
 */
async function takeFigures(database: Database, { tables, done, isOver }: Grown): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where oid = any(${tables}::regclass[]) and (${isOver} or reltuples < 2 * ${done})`.execute(
    database.system,
  );
  if (rows.length === 0) return;
  await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(database.system);
}

async function doSlice(
  database: Database,
  trx: Trx,
  kinds: WorkKinds,
  { accountId, row, slice }: { accountId: number; row: WorkRow; slice: Slice },
): Promise<number> {
  const actor = await actorOf(trx, accountId, row.user_id);
  const { lanes } = kinds;
  const count = lanes?.count(row) ?? 1;
  if (lanes === undefined || count === 1) return kinds.doSlice(trx, actor, row, slice);
  // Two parts for each lane: one that is slowed down meanwhile leaves its last part to another.
  const parts = partsOf(slice, 2 * count);
  const doPart = (part: Slice) =>
    asAccount(database, accountId, async (lane) => {
      // Their commits are on disk before that of the slice, which relies on them.
      await sql`set local synchronous_commit = off`.execute(lane);
      await lanes.lock(lane, accountId);
      return kinds.doSlice(lane, actor, row, part);
    });
  const takeParts = async () => {
    let taken = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) taken += await doPart(part);
    return taken;
  };
  const ended = await Promise.allSettled(Array.from({ length: count }, takeParts));
  let done = 0;
  for (const each of ended) {
    if (each.status === 'rejected') throw each.reason;
    done += each.value;
  }
  return done;
}

/** As many parts of equal width. */
function partsOf({ firstId, lastId }: Slice, count: number): Slice[] {
  const width = Math.ceil((lastId - firstId + 1) / count);
  return Array.from({ length: count }, (_, index) => ({
    firstId: firstId + index * width,
    lastId: Math.min(lastId, firstId + (index + 1) * width - 1),
  }));
}

/** The next ids after the cursor; undefined when there are none. */
async function nextSlice(
  trx: Trx,
  kinds: WorkKinds,
  accountId: number,
  row: WorkRow,
): Promise<Slice | undefined> {
  const { rows } = await sql<{ lastId: number | null }>`
    select max(id) as "lastId" from (${kinds.nextIds(accountId, row)}) slice`.execute(trx);
  const lastId = rows[0]?.lastId ?? null;
  return lastId === null ? undefined : { firstId: (row.cursor ?? 0) + 1, lastId };
}

/** The user who requested the work, with their current permissions. */
async function actorOf(trx: Trx, accountId: number, userId: number): Promise<Actor> {
  const actor = await findUserActor(trx, accountId, userId);
  if (actor === undefined) throw new Refusal('refused', 'The user who asked for this is no longer here.');
  return actor;
}

/** Tried again after 1, 2, 4, 8 seconds, unless it became impossible. */
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

export interface NewWork {
  kind: string;
  input: object;
  total: number;
  lastId: number;
  undoId: number | null;
}

/** Saves work that continues when the page is closed; `changed` is what pages refetch. */
export async function createWork(
  trx: Trx,
  actor: Actor,
  work: NewWork,
  changed: Event[] = [],
): Promise<number> {
  const { work_id } = await trx
    .insertInto('work')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      kind: work.kind,
      input: JSON.stringify(work.input),
      total: work.total,
      last_id: work.lastId,
      undo_id: work.undoId,
    })
    .returning('work_id')
    .executeTakeFirstOrThrow();
  await enqueue(trx, 'do_work', {});
  await notify(trx, actor.accountId, [...changed, { type: 'work.changed', WorkID: work_id }]);
  return work_id;
}

/** The change that is undone may still be running: it stops. */
export async function endWork(trx: Trx, actor: Actor, undoId: number): Promise<void> {
  const ended = await trx
    .updateTable('work')
    .set({ status: 'Complete', ended_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('undo_id', '=', undoId)
    .where('status', '=', 'InProgress')
    .returning('work_id')
    .execute();
  await notify(
    trx,
    actor.accountId,
    ended.map(({ work_id }) => ({ type: 'work.changed', WorkID: work_id })),
  );
}
