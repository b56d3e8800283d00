import { sql } from 'kysely';
import { addDays, localDay } from '../../contract/time/local-day.ts';
import { asSystem, type Database, type Trx } from '../db.ts';

const textsAtOnce = 5_000;

interface Looked {
  through: number | null;
  looked: number;
  months: Date[];
}

/**
 * Scans the next of an account's texts, in the order in which they were written, and moves those older than
 * this many months into the archive. Texts of broadcasts, and answers to them, are moved if the broadcast is
 * over: its results are read from both from then on. Texts that other rows refer to stay, however old: texts
 * of courses and of broadcasts with two texts, texts with pictures, the last one of a conversation, those by
 * which a person opted in or out, those that were never sent because of an opt-out or a cancellation, and
 * those that aren't settled.
 */
export async function archiveTexts(
  trx: Trx,
  accountId: number,
  afterMonths: number,
): Promise<{ moved: number[]; isMore: boolean }> {
  await sql`insert into message_archives (account_id, through_message_id) values (${accountId}, 0)
    on conflict do nothing`.execute(trx);
  // Of two workers, one runs; the other continues after it.
  const { rows: from } = await sql<{ after: number }>`
    select through_message_id as after from message_archives where account_id = ${accountId} for update`.execute(
    trx,
  );
  const after = from[0]?.after ?? 0;
  const next = sql`
    select message_id, created_at from messages
    where account_id = ${accountId} and message_id > ${after} order by message_id limit ${textsAtOnce}`;
  // Up to the first that is too new: ids follow the order in which texts are written, apart from moments.
  const { rows } = await sql<Looked>`
    with next as (${next}),
    old as (
      select * from next where message_id < coalesce((
        select min(message_id) from next where created_at >= now() - make_interval(months => ${afterMonths})), 9e18)
    )
    select max(message_id) as through, count(*)::int as looked,
      array_agg(distinct date_trunc('month', created_at, 'UTC')) as months from old`.execute(trx);
  const { through, looked, months } = rows[0] ?? { through: null, looked: 0, months: [] };
  if (through === null) return { moved: [], isMore: false };
  for (const month of months) await sql`select make_archive_partition(${month})`.execute(trx);
  const { rows: moved } = await sql<{ id: number }>`
    with gone as (
      delete from messages m
      where m.account_id = ${accountId} and m.message_id > ${after} and m.message_id <= ${through}
        and m.media_ids = '{}' and m.status not in ('waiting', 'sent')
        and case when m.broadcast_id is null then m.slice_id is null
          else m.status not in ('opted_out', 'canceled') and exists (select from broadcasts b
            where b.account_id = m.account_id and b.broadcast_id = m.broadcast_id and b.texts_archived_at is not null) end
        and not exists (select from outbox o where o.account_id = m.account_id and o.message_id = m.message_id)
        and not exists (select from conversations c
          where c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone
            and c.last_message_id = m.message_id)
        and not exists (select from consent_ledger l
          where l.account_id = m.account_id and l.phone = m.phone and l.message_id = m.message_id)
      returning m.*
    ),
    kept as (insert into archived_messages select * from gone returning message_id),
    noted as (
      update message_archives
      set through_message_id = ${through}, archived = archived + (select count(*) from kept)
      where account_id = ${accountId}
    )
    select message_id as id from kept`.execute(trx);
  return { moved: moved.map(({ id }) => id), isMore: looked === textsAtOnce };
}

/** Drops the months of the archive that are past their retention; returns which. */
export async function dropArchivedMonths(database: Database, keptMonths: number): Promise<string[]> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<{ dropped: string[] }>`
      select drop_archive_partitions(${keptMonths}) as dropped`.execute(trx);
    const dropped = rows[0]?.dropped ?? [];
    // The retention may be raised later: what was dropped is noted (firstCountedDay).
    if (dropped.length > 0) {
      await sql`update message_archives
        set dropped_before = greatest(dropped_before, (to_date(${dropped.toSorted().at(-1)}, 'YYYY_MM') + interval '1 month')::date)
        where archived > 0`.execute(trx);
    }
    return dropped;
  });
}

/** The first whole day in the account's zone after the months that were dropped; undefined if none were. */
export async function firstCountedDay(
  trx: Trx,
  accountId: number,
  zone: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ month: string }>`
    select to_char(dropped_before, 'YYYY-MM-DD') as month from message_archives
    where account_id = ${accountId} and dropped_before is not null`.execute(trx);
  // Months of the archive end at midnight UTC.
  return rows[0] && addDays(localDay(Date.parse(`${rows[0].month}T00:00:00Z`) - 1, zone), 1);
}
