import { type RawBuilder, sql } from 'kysely';
import { areaOf, auditKinds, readChanges } from '../../contract/audit-entry.ts';
import type { listAuditLog } from '../../contract/audit-log.ts';
import type { Input, Reply } from '../../contract/call.ts';
import { type EventKind, eventKinds } from '../../contract/event-kinds.ts';
import { dayBounds } from '../../contract/time/local-day.ts';
import { type Cursor, readCursor, writeCursor } from '../cursor.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { nameObjects } from './name-objects.ts';

type Filters = Omit<Input<typeof listAuditLog>['query'], 'pagesize' | 'next' | 'entry'>;
export type AuditEntry = Reply<typeof listAuditLog>['Items'][number];

interface EventRow {
  eventId: number;
  at: string;
  kind: EventKind;
  actorKind: AuditEntry['Who']['Kind'];
  userId: number | null;
  userName: string | null;
  address: string;
  agent: string;
  subjectId: number | null;
  count: number;
  changes: Record<string, unknown> | null;
}

/** A list that is walked by one index: entries of some kinds, of one person or of anybody. */
interface Walk {
  kinds: readonly EventKind[];
  /** Undefined: of anybody; null: of nobody who is signed in. */
  userId?: number | null;
}

/**
 * A page of the log. Every kind is walked from its newest entry by an index that begins with it, and the newest of all
 * are taken, so a filter that fits one entry in a million reads no more than it shows. `events` has a partition a month:
 * every kind and month is one probe.
 */
export async function listEntries(
  trx: Trx,
  actor: Actor,
  filters: Filters,
  page: { size: number; after?: Cursor | undefined },
): Promise<{ items: AuditEntry[]; next: string | null }> {
  const walks = await findWalks(trx, actor, filters);
  if (walks.length === 0) return { items: [], next: null };
  const isWhole =
    filters.q === '' && [filters.who, filters.what, filters.object].every((one) => one === undefined);
  const search = {
    ...filters,
    bounds: boundsOf(filters, actor.timeZone),
    size: page.size,
    after: page.after,
  };
  // The cheapest look that may be enough first: most pages are full of what happened lately.
  const looks = [
    ...(isWhole ? [newestOfAll(actor, search)] : []),
    ...(filters['date-from'] === undefined
      ? [newestOfWalks(actor, walks, { ...search, isLately: true })]
      : []),
    newestOfWalks(actor, walks, search),
  ];
  let found: EventRow[] = [];
  for (const keys of looks) {
    found = await readRows(trx, actor, { keys });
    if (found.length > page.size) break;
  }
  const rows = found.slice(0, page.size);
  const last = rows.at(-1);
  return {
    items: await toEntries(trx, actor, rows),
    next: found.length > page.size && last ? writeCursor({ at: last.at, id: last.eventId }) : null,
  };
}

interface Search extends Filters {
  bounds: RawBuilder<unknown>;
  size: number;
  after: Cursor | undefined;
  /** Only the two months before the page begins: one or two partitions instead of all. */
  isLately?: true;
}

function afterCursor({ after }: Search): RawBuilder<unknown> {
  return after === undefined
    ? sql``
    : sql`and (created_at, event_id) < (${after.at}::timestamptz, ${after.id})
        and created_at <= ${after.at}::timestamptz`;
}

/** How far back the look at everything goes: enough where less than nine in ten are left out. */
const lookedAt = 1_000;

/** Without filters: the newest entries, whatever their kind. Finds too few where most are of kinds that aren't shown. */
function newestOfAll(actor: Actor, search: Search): RawBuilder<unknown> {
  return sql`
    select created_at, event_id from (
      select created_at, event_id, kind from events
      where account_id = ${actor.accountId} ${search.bounds} ${afterCursor(search)}
      order by created_at desc, event_id desc limit ${lookedAt}
    ) newest
    where kind = any(${auditKinds}::text[])
    order by created_at desc, event_id desc limit ${search.size + 1}`;
}

function newestOfWalks(actor: Actor, walks: Walk[], search: Search): RawBuilder<unknown> {
  const { object, bounds, size, after, isLately } = search;
  const about = object === undefined ? sql`` : sql`and subject_id = ${object}`;
  const lately = isLately
    ? sql`and created_at >= ${after === undefined ? sql`now()` : sql`${after.at}::timestamptz`} - interval '2 months'`
    : sql``;
  const parts = walks.map(
    ({ kinds, userId }) => sql`
      select e.created_at, e.event_id
      from unnest(${kinds}::text[]) as k(kind)
      cross join lateral (
        select created_at, event_id from events
        where account_id = ${actor.accountId} and kind = k.kind ${whoIs(userId)} ${about} ${bounds}
          ${afterCursor(search)} ${lately}
        order by created_at desc, event_id desc limit ${size + 1}
      ) e`,
  );
  return sql`
    select created_at, event_id from (${sql.join(parts, sql` union `)}) all_walks
    order by created_at desc, event_id desc limit ${size + 1}`;
}

/** The one entry that a link names; none once it is no longer kept. */
export async function findEntry(trx: Trx, actor: Actor, entry: string): Promise<AuditEntry[]> {
  const { at, id } = readCursor(entry);
  const keys = sql`select ${at}::timestamptz as created_at, ${id}::bigint as event_id`;
  const rows = await readRows(trx, actor, { keys });
  return toEntries(
    trx,
    actor,
    rows.filter(({ kind }) => auditKinds.includes(kind)),
  );
}

function readRows(trx: Trx, actor: Actor, { keys }: { keys: RawBuilder<unknown> }): Promise<EventRow[]> {
  return sql<EventRow>`
    with page as materialized (${keys})
    select e.event_id as "eventId", to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      e.kind, e.actor_kind as "actorKind", e.user_id as "userId", u.first_name || ' ' || u.last_name as "userName",
      e.address, e.agent, e.subject_id as "subjectId", e.subject_count as count, e.changes
    from page
    join events e on e.account_id = ${actor.accountId} and e.created_at = page.created_at and e.event_id = page.event_id
    left join users u on u.account_id = e.account_id and u.user_id = e.user_id
    order by e.created_at desc, e.event_id desc`
    .execute(trx)
    .then(({ rows }) => rows);
}

function whoIs(userId: number | null | undefined): RawBuilder<unknown> {
  if (userId === undefined) return sql``;
  return userId === null ? sql`and user_id is null` : sql`and user_id = ${userId}`;
}

function boundsOf(filters: Filters, timeZone: string): RawBuilder<unknown> {
  const from = filters['date-from'];
  const to = filters['date-to'];
  return sql`
    ${from === undefined ? sql`` : sql`and created_at >= ${dayBounds(from, timeZone).begins}`}
    ${to === undefined ? sql`` : sql`and created_at < ${dayBounds(to, timeZone).ends}`}`;
}

/** Which lists the filters ask for. Words are looked for in what happened and in the names of people. */
async function findWalks(trx: Trx, actor: Actor, { q, who, what }: Filters): Promise<Walk[]> {
  const kinds = auditKinds.filter((kind) => what === undefined || areaOf(kind) === what);
  const userId = who === 'system' ? null : who;
  const only = (some: readonly EventKind[]): Walk[] =>
    some.length === 0 ? [] : [{ kinds: some, ...(userId === undefined ? {} : { userId }) }];
  if (q === '') return only(kinds);
  const words = q.toLowerCase().split(/\s+/);
  const named = kinds.filter((kind) => words.every((word) => eventKinds[kind].toLowerCase().includes(word)));
  const people = userId === null ? [] : await findPeople(trx, actor, words);
  const chosen = people.filter((id) => userId === undefined || id === userId);
  return [...only(named), ...chosen.map((id) => ({ kinds, userId: id }))];
}

const mostPeople = 20;

async function findPeople(trx: Trx, actor: Actor, words: readonly string[]): Promise<number[]> {
  const isLike = words.map(
    (word) =>
      sql<boolean>`position(${word} in lower(first_name || ' ' || last_name || ' ' || user_name)) > 0`,
  );
  const rows = await trx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', actor.accountId)
    .where((where) => where.and(isLike))
    .orderBy('user_id')
    .limit(mostPeople)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

async function toEntries(trx: Trx, actor: Actor, rows: EventRow[]): Promise<AuditEntry[]> {
  const names = await nameObjects(trx, actor, rows);
  return rows.map((row) => ({
    EntryID: writeCursor({ at: row.at, id: row.eventId }),
    Number: row.eventId,
    Timestamp: new Date(row.at),
    Kind: row.kind,
    What: eventKinds[row.kind] ?? row.kind,
    Area: areaOf(row.kind),
    Who: { Kind: row.actorKind, UserID: row.userId, Name: whoName(row) },
    Address: row.address,
    Agent: row.agent,
    Object: row.subjectId === null ? null : { ID: row.subjectId, Name: names(row.kind, row.subjectId) },
    Count: row.count,
    Changes: readChanges(row.changes),
  })) as unknown as AuditEntry[];
}

function whoName({ actorKind, userName }: EventRow): string {
  if (userName !== null) return userName;
  return { user: 'A deleted user', key: 'An API key', operator: 'Operator', system: 'Muster' }[actorKind];
}
