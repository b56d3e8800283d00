import { type RawBuilder, sql } from 'kysely';
import { auditKinds } from '../../contract/audit-entry.ts';
import type { EventKind } from '../../contract/event-kinds.ts';
import { nowMs } from '../clock.ts';
import type { Cursor } from '../cursor.ts';
import type { Trx } from '../db.ts';

/**
 * Finds the newest entries of the log that fit, without reading those that don't. `events` has a partition a month, and
 * every kind in it is walked from its newest entry by an index that begins with it. Two things keep that cheap:
 *
 * - Bounds are values and not now(), so PostgreSQL leaves out the other months while it plans (20 ms for two years).
 * - Of somebody's entries, or of many kinds, it looks first which kinds there are: one step of the index for each that
 *   is there, instead of one for each that could be.
 */

/** Filter for entries: by kinds; by one of these people, by nobody who is signed in, or by anybody. */
export interface Walk {
  kinds: readonly EventKind[];
  who: { anybody: true } | { nobody: true } | { userIds: readonly number[] };
}

export interface Search {
  accountId: number;
  walks: readonly Walk[];
  /** The id of the object of the entries. */
  object?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  after?: Cursor | undefined;
  /** Number of entries requested. */
  size: number;
}

export interface Key {
  at: string;
  id: number;
}

/** Up to this many kinds, each is simply walked. */
const fewKinds = 30;
const latelyMonths = 2;

export async function findKeys(trx: Trx, search: Search): Promise<Key[]> {
  const { walks, object, size } = search;
  if (walks.length === 0) return [];
  const isWhole = object === undefined && walks.every(isAll);
  // The cheapest query that may be enough first: most pages are full of recent events.
  const looks = [
    ...(isWhole ? [newestOfAll(search)] : []),
    ...(search.from === undefined ? [newestOfWalks({ ...search, from: beginOfLately(search) })] : []),
    newestOfWalks(search),
  ];
  let found: Key[] = [];
  for (const look of looks) {
    const { rows } = await sql<Key>`
      select to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, event_id as id
      from (${look}) found order by created_at desc, event_id desc`.execute(trx);
    found = rows;
    if (found.length >= size) break;
  }
  return found;
}

/** Number of matches, and `size` where there are more. */
export async function countKeys(trx: Trx, search: Search): Promise<number> {
  if (search.walks.length === 0) return 0;
  const parts = search.walks.map((walk) => newestOfWalk(search, walk));
  // Several walks may find the same entry: union removes the duplicate.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${sql.join(parts, sql` union `)}) counted`.execute(trx);
  return Math.min(rows[0]?.count ?? 0, search.size);
}

function isAll({ kinds, who }: Walk): boolean {
  return 'anybody' in who && kinds.length === auditKinds.length;
}

function beginOfLately({ after, to }: Search): Date {
  const end = after === undefined ? (to?.getTime() ?? nowMs()) : Date.parse(after.at);
  return monthBegin(new Date(end), 1 - latelyMonths);
}

/** The first moment of a month, this many months later: where partitions begin. */
function monthBegin(date: Date, later: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later));
}

/** Exactly the requested period. */
function between({ from, to, after }: Search): RawBuilder<unknown> {
  return sql`
    ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and created_at < ${to}`}
    ${
      after === undefined
        ? sql``
        : sql`and (created_at, event_id) < (${after.at}::timestamptz, ${after.id})
            and created_at <= ${after.at}::timestamptz`
    }`;
}

/** The months of that period: whole partitions, so that no entry has to be skipped. */
function inMonths({ from, to, after }: Search): RawBuilder<unknown> {
  const ends = [...(to ? [to.getTime()] : []), ...(after ? [Date.parse(after.at)] : [])];
  return sql`
    ${from === undefined ? sql`` : sql`and created_at >= ${monthBegin(from, 0)}`}
    ${ends.length === 0 ? sql`` : sql`and created_at < ${monthBegin(new Date(Math.min(...ends)), 1)}`}`;
}

/** Number of entries that the unfiltered query looks back: enough where fewer than nine in ten are left out. */
const lookedAt = 1_000;

/** Without filters: the newest entries, whatever their kind. Finds too few where most are of kinds that aren't shown. */
function newestOfAll(search: Search): RawBuilder<unknown> {
  const lately = search.from === undefined ? { ...search, from: beginOfLately(search) } : search;
  return sql`
    select created_at, event_id from (
      select created_at, event_id, kind from events
      where account_id = ${search.accountId} ${between(lately)}
      order by created_at desc, event_id desc limit ${lookedAt}
    ) newest
    where kind = any(${auditKinds}::text[])
    order by created_at desc, event_id desc limit ${search.size}`;
}

function newestOfWalks(search: Search): RawBuilder<unknown> {
  const parts = search.walks.map((walk) => newestOfWalk(search, walk));
  return sql`
    select created_at, event_id from (${sql.join(parts, sql` union `)}) all_walks
    order by created_at desc, event_id desc limit ${search.size}`;
}

function newestOfWalk(search: Search, { kinds, who }: Walk): RawBuilder<unknown> {
  const about = sql`account_id = ${search.accountId} ${whoIs(who)}
    ${search.object === undefined ? sql`` : sql`and subject_id = ${search.object}`}`;
  const isSpread = 'userIds' in who || search.object !== undefined || kinds.length > fewKinds;
  // One row where it isn't about people.
  const people =
    'userIds' in who
      ? sql`select unnest(${who.userIds}::bigint[]) as walked_id`
      : sql`select null::bigint as walked_id`;
  const givenKinds = sql`select walked_id, unnest(${kinds}::text[]) as walked from people`;
  return sql`(
    with recursive people as (${people}), present as (${isSpread ? presentKinds(search, kinds, about) : givenKinds})
    select e.created_at, e.event_id
    from present
    cross join lateral (
      select created_at, event_id from events
      where ${about} and kind = walked ${between(search)}
      order by created_at desc, event_id desc limit ${search.size}
    ) e
    where walked = any(${kinds}::text[]))`;
}

/** The kinds that exist, from one to the next. Null after the last. */
function presentKinds(
  search: Search,
  kinds: readonly EventKind[],
  about: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // In the database's sort order, which may differ from that of JavaScript.
  const first = sql`(select min(k) from unnest(${kinds}::text[]) k)`;
  const last = sql`(select max(k) from unnest(${kinds}::text[]) k)`;
  const next = (beyond: RawBuilder<unknown>) => sql`(
    select kind from events
    where ${about} ${beyond} and kind <= ${last} ${inMonths(search)}
    order by kind limit 1)`;
  return sql`
    select walked_id, ${next(sql`and kind >= ${first}`)} as walked from people
    union all
    select walked_id, ${next(sql`and kind > walked`)} from present where walked is not null`;
}

function whoIs(who: Walk['who']): RawBuilder<unknown> {
  if ('anybody' in who) return sql``;
  return 'nobody' in who ? sql`and user_id is null` : sql`and events.user_id = walked_id`;
}
