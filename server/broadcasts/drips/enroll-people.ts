import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { courseStepMs } from '../../../contract/time/course.ts';
import { localDay } from '../../../contract/time/local-day.ts';
import { isSeenContact } from '../../access/queries.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { joinWholeTables } from '../../keep-statistics.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { recipientsOf } from '../draft/queries.ts';
import { lockRecipients, noteChange } from '../recipients/add-recipients.ts';
import { conditionOf, requireLists } from '../recipients/find-candidates.ts';
import { judgeRecipients, listJudgedOtherwise } from '../recipients/judge-recipients.ts';
import { isLeftOut } from './queries.ts';
import type { Course } from './run-courses.ts';
import { groupGone, type Running } from './run-sequences.ts';

/** Number of people enrolled in one transaction. */
const atOnce = 20_000;
/** From this many on, the people of a campaign are compared with its group all at once. */
export const manyPeople = 1_000;

/** True if a contact is in the group that begins the campaign. */
export async function isMember(
  trx: Trx,
  maker: Actor,
  campaign: Running,
  personId: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const isIn = await membership(trx, maker, campaign);
  return sql`exists (select from contacts c where c.account_id = ${campaign.account_id} and c.person_id = ${personId}
    and c.deleted_at is null and (${isIn}))`;
}

/** Members of the group or segment, as a condition on the contacts `c`. */
async function membership(
  trx: Trx,
  maker: Actor,
  { account_id, group_id }: Running,
): Promise<RawBuilder<unknown>> {
  const group = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', account_id)
    .where('group_id', '=', group_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('refused', groupGone);
  const [list] = await requireLists(trx, maker, [group.group_id]);
  if (list === undefined) throw new Refusal('refused', groupGone);
  return sql`${isSeenContact(maker)} and (${await conditionOf(trx, maker, list)})`;
}

/** Records the members of the group when a campaign starts that is only for those who join later. */
export async function markMembers(trx: Trx, maker: Actor, campaign: Running): Promise<void> {
  const isIn = await membership(trx, maker, campaign);
  await sql`
    insert into broadcast_recipients (account_id, broadcast_id, person_id, problem)
    select c.account_id, ${campaign.broadcast_id}, c.person_id, 'excluded' from contacts c
    where c.account_id = ${campaign.account_id} and c.deleted_at is null and (${isIn})`.execute(trx);
}

/**
 * Enrolls people who are in the group and weren't at the last check, and those who couldn't be texted then and can be
 * now. Returns true if there may be more.
 */
export async function enrollMembers(
  trx: Trx,
  maker: Actor,
  campaign: Running,
  course: Course,
): Promise<boolean> {
  const { account_id: accountId, broadcast_id: modelId } = campaign;
  const isIn = await membership(trx, maker, campaign);
  // A person who was in the group from the start, or was left out, who left it and comes back has joined it.
  await sql`
    delete from broadcast_recipients r
    where ${recipientsOf(accountId, modelId)} and r.problem is not null
      and not ${await isMember(trx, maker, campaign, sql`r.person_id`)}`.execute(trx);
  await dropJudgedOtherwise(trx, campaign);
  const joined = joinedAt(campaign, course, nowMs());
  const added = await enroll(trx, campaign, {
    candidates: sql`
      select c.person_id as place, c.person_id, c.first_name, c.last_name, c.primary_phone as phone1,
        c.secondary_phone as phone2, c.tertiary_phone as phone3, null::text as typed_phone, null::jsonb as custom_data,
        null::bigint as source_id
      from contacts c
      where c.account_id = ${accountId} and c.deleted_at is null and (${isIn}) and not exists (
        select from broadcast_recipients r where ${recipientsOf(accountId, modelId)} and r.person_id = c.person_id)
      order by c.person_id limit ${atOnce}`,
    joined: sql`${joined.at}::timestamptz, ${joined.day}::date, ${joined.next}::timestamptz`,
    from: sql``,
  });
  if (added >= manyPeople) await joinWholeTables(trx);
  await handOver(trx, maker, campaign);
  await takeBack(trx, maker, campaign, joined);
  return added >= atOnce;
}

/** Lets those who left the group and are in it again start over. */
async function takeBack(
  trx: Trx,
  maker: Actor,
  campaign: Running,
  joined: ReturnType<typeof joinedAt>,
): Promise<void> {
  const { account_id: accountId, sequence_id, broadcast_id: modelId } = campaign;
  await sql`
    update sequence_people p
    set state = 'active', joined_at = ${joined.at}, joined_day = ${joined.day}::date, position = 0, next_at = ${joined.next},
      ended_at = null
    from broadcast_recipients r
    where p.account_id = ${accountId} and p.sequence_id = ${sequence_id} and p.state = 'left'
      and ${recipientsOf(accountId, modelId)} and r.recipient_id = p.recipient_id
      and ${await isMember(trx, maker, campaign, sql`r.person_id`)}`.execute(trx);
}

/** Forgets people who were left out and for whom that is different now, so that they are enrolled like new ones. */
async function dropJudgedOtherwise(trx: Trx, { account_id, broadcast_id: modelId }: Running): Promise<void> {
  const places = await listJudgedOtherwise(trx, account_id, modelId, {
    // Of very many, others each minute.
    candidates: sql`
      select r.recipient_id as place, c.person_id, c.first_name, c.last_name, c.primary_phone as phone1,
        c.secondary_phone as phone2, c.tertiary_phone as phone3, null::text as typed_phone, null::jsonb as custom_data,
        null::bigint as source_id
      from broadcast_recipients r
      join contacts c on c.account_id = r.account_id and c.person_id = r.person_id and c.deleted_at is null
      where ${recipientsOf(account_id, modelId)} and ${isLeftOut}
      order by random() limit ${atOnce}`,
  });
  if (places.length === 0) return;
  await sql`delete from broadcast_recipients r
    where ${recipientsOf(account_id, modelId)} and r.recipient_id = any(${places}::bigint[])`.execute(trx);
  await noteChange(trx, account_id, modelId);
}

/**
 * A contact that was left out because another one has the same phone takes that one's place when it has left the group
 * or was deleted, as by merging the two.
 */
async function handOver(trx: Trx, maker: Actor, campaign: Running): Promise<void> {
  const { account_id, broadcast_id: modelId } = campaign;
  await sql`
    with heirs as (
      select distinct on (r.recipient_id) r.recipient_id, d.recipient_id as heir_id, d.person_id
      from broadcast_recipients d
      join broadcast_recipients r on r.account_id = d.account_id and r.broadcast_id = d.broadcast_id
        and r.phone = d.phone and r.problem is null
      where d.account_id = ${account_id} and d.broadcast_id = ${modelId} and d.problem = 'duplicate'
        and not ${await isMember(trx, maker, campaign, sql`r.person_id`)}
      order by r.recipient_id, d.recipient_id
    ), gone as (
      delete from broadcast_recipients d using heirs h
      where d.account_id = ${account_id} and d.broadcast_id = ${modelId} and d.recipient_id = h.heir_id
    )
    update broadcast_recipients r set person_id = h.person_id from heirs h
    where r.account_id = ${account_id} and r.broadcast_id = ${modelId} and r.recipient_id = h.recipient_id`.execute(
    trx,
  );
}

/**
 * Enrolls people who answered the keyword or texted JOIN. A person who has finished it, or left it, starts
 * over.
 */
export async function enrollJoined(trx: Trx, campaign: Running, course: Course): Promise<void> {
  const { account_id: accountId, sequence_id } = campaign;
  const { rows } = await sql<{ phone: string; joined_at: Date }>`
    with taken as (
      delete from sequence_joins where account_id = ${accountId} and join_id in (
        select join_id from sequence_joins where account_id = ${accountId} and sequence_id = ${sequence_id}
        order by join_id limit ${atOnce} for update skip locked)
      returning phone, joined_at
    )
    select phone, min(joined_at) as joined_at from taken group by phone`.execute(trx);
  if (rows.length === 0) return;
  const people = rows.map(({ phone, joined_at }) => ({
    phone,
    ...joinedAt(campaign, course, joined_at.getTime()),
  }));
  const joined = sql`unnest(
    ${people.map(({ phone }) => phone)}::text[], ${people.map(({ at }) => at)}::timestamptz[],
    ${people.map(({ day }) => day)}::date[], ${people.map(({ next }) => next)}::timestamptz[]) as j(phone, at, day, next)`;
  await sql`
    update sequence_people p
    set state = 'active', joined_at = j.at, joined_day = j.day, position = 0, next_at = j.next, ended_at = null
    from ${joined}
    where p.account_id = ${accountId} and p.sequence_id = ${sequence_id} and p.phone = j.phone
      and p.state <> 'active'`.execute(trx);
  // Somebody who couldn't be texted and answers again is judged again.
  await sql`
    delete from broadcast_recipients r
    where ${recipientsOf(accountId, campaign.broadcast_id)} and ${isLeftOut}
      and r.phone = any(${people.map(({ phone }) => phone)}::text[])`.execute(trx);
  await enroll(trx, campaign, {
    candidates: sql`
      select row_number() over (order by j.at, j.phone) as place, c.person_id, coalesce(c.first_name, '') as first_name,
        coalesce(c.last_name, '') as last_name, j.phone as phone1, null::text as phone2, null::text as phone3,
        null::text as typed_phone, null::jsonb as custom_data, null::bigint as source_id
      from ${joined}
      left join lateral (
        select c.person_id, c.first_name, c.last_name from contacts c
        where c.account_id = ${accountId} and c.primary_phone = j.phone and c.deleted_at is null
        order by c.person_id limit 1) c on true
      where not exists (
        select from sequence_people p
        where p.account_id = ${accountId} and p.sequence_id = ${sequence_id} and p.phone = j.phone)`,
    joined: sql`j.at, j.day, j.next`,
    from: sql`join ${joined} on j.phone = r.phone`,
  });
}

/**
 * Time when the person joined, the day of that on the campaign's calendar, and the time when their first step is due.
 */
function joinedAt({ zone }: Running, { steps, rules }: Course, joinedMs: number) {
  const [first] = steps;
  const joinedDay = localDay(joinedMs, zone);
  const next = first && courseStepMs(first, { joinedMs, joinedDay, notBeforeMs: nowMs() }, rules);
  return { at: new Date(joinedMs), day: joinedDay, next: next === undefined ? null : new Date(next) };
}

interface Joining {
  /** In the format of judgeRecipients. */
  candidates: RawBuilder<unknown>;
  /** joined_at, joined_day and next_at. */
  joined: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
}

/** They are checked as recipients of the model: of several with one phone the first gets it. Returns how many were added. */
async function enroll(trx: Trx, campaign: Running, { candidates, joined, from }: Joining): Promise<number> {
  const { account_id: accountId, sequence_id, broadcast_id: modelId } = campaign;
  await lockRecipients(trx, accountId, modelId);
  const { rows: last } = await sql<{ id: number }>`
    select coalesce(max(r.recipient_id), 0) as id from broadcast_recipients r where ${recipientsOf(accountId, modelId)}`.execute(
    trx,
  );
  const tallies = await judgeRecipients(trx, accountId, modelId, { candidates });
  if (tallies.length === 0) return 0;
  await noteChange(trx, accountId, modelId);
  await sql`
    insert into sequence_people (account_id, sequence_id, phone, recipient_id, joined_at, joined_day, next_at)
    select ${accountId}::bigint, ${sequence_id}::bigint, r.phone, r.recipient_id, ${joined}
    from broadcast_recipients r ${from}
    where ${recipientsOf(accountId, modelId)} and r.recipient_id > ${last[0]?.id ?? 0} and r.problem is null
    on conflict do nothing`.execute(trx);
  await notify(trx, accountId, [{ type: 'sequences.changed' }]);
  return tallies.reduce((sum, { count }) => sum + count, 0);
}
