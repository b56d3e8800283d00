import { sql } from 'kysely';
import { resultCategories, statusesOf } from '../../contract/delivery/result-category.ts';
import type { SecondTextForm } from '../../contract/second-text.ts';
import { formatWall, momentOf, parseWall } from '../../contract/time/wall-clock.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { beginDraft } from '../broadcasts/draft/create-draft.ts';
import { sendBroadcast } from '../broadcasts/feed/send-broadcast.ts';
import { addRecipients } from '../broadcasts/recipients/add-recipients.ts';
import { createRepeating } from '../broadcasts/repeating/create-repeating.ts';
import { decide } from '../broadcasts/second-text/choose-text.ts';
import { isTriedOn } from '../broadcasts/second-text/rules.ts';
import { nowMs } from '../clock.ts';
import { writeConversations } from '../conversations/write-conversations.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { countDays, type DayFigures } from '../texts/count-days.ts';
import { queueWords } from '../texts/queue-words.ts';
import { type FinishedBroadcast, finished, plannedBroadcasts } from './broadcast-texts.ts';

interface Cast {
  accountId: number;
  ownerId: number;
  timeZone: string;
  numberIds: number[];
  mapMediaId: number;
}

/** Finished broadcasts, with the result of each text, and one of each kind that is still to come. */
export async function createBroadcasts(trx: Trx, cast: Cast): Promise<void> {
  const owner = await findActiveActor(trx, cast.accountId, cast.ownerId);
  if (owner === undefined) throw new Error('the demo has no owner');
  // The planner has no statistics for rows of this transaction, and would read whole tables for each
  // recipient.
  await sql`analyze conversations, contacts, group_members, phone_consents`.execute(trx);
  for (const plan of finished) await createFinished(trx, owner, cast, plan);
  await createPlanned(trx, owner, cast);
}

const dayMs = 86_400_000;

/** A time of day this many days from today, on the organization's clock. */
function wallOn(days: number, time: string, zone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(nowMs());
  const startMs = parseWall(`${today}T${time}`) ?? 0;
  return formatWall(startMs + days * dayMs);
}

/** Groups by their names; Everyone is 0. */
async function listIdsOf(trx: Trx, accountId: number, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return [0];
  const rows = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', accountId)
    .where('name', 'in', names)
    .orderBy('group_id')
    .execute();
  return rows.map((row) => row.group_id);
}

async function createFinished(trx: Trx, owner: Actor, cast: Cast, plan: FinishedBroadcast): Promise<void> {
  const { accountId } = cast;
  const textNumberId = cast.numberIds[plan.number] ?? cast.numberIds[0] ?? 0;
  const broadcastId = await beginDraft(trx, owner, {
    BroadcastName: plan.name,
    TextNumberID: textNumberId,
    TextMessage: plan.text,
    IsTextSurvey: plan.answers !== undefined,
    TextSurveyAutoReplies: [...(plan.answers ?? [])],
    PerMinute: plan.perMinute ?? null,
    SecondText: plan.second ?? null,
    ...(plan.hasMap ? { Media: [{ MediaID: cast.mapMediaId }] } : {}),
    Step: 4,
  });
  const listIds = await listIdsOf(trx, accountId, plan.groups);
  await addRecipients(trx, owner, broadcastId, { kind: 'lists', listIds });
  await sql`analyze broadcast_recipients`.execute(trx);
  const start = momentOf(parseWall(wallOn(-plan.daysAgo, plan.time, cast.timeZone)) ?? 0, cast.timeZone);
  const one = {
    accountId,
    broadcastId,
    textNumberId,
    startAt: new Date(start.epochMs),
    zone: cast.timeZone,
    plan,
  };
  await moveBack(trx, one);
  await makeTexts(trx, one);
  await endBroadcast(trx, one);
  await makeReplies(trx, one);
  if (plan.second !== undefined) await decideTexts(trx, one, plan.second);
  await payTexts(trx, one);
}

interface One {
  accountId: number;
  broadcastId: number;
  textNumberId: number;
  startAt: Date;
  zone: string;
  plan: FinishedBroadcast;
}

/** As of that time: they were added before it was sent, and people who opted out only afterwards got it. */
async function moveBack(trx: Trx, { accountId, broadcastId, startAt }: One): Promise<void> {
  const mine = sql`account_id = ${accountId} and broadcast_id = ${broadcastId}`;
  await sql`
    update broadcast_sources set created_at = ${startAt}::timestamptz - interval '15 minutes' where ${mine}`.execute(
    trx,
  );
  await sql`
    update broadcast_recipients r set problem = null
    where ${mine} and r.problem = 'opted_out' and exists (
      select from phone_consents c
      where c.account_id = r.account_id and c.phone = r.phone and c.text_changed_at > ${startAt})`.execute(
    trx,
  );
  await sql`update broadcasts set summary_version = null where ${mine}`.execute(trx);
}

/** A number from 0 to 999 that is always the same for a phone. */
const lot = (column: string) => sql`(('x' || substr(md5(${sql.ref(column)}), 1, 6))::bit(24)::int % 1000)`;

/** For an A/B test, which text a recipient `r` gets first; null for the rest. */
function triedText({ second }: FinishedBroadcast) {
  if (second === undefined) return sql`null::smallint`;
  const { Share } = second;
  return sql`(case when ${isTriedOn(1, Share)} then 1 when ${isTriedOn(2, Share)} then 2 end)::smallint`;
}

/** The results: most arrived, and no receipts are outstanding. */
const outcome = sql`case
  when ${lot('r.phone')} < 962 then 'delivered' when ${lot('r.phone')} < 975 then 'phone_unreachable'
  when ${lot('r.phone')} < 984 then 'number_unavailable' when ${lot('r.phone')} < 990 then 'carrier_rejected'
  when ${lot('r.phone')} < 996 then 'handset_rejected' else 'not_delivered' end`;

const sliceSize = 500;

/**
 * A text for everybody who gets one, in the order in which they were added; for a canceled one only the first
 * part. Ids are assigned beforehand, so that texts, recipients and slices are written in one statement, each
 * by its key.
 */
async function makeTexts(trx: Trx, one: One): Promise<void> {
  const { accountId, broadcastId, textNumberId, startAt, plan } = one;
  const secondsEach = 60 / (plan.perMinute ?? 60_000);
  const counts = resultCategories.map(
    (name) => sql`count(*) filter (where status = any(${statusesOf(name)}::text[]))`,
  );
  await sql`
    with going as (
      select r.recipient_id, r.phone, ${triedText(plan)} as tried, b.media_ids, b.user_id,
        case when ${plan.second === undefined} or ${triedText(plan)} = 1 then replace(b.body, '{{FirstName}}', r.first_name)
          else ${plan.second?.TextMessage ?? ''} end as body,
        ${outcome} as status, row_number() over (order by ${triedText(plan)}, r.recipient_id) as place, count(*) over () as many,
        -- Half a second to nine seconds until the phone confirms it.
        (500 + ${lot('r.phone')} * 8) * interval '1 millisecond' as taken
      from broadcast_recipients r
      join broadcasts b on b.account_id = r.account_id and b.broadcast_id = r.broadcast_id
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.problem is null
    ),
    timed as materialized (
      -- A slice carries one of the two texts. The rest follow when the waiting time is over.
      select *, (place - 1) / ${sliceSize} + coalesce(tried, 0) * 1000 as slice,
        ${startAt}::timestamptz + place * ${secondsEach}::float8 * interval '1 second' + case when tried is null
          then ${plan.second?.Hours ?? 0}::int * interval '1 hour' else interval '0' end as at
      from going where place <= many * ${plan.canceledAfter ?? 1}::float8 order by place
    ),
    texts as materialized (
      select t.*, nextval('messages_message_id_seq') as message_id from (select * from timed order by place) t
    ),
    slices as (
      insert into broadcast_slices (account_id, broadcast_id, first_message_id, last_message_id, total, settled,
        created_at, place, ${sql.join(resultCategories.map((name) => sql.ref(name)))})
      select ${accountId}, ${broadcastId}, min(message_id), max(message_id), count(*), count(*), min(at),
        tried, ${sql.join(counts)}
      from texts group by slice, tried order by min(message_id)
      returning slice_id, first_message_id, last_message_id
    ),
    made as (
      insert into messages (account_id, message_id, text_number_id, phone, is_inbound, status, status_at, handed_at,
        origin, body, segments, credits, user_id, media_ids, broadcast_id, slice_id, created_at)
      overriding system value
      select ${accountId}, message_id, ${textNumberId}, phone, false, status, at + taken, at, 'broadcast', body, 1, 1,
        user_id, media_ids, ${broadcastId}, s.slice_id, at
      from texts join slices s on message_id between s.first_message_id and s.last_message_id
    )
    update broadcast_recipients r set message_id = t.message_id, segments = 1
    from texts t
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = t.recipient_id`.execute(
    trx,
  );
}

/** Zones, samples and the broadcast's own row, as sending would have left them. */
async function endBroadcast(trx: Trx, { accountId, broadcastId, startAt, plan }: One): Promise<void> {
  const mine = sql`account_id = ${accountId} and broadcast_id = ${broadcastId}`;
  await sql`
    insert into broadcast_zones (account_id, broadcast_id, zone, total, fed, cursor, opens_at)
    select account_id, broadcast_id, zone, count(*), count(message_id),
      coalesce(max(recipient_id) filter (where message_id is not null), 0), ${startAt}
    from broadcast_recipients where ${mine} and problem is null
    group by account_id, broadcast_id, zone`.execute(trx);
  const { rows } = await sql<{ ends: Date }>`
    with span as (select min(first_message_id) as first, max(last_message_id) as last from broadcast_slices where ${mine}),
    texts as materialized (
      select m.created_at, m.status_at, m.status = 'delivered' as is_delivered, text_status_rank(m.status) = 3 as is_failed
      from messages m, span where m.account_id = ${accountId} and m.message_id between span.first and span.last
    ),
    sampled as (
      insert into broadcast_samples (account_id, broadcast_id, taken_at, sent, delivered, failed)
      select ${accountId}, ${broadcastId}, t.at, count(*) filter (where created_at <= t.at),
        count(*) filter (where is_delivered and status_at <= t.at), count(*) filter (where is_failed and status_at <= t.at)
      from texts, (
        select ${startAt}::timestamptz + (max(status_at) - ${startAt}::timestamptz) * i / 24 as at
        from texts, generate_series(0, 24) i group by i) t
      group by t.at
    )
    select max(status_at) as ends from texts`.execute(trx);
  await sql`
    update broadcasts b
    set status = ${plan.canceledAfter === undefined ? 'completed' : 'canceled'}, sent_by_user_id = b.user_id,
      created_at = ${startAt}::timestamptz - interval '20 minutes', updated_at = ${rows[0]?.ends}, confirmed_at = ${startAt},
      start_at = ${startAt}, started_at = ${startAt}, ended_at = ${rows[0]?.ends}, aggregator_id = n.aggregator_id,
      sent_body = b.body, is_personalized = b.body like '%{{%', credits_each = 1,
      merge_state = case when b.body like '%{{%' then 'done' else 'none' end,
      going_count = r.going, left_out_count = r.left_out, fed_count = r.fed, credits_reserved = r.going
    from text_numbers n,
      (select count(*) filter (where problem is null) as going, count(problem) as left_out, count(message_id) as fed
        from broadcast_recipients where ${mine}) r
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}
      and n.account_id = b.account_id and n.text_number_id = b.text_number_id`.execute(trx);
}

/** Some answer within the hour. People with a scripted conversation are left out. */
async function makeReplies(trx: Trx, one: One): Promise<void> {
  const { accountId, broadcastId, textNumberId, plan } = one;
  const auto = (label: 'Yes' | 'No') => plan.answers?.find(({ Label }) => Label === label)?.Message ?? '';
  await writeConversations(trx, {
    first: sql`
      chosen as (
        select r.recipient_id, r.phone, m.status_at, ${triedText(plan)} as tried,
          row_number() over (partition by ${triedText(plan)} order by md5(r.phone || 'answers')) as place
        from broadcast_recipients r
        join messages m on m.account_id = r.account_id and m.message_id = r.message_id
        where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and m.status = 'delivered'
          and not exists (select from conversations c where c.account_id = r.account_id
            and c.text_number_id = ${textNumberId} and c.phone = r.phone)
      ),
      replies as (
        select c.*, t.body, t.answer, c.status_at + (40 + ${lot('c.phone')} * 3) * interval '1 second' as at
        from chosen c
        join (
          select body, answer, tried, row_number() over (partition by tried order by place) as place
          from unnest(${plan.replies.map(({ text }) => text)}::text[], ${plan.replies.map(({ answer }) => answer ?? null)}::text[],
            ${plan.replies.map(({ to }) => to ?? null)}::smallint[]) with ordinality as t(body, answer, tried, place)
        ) t on t.place = c.place and t.tried is not distinct from c.tried
      ),
      heard as (
        insert into messages (account_id, text_number_id, phone, is_inbound, status, status_at, origin, body, broadcast_id, created_at)
        select ${accountId}, ${textNumberId}, phone, true, 'received', at, 'inbound', body, ${broadcastId}, at from replies order by at
        returning account_id, message_id, origin, body, phone, created_at
      ),
      made as (select * from heard),
      ${queueWords},
      answered as (
        insert into messages (account_id, text_number_id, phone, is_inbound, status, status_at, handed_at, origin, body,
          segments, credits, created_at)
        select ${accountId}, ${textNumberId}, phone, false, 'delivered', at + interval '4 seconds', at + interval '1 second',
          'automatic', case answer when 'Yes' then ${auto('Yes')} else ${auto('No')} end, 1, 1, at + interval '1 second'
        from replies where answer is not null
        returning message_id, phone, created_at
      )`,
    write: sql`
      insert into conversations (account_id, text_number_id, phone, is_done, last_message_id, last_message_at, created_at)
      select ${accountId}, ${textNumberId}, h.phone, true, coalesce(a.message_id, h.message_id),
        coalesce(a.created_at, h.created_at), h.created_at
      from heard h left join answered a on a.phone = h.phone`,
    returning: sql`conversation_id, phone`,
    next: sql`
      noted as (
        insert into broadcast_replies (account_id, broadcast_id, conversation_id, replied_at)
        select ${accountId}, ${broadcastId}, t.conversation_id, h.created_at from changed t join heard h on h.phone = t.phone
      ),
      marked as (
        update broadcast_recipients r set replied_at = h.created_at, reply_message_id = h.message_id, survey_answer = p.answer
        from heard h join replies p on p.phone = h.phone
        where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = p.recipient_id
      )`,
  });
}

/** Records who got which of the two texts first, and which one was better after the hours in between. */
async function decideTexts(trx: Trx, one: One, { Share, Hours }: SecondTextForm): Promise<void> {
  const { accountId, broadcastId, startAt, plan } = one;
  const mine = sql`account_id = ${accountId} and broadcast_id = ${broadcastId}`;
  await sql`
    insert into second_text_zones (account_id, broadcast_id, zone, place, total, fed, cursor)
    select ${accountId}, ${broadcastId}, r.zone, ${triedText(plan)}, count(*), count(*), max(r.recipient_id)
    from broadcast_recipients r
    where ${mine} and r.message_id is not null and (${isTriedOn(1, Share)} or ${isTriedOn(2, Share)})
    group by 3, 4`.execute(trx);
  await decide(trx, { accountId, broadcastId }, { decide_by: 'replies' });
  const decidedAt = new Date(startAt.getTime() + Hours * 3_600_000);
  await sql`
    update second_texts set body = text_message, sent_body = text_message, decide_at = ${decidedAt}, decided_at = ${decidedAt}
    where ${mine}`.execute(trx);
}

/** The day's figures and the credits, with matching sums. */
async function payTexts(
  trx: Trx,
  { accountId, broadcastId, textNumberId, startAt, zone, plan }: One,
): Promise<void> {
  const { rows } = await sql<{ paid: number; left: number; figures: DayFigures[] | null }>`
    with texts as (
      select m.* from messages m
      where m.account_id = ${accountId} and m.text_number_id = ${textNumberId}
        and m.created_at between ${startAt} and ${startAt}::timestamptz + interval '3 hours'
        and (m.broadcast_id = ${broadcastId} or m.origin = 'automatic')
    ),
    counted as (
      select ${accountId}::bigint as "accountId", ${zone}::text as zone,
        floor(extract(epoch from created_at) * 1000)::float8 as "atMs", ${textNumberId}::bigint as "textNumberId",
        user_id as "userId", broadcast_id is not null and not is_inbound as "isBroadcast",
        count(*) filter (where not is_inbound) as sent, count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where text_status_rank(status) = 3) as failed, count(*) filter (where is_inbound) as received,
        sum(credits) as credits
      from texts group by created_at, user_id, broadcast_id is not null and not is_inbound
    )
    select (select json_agg(counted) from counted) as figures, (select coalesce(sum(credits), 0) from texts)::int as paid, going_count - fed_count as left
    from broadcasts where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
  const { paid = 0, left = 0, figures = null } = rows[0] ?? {};
  await countDays(trx, figures ?? []);
  const note = `Broadcast: ${plan.name}`;
  await moveCredits(trx, [
    { accountId, kind: 'reserve', credits: paid + left, note },
    { accountId, kind: 'settle', credits: paid, note: 'Texts handed to the carrier' },
    { accountId, kind: 'release', credits: left, note: 'Broadcast canceled' },
  ]);
}

/** Through the same verbs as the pages: one scheduled, one repeating, and one unfinished. */
async function createPlanned(trx: Trx, owner: Actor, cast: Cast): Promise<void> {
  for (const plan of plannedBroadcasts) {
    const broadcastId = await beginDraft(trx, owner, {
      BroadcastName: plan.name,
      TextNumberID: cast.numberIds[0] ?? null,
      TextMessage: plan.text,
      startOption: plan.startOption,
      StartDate: plan.time === undefined ? null : wallOn(plan.inDays ?? 1, plan.time, cast.timeZone),
      RepeatingBroadcastSchedule: plan.schedule ?? null,
      Step: plan.isDraft ? 3 : 4,
    });
    const listIds = await listIdsOf(trx, cast.accountId, plan.groups);
    await addRecipients(trx, owner, broadcastId, { kind: 'lists', listIds });
    if (plan.isDraft) continue;
    if (plan.schedule === undefined) await sendBroadcast(trx, owner, broadcastId);
    else
      await createRepeating(trx, owner, {
        body: { DraftBroadcastID: broadcastId },
        params: undefined,
        query: undefined,
      });
  }
}
