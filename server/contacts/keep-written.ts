/**
 * Counts of lists, who is unfiled, and the words that contacts are found by depend on the rows of contacts, group_members
 * and contact_search. There is no trigger that keeps them: every statement that writes one of these tables does.
 * Most are written by `writeContacts`, `writeMembers` and `writeSearch`. A statement that does more returns
 * `rowsWritten` of each row, and reads all of them at its end from `keepContacts`, `keepMembers` or `keepWords`: the function
 * there (migration 0391) finds every row that the statement wrote.
 *
 * These functions also keep silent, for their statement, the triggers that processes of the version before rely on. A
 * statement that keeps counts by itself, in sets, selects `keepsItself` (server/keep-itself.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';

/** Each row before and after, for the "returning" of an insert, update or delete. */
export const rowsWritten: RawBuilder<unknown> = sql`old as old_row, new as new_row`;

/**
 * Keeps what depends on contacts that a part of the same statement wrote: a table expression of one row, with their number
 * as `many`. `written` is one table with all of them.
 */
export function keepContacts(written: RawBuilder<unknown>): RawBuilder<unknown> {
  return keep('keep_contacts', written);
}

/** The same for members of groups. */
export function keepMembers(written: RawBuilder<unknown>): RawBuilder<unknown> {
  return keep('keep_members', written);
}

function keep(
  name: 'keep_contacts' | 'keep_members' | 'keep_words',
  written: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // A row that isn't there has only nulls. One that is may have some, so "is null" on the whole row says nothing.
  const rows = (row: string) =>
    sql`array_agg(w.${sql.ref(row)}) filter (where (w.${sql.ref(row)}).person_id is not null)`;
  return sql`(
    select count(*) as many, ${sql.ref(name)}(${rows('old_row')}, ${rows('new_row')}) from ${written} w) keeping`;
}

/** Runs an insert, update or delete of contacts. Returns the number of rows. */
export async function writeContacts(trx: Trx, statement: RawBuilder<unknown>): Promise<number> {
  return write(trx, 'keep_contacts', statement);
}

/** The same for members of groups. */
export async function writeMembers(trx: Trx, statement: RawBuilder<unknown>): Promise<number> {
  return write(trx, 'keep_members', statement);
}

/** The same for the texts that contacts are found by. */
export async function writeSearch(trx: Trx, statement: RawBuilder<unknown>): Promise<number> {
  return write(trx, 'keep_words', statement);
}

async function write(
  trx: Trx,
  name: Parameters<typeof keep>[0],
  statement: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    with written as (${statement} returning ${rowsWritten})
    select many from ${keep(name, sql`written`)}`.execute(trx);
  return rows[0]?.many ?? 0;
}
