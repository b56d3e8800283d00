import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';

/** More words than these are not worth a walk each. */
const mostWords = 500;
/** What longer words are cut into overlaps by this: migration 0012. */
const mostSigns = 50;

/**
 * The words of contacts that hold what is looked for, where it is a part of one word; undefined where that doesn't tell
 * who holds it: several words, digits (phones are no words), too many of them, or contacts that wait to be taken in.
 * The transaction has to be of the account (asAccount).
 */
export async function findWords(
  trx: Trx,
  accountId: number,
  patterns: string[],
): Promise<string[] | undefined> {
  const [pattern = '', ...others] = patterns;
  // "% an%" is a beginning, "%ann%" any part.
  const [, start, part = ''] = /^%( ?)(.+)%$/s.exec(pattern) ?? [];
  if (others.length > 0 || part.length > mostSigns || /^[\d().+-]*$/.test(part)) return undefined;
  const { rows } = await sql<{ words: string[] | null }>`
    select case when not exists (select from search_backlog where account_id = ${accountId}) then array(
      select word from find_words(${start === '' ? pattern : `${part}%`}, ${mostWords + 1})) end as words`.execute(
    trx,
  );
  const words = rows[0]?.words ?? undefined;
  return words === undefined || words.length > mostWords ? undefined : [...new Set(words)];
}

/** Who has one of these words: rows (person_id, sort_name), twice where somebody has two. */
export function withWords(accountId: number, words: string[]): RawBuilder<unknown> {
  return sql`select person_id, sort_name from contact_words
    where account_id = ${accountId} and word = any(${words}::text[])`;
}
