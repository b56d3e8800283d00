import { sql } from 'kysely';
import { asSystem, type Database } from '../db.ts';

export interface LookedCall {
  accountId: number;
  callId: number;
  broadcastId: number | null;
  state: 'placing' | 'up' | 'doubt';
  attempt: number;
  nonce: number;
  sid: string | null;
  phone: string;
  callerId: string;
  placedAt: Date;
  /** Seconds since then, by PostgreSQL's clock. */
  placedSeconds: number;
  answeredBy: string | null;
  /** They pressed a key, so it is a person, even if the provider says that a machine answered. */
  hasPressed: boolean;
  /** Start of the message that is being played: the one for people, or the one for machines. */
  heardAt: Date | null;
  voicemailAt: Date | null;
  /** The provider's ids of other attempts between the two numbers. */
  otherSids: string[];
}

/** Seconds that a worker may check a call before another one may. */
const lookSeconds = 15;

/**
 * Calls without events for too long: the worker that placed them is gone, a webhook was lost, or they are in
 * doubt.
 */
export async function claimLooks(database: Database, provider: number, most: number): Promise<LookedCall[]> {
  return asSystem(database, async (trx) => {
    // Claimed but never started: the worker that claimed them is gone, and nobody was called.
    await sql`
      update call_queue set state = 'waiting', lease_id = null, look_at = null
      where provider = ${provider} and state = 'claimed' and state not in ('waiting', 'over') and look_at <= now()`.execute(
      trx,
    );
    const { rows } = await sql<LookedCall>`
      with looked as (
        select account_id, call_id from call_queue
        where provider = ${provider} and state not in ('waiting', 'over') and state <> 'claimed' and look_at <= now()
        order by look_at limit ${most} for no key update skip locked
      ),
      taken as (
        update call_queue q
        set look_at = now() + make_interval(secs => ${lookSeconds}),
          state = case when q.state = 'placing' then 'doubt' else q.state end, lease_id = null
        from looked l where q.account_id = l.account_id and q.call_id = l.call_id
        returning q.account_id, q.call_id, q.broadcast_id, q.state, q.attempt
      )
      select t.account_id as "accountId", t.call_id as "callId", t.broadcast_id as "broadcastId", t.state, t.attempt,
        a.nonce, a.sid, c.phone, c.caller_id as "callerId", a.placed_at as "placedAt",
        extract(epoch from now() - a.placed_at)::float8 as "placedSeconds", a.answered_by as "answeredBy",
        c.keys <> '' as "hasPressed",
        a.voicemail_at as "voicemailAt", coalesce(a.heard_at, a.voicemail_at) as "heardAt",
        array(
          select o.sid from calls k join call_attempts o on o.account_id = k.account_id and o.call_id = k.call_id
          where k.phone = c.phone and k.account_id = t.account_id and o.sid is not null
            and o.placed_at > now() - interval '1 day' and (o.call_id, o.attempt) <> (t.call_id, t.attempt)
        ) as "otherSids"
      from taken t
      join calls c on c.account_id = t.account_id and c.call_id = t.call_id
      join call_attempts a on a.account_id = t.account_id and a.call_id = t.call_id and a.attempt = t.attempt`.execute(
      trx,
    );
    return rows;
  });
}

/** No news: check again then. */
export async function lookLater(
  database: Database,
  { accountId, callId, attempt }: Pick<LookedCall, 'accountId' | 'callId' | 'attempt'>,
  seconds: number,
): Promise<void> {
  await sql`
    update call_queue set look_at = now() + make_interval(secs => ${seconds})
    where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt}
      and state in ('up', 'doubt')`.execute(database.system);
}
