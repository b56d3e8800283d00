import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { wordPattern } from '../rules.ts';

/** With more words than this, scanning each isn't worth it. */
const mostWords = 500;

/**
 * The words of contacts that contain the search, if it is part of one word. Undefined if the words can't
 * answer the search: see wordPattern, or too many words match, or some contacts are not indexed yet. The
 * transaction must be the account's (asAccount).
 */
export async function findWords(
  trx: Trx,
  accountId: number,
  patterns: string[],
): Promise<string[] | undefined> {
  const pattern = wordPattern(patterns);
  if (pattern === undefined) return undefined;
  const { rows } = await sql<{ words: string[] | null }>`
    select case when not exists (select from search_backlog where account_id = ${accountId}) then array(
      select word from find_words(${pattern}, ${mostWords + 1})) end as words`.execute(trx);
  const words = rows[0]?.words ?? undefined;
  return words === undefined || words.length > mostWords ? undefined : [...new Set(words)];
}

/** Contacts with one of these words: rows (person_id, sort_name), twice for a contact with two of them. */
export function withWords(accountId: number, words: string[]): RawBuilder<unknown> {
  return sql`select person_id, sort_name from contact_words
    where account_id = ${accountId} and word = any(${words}::text[])`;
}
