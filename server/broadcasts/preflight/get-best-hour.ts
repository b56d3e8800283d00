import { sql } from 'kysely';
import type { getBestHour as definition } from '../../../contract/broadcasts.ts';
import type { Reply } from '../../../contract/call.ts';
import { hourMs, timeOfDayMs, wallMsAt } from '../../../contract/time/wall-clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

/** How long broadcasts stay relevant for this. */
const days = 180;
/** An hour with fewer texts is ignored. */
const fewest = { broadcasts: 3, texts: 100 };
/** A smaller difference is chance. */
const leastGain = 1.1;

export interface SentBefore {
  startedMs: number;
  texts: number;
  /** Within a day of the start. */
  replies: number;
}

/** At which hour of the day texts got the most replies, from the account's own broadcasts. */
export async function getBestHour(trx: Trx, actor: Actor): Promise<Reply<typeof definition>> {
  const { rows } = await sql<{ started_at: Date; texts: number; replies: number }>`
    select b.started_at, b.fed_count as texts, (
      select count(*) from broadcast_replies p
      where p.account_id = b.account_id and p.broadcast_id = b.broadcast_id
        and p.replied_at < b.started_at + interval '1 day')::int as replies
    from broadcasts b
    where b.account_id = ${actor.accountId} and b.deleted_at is null and b.fed_count > 0
      and b.started_at between now() - ${days} * interval '1 day' and now() - interval '1 day'
    order by b.started_at desc limit 5000`.execute(trx);
  const sent = rows.map(({ started_at, ...row }) => ({ ...row, startedMs: started_at.getTime() }));
  return { Days: days, ...findBestHour(sent, actor.timeZone) };
}

const nothing = { Hour: null, RepliesPer100: 0, UsualPer100: 0, BroadcastCount: 0, TextCount: 0 };

/** The hour with the highest share of replies, if enough was sent at two hours at least and the difference is real. */
export function findBestHour(sent: readonly SentBefore[], zone: string) {
  const hours = Map.groupBy(sent, ({ startedMs }) =>
    Math.floor(timeOfDayMs(wallMsAt(startedMs, zone)) / hourMs),
  );
  const sums = [...hours].map(([hour, some]) => ({ hour, ...sumOf(some) }));
  const known = sums.filter(
    ({ broadcasts, texts }) => broadcasts >= fewest.broadcasts && texts >= fewest.texts,
  );
  const usual = share(sumOf(sent));
  const best = known.toSorted((a, b) => share(b) - share(a) || a.hour - b.hour)[0];
  if (best === undefined || known.length < 2 || share(best) < usual * leastGain || usual === 0)
    return nothing;
  return {
    Hour: best.hour,
    RepliesPer100: rounded(share(best)),
    UsualPer100: rounded(usual),
    BroadcastCount: best.broadcasts,
    TextCount: best.texts,
  };
}

function sumOf(sent: readonly SentBefore[]) {
  return {
    broadcasts: sent.length,
    texts: sent.reduce((sum, { texts }) => sum + texts, 0),
    replies: sent.reduce((sum, { replies }) => sum + replies, 0),
  };
}

function share({ texts, replies }: { texts: number; replies: number }): number {
  return texts === 0 ? 0 : replies / texts;
}

function rounded(part: number): number {
  return Math.round(part * 1000) / 10;
}
