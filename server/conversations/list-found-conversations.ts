import { type RawBuilder, sql } from 'kysely';
import { findWords, withWords } from '../contacts/find-words.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { type ConversationFilter, type Scope, scopeConditions } from './queries.ts';
import {
  foundPeople,
  foundTexts,
  inTime,
  looksForPeople,
  phonesOfContact,
  readSearch,
  type Search,
  whoCondition,
} from './search-messages.ts';
import { beyond, direction, type PageRow, type Part, walkedRows } from './walk-conversations.ts';

type Fragment = RawBuilder<unknown>;

/** The most phones that are looked up one by one; with more, the latest conversations are gone through. */
const mostPhones = 3_000;
/** So many of the latest are gone through before all is searched. */
const walkedConversations = 5_000;
/** The least texts that are enough for a page; several may be of one conversation. */
const enoughTexts = 200;

/** What was found in one way. */
interface Hits {
  /** Common table expressions that the others speak of. */
  tables: Fragment[];
  /** Rows (conversation_id, at, message_id). */
  rows: Fragment;
  /** A moment: whatever is later was found. */
  boundary: Fragment;
}

const everything = sql`timestamptz '-infinity'`;

/** One search of one actor, with the part of its list that is asked for. */
interface Question {
  actor: Actor;
  filter: ConversationFilter;
  scope: Scope;
  part: Part;
  search: Search;
  /** The phones of those who are meant; undefined where they are too many to be looked up one by one. */
  phones: string[] | undefined;
}

/**
 * A page of a search: whom it means, by their latest text, and what was written, by the latest text that holds the
 * words. A name or a word that is everywhere is first looked for among the latest; a page that lies above the boundary of
 * that is the page that a search of everything would give. Only where it doesn't is everything searched.
 */
export async function listFoundConversations(
  trx: Trx,
  actor: Actor,
  filter: ConversationFilter,
  scope: Scope,
  part: Part,
): Promise<{ rows: PageRow[]; searchedFrom: Date | null }> {
  const search = await readSearch(trx, actor, filter);
  const { searchedFrom } = search;
  if (scope.numbers.length === 0) return { rows: [], searchedFrom };
  const phones = looksForPeople(search) ? await findPhones(trx, search) : [];
  const question: Question = { actor, filter, scope, part, search, phones };
  const latest = part.isLatestFirst ? await findPage(trx, part, latestHits(question)) : undefined;
  const rows = latest?.isSure ? latest.rows : (await findPage(trx, part, allHits(question))).rows;
  return { rows, searchedFrom };
}

async function findPhones(trx: Trx, search: Search): Promise<string[] | undefined> {
  const { digits, accountId, isVague } = search;
  if (isVague) return undefined;
  const found =
    digits === '' ? await peopleToCount(trx, search) : sql`find_phones(${digits}, ${mostPhones + 1})`;
  const phones =
    digits === ''
      ? sql`select distinct phone from found f
          join contacts p on p.account_id = ${accountId} and p.person_id = f.person_id
          cross join lateral ${phonesOfContact} phone where phone is not null`
      : sql`select phone from found`;
  const { rows } = await sql<{ phones: string[] | null }>`
    with found as materialized (select * from ${found})
    select case when (select count(*) from found) <= ${mostPhones} then array(${phones}) end as phones`.execute(
    trx,
  );
  return rows[0]?.phones ?? undefined;
}

/** All whom a search means, or, where their words tell, at least one more than are looked up one by one. */
async function peopleToCount(trx: Trx, search: Search): Promise<Fragment> {
  const words = await findWords(trx, search.accountId, search.people);
  if (words === undefined) return foundPeople(search);
  return sql`(${withWords(search.accountId, words)} limit ${mostPhones + 1}) found`;
}

function latestHits(question: Question): Hits[] {
  const { actor, filter, scope, part, search, phones } = question;
  const enough = Math.max(enoughTexts, 4 * (part.offset + part.rows));
  const texts = search.texts.length === 0 ? [] : [textHits(actor, scope, search, enough)];
  if (phones !== undefined) return [...texts, phoneHits(actor, scope, search, phones)];
  // These two have an order of their own.
  const isWalkable = filter.broadcastId === undefined && filter.viewing !== 'waiting';
  return [...texts, isWalkable ? walkedHits(question) : everyHit(actor, scope, search)];
}

function allHits({ actor, scope, search, phones }: Question): Hits[] {
  return [
    ...(search.texts.length === 0 ? [] : [textHits(actor, scope, search)]),
    phones === undefined ? everyHit(actor, scope, search) : phoneHits(actor, scope, search, phones),
  ];
}

/** Found by what was written. Without `enough` all of it, also the oldest. */
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
    // Others may have the very moment of the last one.
    boundary:
      enough === undefined || search.indexed.length === 0
        ? everything
        : sql`(select case when sum(many) >= ${enough} then min(first_at) + interval '1 microsecond'
            else ${everything} end from texts)`,
  };
}

/** Conversations found by who it is, under a condition on `c`. */
function peopleHits(actor: Actor, scope: Scope, search: Search, condition: Fragment): Hits {
  const conditions = [...scopeConditions(actor, scope), condition, inTime(search), sql`not c.is_retired`];
  return {
    tables: [],
    rows: sql`select c.conversation_id, c.last_message_at, null::bigint from conversations c
      where ${sql.join(conditions, sql` and `)}`,
    boundary: everything,
  };
}

function phoneHits(actor: Actor, scope: Scope, search: Search, phones: string[]): Hits {
  return peopleHits(actor, scope, search, sql`c.phone = any(${phones}::text[])`);
}

function everyHit(actor: Actor, scope: Scope, search: Search): Hits {
  return peopleHits(actor, scope, search, whoCondition(search));
}

/** Those of the latest conversations that are meant, as many as the page can take. */
function walkedHits({ actor, filter, scope, part, search }: Question): Hits {
  const far = { ...part, offset: 0, rows: walkedConversations };
  const walk = walkedRows(actor, filter, scope, far, [inTime(search), sql`not c.is_retired`]);
  const most = part.offset + part.rows;
  const isMeant =
    search.digits === ''
      ? sql`exists (
          select from ${contactsOfPhone} p
          left join contact_search s on s.account_id = p.account_id and s.person_id = p.person_id
          where coalesce(s.search_text, ${unindexedText}) like all(${search.people}::text[]))`
      : sql`strpos(c.phone, ${search.digits}) > 0`;
  return {
    tables: [
      sql`walk as materialized (
        select conversation_id, at from (${walk}) w order by at desc, conversation_id desc limit ${walkedConversations})`,
      // In its order and one by one, so that it ends with the last that the page can take.
      sql`people as materialized (
        select w.conversation_id, w.at
        from (select conversation_id, at from walk order by at desc, conversation_id desc) w
        join conversations c on c.account_id = ${actor.accountId} and c.conversation_id = w.conversation_id
        where ${isMeant} order by w.at desc, w.conversation_id desc limit ${most})`,
    ],
    rows: sql`select conversation_id, at, null::bigint from people`,
    boundary: sql`(select case
      when (select count(*) from people) >= ${most} then (select min(at) from people)
      when (select count(*) from walk) >= ${walkedConversations} then (select min(at) from walk)
      else ${everything} end)`,
  };
}

/** What contact_search will hold of a contact `p` that an import has just made. */
const unindexedText = sql`contact_search_text(p.first_name, p.last_name, p.notes,
  p.primary_phone, p.secondary_phone, p.tertiary_phone, p.custom_data)`;

/** Contacts with the phone of the conversation `c`, each by its own index. */
const contactsOfPhone = sql`(
  select * from contacts p1 where p1.account_id = c.account_id and p1.primary_phone = c.phone and p1.deleted_at is null
  union all
  select * from contacts p2 where p2.account_id = c.account_id and p2.secondary_phone = c.phone
    and p2.secondary_phone is not null and p2.deleted_at is null
  union all
  select * from contacts p3 where p3.account_id = c.account_id and p3.tertiary_phone = c.phone
    and p3.tertiary_phone is not null and p3.deleted_at is null)`;

/** One page of what was found, and whether a search of everything would give the same. */
async function findPage(trx: Trx, part: Part, hits: Hits[]): Promise<{ rows: PageRow[]; isSure: boolean }> {
  const tables = [
    ...hits.flatMap((each) => each.tables),
    // What was found in two ways stands where who it is puts it: never before the text that was found.
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
