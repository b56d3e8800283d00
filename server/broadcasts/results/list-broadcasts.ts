import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { listBroadcasts as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { type BroadcastStatusCategory, categoryOf } from '../../../contract/states/broadcast-status.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import { likeText } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import { type SentStatus, wireStatus } from '../rules.ts';
import { broadcastsById, isSeenOrEmergency, seenBroadcasts } from './read-broadcast.ts';

type Query = z.output<typeof definition.query>;

/** The first of these orders walks the index broadcasts_latest; the others sort what one organization has sent. */
const sorts = {
  '-startdate': { value: sql`coalesce(b.start_at, b.created_at)`, type: sql`timestamptz`, isDown: true },
  startdate: { value: sql`coalesce(b.start_at, b.created_at)`, type: sql`timestamptz`, isDown: false },
  name: { value: sql`lower(b.name)`, type: sql`text`, isDown: false },
  '-name': { value: sql`lower(b.name)`, type: sql`text`, isDown: true },
} as const;

export async function listBroadcasts(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const { value, type, isDown } = sorts[query.sortby];
  const order = isDown ? sql`desc` : sql`asc`;
  const conditions = [seenBroadcasts(actor), ...filterConditions(query)];
  const after = query.next === undefined ? undefined : readPlace(query.next, query.sortby);
  if (after !== undefined) {
    conditions.push(
      sql`(${value}, b.broadcast_id) ${isDown ? sql`<` : sql`>`} (${after.value}::${type}, ${after.id}::bigint)`,
    );
  }
  const { rows } = await sql<{ id: number; value: string }>`
    select b.broadcast_id as id, to_json(${value}) #>> '{}' as value from broadcasts b
    where ${sql.join(conditions, sql` and `)}
    order by ${value} ${order}, b.broadcast_id ${order}
    limit ${query.pagesize + 1} offset ${after === undefined ? (query.page - 1) * query.pagesize : 0}`.execute(
    trx,
  );
  const kept = rows.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: await broadcastsById(
      trx,
      actor,
      kept.map(({ id }) => id),
    ),
    Next: rows.length > query.pagesize && last !== undefined ? writePlace(last) : null,
  };
}

function filterConditions({ q, category, labelId, archived, textNumberId }: Query): RawBuilder<unknown>[] {
  const conditions = [archived ? sql`b.is_archived` : sql`not b.is_archived`];
  if (category !== undefined) conditions.push(sql`b.status = any(${statusesOf(category)}::text[])`);
  if (textNumberId !== undefined) conditions.push(sql`b.text_number_id = ${textNumberId}`);
  if (labelId !== undefined) {
    conditions.push(sql`exists (select from broadcast_labels o where o.account_id = b.account_id
      and o.broadcast_id = b.broadcast_id and o.label_id = ${labelId})`);
  }
  if (q !== '') conditions.push(sql`lower(b.name || ' ' || b.body) like ${likeText(q)}`);
  return conditions;
}

function statusesOf(category: BroadcastStatusCategory): SentStatus[] {
  const statuses = Object.keys(wireStatus) as SentStatus[];
  return statuses.filter((status) => categoryOf(wireStatus[status]) === category);
}

/** The end of a page: the sort value of its last row, and its id. */
interface Place {
  value: string;
  id: number;
}

function writePlace({ value, id }: Place): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}

function readPlace(text: string, sortby: keyof typeof sorts): Place {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isOfSort = sortby.endsWith('name') || !Number.isNaN(Date.parse(String(value)));
    const isPlace =
      typeof value === 'string' && !value.includes('\0') && Number.isSafeInteger(id) && isOfSort;
    if (isPlace) return { value, id: Number(id) };
  } catch {
    // Set below.
  }
  throw new Refusal('invalid', 'next is not a place in this list');
}

interface Summary {
  All: number;
  Scheduled: number;
  Broadcasting: number;
  Completed: number;
  Drafts: number;
  Repeating: number;
  Archived: number;
}

/** Number of broadcasts that this actor may see, by state. */
export async function getBroadcastsSummary(trx: Trx, actor: Actor): Promise<Summary> {
  const count = (category: BroadcastStatusCategory) =>
    sql`count(*) filter (where not b.is_archived and b.status = any(${statusesOf(category)}::text[]))`;
  const isSent = sql`b.status not in ('draft', 'model')`;
  const { rows } = await sql<Summary>`
    select count(*) filter (where ${isSent} and not b.is_archived) as "All", ${count('Scheduled')} as "Scheduled",
      ${count('Broadcasting')} as "Broadcasting", ${count('Completed')} as "Completed",
      count(*) filter (where b.status = 'draft' and b.repeating_id is null and b.sequence_id is null) as "Drafts",
      count(*) filter (where ${isSent} and b.is_archived) as "Archived",
      (select count(*) from repeating_broadcasts b
        where b.account_id = ${actor.accountId} and b.deleted_at is null and b.next_at is not null
          and ${isSeenBroadcast(actor)}) as "Repeating"
    from broadcasts b where b.account_id = ${actor.accountId} and b.deleted_at is null
      and ${isSeenOrEmergency(actor)}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers with a row');
  return row;
}
