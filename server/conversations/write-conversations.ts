import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { keepsItself } from '../keep-itself.ts';
import { prepared } from '../prepared.ts';

/**
 * Inserts, updates or deletes conversations, and keeps in the same statement the tables that depend on them: counts, tags
 * and phones (keep_conversations in the migrations). Every statement that writes conversations goes through here.
 *
 * Returns the rows of `select`, which reads `changed`: the rows before (old_row, null if inserted) and after (new_row,
 * null if deleted), and the columns of `returning`.
 */
export async function writeConversations<Row = { changed: number }>(
  trx: Trx,
  statement: {
    isPrepared?: boolean;
    /** Common table expressions that `write` reads. */
    first?: RawBuilder<unknown>;
    write: RawBuilder<unknown>;
    returning?: RawBuilder<unknown>;
    /** Common table expressions that read `changed`. */
    next?: RawBuilder<unknown>;
    select?: RawBuilder<unknown>;
  },
): Promise<Row[]> {
  const { isPrepared = false, first, write, returning, next } = statement;
  const { select = sql`count(*)::int as changed` } = statement;
  const { rows } = await sql<Row>`
    ${isPrepared ? prepared : sql``} with ${first === undefined ? sql`` : sql`${first},`}
    changed as (
      ${write}
      returning old as old_row, new as new_row ${returning === undefined ? sql`` : sql`, ${returning}`}
    ),
    ${next === undefined ? sql`` : sql`${next},`}
    -- A row that isn't there is told by its key: a row with an empty column is neither null nor not null.
    counted as (
      select ${keepsItself}, keep_conversations(
        array_agg(old_row) filter (where (old_row).conversation_id is not null),
        array_agg(new_row) filter (where (new_row).conversation_id is not null),
        bool_or((old_row).tag_ids <> '{}' or (new_row).tag_ids <> '{}'))
      from changed
    )
    -- Joined, or it would not be run.
    select ${select} from changed cross join counted`.execute(trx);
  return rows;
}
