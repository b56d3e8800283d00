import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { listLists as definition, List, Segment } from '../../../contract/lists.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { keepSegmentCount } from './keep-segment-count.ts';
import { segmentCondition, segmentConditions } from './segment-condition.ts';

/** Everyone, Unfiled and Deleted, then the groups by name: Grade 2 before Grade 10. */
export async function listLists(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const { rows } = await sql<List & { size: number }>`
    with list as (select * from (${everyList(actor)}) l where strpos(fold_text(l.name), fold_text(${query.q})) > 0)
    select ${columns}, (select count(*) from list) as size
    from list l ${keptCounts(actor)}
    order by l.place, l.name collate natural_order, l.list_id
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  const Items = actor.canSeeAllRoster ? rows : await countOwnSegments(trx, actor, rows);
  return { Items, Size: rows[0]?.size ?? (query.page === 1 ? 0 : await countLists(trx, actor, query.q)) };
}

/** Only for a page after the last, which has no row with the total. */
async function countLists(trx: Trx, actor: Actor, q: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (${everyList(actor)}) l
    where strpos(fold_text(l.name), fold_text(${q})) > 0`.execute(trx);
  return rows[0]?.size ?? 0;
}

/** One list. A segment is evaluated again: opening it shows the current number. */
export async function getList(trx: Trx, actor: Actor, listId: number): Promise<List> {
  const { rows } = await sql<List>`
    select ${columns} from (${everyList(actor)}) l ${keptCounts(actor)} where l.list_id = ${listId}`.execute(
    trx,
  );
  const [list] = rows;
  if (list === undefined) throw new Refusal('notFound');
  if (list.Segment === null) return list;
  const RosterCount = await countSegmentRows(trx, actor, list.Segment);
  if (actor.canSeeAllRoster) {
    await keepSegmentCount(trx, actor.accountId, { listId, rosterCount: list.RosterCount }, RosterCount);
  }
  return { ...list, RosterCount };
}

async function countSegmentRows(trx: Trx, actor: Actor, segment: Segment): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from contacts c
    where ${seenBy(actor)} and ${await segmentCondition(trx, actor.accountId, segment)}`.execute(trx);
  return rows[0]?.size ?? 0;
}

const columns = sql`
  l.list_id as "ListID", l.name as "ListName", l.kind as "ListType", l.color as "Color", l.segment as "Segment",
  coalesce(l.phone_list_id, '') as "PhoneListID", coalesce(k.roster_count, 0) as "RosterCount"`;

function everyList({ accountId }: Actor): RawBuilder<unknown> {
  return sql`
    select list_id, name, 'System' as kind, 0 as color, null::jsonb as segment, null::text as phone_list_id, place from (values
      (${specialGroups.everyone}::bigint, 'Everyone', 0), (${specialGroups.unfiled}, 'Unfiled', 1),
      (${specialGroups.deleted}, 'Deleted', 2)) special(list_id, name, place)
    union all
    select group_id, name, kind, color, segment, phone_list_id, 3 from groups
    where account_id = ${accountId} and deleted_at is null`;
}

function seenBy(actor: Actor): RawBuilder<unknown> {
  const seen = sql`c.account_id = ${actor.accountId} and c.deleted_at is null`;
  return actor.canSeeAllRoster ? seen : sql`${seen} and c.created_by_user_id = ${actor.userId}`;
}

/**
 * The stored counts are of all contacts. For users who see only contacts they added, these are counted, all
 * in one query.
 */
function keptCounts(actor: Actor): RawBuilder<unknown> {
  if (actor.canSeeAllRoster) {
    return sql`left join list_counts k on k.account_id = ${actor.accountId} and k.list_id = l.list_id`;
  }
  return sql`left join (
    select m.group_id as list_id, count(*) as roster_count
    from contacts c join group_members m on m.account_id = c.account_id and m.person_id = c.person_id
    where ${seenBy(actor)} group by m.group_id
    union all
    select ${specialGroups.everyone}, count(*) from contacts c where ${seenBy(actor)}
    union all
    select ${specialGroups.deleted}, count(*) from contacts c
    where c.account_id = ${actor.accountId} and c.deleted_at is not null and c.created_by_user_id = ${actor.userId}
  ) k on k.list_id = l.list_id`;
}

/** All segments of a page are evaluated in one pass over the contacts that the actor sees. */
async function countOwnSegments<Row extends List>(trx: Trx, actor: Actor, lists: Row[]): Promise<Row[]> {
  const segments = lists.map(({ Segment }) => Segment).filter((segment) => segment !== null);
  if (segments.length === 0) return lists;
  const conditions = await segmentConditions(trx, actor.accountId, segments);
  const counts = conditions.map((condition) => sql`count(*) filter (where ${condition})`);
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts from contacts c where ${seenBy(actor)}`.execute(trx);
  const remaining = [...(rows[0]?.counts ?? [])];
  return lists.map((list) =>
    list.Segment === null ? list : { ...list, RosterCount: remaining.shift() ?? 0 },
  );
}
