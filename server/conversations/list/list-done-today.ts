import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { listDoneToday as definition } from '../../../contract/conversations.ts';
import { dayBounds, localDay } from '../../../contract/time/local-day.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { conversationsById } from '../queries.ts';

const mostShown = 20;
/** Limits counting when a user marks a hundred thousand done at once. */
const mostCounted = 1000;

export async function listDoneToday(trx: Trx, actor: Actor, { query }: Input<typeof definition>) {
  const usable = actor.textNumberIds;
  const numbers =
    query.textNumberId === undefined ? usable : usable.filter((id) => id === query.textNumberId);
  const { timeZone } = actor;
  const { begins: midnight } = dayBounds(localDay(nowMs(), timeZone), timeZone);
  // A moved conversation was ended automatically, not by a user.
  const { rows } = await sql<{ size: number; ids: number[] }>`
    with today as (
      select c.conversation_id as id, c.done_at from conversations c
      where c.account_id = ${actor.accountId} and c.place = 2 and c.done_at >= ${midnight}
        and c.text_number_id = any(${numbers}::bigint[]) and not c.is_retired
      order by c.done_at desc, c.conversation_id desc limit ${mostCounted}
    )
    select (select count(*)::int from today) as size,
      array(select id from today order by done_at desc, id desc limit ${mostShown}) as ids`.execute(trx);
  const { size = 0, ids = [] } = rows[0] ?? {};
  return { Items: await conversationsById(trx, actor, ids), Size: size };
}
