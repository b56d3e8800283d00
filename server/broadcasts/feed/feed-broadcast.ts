/**
 * Turns a broadcast's recipients into texts, a slice at a time, and returns the slice to the caller, already leased to
 * it. One transaction with a lock on the broadcast's row, which pausing and canceling take too. So a broadcast has one
 * feeder at any time, whatever the number of workers.
 */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { cannotSendMessage } from '../../../contract/states/account-status.ts';
import { minuteMs } from '../../../contract/time/wall-clock.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { asSystem, type Database, isDatabaseDown, type Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { findTextingProblem } from '../../numbers/rules.ts';
import { recordEvents } from '../../record-events.ts';
import { makeSlice } from '../../texts/make-slice.ts';
import type { HeldSlice } from '../../texts/rules.ts';
import { leftStates } from '../drips/exclude-stopped.ts';
import { judgeFrequency } from '../recipients/judge-frequency.ts';
import { decide } from '../second-text/choose-text.ts';
import {
  type DueSecondText,
  decideAtMs,
  nextLane,
  type Taken,
  takenOf,
  triedState,
  withText,
} from '../second-text/next-part.ts';
import { composeBodies } from './compose-bodies.ts';
import { type DueBroadcast, type DueKey, lockDue, readDue, zonesLeft } from './find-due.ts';
import { describeMoment, type NextFeed, nextFeed, nextPaceMs } from './next-feed.ts';

export interface Fed {
  /** Undefined if nobody in the slice may be texted any more. */
  slice: HeldSlice | undefined;
  /** As many as requested: there may be more. */
  isFull: boolean;
  /** The last of the broadcast. */
  isLast: boolean;
}

/** The next slice of the next broadcast of this carrier that is due; undefined when none is. */
export async function feedSlice(
  database: Database,
  aggregatorId: number,
  size: number,
): Promise<Fed | undefined> {
  for (;;) {
    let held: DueKey | undefined;
    try {
      const fed = await asSystem(database, async (trx) => {
        held = await lockDue(trx, aggregatorId);
        return held === undefined ? undefined : feedNext(trx, await readDue(trx, held, size));
      });
      if (fed !== 'none') return fed;
    } catch (error) {
      if (held !== undefined && !isDatabaseDown(error)) await holdBack(database, held);
      throw error;
    }
  }
}

async function feedNext(trx: Trx, due: DueBroadcast): Promise<Fed | 'none'> {
  const barred = cannotSendMessage(
    {
      AccountStatusID: due.status_id,
      SubscriptionEndDate: due.subscription_end_at?.toISOString() ?? null,
    },
    due.at_ms,
  );
  const blocked = findTextingProblem({ ...due, phone: due.from_phone }, new Date(due.at_ms))?.message;
  if (barred === undefined && blocked !== undefined && due.is_emergency && due.call_count > 0) {
    // Its calls go on. The texts follow as soon as the number can text again.
    await wait(trx, due, {
      kind: 'wait',
      untilMs: due.at_ms + minuteMs,
      reason: blocked,
      opensMs: new Map(),
    });
    return 'none';
  }
  const reason = barred ?? blocked;
  if (reason !== undefined) {
    await pauseFor(trx, due, reason);
    return 'none';
  }
  return due.second === null ? feedBy(trx, due) : feedTwoTexts(trx, due, due.second);
}

/** The next people of a zone that is open, or until when nobody is fed. */
async function feedBy(trx: Trx, due: DueBroadcast): Promise<Fed | 'none'> {
  const next = nextFeed(due.state);
  if (next.kind === 'feed') return feed(trx, due, { ...next, ...takenOf(due, next.zone, undefined) });
  if (next.kind === 'wait') await wait(trx, due, next);
  else await endFeeding(trx, due);
  return 'none';
}

/** First each text to its share, then nobody until the time is up, then the better one to the rest. */
async function feedTwoTexts(trx: Trx, due: DueBroadcast, second: DueSecondText): Promise<Fed | 'none'> {
  if (second.winner !== null) return feedBy(trx, withText(due, second.winner));
  const of = { accountId: due.account_id, broadcastId: due.broadcast_id };
  if (second.decide_at_ms !== null) {
    if (second.decide_at_ms > due.at_ms) {
      await waitForAnswers(trx, due, second, second.decide_at_ms);
      return 'none';
    }
    await decide(trx, of, second);
    return feedNext(trx, await readDue(trx, due, due.state.size));
  }
  const next = nextFeed(triedState(due));
  if (next.kind === 'wait') await wait(trx, due, next);
  if (next.kind === 'done') await waitForAnswers(trx, due, second, decideAtMs(due));
  const lane = next.kind === 'feed' ? nextLane(due, next.zone) : undefined;
  if (next.kind !== 'feed' || lane === undefined) return 'none';
  const count = Math.min(next.count, lane.total - lane.fed);
  return feed(trx, withText(due, lane.place), { ...next, count, ...takenOf(due, next.zone, lane) });
}

/** Everybody of the first part has been fed. Answers count until then; a pause in between doesn't change that. */
async function waitForAnswers(
  trx: Trx,
  due: DueBroadcast,
  { decide_by }: DueSecondText,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('second_texts')
    .set({ decide_at: new Date(untilMs) })
    .where('account_id', '=', due.account_id)
    .where('broadcast_id', '=', due.broadcast_id)
    .where('decide_at', 'is', null)
    .execute();
  const reason = `Waiting for ${decide_by} to both texts until ${describeMoment(untilMs, due.time_zone)}`;
  await wait(trx, due, { kind: 'wait', untilMs, reason, opensMs: new Map() });
}

/**
 * The account or its number may no longer send. Credits stay reserved and recipients stay where they are. A person resumes it once
 * that is in order: nobody wants last week's news to go out automatically.
 */
async function pauseFor(trx: Trx, due: DueBroadcast, reason: string): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ status: 'paused', held_reason: reason })
    .where('account_id', '=', due.account_id)
    .where('broadcast_id', '=', due.broadcast_id)
    .execute();
  const paused = { kind: 'broadcast.paused', id: due.broadcast_id, changes: { Reason: reason } } as const;
  await recordEvents(trx, { accountId: due.account_id }, [paused]);
  await tell(trx, due);
}

/** A broadcast that can't be fed must not block the others of its carrier: it is retried in a minute. */
async function holdBack(database: Database, { account_id, broadcast_id }: DueKey): Promise<void> {
  await sql`
    update broadcasts
    set next_feed_at = now() + interval '1 minute', held_reason = 'Something went wrong. It is tried again in a minute.'
    where account_id = ${account_id} and broadcast_id = ${broadcast_id} and next_feed_at is not null`.execute(
    database.system,
  );
}

type Take = Extract<NextFeed, { kind: 'feed' }> & Taken;

async function feed(trx: Trx, due: DueBroadcast, take: Take): Promise<Fed> {
  const leaseId = randomUUID();
  const source = hasOwnBodies(due) ? await composeBodies(trx, due, take) : commonBody(due, take);
  const sliceId = due.state.perMinute === undefined ? undefined : await findOpenSlice(trx, due, take);
  const made = await makeTexts(trx, due, take, { source, leaseId, sliceId });
  await moveCredits(trx, [
    {
      accountId: due.account_id,
      kind: 'release',
      credits: made.released,
      note: 'May not be texted any more',
      reference: ofBroadcast(due.broadcast_id),
    },
  ]);
  // One of two texts is still chosen after the first part, even if nobody is left.
  const isLast = made.remaining <= 0 && take.lane === undefined;
  if (isLast) await endFeeding(trx, due);
  // The page is told about the texts when they are recorded.
  await tellOfStart(trx, due);
  if (due.status === 'scheduled' || due.held_reason !== '') await tell(trx, due);
  const isFull = made.many === due.state.size;
  if (made.texts === null) return { slice: undefined, isFull, isLast };
  return { slice: toSlice(due, made, leaseId), isFull, isLast };
}

interface Made {
  many: number;
  remaining: number;
  released: number;
  slice_id: number;
  first_id: number;
  last_id: number;
  /** Those that go, in one value: reading one row is faster than reading a thousand. */
  texts: MadeText[] | null;
}

/** The body is null where all recipients get the same one. */
type MadeText = [messageId: number, nonce: number, phone: string, body: string | null];

function toSlice(due: DueBroadcast, made: Made, leaseId: string): HeldSlice {
  return {
    accountId: due.account_id,
    broadcastId: due.broadcast_id,
    sliceId: made.slice_id,
    textNumberId: due.text_number_id,
    firstMessageId: made.first_id,
    lastMessageId: made.last_id,
    leaseId,
    from: due.from_phone,
    rcsAgent: due.rcs_agent,
    mediaKeys: due.media_keys,
    texts: (made.texts ?? []).map(([messageId, nonce, phone, body]) => ({
      messageId,
      nonce,
      phone,
      body: body ?? due.sent_body,
    })),
  };
}

/** True if each recipient gets an individual text: with their values, or with their own links. */
function hasOwnBodies({ is_personalized, link_base }: DueBroadcast): boolean {
  return is_personalized || link_base !== null;
}

/** The next recipients of a zone, all with the same text. */
function commonBody(due: DueBroadcast, { zone, count, cursor, who }: Take): RawBuilder<unknown> {
  return sql`
    select recipient_id, phone, ${due.sent_body}::text as body, ${due.segments}::smallint as segments,
      ${due.credits_each}::smallint as credits
    from broadcast_recipients r
    where r.account_id = ${due.account_id} and r.broadcast_id = ${due.broadcast_id} and r.zone = ${zone}
      and r.problem is null and r.recipient_id > ${cursor} and ${who}
    order by r.recipient_id limit ${count}`;
}

/** A slow broadcast adds to the slice of the last minute, so that its counts don't become thousands of rows. */
async function findOpenSlice(
  trx: Trx,
  due: DueBroadcast,
  { count, lane }: Take,
): Promise<number | undefined> {
  const { rows } = await sql<{ slice_id: number }>`
    select slice_id from (
      select slice_id, total, created_at from broadcast_slices
      where account_id = ${due.account_id} and broadcast_id = ${due.broadcast_id}
        and place is not distinct from ${lane?.place ?? null}::smallint
      order by slice_id desc limit 1) s
    where total + ${count} <= 1000 and created_at > now() - interval '1 minute'`.execute(trx);
  return rows[0]?.slice_id;
}

/**
 * One statement that turns recipients into texts, creates the slice and its lease, moves the zone's cursor and updates
 * what is left of the broadcast. Recipients who may not be texted any more get a text too, which ends here and costs
 * nothing.
 */
async function makeTexts(
  trx: Trx,
  due: DueBroadcast,
  { zone, count, pace, lane }: Take,
  by: { source: RawBuilder<unknown>; leaseId: string; sliceId: number | undefined },
): Promise<Made> {
  const { account_id: accountId, broadcast_id: broadcastId, state } = due;
  const tooOften = await judgeFrequency(trx, { accountId, broadcastId, phone: sql`s.phone` });
  const fromMs = pace === undefined ? state.atMs : nextPaceMs(state.perMinute, pace);
  const eachMs = state.perMinute === undefined ? 0 : minuteMs / state.perMinute;
  const { rows } = await sql<Made>`
    with source as (${by.source}),
    next as materialized (
      select s.*, nextval('messages_message_id_seq') as message_id, (random() * 2147483647)::integer as nonce,
        case when c.text_state = 'out' then 'opted_out' when ${isBarred(due)} or ${tooOften} then 'canceled' else 'waiting' end as status
      from source s
      left join phone_consents c on c.account_id = ${accountId} and c.phone = s.phone
    ),
    sums as materialized (
      select count(*)::int as many, (count(*) filter (where status = 'opted_out'))::int as out,
        (count(*) filter (where status = 'canceled'))::int as barred, coalesce(sum(credits), 0)::int as credits,
        coalesce(sum(credits) filter (where status <> 'waiting'), 0)::int as released,
        min(message_id) as first_id, max(message_id) as last_id, max(recipient_id) as cursor
      from next
    ),
    ${makeSlice(due, { ...by, place: lane?.place })},
    noted as (
      update broadcast_recipients r set message_id = n.message_id
      from next n
      -- All columns that any of its indexes begins with: a planner without statistics may choose any of them.
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = n.recipient_id
        and r.zone = ${zone} and r.phone = n.phone and r.problem is null
    ),
    ${lane === undefined ? sql`` : sql`${laneMoved(due, lane, count)},`}
    -- Fewer than expected: somebody was removed from it in the meantime.
    zoned as (
      update broadcast_zones z
      set fed = z.fed + u.many
        ${
          lane === undefined
            ? sql`, total = case when u.many < ${count} then z.fed + u.many else z.total end,
              cursor = greatest(z.cursor, u.cursor)`
            : sql``
        }
      from sums u
      where z.account_id = ${accountId} and z.broadcast_id = ${broadcastId} and z.zone = ${zone}
      returning z.total - z.fed as remaining
    ),
    moved as (
      update broadcasts b
      set status = 'broadcasting', started_at = coalesce(b.started_at, now()), held_reason = '',
        fed_count = b.fed_count + u.many, credits_unfed = greatest(0, b.credits_unfed - u.credits),
        last_fed_at = clock_timestamp(), pace_from = ${pace === undefined ? null : new Date(pace.fromMs)}::timestamptz,
        pace_fed = ${pace?.fed ?? 0}::int + u.many,
        next_feed_at = to_timestamp((${fromMs}::float8 + u.many * ${eachMs}::float8) / 1000)
      from sums u
      where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId}
    )
    select u.many, u.released, u.first_id, u.last_id, (select slice_id from slice) as slice_id,
      (select remaining from zoned) + ${zonesLeft(due, zone)}::int as remaining,
      json_agg(json_build_array(n.message_id, n.nonce, n.phone, ${hasOwnBodies(due) ? sql`n.body` : sql`null`})
        order by n.message_id) filter (where n.message_id is not null) as texts
    from sums u left join next n on n.status = 'waiting'
    group by u.many, u.released, u.first_id, u.last_id`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw new Error(`feeding broadcast ${broadcastId} gave no answer`);
  return made;
}

/**
 * In the first part of an A/B test: how far this text has come in its zone. The zone's own cursor is for the
 * rest.
 */
function laneMoved(
  { account_id, broadcast_id }: DueBroadcast,
  { zone, place }: { zone: string; place: number },
  count: number,
): RawBuilder<unknown> {
  return sql`lane as (
      update second_text_zones l
      set fed = l.fed + u.many, total = case when u.many < ${count} then l.fed + u.many else l.total end,
        cursor = greatest(l.cursor, u.cursor)
      from sums u
      where l.account_id = ${account_id} and l.broadcast_id = ${broadcast_id} and l.zone = ${zone}
        and l.place = ${place}
    )`;
}

/**
 * People who may no longer be texted, though they could when they were added: the account now requires
 * opt-in, the phone is no longer verified, or they have left the drip campaign. A condition on the source `s`
 * with its consent `c`.
 */
function isBarred(due: DueBroadcast): RawBuilder<unknown> {
  const { account_id, requires_opt_in, is_free_trial, sequence_id } = due;
  const conditions = [
    ...(sequence_id === null
      ? []
      : [
          sql`exists (select from sequence_people p where p.account_id = ${account_id} and p.sequence_id = ${sequence_id}
            and p.phone = s.phone and p.state in ${leftStates})`,
        ]),
    ...(requires_opt_in ? [sql`c.text_state is distinct from 'in'`] : []),
    ...(is_free_trial
      ? [
          sql`not exists (select from verified_phones v where v.account_id = ${account_id} and v.phone = s.phone)`,
        ]
      : []),
  ];
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Nothing can be sent now: until when, and why. */
async function wait(trx: Trx, due: DueBroadcast, next: Extract<NextFeed, { kind: 'wait' }>): Promise<void> {
  const { account_id: accountId, broadcast_id: broadcastId } = due;
  await sql`
    with moved as (
      update broadcast_zones z set opens_at = t.opens_at
      from unnest(
        ${[...next.opensMs.keys()]}::text[], ${[...next.opensMs.values()].map((ms) => new Date(ms))}::timestamptz[]
      ) as t(zone, opens_at)
      where z.account_id = ${accountId} and z.broadcast_id = ${broadcastId} and z.zone = t.zone
    )
    update broadcasts
    set status = 'broadcasting', started_at = coalesce(started_at, now()), next_feed_at = ${new Date(next.untilMs)},
      held_reason = ${next.reason}
    where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
  await tellOfStart(trx, due);
  if (due.status === 'scheduled' || due.held_reason !== next.reason) await tell(trx, due);
}

/** Nobody is left to feed. Returns the credits of people who were removed after Send. */
async function endFeeding(trx: Trx, due: DueBroadcast): Promise<void> {
  const { rows } = await sql<{ credits: number }>`
    update broadcasts
    set status = 'broadcasting', started_at = coalesce(started_at, now()), next_feed_at = null, held_reason = '',
      credits_unfed = 0
    where account_id = ${due.account_id} and broadcast_id = ${due.broadcast_id}
    returning old.credits_unfed as credits`.execute(trx);
  await moveCredits(trx, [
    {
      accountId: due.account_id,
      kind: 'release',
      credits: rows[0]?.credits ?? 0,
      note: due.second === null ? 'Texts that were not sent' : 'Texts that were not sent or were shorter',
      reference: ofBroadcast(due.broadcast_id),
    },
  ]);
}

async function tellOfStart(
  trx: Trx,
  { account_id: accountId, broadcast_id, status }: DueBroadcast,
): Promise<void> {
  if (status !== 'scheduled') return;
  await recordEvents(trx, { accountId }, [{ kind: 'broadcast.started', id: broadcast_id }]);
}

async function tell(trx: Trx, due: DueBroadcast): Promise<void> {
  await notify(trx, due.account_id, [
    { type: 'broadcast.changed', BroadcastID: due.broadcast_id },
    { type: 'broadcasts.changed' },
  ]);
}
