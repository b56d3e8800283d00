import { type RawBuilder, sql } from 'kysely';
import { findWords, withWords } from '../../contacts/list/find-words.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { type ConversationFilter, type Scope, scopeConditions } from '../queries.ts';
import {
  foundPeople,
  foundTexts,
  inTime,
  isFoundBySeen,
  looksForPeople,
  phonesOfContact,
  readSearch,
  type Search,
  whoCondition,
} from './search-messages.ts';
import { beyond, direction, type PageRow, type Part, walkedRows } from './walk-conversations.ts';

type Fragment = RawBuilder<unknown>;

/** The maximum number of phones that are looked up one by one. */
const fewPhones = 3_000;
/**
 * With more, the latest conversations contain a full page of them; up to this number it is worth loading all
 * of them first.
 */
const manyPhones = 6_000;
/** Number of the latest that are read before everything is searched: with known phones, and without. */
const walked = { byPhone: 8_000, byName: 5_000 } as const;
/** The minimum number of texts for a page; several may belong to one conversation. */
const enoughTexts = 100;

/** The results of one kind of search. */
interface Hits {
  /** Common table expressions that the others use. */
  tables: Fragment[];
  /** Rows (conversation_id, at, message_id). */
  rows: Fragment;
  /** A time: every later match was found. */
  boundary: Fragment;
}

const everything = sql`timestamptz '-infinity'`;

/** One search of one actor, with the requested part of its list. */
interface Question {
  actor: Actor;
  filter: ConversationFilter;
  scope: Scope;
  part: Part;
  search: Search;
  phones: Phones;
}

/**
 * The phones of the matching people: the phones themselves, or for many people, rows (phone) as a subquery;
 * neither, if there are too many to be useful.
 */
type Phones = { few: string[] } | { many: Fragment } | undefined;

/**
 * A page of a search: matching people, by their latest text, and matching texts, by the latest text with the
 * words. A very frequent name or word is first searched among the latest; a page entirely later than the
 * limit of that search is the same as from a search of everything. Otherwise everything is searched.
 */
export async function listFoundConversations(
  trx: Trx,
  actor: Actor,
  { filter, scope, part }: { filter: ConversationFilter; scope: Scope; part: Part },
): Promise<{ rows: PageRow[]; searchedFrom: Date | null }> {
  const search = await readSearch(trx, actor, filter);
  const { searchedFrom } = search;
  if (scope.numbers.length === 0) return { rows: [], searchedFrom };
  const phones = looksForPeople(search) ? await findPhones(trx, search) : { few: [] };
  const question: Question = { actor, filter, scope, part, search, phones };
  const latest = part.isLatestFirst ? await findPage(trx, part, latestHits(question)) : undefined;
  const rows = latest?.isSure ? latest.rows : (await findPage(trx, part, allHits(question))).rows;
  return { rows, searchedFrom };
}

async function findPhones(trx: Trx, search: Search): Promise<Phones> {
  if (search.isVague) return undefined;
  const { found, phones, isQuick } = await whomToCount(trx, search);
  const { rows } = await sql<{ count: number; few: string[] | null }>`
    with found as materialized (${found})
    select (select count(*) from found)::integer as count,
      case when (select count(*) from found) <= ${fewPhones} then array(${phones}) end as few`.execute(trx);
  const { count = 0, few } = rows[0] ?? {};
  if (few) return { few };
  return isQuick && count <= manyPhones
    ? { many: sql`with found as materialized (${found}) ${phones}` }
    : undefined;
}

/**
 * The matching people if they are counted, how their phones are found, and whether all of that is fast enough
 * to be done twice.
 */
async function whomToCount(trx: Trx, search: Search) {
  const { accountId, digits, people } = search;
  const most = manyPhones + 1;
  if (digits !== '') {
    const found = sql`select phone from find_phones(${digits}, ${most})`;
    return { found, phones: sql`select phone from found`, isQuick: true };
  }
  const words = await findWords(trx, accountId, people);
  return {
    found:
      words === undefined
        ? sql`select person_id from ${foundPeople(search)}`
        : sql`select person_id from (${withWords(accountId, words)}) f limit ${most}`,
    // A list of ids, for an index scan: with a join, each of them is a separate lookup and takes half as long
    // again.
    phones: sql`select phone from (
      select ${phonesOfContact} as phone from contacts p
      where p.account_id = ${accountId} and p.person_id = any(array(select person_id from found)) and ${isFoundBySeen(search)}
    ) theirs where phone is not null`,
    isQuick: words !== undefined,
  };
}

function latestHits(question: Question): Hits[] {
  const { actor, filter, scope, part, search, phones } = question;
  const enough = Math.max(enoughTexts, 4 * (part.offset + part.rows));
  const texts = search.texts.length === 0 ? [] : [textHits(actor, scope, search, enough)];
  // These two have their own order.
  const isWalkable = filter.broadcastId === undefined && filter.viewing !== 'waiting';
  const isFew = phones !== undefined && 'few' in phones;
  return [...texts, isWalkable && !isFew ? walkedHits(question) : peopleOf(question)];
}

function allHits(question: Question): Hits[] {
  const { actor, scope, search } = question;
  const texts = search.texts.length === 0 ? [] : [textHits(actor, scope, search)];
  return [...texts, peopleOf(question)];
}

/** Matches in texts. Without `enough` all of them, including the oldest. */
function textHits(actor: Actor, scope: Scope, search: Search, enough?: number): Hits {
  const texts = sql`texts as materialized (
    select f.text_number_id, f.phone, max(f.created_at) as at, min(f.created_at) as first_at, count(*) as many,
      (array_agg(f.message_id order by f.created_at desc, f.message_id desc))[1] as message_id
    from ${foundTexts(search, scope, enough)} f group by 1, 2)`;
  return {
    tables: [texts],
    rows: sql`select c.conversation_id, t.at, t.message_id from texts t
      join conversations c on c.text_number_id = t.text_number_id and c.phone = t.phone
      where ${sql.join(scopeConditions(actor, scope), sql` and `)}`,
    // Others may have the same time as the last one.
    boundary:
      enough === undefined || search.indexed.length === 0
        ? everything
        : sql`(select case when sum(many) >= ${enough} then min(first_at) + interval '1 microsecond'
            else ${everything} end from texts)`,
  };
}

/** All conversations of the matching people. */
function peopleOf({ actor, scope, search, phones }: Question): Hits {
  const list = phones && ('few' in phones ? sql`${phones.few}::text[]` : sql`array(${phones.many})`);
  const isMeant = list === undefined ? whoCondition(search) : sql`c.phone = any(${list})`;
  const conditions = [...scopeConditions(actor, scope), isMeant, inTime(search), sql`not c.is_retired`];
  return {
    tables: [],
    rows: sql`select c.conversation_id, c.last_message_at, null::bigint from conversations c
      where ${sql.join(conditions, sql` and `)}`,
    boundary: everything,
  };
}

/** The matching ones among the latest conversations, as many as the page can hold. */
function walkedHits({ actor, filter, scope, part, search, phones }: Question): Hits {
  const known = phones && 'many' in phones ? phones.many : undefined;
  const far = known === undefined ? walked.byName : walked.byPhone;
  const walk = walkedRows(actor, {
    filter,
    scope,
    part: { ...part, offset: 0, rows: far },
    conditions: [inTime(search), sql`not c.is_retired`],
  });
  const most = part.offset + part.rows;
  return {
    tables: [
      sql`walk as materialized (
        select * from (${walk}) w order by at desc, conversation_id desc limit ${far})`,
      // In order and one by one, so that it stops at the last one for the page.
      sql`people as materialized (
        select c.conversation_id, c.at from (select * from walk order by at desc, conversation_id desc) c
        where ${isWalkedMeant(search, known)} order by c.at desc, c.conversation_id desc limit ${most})`,
    ],
    rows: sql`select conversation_id, at, null::bigint from people`,
    boundary: sql`(select case
      when (select count(*) from people) >= ${most} then (select min(at) from people)
      when (select count(*) from walk) >= ${far} then (select min(at) from walk)
      else ${everything} end)`,
  };
}

/** True if a conversation `c` in the scan belongs to the matching people; `known` are rows (phone). */
function isWalkedMeant(search: Search, known: Fragment | undefined): Fragment {
  const { accountId, digits, people } = search;
  if (known !== undefined) return sql`c.phone::text in (${known})`;
  if (digits !== '') return sql`strpos(c.phone, ${digits}) > 0`;
  return sql`exists (
    select from ${contactsOfPhone(accountId)} p
    left join contact_search s on s.account_id = p.account_id and s.person_id = p.person_id
    where coalesce(s.search_text, ${unindexedText}) like all(${people}::text[]) and ${isFoundBySeen(search)})`;
}

/** The future row in contact_search of a contact `p` that was just imported. */
const unindexedText = sql`contact_search_text(p.first_name, p.last_name, p.notes,
  p.primary_phone, p.secondary_phone, p.tertiary_phone, p.custom_data)`;

/** Contacts with the phone of the conversation `c`, each by its own index. */
const contactsOfPhone = (accountId: number) => sql`(
  select * from contacts p1 where p1.account_id = ${accountId} and p1.primary_phone = c.phone and p1.deleted_at is null
  union all
  select * from contacts p2 where p2.account_id = ${accountId} and p2.secondary_phone = c.phone
    and p2.secondary_phone is not null and p2.deleted_at is null
  union all
  select * from contacts p3 where p3.account_id = ${accountId} and p3.tertiary_phone = c.phone
    and p3.tertiary_phone is not null and p3.deleted_at is null)`;

/** One page of the results, and whether a search of everything would give the same. */
async function findPage(trx: Trx, part: Part, hits: Hits[]): Promise<{ rows: PageRow[]; isSure: boolean }> {
  const tables = [
    ...hits.flatMap((each) => each.tables),
    // A conversation found in both ways is sorted by the match of its person: never before the text that was
    // found.
    sql`found as (
      select conversation_id, max(at) as at, max(message_id) as message_id
      from (${sql.join(
        hits.map((each) => each.rows),
        sql` union all `,
      )}) hits(conversation_id, at, message_id)
      group by conversation_id)`,
    sql`page as (
      select * from found where ${sql.join([sql`true`, ...beyond(part, sql`at`, sql`conversation_id`)], sql` and `)}
      order by at ${direction(part)}, conversation_id ${direction(part)} limit ${part.rows} offset ${part.offset})`,
  ];
  const { rows } = await sql<PageRow & { isAll: boolean; isAbove: boolean }>`
    with ${sql.join(tables)}
    select p.conversation_id as id, to_json(p.at) #>> '{}' as at, p.message_id as "messageId",
      b.boundary = ${everything} as "isAll", p.at >= b.boundary as "isAbove"
    from (select greatest(${sql.join(hits.map((each) => each.boundary))}) as boundary) b left join page p on true
    order by p.at ${direction(part)}, p.conversation_id ${direction(part)}`.execute(trx);
  const found = rows.filter(({ id }) => id !== null);
  const isFull = found.length === part.rows && found.every(({ isAbove }) => isAbove);
  return { rows: found, isSure: isFull || rows[0]?.isAll === true };
}
