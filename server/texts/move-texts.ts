import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';

/** Keeps the transaction short. */
const textsAtOnce = 5000;
/** After this long without an attempt, a carrier may be up again: it gets the next texts as a test. */
const tryEverySeconds = 60;
/** A failure this long after the last one is a new outage. */
const forgetMinutes = 10;

/** The other carrier of a number, besides the one that a row waits for. */
export const otherCarrier = (
  row: string,
) => sql`case when ${sql.ref(`${row}.aggregator_id`)} = n.aggregator_id
  then n.second_aggregator_id else n.aggregator_id end`;

/** SMPP can't carry pictures. */
export const takesPictures = (aggregatorId: RawBuilder<unknown>) => sql`${aggregatorId} <> 6`;

/** Carriers that have been down so long that numbers with a second one use it. */
export async function findDown(database: Database, minutes: number): Promise<number[]> {
  const { rows } = await sql<{ aggregator_id: number }>`
    select aggregator_id from carriers_down
    where since <= now() - ${minutes} * interval '1 minute'
      and tried_at > now() - ${tryEverySeconds} * interval '1 second'`.execute(database.system);
  return rows.map((row) => row.aggregator_id);
}

/** A carrier accepted nothing, or accepted a text again. */
export async function noteCarrier(
  database: Database,
  aggregatorId: number,
  problem: string | undefined,
): Promise<void> {
  if (problem === undefined) {
    await sql`delete from carriers_down where aggregator_id = ${aggregatorId}`.execute(database.system);
    return;
  }
  await sql`
    insert into carriers_down as d (aggregator_id, reason) values (${aggregatorId}, ${problem})
    on conflict (aggregator_id) do update set tried_at = now(), reason = excluded.reason,
      since = case when d.tried_at < now() - ${forgetMinutes} * interval '1 minute' then now() else d.since end`.execute(
    database.system,
  );
}

/**
 * Moves texts that wait for a carrier that is down to the other carrier of their number. Only those that
 * nobody holds and that are not in doubt: no carrier can have one of them. Returns how many.
 */
export async function failOverTexts(database: Database, down: number[], up: number[]): Promise<number> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql`
      with due as (
        select o.account_id, o.message_id, ${otherCarrier('o')} as other
        from outbox o
        join text_numbers n on n.account_id = o.account_id and n.text_number_id = o.text_number_id
        join messages m on m.account_id = o.account_id and m.message_id = o.message_id
        where o.aggregator_id = any(${down}::smallint[]) and o.lease_until is null and not o.in_doubt
          and ${otherCarrier('o')} = any(${up}::smallint[])
          and (m.media_ids = '{}' or ${takesPictures(otherCarrier('o'))})
        order by o.account_id, o.message_id limit ${textsAtOnce}
        for update of o skip locked
      )
      update outbox o set aggregator_id = due.other, send_at = least(o.send_at, now())
      from due where o.account_id = due.account_id and o.message_id = due.message_id
      returning o.message_id`.execute(trx);
    return rows.length;
  });
}

/**
 * Moves a number's texts that no carrier can have to its new carrier; the others stay where they were
 * claimed.
 */
export async function moveTexts(
  trx: Trx,
  number: { accountId: number; textNumberId: number; aggregatorId: number },
): Promise<number> {
  const { rows } = await sql`
    update outbox o set aggregator_id = ${number.aggregatorId}, send_at = least(o.send_at, now())
    from messages m
    where o.account_id = ${number.accountId} and o.text_number_id = ${number.textNumberId}
      and m.account_id = o.account_id and m.message_id = o.message_id
      and o.aggregator_id <> ${number.aggregatorId} and o.lease_until is null and not o.in_doubt
      and (m.media_ids = '{}' or ${takesPictures(sql`${number.aggregatorId}::int`)})
    returning o.message_id`.execute(trx);
  return rows.length;
}
