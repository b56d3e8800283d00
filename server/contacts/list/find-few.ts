import { type RawBuilder, sql } from 'kysely';
import { specialGroups } from '../../../contract/contacts.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { canBeSimilar, foundContacts, requireShownList, type ShownList } from '../queries.ts';
import { searchPatterns, wordPattern } from '../rules.ts';
import { findWords } from './find-words.ts';
import { listContacts } from './list-contacts.ts';

export interface FewContacts {
  people: { PersonID: number; FirstName: string; LastName: string; PrimaryPhone: string }[];
  /** Nobody has these exact words; these contacts have similar ones. */
  isSimilar: boolean;
}

/** Number of similar words that are considered for each typed word. */
const nearWords = 6;

/**
 * The first few results of the contacts page, without counting. Among a million, counting the matches of a
 * fragment takes longer than finding the first ones, and searching contacts for misspelled words takes longer
 * than searching their words.
 */
export async function findFewContacts(trx: Trx, actor: Actor, q: string, most: number): Promise<FewContacts> {
  const list = await requireShownList(trx, actor, specialGroups.everyone, q);
  // Users who see only their own contacts have few. New ones of an import are not in the index of words at
  // first.
  if (!actor.canSeeAllRoster || (await isIndexing(trx, actor))) return listFew(trx, actor, q, most);
  const exact = await peopleOf(trx, actor, await findExact(trx, actor, list, most), most);
  if (exact.length > 0 || !canBeSimilar(list)) return { people: exact, isSimilar: false };
  const near = await findNear(trx, actor, list, most);
  const people = near === undefined ? [] : await peopleOf(trx, actor, near, most);
  return { people, isSimilar: people.length > 0 };
}

async function isIndexing(trx: Trx, { accountId }: Actor): Promise<boolean> {
  const { rows } = await sql`select from search_backlog where account_id = ${accountId} limit 1`.execute(trx);
  return rows.length > 0;
}

async function listFew(trx: Trx, actor: Actor, q: string, most: number): Promise<FewContacts> {
  const { Items, IsSimilar } = await listContacts(trx, actor, {
    params: { ListID: specialGroups.everyone },
    query: {
      q,
      page: 1,
      pagesize: most,
      sortby: 'name',
      next: undefined,
      consent: undefined,
      problem: undefined,
    },
    body: undefined,
  });
  return { people: Items, isSimilar: IsSimilar };
}

/** Rows (person_id, place) that match all words, by name. */
async function findExact(
  trx: Trx,
  { accountId, ...actor }: Actor,
  list: ShownList,
  most: number,
): Promise<RawBuilder<unknown>> {
  const { patterns } = searchPatterns(list.folded);
  const byName = sql`row_number() over (order by sort_name, person_id) as place`;
  const pattern = wordPattern(patterns);
  // Thousands of words begin with one or two letters: takes the first ones in alphabetical order, without
  // reading the others.
  if (pattern !== undefined && !pattern.startsWith('%')) {
    return sql`select person_id, min(place) as place from (
      select person_id, row_number() over (order by word, sort_name, person_id) as place from (
        select word, sort_name, person_id from contact_words
        where account_id = ${accountId} and word >= ${list.folded} and word < ${`${list.folded}\u{10FFFF}`}
        order by word, sort_name, person_id limit ${4 * most}) first) f
      group by person_id`;
  }
  const words = pattern === undefined ? undefined : await findWords(trx, accountId, patterns);
  if (words === undefined) {
    const found = foundContacts({ accountId, ...actor }, list);
    return sql`select person_id, ${byName} from ${found} f`;
  }
  return sql`select person_id, ${byName} from (
    select distinct f.person_id, f.sort_name from unnest(${words}::text[]) w(word)
    cross join lateral (
      select c.person_id, c.sort_name from contact_words c
      where c.account_id = ${accountId} and c.word = w.word
      order by c.sort_name, c.person_id limit ${most}) f) f`;
}

/**
 * Rows (person_id, place) with words similar to those typed, the nearest first; undefined if there are none.
 */
async function findNear(
  trx: Trx,
  { accountId }: Actor,
  { folded }: ShownList,
  most: number,
): Promise<RawBuilder<unknown> | undefined> {
  const typed = folded.split(/\s+/).slice(0, 4);
  const { rows } = await sql<{ place: number; words: string[]; nearness: number[] }>`
    select t.place, array_agg(s.word) as words, array_agg(s.nearness) as nearness
    from unnest(${typed}::text[]) with ordinality t(word, place)
    cross join lateral find_similar_words(t.word, ${nearWords}) s
    group by t.place order by t.place`.execute(trx);
  if (rows.length < typed.length) return undefined;
  const sets = rows.map(({ words, nearness }, index) => {
    const near = sql`unnest(${words}::text[], ${nearness}::real[]) n(word, nearness)`;
    // For one word, the first few contacts of each are enough. For several, only contacts that have a match
    // for each.
    return sql`(
      select f.person_id, f.sort_name, max(n.nearness) as nearness from ${near}
      cross join lateral (
        select c.person_id, c.sort_name from contact_words c
        where c.account_id = ${accountId} and c.word = n.word
        order by c.sort_name, c.person_id ${rows.length === 1 ? sql`limit ${most}` : sql``}) f
      group by 1, 2) ${sql.ref(`s${index}`)}`;
  });
  const [first, ...others] = sets;
  const sum = sql.join(
    sets.map((_, index) => sql`${sql.ref(`s${index}`)}.nearness`),
    sql` + `,
  );
  const joined = sql.join(
    others.map((set, index) => sql`join ${set} on ${sql.ref(`s${index + 1}`)}.person_id = s0.person_id`),
    sql` `,
  );
  return sql`select s0.person_id, row_number() over (order by ${sum} desc, s0.sort_name, s0.person_id) as place
    from ${first} ${others.length > 0 ? joined : sql``}`;
}

async function peopleOf(
  trx: Trx,
  { accountId }: Actor,
  found: RawBuilder<unknown>,
  most: number,
): Promise<FewContacts['people']> {
  const { rows } = await sql<FewContacts['people'][number]>`
    with first as materialized (select person_id, place from (${found}) all_found order by place limit ${most})
    select c.person_id as "PersonID", c.first_name as "FirstName", c.last_name as "LastName",
      coalesce(c.primary_phone::text, '') as "PrimaryPhone"
    from first f join contacts c on c.account_id = ${accountId} and c.person_id = f.person_id
    where c.deleted_at is null
    order by f.place`.execute(trx);
  return rows;
}
