import { sql } from 'kysely';
import { localDay } from '../../contract/time/local-day.ts';
import { countUsage } from '../billing/count-usage.ts';
import { type CreditMove, moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { asSystem, type Database } from '../db.ts';
import { recordBeside } from '../record-events.ts';

interface OverCall {
  account_id: number;
  call_id: number;
  broadcast_id: number | null;
  user_id: number | null;
  credits: number;
  charged: number;
  ended_at: Date;
  zone: string;
  is_heard_of: boolean;
}

const atOnce = 5_000;

/**
 * Pays for ended calls in batches: the account's balance is one row, and calls that end at the same time must
 * not wait for each other there while somebody on the telephone waits for the next step. Returns whether
 * there may be more.
 */
export async function settleCalls(database: Database): Promise<boolean> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<OverCall>`
      with over as (
        select account_id, call_id from call_queue where state = 'over'
        order by account_id, call_id limit ${atOnce} for update skip locked
      ),
      gone as (
        delete from call_queue q using over o where q.account_id = o.account_id and q.call_id = o.call_id
        returning q.account_id, q.call_id
      )
      select c.account_id, c.call_id, c.broadcast_id, coalesce(c.user_id, b.user_id) as user_id, c.credits, c.charged,
        coalesce(c.ended_at, now()) as ended_at, a.time_zone as zone, exists (
          select from webhook_endpoints w
          where w.account_id = c.account_id and w.is_enabled and w.deleted_at is null
            and w.event_types @> '{call.ended}') as is_heard_of
      from gone g
      join calls c on c.account_id = g.account_id and c.call_id = g.call_id
      join accounts a on a.account_id = c.account_id
      left join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
      order by c.account_id, c.call_id`.execute(trx);
    // The purpose of the payment: also in server/reports/recount-figures.ts.
    await countUsage(
      trx,
      rows.map((row) => ({
        ...{ accountId: row.account_id, userId: row.user_id, kind: 'call' as const, credits: row.charged },
        day: localDay(row.ended_at, row.zone),
        messages: row.charged > 0 ? 1 : 0,
      })),
    );
    await moveCredits(trx, movesOf(rows));
    // A broadcast has many calls: stored only if a webhook needs it.
    const heardOf = rows.filter((row) => row.is_heard_of);
    for (const [accountId, calls] of Map.groupBy(heardOf, (row) => row.account_id)) {
      await recordBeside(
        trx,
        { accountId },
        calls.map((call) => ({ kind: 'call.ended', id: call.call_id })),
      );
    }
    return rows.length === atOnce;
  });
}

/** One movement of each kind per broadcast, and one for calls without a broadcast. */
function movesOf(rows: OverCall[]): CreditMove[] {
  return [...Map.groupBy(rows, (row) => `${row.account_id} ${row.broadcast_id}`).values()].flatMap(
    (calls) => {
      const { account_id: accountId, broadcast_id } = calls[0] as OverCall;
      const sum = (pick: (row: OverCall) => number) => calls.reduce((total, row) => total + pick(row), 0);
      // Also for a single one: pages have it in Spanish.
      const note = 'Calls';
      const reference = broadcast_id === null ? {} : { reference: ofBroadcast(broadcast_id) };
      return [
        { accountId, kind: 'settle' as const, credits: sum((row) => row.charged), note, ...reference },
        {
          accountId,
          kind: 'release' as const,
          credits: sum((row) => row.credits - row.charged),
          note,
          ...reference,
        },
      ];
    },
  );
}
