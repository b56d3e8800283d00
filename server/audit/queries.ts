import { sql } from 'kysely';
import { mostCounted } from '../../contract/audit-areas.ts';
import { areaOf, auditKinds, readChanges } from '../../contract/audit-entry.ts';
import type { listAuditLog } from '../../contract/audit-log.ts';
import type { Input, Reply } from '../../contract/call.ts';
import { type EventKind, eventKinds } from '../../contract/event-kinds.ts';
import { dayBounds, localDay } from '../../contract/time/local-day.ts';
import { type Cursor, readCursor, writeCursor } from '../cursor.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { countKeys, findKeys, type Key, type Walk } from './find-keys.ts';
import { nameObjects } from './name-objects.ts';
import { ownLabel } from './own-label.ts';

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

/** A page of the log. */
export async function listEntries(
  trx: Trx,
  actor: Actor,
  filters: Filters,
  page: { size: number; after?: Cursor | undefined },
): Promise<{ items: AuditEntry[]; next: string | null }> {
  const from = filters['date-from'];
  const to = filters['date-to'];
  const keys = await findKeys(trx, {
    accountId: actor.accountId,
    walks: await findWalks(trx, actor, filters),
    object: filters.object,
    from: from === undefined ? undefined : dayBounds(from, actor.timeZone).begins,
    to: to === undefined ? undefined : dayBounds(to, actor.timeZone).ends,
    after: page.after,
    // One more, to know whether there is a next page.
    size: page.size + 1,
  });
  const shown = keys.slice(0, page.size);
  const last = shown.at(-1);
  return {
    items: await toEntries(trx, actor, await readRows(trx, actor, shown)),
    next: keys.length > page.size && last ? writeCursor(last) : null,
  };
}

/**
 * The days of a page, each with all its entries. Those between the first and the last are on the page whole, so at most
 * two are counted by the database.
 */
export async function countDays(
  trx: Trx,
  actor: Actor,
  filters: Filters,
  page: { items: readonly AuditEntry[]; next: string | null; isFirst: boolean },
): Promise<{ Date: string; Count: number }[]> {
  const shown = new Map<string, number>();
  for (const { Timestamp } of page.items) {
    const day = localDay(Date.parse(String(Timestamp)), actor.timeZone);
    shown.set(day, (shown.get(day) ?? 0) + 1);
  }
  const days = [...shown.keys()];
  const cut = new Set([...(page.isFirst ? [] : days.slice(0, 1)), ...(page.next ? days.slice(-1) : [])]);
  const walks = cut.size === 0 ? [] : await findWalks(trx, actor, filters);
  const counted: { Date: string; Count: number }[] = [];
  for (const [day, count] of shown) {
    const { begins: from, ends: to } = dayBounds(day, actor.timeZone);
    const search = { accountId: actor.accountId, walks, object: filters.object, from, to, size: mostCounted };
    counted.push({ Date: day, Count: cut.has(day) ? await countKeys(trx, search) : count });
  }
  return counted;
}

/** The single entry that a link names; undefined once it has been deleted. */
export async function findEntry(trx: Trx, actor: Actor, entry: string): Promise<AuditEntry[]> {
  const rows = await readRows(trx, actor, [readCursor(entry)]);
  return toEntries(
    trx,
    actor,
    rows.filter(({ kind }) => auditKinds.includes(kind)),
  );
}

/**
 * The rows for keys, which are sorted newest first. The query plan covers only the months from the first to
 * the last.
 */
async function readRows(trx: Trx, actor: Actor, keys: readonly Key[]): Promise<EventRow[]> {
  const [newest, oldest] = [keys[0], keys.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const { rows } = await sql<EventRow>`
    select e.event_id as "eventId", to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      e.kind, e.actor_kind as "actorKind", e.user_id as "userId", u.first_name || ' ' || u.last_name as "userName",
      e.address, e.agent, e.subject_id as "subjectId", e.subject_count as count, e.changes
    from unnest(${keys.map(({ at }) => at)}::timestamptz[], ${keys.map(({ id }) => id)}::bigint[]) as k(created_at, event_id)
    join events e on e.account_id = ${actor.accountId} and e.created_at = k.created_at and e.event_id = k.event_id
      and e.created_at between ${oldest.at}::timestamptz and ${newest.at}::timestamptz
    left join users u on u.account_id = e.account_id and u.user_id = e.user_id
    order by e.created_at desc, e.event_id desc`.execute(trx);
  return rows;
}

/** The lists that the filters select. Words are searched in event labels and in the names of people. */
async function findWalks(trx: Trx, actor: Actor, { q, who, what }: Filters): Promise<Walk[]> {
  const kinds = auditKinds.filter((kind) => what === undefined || areaOf(kind) === what);
  const by: Walk['who'] =
    who === undefined ? { anybody: true } : who === 'system' ? { nobody: true } : { userIds: [who] };
  const only = (some: readonly EventKind[]): Walk[] => (some.length === 0 ? [] : [{ kinds: some, who: by }]);
  if (q === '') return only(kinds);
  const words = q.toLowerCase().split(/\s+/);
  const inOwn = ownLabel(actor);
  const named = kinds.filter((kind) => {
    const label = withoutAccents(inOwn(eventKinds[kind]));
    return words.every((word) => label.includes(withoutAccents(word)));
  });
  const people = who === 'system' ? [] : await findPeople(trx, actor, words);
  const userIds = people.filter((id) => who === undefined || id === who);
  return [...only(named), ...(userIds.length === 0 ? [] : [{ kinds, who: { userIds } }])];
}

/** "Contraseña" is found by "contrasena", too. */
function withoutAccents(words: string): string {
  return words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
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
