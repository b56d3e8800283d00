import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import {
  type Sequence,
  type SequenceFailure,
  sequenceFailures,
  type WholeSequence,
} from '../../../contract/sequences.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

type Row = Omit<Sequence, 'PausedBecause' | 'NextStepDate' | 'CreateTimestamp'> & {
  failure_code: SequenceFailure | null;
  NextStepDate: Date | null;
  CreateTimestamp: Date;
  at: string;
};

export const notHere = () => new Refusal('notFound', 'That drip campaign is no longer here.');

/** Drip campaigns that this actor sees, as a condition on `q`: their own, or all. */
function isSeen(actor: Actor): RawBuilder<unknown> {
  return sql`q.account_id = ${actor.accountId} and q.deleted_at is null and ${isSeenBroadcast(actor, sql`q`)}`;
}

const columns = sql`
  q.sequence_id as "SequenceID", q.broadcast_id as "DraftBroadcastID", q.name as "Name", q.status as "Status",
  q.failure_code, b.text_number_id as "TextNumberID", b.going_count as "RecipientCount",
  (select count(*) from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id)::int
    as "StepCount",
  (select count(*) from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id
    and s.state = 'sent')::int as "SentStepCount",
  case when q.status = 'running' then (select min(s.start_at) from sequence_steps s
    where s.account_id = q.account_id and s.sequence_id = q.sequence_id and s.state = 'waiting') end as "NextStepDate",
  q.created_at as "CreateTimestamp", to_json(q.created_at) #>> '{}' as at,
  json_build_object('UserID', q.user_id, 'Name', coalesce(u.first_name || ' ' || u.last_name, '')) as "User"`;

const joins = sql`
  join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
  left join users u on u.account_id = q.account_id and u.user_id = q.user_id`;

function toSequence({ failure_code, at: _, ...row }: Row) {
  const isHeld = row.Status === 'paused' && failure_code !== null;
  return { ...row, PausedBecause: isHeld ? sequenceFailures[failure_code] : '' };
}

interface Page {
  conditions: RawBuilder<unknown>[];
  most: number;
  offset: number;
}

/** The newest first. */
export async function listSequenceRows(trx: Trx, actor: Actor, { conditions, most, offset }: Page) {
  const { rows } = await sql<Row>`
    select ${columns} from sequences q ${joins}
    where ${sql.join([isSeen(actor), ...conditions], sql` and `)}
    order by q.created_at desc, q.sequence_id desc limit ${most} offset ${offset}`.execute(trx);
  return rows.map((row) => ({ at: row.at, item: toSequence(row) }));
}

/** A whole campaign that this actor sees, or not found. */
export async function requireSequence(trx: Trx, actor: Actor, sequenceId: number) {
  const [found] = await listSequenceRows(trx, actor, {
    conditions: [sql`q.sequence_id = ${sequenceId}`],
    most: 1,
    offset: 0,
  });
  if (found === undefined) throw notHere();
  const { zone } = await trx
    .selectFrom('sequences')
    .select('zone')
    .where('account_id', '=', actor.accountId)
    .where('sequence_id', '=', sequenceId)
    .executeTakeFirstOrThrow();
  return { ...found.item, Zone: zone, Steps: await listSteps(trx, actor.accountId, sequenceId) };
}

async function listSteps(trx: Trx, accountId: number, sequenceId: number) {
  const { rows } = await sql<Omit<WholeSequence['Steps'][number], 'StartDate'> & { StartDate: Date | null }>`
    select s.position as "Position", s.body as "Message", s.date_text as "Date", s.time_text as "Time",
      s.has_wait as "HasWait", s.start_at as "StartDate", s.state as "State",
      case when s.state = 'sent' then s.sent_broadcast_id end as "BroadcastID",
      coalesce(c.sent, 0)::int as "SentCount", coalesce(c.delivered, 0)::int as "DeliveredCount",
      coalesce(r.replied, 0)::int as "ReplyCount"
    from sequence_steps s
    left join lateral (
      select sum(l.sent + l.delivered + l.read + l.failed) as sent, sum(l.delivered + l.read) as delivered
      from broadcast_slices l where l.account_id = s.account_id and l.broadcast_id = s.sent_broadcast_id) c on true
    left join lateral (
      select count(*) as replied from broadcast_replies p
      where p.account_id = s.account_id and p.broadcast_id = s.sent_broadcast_id) r on true
    where s.account_id = ${accountId} and s.sequence_id = ${sequenceId}
    order by s.position`.execute(trx);
  return rows;
}

/** Locks a campaign that this actor may change: no step of it is made in the meantime. */
export async function lockSequence(trx: Trx, actor: Actor, sequenceId: number) {
  const row = await trx
    .selectFrom('sequences')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('sequence_id', '=', sequenceId)
    .where('deleted_at', 'is', null)
    .where(isSeenBroadcast(actor, sql`sequences`))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notHere();
  return row;
}
export type LockedSequence = Awaited<ReturnType<typeof lockSequence>>;
