import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { recipientProblems } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import {
  type Sequence,
  type SequenceFailure,
  sequenceFailures,
  type WholeSequence,
} from '../../../contract/sequences.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import { toMediaItem } from '../../media/rules.ts';
import type { Actor } from '../../serve.ts';

type Row = Omit<Sequence, 'PausedBecause' | 'NobodyJoinsBecause' | 'NextStepDate' | 'CreateTimestamp'> & {
  failure_code: SequenceFailure | null;
  failure_reason: string;
  isKeywordOff: boolean;
  NextStepDate: Date | null;
  CreateTimestamp: Date;
  at: string;
};

export const notHere = () => new Refusal('notFound', 'That drip campaign is no longer here.');

/** Drip campaigns that this actor sees, as a condition on `q`: their own, or all. */
function isSeen(actor: Actor): RawBuilder<unknown> {
  return sql`q.account_id = ${actor.accountId} and q.deleted_at is null and ${isSeenBroadcast(actor, sql`q`)}`;
}

/** The broadcasts that its steps became. */
export function stepsOf(accountId: number, sequenceId: number): RawBuilder<unknown> {
  return sql`select broadcast_id from broadcasts
    where account_id = ${accountId} and sequence_id = ${sequenceId} and sequence_position is not null
      and deleted_at is null`;
}

/** Recipients of a campaign's model `r` who can't be texted; not those who were removed or were in the group before. */
export const isLeftOut = sql`r.problem = any(${recipientProblems.filter((problem) => problem !== 'excluded')}::text[])`;

const columns = sql`
  q.sequence_id as "SequenceID", q.broadcast_id as "DraftBroadcastID", q.name as "Name", q.status as "Status",
  q.failure_code, q.failure_reason, b.text_number_id as "TextNumberID", q.starts_on as "StartsOn", q.group_id as "GroupID",
  q.keyword_id as "KeywordID", q.includes_members as "IncludesMembers", q.skips_weekends as "SkipsWeekends",
  q.stops_on_reply as "StopsOnReply", q.starts_on = 'keyword' and q.keyword_id is not null and q.status in ('running', 'paused')
    and not exists (select from keywords k where k.account_id = q.account_id and k.keyword_id = q.keyword_id and k.active)
    as "isKeywordOff", b.link_base is not null as "ShortenLinks",
  coalesce((select g.name from groups g
    where g.account_id = q.account_id and g.group_id = q.group_id and g.deleted_at is null), (select k.keyword from keywords k
    where k.account_id = q.account_id and k.keyword_id = q.keyword_id), '') as "StartsOnName",
  case when q.starts_on = 'dates' then greatest(0, b.going_count - (select count(*) from sequence_people p
    where p.account_id = q.account_id and p.sequence_id = q.sequence_id
      -- Whoever was left out, or came into a group later, isn't among those whom it was started for.
      and exists (select from broadcast_recipients r where r.account_id = q.account_id
        and r.broadcast_id = q.broadcast_id and r.phone = p.phone and r.problem is null)))
    else (select count(*) from sequence_people p
    where p.account_id = q.account_id and p.sequence_id = q.sequence_id
      -- Whoever has had all of it still counts, whatever they wrote afterwards.
      and (p.state in ('active', 'done') or p.position >= (select count(*) from sequence_steps s
        where s.account_id = q.account_id and s.sequence_id = q.sequence_id)))
    end::int as "RecipientCount",
  case when q.status = 'draft' then 0 when q.starts_on = 'dates' then b.left_out_count else (
    select count(*) from broadcast_recipients r
    where r.account_id = q.account_id and r.broadcast_id = q.broadcast_id and ${isLeftOut}) end::int as "LeftOutCount",
  (select count(*) from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id)::int
    as "StepCount",
  (select count(*) from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id
    and s.state = 'sent')::int as "SentStepCount",
  case when q.status <> 'running' then null when q.starts_on = 'dates' then (select min(s.start_at) from sequence_steps s
    where s.account_id = q.account_id and s.sequence_id = q.sequence_id and s.state = 'waiting') else (
    select min(p.next_at) from sequence_people p
    where p.account_id = q.account_id and p.sequence_id = q.sequence_id and p.state = 'active') end as "NextStepDate",
  q.created_at as "CreateTimestamp", to_json(q.created_at) #>> '{}' as at,
  json_build_object('UserID', q.user_id, 'Name', coalesce(u.first_name || ' ' || u.last_name, '')) as "User"`;

const joins = sql`
  join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
  left join users u on u.account_id = q.account_id and u.user_id = q.user_id`;

const keywordGone = 'The keyword that begins this campaign was deleted, so nobody new joins it.';
const keywordOff = 'The keyword that begins this campaign is switched off, so nobody new joins it.';

function toSequence({ failure_code, failure_reason, isKeywordOff, at: _, ...row }: Row) {
  const isHeld = row.Status === 'paused' && failure_code !== null;
  return {
    ...row,
    PausedBecause: isHeld ? failure_reason || sequenceFailures[failure_code] : '',
    NobodyJoinsBecause: isKeywordOff ? (row.StartsOnName === '' ? keywordGone : keywordOff) : '',
  };
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

/** A complete campaign that this actor sees, or not found. */
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
  return {
    ...found.item,
    Zone: zone,
    Steps: await listSteps(trx, actor.accountId, sequenceId),
    StepsVersion: await readStepsVersion(trx, actor.accountId, sequenceId),
    DeletedGroups: await listDeletedGroups(trx, actor.accountId, found.item.DraftBroadcastID),
  };
}

/** Says whether steps were added, edited or removed since somebody has read them. Going out changes nothing in it. */
export async function readStepsVersion(trx: Trx, accountId: number, sequenceId: number): Promise<string> {
  const { rows } = await sql<{ step: unknown }>`
    select json_build_array(body, has_wait, date_text, time_text, after_days, media_ids) as step from sequence_steps
    where account_id = ${accountId} and sequence_id = ${sequenceId} order by position`.execute(trx);
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
}

async function listDeletedGroups(trx: Trx, accountId: number, broadcastId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct g.name from broadcast_sources s
    join groups g on g.account_id = s.account_id and g.group_id = (s.input ->> 'listId')::bigint
    where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and s.kind = 'lists'
      and g.deleted_at is not null
    order by g.name`.execute(trx);
  return rows.map(({ name }) => name);
}

type StepRow = Omit<WholeSequence['Steps'][number], 'StartDate' | 'Media'> & {
  StartDate: Date | null;
  media_ids: number[];
};

/**
 * A step of a campaign that people join is a broadcast for each day or batch of them: their figures are added
 * up.
 */
async function listSteps(trx: Trx, accountId: number, sequenceId: number) {
  const { rows } = await sql<StepRow>`
    select s.position as "Position", s.body as "Message", s.date_text as "Date", s.time_text as "Time",
      s.has_wait as "HasWait", s.start_at as "StartDate", s.after_days as "AfterDays", s.media_ids, s.state as "State",
      b.last_id as "BroadcastID", coalesce(c.sent, 0)::int as "SentCount", coalesce(c.delivered, 0)::int as "DeliveredCount",
      coalesce(r.replied, 0)::int as "ReplyCount", w.waiting as "WaitingCount"
    from sequence_steps s
    left join lateral (
      select array_agg(b.broadcast_id) as ids, max(b.broadcast_id) as last_id from broadcasts b
      where b.account_id = s.account_id and b.sequence_id = s.sequence_id and b.sequence_position = s.position
        and b.status not in ('draft', 'model') and b.deleted_at is null) b on true
    left join lateral (
      select sum(l.sent + l.delivered + l.read + l.failed) as sent, sum(l.delivered + l.read) as delivered
      from broadcast_slices l where l.account_id = s.account_id and l.broadcast_id = any(b.ids)) c on true
    left join lateral (
      select count(*) as replied from broadcast_replies p
      where p.account_id = s.account_id and p.broadcast_id = any(b.ids)) r on true
    left join lateral (
      select count(*)::int as waiting from sequence_people p
      where p.account_id = s.account_id and p.sequence_id = s.sequence_id and p.state = 'active'
        and p.position = s.position - 1) w on true
    where s.account_id = ${accountId} and s.sequence_id = ${sequenceId}
    order by s.position`.execute(trx);
  const media = await mediaById(
    trx,
    accountId,
    rows.flatMap(({ media_ids }) => media_ids),
  );
  return rows.map(({ media_ids, ...row }) => ({
    ...row,
    Media: media_ids.flatMap((mediaId) => media.get(mediaId) ?? []),
  }));
}

async function mediaById(trx: Trx, accountId: number, mediaIds: number[]) {
  const rows =
    mediaIds.length === 0
      ? []
      : await trx
          .selectFrom('media')
          .select(['media_id', 'public_key', 'content_type', 'file_name', 'explicit_status', 'created_at'])
          .where('account_id', '=', accountId)
          .where('media_id', 'in', mediaIds)
          .execute();
  return new Map(rows.map((row) => [row.media_id, toMediaItem(row)]));
}

/** Locks a campaign that this actor may change: no step of it is made in the meantime. */
export async function lockSequence(trx: Trx, actor: Actor, sequenceId: number) {
  const row = await selectSequence(trx, actor, sequenceId).forUpdate().executeTakeFirst();
  if (row === undefined) throw notHere();
  return row;
}

/** The same row without locking. */
export async function readSequence(trx: Trx, actor: Actor, sequenceId: number): Promise<LockedSequence> {
  const row = await selectSequence(trx, actor, sequenceId).executeTakeFirst();
  if (row === undefined) throw notHere();
  return row;
}

function selectSequence(trx: Trx, actor: Actor, sequenceId: number) {
  return trx
    .selectFrom('sequences')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('sequence_id', '=', sequenceId)
    .where('deleted_at', 'is', null)
    .where(isSeenBroadcast(actor, sql`sequences`));
}
export type LockedSequence = Awaited<ReturnType<typeof lockSequence>>;
