import { sql } from 'kysely';
import type { Database } from '../db.ts';
import { leaseSeconds, unservedDays } from './rules.ts';

/** Number of texts and broadcasts that wait for carriers that this worker doesn't have. */
export async function countUnserved(database: Database, aggregatorIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select (select count(*) from outbox where aggregator_id <> all(${aggregatorIds}::smallint[]) and send_at <= now())::integer
      + (select count(*) from broadcasts
         where status in ('scheduled', 'broadcasting') and next_feed_at <= now() and deleted_at is null
           and aggregator_id <> all(${aggregatorIds}::smallint[]))::integer as waiting`.execute(
    database.system,
  );
  return rows[0]?.waiting ?? 0;
}

/**
 * Texts that such a carrier may have taken, and that nobody can ask about any more: leased to the caller, who records them
 * as Unknown. Those that it certainly doesn't have stay, for the carrier that the number gets.
 */
export async function claimUnanswerable(
  database: Database,
  aggregatorIds: readonly number[],
  leaseId: string,
  size: number,
): Promise<{ accountId: number; messageId: number; nonce: number }[]> {
  const { rows } = await sql<{ accountId: number; messageId: number; nonce: number }>`
    with due as materialized (
      select account_id, message_id from outbox
      where aggregator_id <> all(${aggregatorIds}::smallint[])
        and (in_doubt or lease_until is not null) and (lease_until is null or lease_until < now())
        and coalesce(doubt_since, lease_until) < now() - ${unservedDays} * interval '1 day'
      order by account_id, message_id limit ${size} for update skip locked
    )
    update outbox o set lease_id = ${leaseId}, lease_until = now() + ${leaseSeconds} * interval '1 second',
      in_doubt = true, doubt_since = coalesce(o.doubt_since, o.lease_until)
    from due, messages m
    where o.account_id = due.account_id and o.message_id = due.message_id
      and m.account_id = due.account_id and m.message_id = due.message_id
    returning o.account_id as "accountId", o.message_id as "messageId", m.send_nonce as nonce`.execute(
    database.system,
  );
  return rows;
}
