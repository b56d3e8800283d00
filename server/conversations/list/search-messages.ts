import { type RawBuilder, sql } from 'kysely';
import { timing } from '../../../contract/reference/limits.ts';
import { dayBounds } from '../../../contract/time/local-day.ts';
import { onlyContactsOf } from '../../access/queries.ts';
import { searchPatterns } from '../../contacts/rules.ts';
import type { Trx } from '../../db.ts';
import { digitsToFind } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import type { ConversationFilter, Scope } from '../queries.ts';

/** The criteria of a search, and its period. */
export interface Search {
  accountId: number;
  /** Patterns for people's names, notes and fields; empty without a search for people. */
  people: string[];
  /**
   * The user whose contacts may also be found by notes and fields; null for everybody's. Others are found
   * only by name.
   */
  onlyUserId: number | null;
  /** The pattern for phones; empty without one. */
  digits: string;
  /** The beginnings of words in a text; empty without a search in texts. */
  texts: string[];
  /** Those of `texts` that the index is used for. Without any, only the newest texts are scanned. */
  indexed: string[];
  /** Single letters or two digits: they match too many people to be worth counting. */
  isVague: boolean;
  /** Times in PostgreSQL's format; also -infinity and infinity. */
  since: string;
  until: string;
  /** Time that the search went back to, if that wasn't specified. */
  searchedFrom: Date | null;
}

/** Further words are ignored. */
const mostWords = 12;
/**
 * The words for the index: so many words begin with one or two letters that it would return nearly all texts.
 */
const isIndexed =
  /^(?:.{3}|\p{Extended_Pictographic}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}])/u;
/**
 * Texts that are scanned without the index: a word so common that it would match a million is found there.
 * Where the index can't help, only these are searched.
 */
const newestTexts = { indexed: 2_000, alone: 10_000 } as const;
const all = 1_000_000_000;

export async function readSearch(trx: Trx, actor: Actor, filter: ConversationFilter): Promise<Search> {
  const { q, searchin, 'date-from': from, 'date-to': to } = filter;
  const isOpen = from === undefined && to === undefined;
  const twoWeeks = sql`now() - ${timing.conversationSearchDays} * interval '1 day'`;
  const since =
    from !== undefined ? beginningOf(actor, from) : isOpen ? twoWeeks : sql`timestamptz '-infinity'`;
  const until = to === undefined ? sql`timestamptz 'infinity'` : endOf(actor, to);
  const { rows } = await sql<{
    folded: string;
    words: string;
    since: string;
    until: string;
    searchedFrom: Date | null;
  }>`
    select btrim(fold_text(${q})) as folded, fold_words(${q}) as words, (${since})::text as since, (${until})::text as until,
      ${isOpen ? twoWeeks : sql`null::timestamptz`} as "searchedFrom"`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table has one row');
  const { folded, words: all, ...time } = row;
  const digits = digitsToFind(folded);
  const words = searchin === 'people' ? [] : distinctWords(all).slice(0, mostWords);
  return {
    ...time,
    accountId: actor.accountId,
    onlyUserId: onlyContactsOf(actor),
    people: searchin === 'texts' || digits !== '' ? [] : searchPatterns(folded).patterns,
    digits: searchin === 'texts' ? '' : digits,
    texts: words,
    indexed: words.filter((word) => isIndexed.test(word)),
    isVague: digits.length === 2 || distinctWords(folded).every((word) => word.length === 1),
  };
}

function distinctWords(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ''))];
}

export function beginningOf(actor: Actor, day: string) {
  return sql`${dayBounds(day, actor.timeZone).begins}::timestamptz`;
}

export function endOf(actor: Actor, day: string) {
  return sql`${dayBounds(day, actor.timeZone).ends}::timestamptz`;
}

/**
 * The texts that match a search's words: (message_id, text_number_id, phone, created_at). The newest ones
 * first; the others only if those are fewer than `enough`.
 */
export function foundTexts({ texts, indexed, since, until }: Search, scope: Scope, enough = all) {
  const [most, newest] = indexed.length === 0 ? [0, newestTexts.alone] : [enough, newestTexts.indexed];
  return sql`find_messages(${texts.map((word) => `% ${word}%`)}::text[], ${indexed}::text[], ${scope.numbers}::bigint[],
    ${since}::timestamptz, ${until}::timestamptz, ${most}::bigint, ${newest}::bigint)`;
}

/**
 * The contacts (person_id) that match a search's words. A user who sees a conversation sees its name, whoever
 * added the contact.
 */
export function foundPeople({ people }: Search) {
  return sql`find_contacts(${people}::text[], null, null, null, null, null)`;
}

/**
 * True if a contact `p` was found by data that this actor may see: for contacts that others added, the name alone.
 */
export function isFoundBySeen({ people, onlyUserId }: Search): RawBuilder<unknown> {
  if (onlyUserId === null) return sql`true`;
  return sql`(p.created_by_user_id = ${onlyUserId}
    or contact_search_text(p.first_name, p.last_name, '', null, null, null, '{}') like all(${people}::text[]))`;
}

/** True if this search looks for people. */
export function looksForPeople({ people, digits }: Search): boolean {
  return people.length > 0 || digits !== '';
}

/** The phones of contacts, `p`, one per row. */
export const phonesOfContact = sql`unnest(array[p.primary_phone::text, p.secondary_phone::text, p.tertiary_phone::text])`;

/** The allowed times of a conversation `c` that was found by its person. */
export function inTime({ since, until }: Search) {
  return sql`c.last_message_at >= ${since}::timestamptz and c.last_message_at < ${until}::timestamptz`;
}

/** All matches of a search, as a condition on `c`. */
export function searchCondition(search: Search, scope: Scope): RawBuilder<unknown> {
  const ways = [];
  if (looksForPeople(search))
    ways.push(sql`(${whoCondition(search)} and not c.is_retired and ${inTime(search)})`);
  if (search.texts.length > 0) {
    ways.push(sql`(c.text_number_id, c.phone::text) in (
      select f.text_number_id, f.phone from ${foundTexts(search, scope)} f)`);
  }
  return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, sql` or `)})`;
}

/** The matching people, however many they are, as a condition on `c`. */
export function whoCondition(search: Search) {
  if (search.digits !== '') return sql`strpos(c.phone, ${search.digits}) > 0`;
  return sql`c.phone in (
    select ${phonesOfContact} from ${foundPeople(search)} f
    join contacts p on p.person_id = f.person_id and p.account_id = ${search.accountId}
    where ${isFoundBySeen(search)})`;
}
