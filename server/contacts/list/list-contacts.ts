import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import {
  contactLimits,
  type contactSorts,
  type listContacts as definition,
  specialGroups,
} from '../../../contract/contacts.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { keepSegmentCount } from '../groups/keep-segment-count.ts';
import {
  canBeSimilar,
  contactRows,
  deletedSearch,
  filterConditions,
  foundContacts,
  hasMembers,
  listConditions,
  requireShownList,
  type ShownList,
  similarContacts,
} from '../queries.ts';
import { readContactCursor, searchPatterns, writeContactCursor } from '../rules.ts';
import { findWords, withWords } from './find-words.ts';

type Rows = RawBuilder<unknown>;
type Query = Input<typeof definition>['query'];
type Sort = (typeof contactSorts)[number];

/** The requested part of a list. */
interface Place {
  sortby: Sort;
  page: number;
  pagesize: number;
  next?: string | undefined;
}

interface Found {
  personIds: number[];
  Size: number;
  IsMore: boolean;
  IsSimilar: boolean;
  Next: string | null;
}

/**
 * A page of a list. A list without a search, filter or condition is read by an index and its size is stored.
 * Everything else is first found and then sorted: 3 to 25 ms for 10,000 of a million, 80 ms for 50,000.
 * Reading by name until enough of them match took 650 ms if the matches are at the end of the alphabet.
 */
export async function listContacts(trx: Trx, actor: Actor, { params, query }: Input<typeof definition>) {
  const list = await requireShownList(trx, actor, params.ListID, query.q);
  const isWhole = isUnfiltered(list, query) && actor.canSeeAllRoster;
  const found =
    isWhole && list.segment === null && isWalkable(list, query.sortby)
      ? await walkList(trx, actor, list, query)
      : await findContacts(trx, actor, list, query);
  if (isWhole && list.segment !== null && !found.IsMore) {
    await keepSegmentCount(trx, actor.accountId, list, found.Size);
  }
  const { personIds, ...page } = found;
  return { ...page, Items: await contactRows(trx, actor, personIds) };
}

function isUnfiltered(list: ShownList, { consent, problem }: Query): boolean {
  return list.folded === '' && consent === undefined && problem === undefined;
}

/** True if an index has the list's rows in this order. Deleted ones lie scattered among the ids. */
function isWalkable({ listId }: ShownList, sortby: Sort): boolean {
  return listId !== specialGroups.deleted || sortby === 'name' || sortby === '-name';
}

async function walkList(trx: Trx, actor: Actor, list: ShownList, place: Place): Promise<Found> {
  const source = hasMembers(list)
    ? sql`select person_id, sort_name from group_members
        where account_id = ${actor.accountId} and group_id = ${list.listId}`
    : sql`select c.person_id, c.sort_name from contacts c
        where ${sql.join(await listConditions(trx, actor, list), sql` and `)}`;
  const rows = await sortedPage(trx, source, place);
  return { ...toPage(rows, place), Size: list.rosterCount, IsMore: false, IsSimilar: false };
}

async function findContacts(trx: Trx, actor: Actor, list: ShownList, query: Query): Promise<Found> {
  const conditions = [...(await listConditions(trx, actor, list)), ...filterConditions(query, list)];
  if (list.folded === '') return findRows(trx, contactsWhere(conditions), query);
  if (list.listId === specialGroups.deleted) {
    const words = deletedSearch(searchPatterns(list.folded));
    return findRows(trx, contactsWhere([...conditions, words]), query, { isSearch: true });
  }
  // The search itself filters by group and creator; only the other conditions have to be checked on the
  // contacts.
  const isNarrower = list.segment !== null || query.consent !== undefined || query.problem !== undefined;
  const found = isNarrower
    ? sql`select c.person_id, c.sort_name from ${foundContacts(actor, list)} f
        join contacts c on c.person_id = f.person_id where ${sql.join(conditions, sql` and `)}`
    : sql`select person_id, sort_name from ${foundContacts(actor, list)}`;
  const isOfAll = !isNarrower && !hasMembers(list) && actor.canSeeAllRoster;
  const exact =
    (isOfAll ? await pageByWords(trx, actor, list, query) : undefined) ??
    (await findRows(trx, found, query, { isSearch: true }));
  if (exact.Size > 0 || !canBeSimilar(list)) return exact;
  return findSimilar(trx, actor, list, { conditions, place: query });
}

/** The last row that is searched by each word; beyond it all are sorted. */
const deepestRow = 1_000;

/**
 * A page of contacts that match part of one word, by name: merges a short scan of each matching word.
 * Undefined if the words can't answer the search, or another order is requested. Sorting the tens of
 * thousands of matches took twice as long.
 */
async function pageByWords(
  trx: Trx,
  actor: Actor,
  list: ShownList,
  place: Place,
): Promise<Found | undefined> {
  const { beyond, order, limit, isByName } = along(place);
  const depth = limit.offset + limit.rows;
  if (!isByName || depth > deepestRow) return undefined;
  const words = await findWords(trx, actor.accountId, searchPatterns(list.folded).patterns);
  if (words === undefined) return undefined;
  const most = contactLimits.countedMatches;
  const all = withWords(actor.accountId, words);
  const { rows } = await sql<Row & { size: number; places: number }>`
    with page as (
      -- A contact among the first of all is among the first of each of their words.
      select distinct person_id, sort_name from unnest(${words}::text[]) w(word)
      cross join lateral (
        select c.person_id, c.sort_name from contact_words c
        where c.account_id = ${actor.accountId} and c.word = w.word and ${beyond}
        order by ${order} limit ${depth}) found
      order by ${order} limit ${limit.rows} offset ${limit.offset}),
    -- Few contacts have the same part in two words: reading twice as many is enough.
    counted as (
      select ${words.length === 1 ? sql`count(*)` : sql`count(distinct person_id)`} as size, count(*) as places
      from (${all} limit ${2 * most + 1}) a)
    select size, places, person_id, sort_name from counted left join page on true order by ${order}`.execute(
    trx,
  );
  const { size, places } = rows[0] ?? { size: 0, places: 0 };
  return {
    ...toPage(
      rows.filter(({ person_id }) => person_id !== null),
      place,
    ),
    Size: Math.min(size, most),
    IsMore: size > most || places > 2 * most,
    IsSimilar: false,
  };
}

function contactsWhere(conditions: RawBuilder<unknown>[]): Rows {
  return sql`select c.person_id, c.sort_name from contacts c where ${sql.join(conditions, sql` and `)}`;
}

interface Row {
  person_id: number;
  sort_name: string;
}

/**
 * A page of the rows of `source` (person_id, sort_name), with its size up to the counting limit. A search is
 * run completely, since the page may begin with its last match. Other sources stop at 50,001 rows: with so
 * many matches, the page is soon found along the index.
 */
export async function findRows(
  trx: Trx,
  source: Rows,
  place: Place,
  { isSearch = false } = {},
): Promise<Found> {
  const most = contactLimits.countedMatches;
  const { beyond, order, limit } = along(place);
  const { rows } = await sql<Row & { size: number }>`
    with found as materialized (${source} ${isSearch ? sql`` : sql`limit ${most + 1}`}),
    page as (select person_id, sort_name from found where ${beyond} order by ${order} limit ${limit.rows} offset ${limit.offset})
    select size, person_id, sort_name from (select count(*) as size from found) counted left join page on true
    order by ${order}`.execute(trx);
  const size = rows[0]?.size ?? 0;
  const IsMore = size > most;
  const page =
    IsMore && !isSearch
      ? await sortedPage(trx, source, place)
      : rows.filter(({ person_id }) => person_id !== null);
  return { ...toPage(page, place), Size: Math.min(size, most), IsMore, IsSimilar: false };
}

async function sortedPage(trx: Trx, source: Rows, place: Place): Promise<Row[]> {
  const { beyond, order, limit } = along(place);
  const { rows } = await sql<Row>`
    select person_id, sort_name from (${source}) found where ${beyond}
    order by ${order} limit ${limit.rows} offset ${limit.offset}`.execute(trx);
  return rows;
}

/**
 * The order of a list, the rows after its cursor, and one row more than the page, which shows that there is a
 * next page.
 */
function along({ sortby, page, pagesize, next }: Place) {
  const cursor = next === undefined ? undefined : readContactCursor(next);
  const limit = { rows: pagesize + 1, offset: cursor === undefined ? (page - 1) * pagesize : 0 };
  const isByName = sortby === 'name' || sortby === '-name';
  const isDescending = sortby === '-name' || sortby === 'newest';
  const direction = isDescending ? sql`desc` : sql`asc`;
  const order = isByName ? sql`sort_name ${direction}, person_id ${direction}` : sql`person_id ${direction}`;
  if (cursor === undefined) return { beyond: sql`true`, order, limit, isByName };
  const sign = isDescending ? sql`<` : sql`>`;
  const beyond = isByName
    ? sql`(sort_name, person_id) ${sign} (${cursor.name}, ${cursor.id}::bigint)`
    : sql`person_id ${sign} ${cursor.id}::bigint`;
  return { beyond, order, limit, isByName };
}

function toPage(rows: Row[], { pagesize }: Place): Pick<Found, 'personIds' | 'Next'> {
  const shown = rows.slice(0, pagesize);
  const last = shown.at(-1);
  const Next =
    rows.length > pagesize && last !== undefined
      ? writeContactCursor({ name: last.sort_name, id: last.person_id })
      : null;
  return { personIds: shown.map(({ person_id }) => person_id), Next };
}

/**
 * Approximate matches of the search, the nearest first, in any requested order. A few hundred: paged by
 * number.
 */
async function findSimilar(
  trx: Trx,
  actor: Actor,
  list: ShownList,
  { conditions, place: { page, pagesize, next } }: { conditions: RawBuilder<unknown>[]; place: Place },
): Promise<Found> {
  const { rows } = await sql<{ person_id: number }>`
    select c.person_id from ${similarContacts(actor, list)} s join contacts c on c.person_id = s.person_id
    where ${sql.join(conditions, sql` and `)}
    order by s.nearness desc, c.sort_name, c.person_id`.execute(trx);
  const start = next === undefined ? (page - 1) * pagesize : readContactCursor(next).id;
  const end = start + pagesize;
  return {
    personIds: rows.slice(start, end).map(({ person_id }) => person_id),
    Size: rows.length,
    IsMore: false,
    IsSimilar: rows.length > 0,
    Next: rows.length > end ? writeContactCursor({ name: '', id: end }) : null,
  };
}
