import { type RawBuilder, sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { repeatingFailureMessage } from '../../../contract/reference/error-codes.ts';
import type {
  listRepeating as definition,
  RepeatingBroadcast,
} from '../../../contract/repeating-broadcasts.ts';
import type { RepeatingSchedule } from '../../../contract/time/repeating-schedule.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import { type MediaRow, toMediaItem } from '../../media/rules.ts';
import { likeText } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import { mediaColumn } from '../results/read-broadcast.ts';
import { toWireSchedule } from './judge-schedule.ts';

interface Row extends Omit<RepeatingBroadcast, 'RepeatingBroadcastSchedule' | 'NextStartDate' | 'Media'> {
  media: MediaRow[];
  schedule: RepeatingSchedule;
  NextStartDate: Date | null;
  place: string;
}

/** Ended ones come last. */
const nextAt = sql`coalesce(p.next_at, 'infinity')`;

const columns = sql`
  p.repeating_id as "RepeatingBroadcastID", b.name as "BroadcastName", b.broadcast_type as "BroadcastType",
  b.is_text_survey as "IsTextSurvey", b.body as "TextMessage",
  b.text_number_id as "TextNumberID", coalesce(b.reach_count, b.going_count) as "PhoneNumberCount",
  b.per_minute as "PerMinute", ${mediaColumn}, p.schedule,
  p.description as "ScheduleDescription", p.next_at as "NextStartDate", p.last_broadcast_id as "LastBroadcastID",
  json_build_object('UserID', p.user_id, 'Name', coalesce(u.first_name || ' ' || u.last_name, '')) as "User",
  ${nextAt}::text as place`;

const joins = sql`
  join broadcasts b on b.account_id = p.account_id and b.broadcast_id = p.broadcast_id
  left join users u on u.account_id = p.account_id and u.user_id = p.user_id`;

/** Repeating broadcasts that this actor may see, as a condition on `p`: their own, or all. */
function seenRepeating(actor: Actor): RawBuilder<unknown> {
  return sql`p.account_id = ${actor.accountId} and p.deleted_at is null and ${isSeenBroadcast(actor, sql`p`)}`;
}

function toRepeating({ schedule, media, place: _, ...row }: Row) {
  return {
    ...row,
    Media: media.map((item) => toMediaItem(item, row.User.Name)),
    RepeatingBroadcastSchedule: toWireSchedule(schedule),
  };
}

export async function listRepeating(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const conditions = [seenRepeating(actor)];
  if (query.q !== '') conditions.push(sql`lower(b.name || ' ' || b.body) like ${likeText(query.q)}`);
  const after = query.next === undefined ? undefined : readPlace(query.next);
  if (after !== undefined) {
    conditions.push(sql`(${nextAt}, p.repeating_id) > (${after.place}::timestamptz, ${after.id}::bigint)`);
  }
  const { rows } = await sql<Row>`
    select ${columns} from repeating_broadcasts p ${joins}
    where ${sql.join(conditions, sql` and `)}
    order by ${nextAt}, p.repeating_id
    limit ${query.pagesize + 1} offset ${after === undefined ? (query.page - 1) * query.pagesize : 0}`.execute(
    trx,
  );
  const kept = rows.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: kept.map(toRepeating),
    Next: rows.length > query.pagesize && last !== undefined ? writePlace(last) : null,
  };
}

export async function requireRepeating(trx: Trx, actor: Actor, repeatingId: number) {
  const { rows } = await sql<Row>`
    select ${columns} from repeating_broadcasts p ${joins}
    where ${seenRepeating(actor)} and p.repeating_id = ${repeatingId}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That repeating broadcast is no longer here.');
  return toRepeating(row);
}

function writePlace({ place, RepeatingBroadcastID }: Row): string {
  return Buffer.from(JSON.stringify([place, RepeatingBroadcastID])).toString('base64url');
}

function readPlace(text: string): { place: string; id: number } {
  try {
    const [place, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isMoment =
      place === 'infinity' || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/.test(String(place));
    if (isMoment && Number.isSafeInteger(id)) return { place: String(place), id: Number(id) };
  } catch {
    // Set below.
  }
  throw new Refusal('invalid', 'next is not a place in this list');
}

/** The latest first; at most a hundred that nobody has dismissed. */
export async function listRepeatingFailures(trx: Trx, actor: Actor) {
  const { rows } = await sql<{
    FailureID: number;
    RepeatingBroadcastID: number;
    BroadcastName: string;
    ErrorCode: number;
    CreateTimestamp: Date;
  }>`
    select f.failure_id as "FailureID", f.repeating_id as "RepeatingBroadcastID", b.name as "BroadcastName",
      f.code as "ErrorCode", f.occurred_at as "CreateTimestamp"
    from repeating_failures f
    join repeating_broadcasts p on p.account_id = f.account_id and p.repeating_id = f.repeating_id
    join broadcasts b on b.account_id = p.account_id and b.broadcast_id = p.broadcast_id
    where f.account_id = ${actor.accountId} and f.dismissed_at is null
      and ${isSeenBroadcast(actor, sql`p`)}
    order by f.occurred_at desc, f.failure_id desc limit 100`.execute(trx);
  return { Items: rows.map((row) => ({ ...row, Message: repeatingFailureMessage(row.ErrorCode) })) };
}
