/**
 * Drip campaigns that each person goes through on their own schedule. The people are recipients of the
 * campaign's model; a row of sequence_people has the progress of each:
 *
 *   active ──step by step──▶ done
 *     └──▶ stopped (by hand) · replied · opted_out (STOP) · left (the group)
 *
 * Those whose next step is due together become one broadcast, made from the model with that step's words. They move on
 * in the transaction that makes it, so nobody gets a step twice or misses one, whatever happens to the worker. If the
 * broadcast can't be sent, they are put back (exclude-stopped.ts) and the campaign is paused with the reason.
 */

import { type RawBuilder, sql } from 'kysely';
import { betweenStepsMs, type CourseRules, courseStepMs } from '../../../contract/time/course.ts';
import { localDay } from '../../../contract/time/local-day.ts';
import { findActiveActor } from '../../access/load-actor.ts';
import { nowMs } from '../../clock.ts';
import { asAccount, asSystem, type Database, isDatabaseDown, type Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { joinWholeTables, keepStatistics } from '../../keep-statistics.ts';
import type { Log } from '../../log.ts';
import { notify } from '../../notify.ts';
import { type NudgedWork, runOnce } from '../../run-once.ts';
import type { Actor } from '../../serve.ts';
import { recipientsOf } from '../draft/queries.ts';
import { readSending } from '../draft/read-sending.ts';
import { noteChange } from '../recipients/add-recipients.ts';
import { judgeRecipients } from '../recipients/judge-recipients.ts';
import { enrollJoined, enrollMembers, isMember, manyPeople, markMembers } from './enroll-people.ts';
import { dropIfNobody } from './exclude-stopped.ts';
import {
  copyModel,
  lockRunning,
  orFailure,
  type Running,
  requireStarter,
  starterOf,
} from './run-sequences.ts';

const campaignsAtOnce = 50;
/** As many as are checked in one statement elsewhere; for a larger set, the rest become another broadcast. */
const peopleAtOnce = 20_000;
/** Longest time before a new group member is noticed. */
const lookEveryMs = 60_000;

/** Campaigns with people who are due or who have joined, or with a group to check. */
export const dueCourses = sql`
  select q.account_id, q.sequence_id from sequences q
  where q.status = 'running' and q.deleted_at is null and q.next_at <= now()
  union
  select q.account_id, q.sequence_id from sequence_joins j
  join sequences q on q.account_id = j.account_id and q.sequence_id = j.sequence_id
  where q.status = 'running' and q.deleted_at is null`;

/** The tables that a large group fills within minutes, and that each run reads. */
export const grownTables = ['broadcast_recipients', 'sequence_people'];

export function createCourseWork({ database, log }: { database: Database; log: Log }): NudgedWork {
  let look = keepStatistics(database, grownTables);
  return runOnce(async (isStopping) => {
    const { rows } = await asSystem(database, (trx) =>
      sql<{ account_id: number; sequence_id: number }>`${dueCourses} limit ${campaignsAtOnce}`.execute(trx),
    );
    let isAny = false;
    for (const { account_id, sequence_id } of rows) {
      if (isStopping()) return false;
      try {
        const ran = await asAccount(database, account_id, (trx) => runCourse(trx, account_id, sequence_id));
        // Each campaign brings its own group: analyzes of earlier ones say nothing about it.
        if (ran.isFirst) look = keepStatistics(database, grownTables);
        if (ran.isFirst || ran.hasMore) await look();
        isAny = isAny || ran.isAny || ran.hasMore;
      } catch (error) {
        if (isDatabaseDown(error)) throw error;
        log.warn({ err: error, id: sequence_id }, 'a drip campaign failed unexpectedly');
      }
    }
    return isAny;
  });
}

interface Step {
  position: number;
  body: string;
  media_ids: number[];
  hasWait: boolean;
  afterDays: number | null;
  time: string;
}

/** A campaign's steps and the rules for their times. */
export interface Course {
  steps: Step[];
  rules: CourseRules;
  textNumberId: number | null;
}

export async function readCourse(
  trx: Trx,
  campaign: Pick<Running, 'account_id' | 'sequence_id' | 'broadcast_id' | 'zone' | 'skips_weekends'>,
): Promise<Course> {
  const { rows: steps } = await sql<Step>`
    select position, body, media_ids, has_wait as "hasWait", after_days as "afterDays", time_text as time
    from sequence_steps where account_id = ${campaign.account_id} and sequence_id = ${campaign.sequence_id}
    order by position`.execute(trx);
  const sending = await readSending(trx, campaign.account_id, campaign.broadcast_id);
  return {
    steps,
    rules: { zone: campaign.zone, skipsWeekends: campaign.skips_weekends, hours: sending.hours },
    textNumberId: sending.text_number_id,
  };
}

interface Ran {
  /** Somebody was due. */
  isAny: boolean;
  /** The group may have more people to enroll. */
  hasMore: boolean;
  /** The first run of a campaign that begins with a group. */
  isFirst: boolean;
}

/** Enrolls new people and creates the broadcast of those who are due. */
export async function runCourse(trx: Trx, accountId: number, sequenceId: number): Promise<Ran> {
  const campaign = await lockRunning(trx, accountId, sequenceId);
  if (campaign === undefined || campaign.starts_on === 'dates')
    return { isAny: false, hasMore: false, isFirst: false };
  if (await isLarge(trx, campaign)) await joinWholeTables(trx);
  const course = await readCourse(trx, campaign);
  let hasMore = false;
  const position = await orFailure(trx, campaign, 0, async () => {
    const maker = await requireStarter(trx, campaign, course.textNumberId);
    await enrollJoined(trx, campaign, course);
    if (campaign.starts_on === 'group') hasMore = await enrollMembers(trx, maker, campaign, course);
    return makeSet(trx, maker, campaign, course);
  });
  const isAny = position !== undefined && position !== 0;
  await setNext(trx, campaign, { isNobodyDue: position === 0, hasMore });
  if (isAny) await notify(trx, accountId, [{ type: 'sequences.changed' }]);
  return { isAny, hasMore, isFirst: campaign.starts_on === 'group' && isFirstRun(campaign) };
}

/** `beginCourses` makes a campaign due at its start; from the first run on it is due later. */
function isFirstRun({ next_at, started_at }: Running): boolean {
  return next_at !== null && started_at !== null && next_at <= started_at;
}

/** Counts its model's recipients: members who were in the group before it started aren't among its people. */
async function isLarge(trx: Trx, { account_id, broadcast_id }: Running): Promise<boolean> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from (
      select from broadcast_recipients r where ${recipientsOf(account_id, broadcast_id)} limit ${manyPeople}) m`.execute(
    trx,
  );
  return rows[0]?.many === manyPeople;
}

/** The broadcast for those with the same due step. Returns which step it is; 0 if nobody is due. */
async function makeSet(trx: Trx, maker: Actor, campaign: Running, course: Course): Promise<number> {
  const { account_id, sequence_id } = campaign;
  if (campaign.starts_on === 'group') await leaveGroup(trx, maker, campaign);
  else await leaveDeleted(trx, campaign);
  if (course.rules.skipsWeekends) await waitForMonday(trx, campaign, course);
  // Whoever is in a set that hasn't been sent, such as while the campaign was paused, gets that one first.
  const isDue = sql`account_id = ${account_id} and sequence_id = ${sequence_id} and state = 'active' and next_at <= now()
    and phone not in (
      select r.phone from broadcast_recipients r join broadcasts b using (account_id, broadcast_id)
      where b.account_id = ${account_id} and b.sequence_id = ${sequence_id} and b.sequence_position is not null
        and b.status = 'draft' and b.deleted_at is null and r.problem is null)`;
  // Inbound texts also end people's courses: people whom one of them has locked are skipped now.
  const { rows: due } = await sql<{ phone: string; position: number; joined_day: string }>`
    select phone, position, joined_day::text from sequence_people
    where ${isDue} and position = (select min(position) from sequence_people where ${isDue})
    order by next_at, phone limit ${peopleAtOnce} for no key update skip locked`.execute(trx);
  const step = due[0] && course.steps[due[0].position];
  if (step === undefined) return 0;
  const { broadcastId } = await copyModel(trx, campaign, step);
  const phones = due.map(({ phone }) => phone);
  await judgeRecipients(trx, account_id, broadcastId, { candidates: dueCandidates(campaign, phones) });
  await moveOn(trx, campaign, course, due);
  if (campaign.starts_on === 'group') await followPhones(trx, campaign, broadcastId);
  await noteChange(trx, account_id, broadcastId);
  await endOptedOut(trx, campaign, broadcastId);
  await dropIfNobody(trx, account_id, broadcastId);
  return step.position;
}

/** Steps that are late, after a pause or while no worker ran, don't go out on a weekend either. */
async function waitForMonday(trx: Trx, campaign: Running, course: Course): Promise<void> {
  const { skipsWeekends, zone } = course.rules;
  const isWeekday = courseStepMs(
    { hasWait: false, afterDays: null, time: '' },
    { joinedMs: nowMs(), joinedDay: localDay(nowMs(), zone), notBeforeMs: nowMs() },
    { zone, skipsWeekends, hours: undefined },
  );
  if (isWeekday === undefined || isWeekday <= nowMs()) return;
  await retime(trx, campaign, course, { which: sql`next_at <= now()`, notBeforeMs: nowMs() });
}

/**
 * Those who get the step, in the format of judgeRecipients. Contacts are read again: members of a group are texted at
 * the phone that they have by now, and whoever texted the keyword or JOIN at the phone with which they did.
 */
function dueCandidates(
  { account_id, sequence_id, broadcast_id: modelId, starts_on }: Running,
  phones: string[],
): RawBuilder<unknown> {
  const isGroup = starts_on === 'group';
  const phonesOfTheirs = isGroup
    ? sql`c.primary_phone as phone1, c.secondary_phone as phone2, c.tertiary_phone as phone3`
    : sql`p.phone as phone1, null::text as phone2, null::text as phone3`;
  return sql`
    select r.recipient_id as place, c.person_id, coalesce(c.first_name, r.first_name) as first_name,
      coalesce(c.last_name, r.last_name) as last_name, ${phonesOfTheirs}, r.typed_phone, r.custom_data,
      null::bigint as source_id
    from sequence_people p
    join broadcast_recipients r on r.account_id = p.account_id and r.broadcast_id = ${modelId}
      and r.recipient_id = p.recipient_id
    left join lateral (
      select c.* from contacts c
      where c.account_id = p.account_id and c.deleted_at is null and ${isTheirContact(isGroup)}
      order by c.person_id = r.person_id desc, c.person_id limit 1) c on true
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.phone = any(${phones}::text[])`;
}

/**
 * In a campaign whose people text a word, another contact with that phone takes the place of one that was deleted or
 * merged into it.
 */
function isTheirContact(isGroup: boolean): RawBuilder<unknown> {
  return isGroup
    ? sql`c.person_id = r.person_id`
    : sql`(c.person_id = r.person_id or c.primary_phone = p.phone)`;
}

/**
 * The next step of those who were just taken, by the day on which they joined. After the last one they are
 * done.
 */
async function moveOn(
  trx: Trx,
  { account_id, sequence_id }: Running,
  { steps, rules }: Course,
  due: { phone: string; position: number; joined_day: string }[],
): Promise<void> {
  const made = (due[0]?.position ?? 0) + 1;
  const next = steps[made];
  const notBeforeMs = nowMs() + betweenStepsMs;
  const days = [...new Set(due.map(({ joined_day }) => joined_day))];
  const moments = days.map((joinedDay) => {
    const atMs = next && courseStepMs(next, { joinedMs: notBeforeMs, joinedDay, notBeforeMs }, rules);
    return atMs === undefined ? null : new Date(atMs);
  });
  await sql`
    update sequence_people p
    set position = ${made}, next_at = d.at, state = case when d.at is null then 'done' else 'active' end,
      ended_at = case when d.at is null then now() end
    from unnest(${days}::date[], ${moments}::timestamptz[]) as d(day, at)
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id}
      and p.phone = any(${due.map(({ phone }) => phone)}::text[]) and p.joined_day = d.day`.execute(trx);
}

/** A person who is no longer in the group gets nothing more; one who comes back later starts over. */
async function leaveGroup(trx: Trx, maker: Actor, campaign: Running): Promise<void> {
  const { account_id, sequence_id, broadcast_id } = campaign;
  await sql`
    update sequence_people p set state = 'left', ended_at = now(), next_at = null
    from broadcast_recipients r
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.state = 'active' and p.next_at <= now()
      and r.account_id = ${account_id} and r.broadcast_id = ${broadcast_id} and r.recipient_id = p.recipient_id
      and not ${await isMember(trx, maker, campaign, sql`r.person_id`)}`.execute(trx);
}

/** The same for contacts that were deleted, where people text a word. */
async function leaveDeleted(trx: Trx, { account_id, sequence_id, broadcast_id }: Running): Promise<void> {
  await sql`
    update sequence_people p set state = 'left', ended_at = now(), next_at = null
    from broadcast_recipients r
    where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.state = 'active' and p.next_at <= now()
      and r.account_id = ${account_id} and r.broadcast_id = ${broadcast_id} and r.recipient_id = p.recipient_id
      and r.person_id is not null and not exists (
        select from contacts c
        where c.account_id = ${account_id} and c.deleted_at is null and ${isTheirContact(false)})`.execute(
    trx,
  );
}

/**
 * Replies and STOP are matched by phone, so the course of a contact with another phone goes on under that one. If
 * somebody else in the campaign has it, it gets each step once: the contact is left out, as a second one with the same
 * phone is when they join.
 */
async function followPhones(
  trx: Trx,
  { account_id, sequence_id, broadcast_id: modelId }: Running,
  broadcastId: number,
): Promise<void> {
  const { rows } = await sql<{ recipient_id: number; due_id: number; phone: string; zone: string }>`
    select p.recipient_id, s.recipient_id as due_id, s.phone, s.zone
    from broadcast_recipients s
    join broadcast_recipients r on r.account_id = s.account_id and r.broadcast_id = ${modelId}
      and r.person_id = s.person_id
    join sequence_people p on p.account_id = r.account_id and p.sequence_id = ${sequence_id}
      and p.recipient_id = r.recipient_id
    where s.account_id = ${account_id} and s.broadcast_id = ${broadcastId} and s.phone <> p.phone
    order by p.recipient_id`.execute(trx);
  if (rows.length === 0) return;
  const ids = sql`${rows.map(({ recipient_id }) => recipient_id)}::bigint[]`;
  // Sorted, so that all rows are deleted before the first is inserted: two contacts may have exchanged their phones.
  const { rows: moved } = await sql<{ recipient_id: number }>`
    with taken as (
      delete from sequence_people p
      using unnest(${ids}, ${rows.map(({ phone }) => phone)}::text[]) as t(recipient_id, phone)
      where p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.recipient_id = t.recipient_id
      returning p.recipient_id, t.phone, p.joined_at, p.joined_day, p.position, p.next_at, p.state, p.ended_at
    )
    insert into sequence_people
      (account_id, sequence_id, recipient_id, phone, joined_at, joined_day, position, next_at, state, ended_at)
    select ${account_id}::bigint, ${sequence_id}::bigint, t.* from taken t order by t.recipient_id
    on conflict do nothing returning recipient_id`.execute(trx);
  const movedIds = new Set(moved.map(({ recipient_id }) => recipient_id));
  // In two statements for the same reason: the phones of those who get it are unique in each of them.
  await sql`
    update broadcast_recipients r set problem = 'duplicate', phone = t.phone, zone = t.zone
    from unnest(${ids}, ${rows.map(({ phone }) => phone)}::text[], ${rows.map(({ zone }) => zone)}::text[])
      as t(recipient_id, phone, zone)
    where r.account_id = ${account_id} and r.broadcast_id = ${modelId} and r.recipient_id = t.recipient_id`.execute(
    trx,
  );
  await sql`
    update broadcast_recipients r set problem = null
    where r.account_id = ${account_id} and r.broadcast_id = ${modelId}
      and r.recipient_id = any(${[...movedIds]}::bigint[])`.execute(trx);
  const left = rows.filter(({ recipient_id }) => !movedIds.has(recipient_id));
  await sql`
    update broadcast_recipients s set problem = 'duplicate', duplicate_of = null
    where s.account_id = ${account_id} and s.broadcast_id = ${broadcastId} and s.problem is null
      and s.recipient_id = any(${left.map(({ due_id }) => due_id)}::bigint[])`.execute(trx);
  await noteChange(trx, account_id, modelId);
}

/** An opt-out ends the course, in whatever way it was made. */
async function endOptedOut(
  trx: Trx,
  { account_id, sequence_id }: Running,
  broadcastId: number,
): Promise<void> {
  await sql`
    update sequence_people p set state = 'opted_out', ended_at = now(), next_at = null
    from broadcast_recipients r
    where r.account_id = ${account_id} and r.broadcast_id = ${broadcastId} and r.problem = 'opted_out'
      and p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.phone = r.phone`.execute(trx);
}

/**
 * Sets the time of the next run: when the next person is due, or the group has to be checked again. If nobody could
 * be taken though somebody is due, their last set hasn't been sent yet: in a minute.
 */
async function setNext(
  trx: Trx,
  { account_id, sequence_id, starts_on }: Running,
  { isNobodyDue, hasMore } = { isNobodyDue: false, hasMore: false },
): Promise<void> {
  const lookAt = starts_on === 'group' ? new Date(nowMs() + (hasMore ? 0 : lookEveryMs)) : null;
  const notBefore = isNobodyDue ? new Date(nowMs() + lookEveryMs) : null;
  const { rows } = await sql<{ next_at: Date | null }>`
    update sequences set next_at = least(${lookAt}::timestamptz, (
      select case when min(next_at) <= now() then greatest(min(next_at), ${notBefore}::timestamptz) else min(next_at) end
      from sequence_people
      where account_id = ${account_id} and sequence_id = ${sequence_id} and state = 'active'))
    where account_id = ${account_id} and sequence_id = ${sequence_id}
    returning next_at`.execute(trx);
  const at = rows[0]?.next_at;
  if (at)
    await enqueue(trx, 'run_courses', {}, { runAt: at, key: `run_courses ${account_id} ${sequence_id}` });
}

/** Starts a campaign that people join. Existing group members are left out, unless it is also for them. */
export async function beginCourses(trx: Trx, maker: Actor, campaign: Running): Promise<void> {
  const { account_id, broadcast_id, starts_on, includes_members } = campaign;
  // People who were added while the campaign was on dates.
  await sql`delete from broadcast_recipients r where ${recipientsOf(account_id, broadcast_id)}`.execute(trx);
  await sql`delete from broadcast_sources r where ${recipientsOf(account_id, broadcast_id)}`.execute(trx);
  if (starts_on === 'group' && !includes_members) await markMembers(trx, maker, campaign);
  await noteChange(trx, account_id, broadcast_id);
  await sql`update sequences set next_at = least(now(), started_at)
    where account_id = ${account_id} and sequence_id = ${campaign.sequence_id}`.execute(trx);
  await enqueue(trx, 'run_courses', {});
}

interface Finished {
  joined_day: string;
  people: number;
  /** Time when a step comes to them; undefined if its day has passed. */
  at: Date | undefined;
}

/**
 * Those who may go on with a step that is added, as a condition on `p`: whoever has finished and is still in the group.
 * Somebody who left it would be marked as having left the campaign when the step is due, and begin again on coming back.
 */
async function isFinished(trx: Trx, actor: Actor, campaign: Running): Promise<RawBuilder<unknown>> {
  const { account_id, sequence_id, broadcast_id } = campaign;
  const isDone = sql`p.account_id = ${account_id} and p.sequence_id = ${sequence_id} and p.state = 'done'`;
  if (campaign.starts_on !== 'group') return isDone;
  // As when their step is due: among the contacts that whoever started the campaign sees.
  const maker = (await findActiveActor(trx, account_id, starterOf(campaign))) ?? actor;
  return sql`${isDone} and exists (
    select from broadcast_recipients r
    where ${recipientsOf(account_id, broadcast_id)} and r.recipient_id = p.recipient_id
      and ${await isMember(trx, maker, campaign, sql`r.person_id`)})`;
}

/** Those who have had all steps before this one, by the day on which they joined. */
export async function listFinished(
  trx: Trx,
  actor: Actor,
  campaign: Running,
  { step, rules }: { step: Pick<Step, 'afterDays' | 'time'>; rules: CourseRules },
): Promise<Finished[]> {
  const { rows } = await sql<{ joined_day: string; people: number }>`
    select p.joined_day::text, count(*)::int as people from sequence_people p
    where ${await isFinished(trx, actor, campaign)}
    group by 1 order by 1`.execute(trx);
  return rows.map(({ joined_day, people }) => {
    const joined = { joinedMs: 0, joinedDay: joined_day, notBeforeMs: 0 };
    const atMs = courseStepMs({ ...step, hasWait: true }, joined, rules);
    const isAhead = atMs !== undefined && atMs > nowMs();
    return { joined_day, people, at: isAhead ? new Date(atMs) : undefined };
  });
}

/**
 * People who have finished continue with a step that was added at the end, if its time is still to come for
 * them.
 */
export async function takeUpFinished(
  trx: Trx,
  actor: Actor,
  campaign: Running,
  position: number,
): Promise<void> {
  const { steps, rules } = await readCourse(trx, campaign);
  const step = steps[position - 1];
  if (step === undefined) return;
  const finished = await listFinished(trx, actor, campaign, { step, rules });
  const ahead = finished.flatMap(({ joined_day, at }) => (at === undefined ? [] : [{ joined_day, at }]));
  await sql`
    update sequence_people p set state = 'active', position = ${position - 1}, next_at = d.at, ended_at = null
    from unnest(${ahead.map(({ joined_day }) => joined_day)}::date[], ${ahead.map(({ at }) => at)}::timestamptz[]) as d(day, at)
    where ${await isFinished(trx, actor, campaign)} and p.joined_day = d.day`.execute(trx);
  await setNext(trx, campaign);
}

function readCampaign(trx: Trx, accountId: number, sequenceId: number): Promise<Running> {
  return trx
    .selectFrom('sequences')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sequence_id', '=', sequenceId)
    .executeTakeFirstOrThrow();
}

/** After its steps or its weekend rule have changed: everybody's next step gets its new time. */
export async function retimePeople(trx: Trx, accountId: number, sequenceId: number): Promise<void> {
  const campaign = await readCampaign(trx, accountId, sequenceId);
  const notBeforeMs = nowMs() + betweenStepsMs;
  await retime(trx, campaign, await readCourse(trx, campaign), { which: sql`next_at > now()`, notBeforeMs });
  await setNext(trx, campaign);
}

/** The next step of those on their way gets the time that it has by the rules; one right away only if it is due. */
async function retime(
  trx: Trx,
  { account_id, sequence_id }: Running,
  { steps, rules }: Course,
  { which, notBeforeMs }: { which: RawBuilder<unknown>; notBeforeMs: number },
): Promise<void> {
  const isTheirs = sql`account_id = ${account_id} and sequence_id = ${sequence_id} and state = 'active' and ${which}`;
  const { rows } = await sql<{ position: number; joined_day: string }>`
    select distinct position, joined_day::text from sequence_people where ${isTheirs}`.execute(trx);
  const atMs = nowMs();
  const moved = rows.flatMap(({ position, joined_day: joinedDay }) => {
    const step = steps[position];
    const isMoved = step !== undefined && (step.hasWait || notBeforeMs <= atMs);
    const ms = isMoved ? courseStepMs(step, { joinedMs: atMs, joinedDay, notBeforeMs }, rules) : undefined;
    return ms === undefined ? [] : [{ position, joinedDay, at: new Date(ms) }];
  });
  await sql`
    update sequence_people set next_at = t.at
    from unnest(
      ${moved.map(({ position }) => position)}::smallint[], ${moved.map(({ joinedDay }) => joinedDay)}::date[],
      ${moved.map(({ at }) => at)}::timestamptz[]
    ) as t(place, day, at)
    where ${isTheirs} and position = t.place and joined_day = t.day`.execute(trx);
}
