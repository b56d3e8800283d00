import { sql } from 'kysely';
import { asSystem, type Database } from '../../db.ts';

/** Words per transaction: some hundredths of a second, in which no contact can be written. */
const sliceRows = 10_000;
/** Transactions that write contacts go first: the words can wait until tomorrow. */
const patience = '1s';
const lockNotAvailable = '55P03';

const hasNobody = sql`not exists (
  select from contact_words c where c.account_id = k.account_id and c.word = k.word)`;

/** Removes the words that no contact has any more. */
export async function sweepKnownWords(database: Database): Promise<void> {
  while ((await takeOut(database)) === sliceRows);
}

/** One slice, and how many were in it; zero during a long write transaction. */
async function takeOut(database: Database): Promise<number> {
  const { rows } = await sql<{ account_id: number; word: string }>`
    select k.account_id, k.word from known_words k where ${hasNobody} limit ${sliceRows}`.execute(
    database.system,
  );
  if (rows.length === 0) return 0;
  const removal = asSystem(database, async (trx) => {
    // A transaction that has just added a contact may rely on such a word: waits for it, and makes new ones
    // wait.
    await sql`select set_config('lock_timeout', ${patience}, true)`.execute(trx);
    await sql`lock table known_words in share row exclusive mode`.execute(trx);
    await sql`
      delete from known_words k
      using unnest(${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.word)}::text[]) old(account_id, word)
      where k.account_id = old.account_id and k.word = old.word and ${hasNobody}`.execute(trx);
  });
  const isDone = await removal.then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== lockNotAvailable) throw error;
      return false;
    },
  );
  return isDone ? rows.length : 0;
}
