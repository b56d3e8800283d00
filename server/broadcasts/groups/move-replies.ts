import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { moveReplies as definition } from '../../../contract/reply-groups.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { requireBroadcast } from '../results/read-broadcast.ts';
import { readReplyStates } from './queries.ts';

/** Moves replies to the group that a user chose; null moves them back to the group of their words. */
export async function moveReplies(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const ids = [...new Set(body.TextReplyIDs)].sort((a, b) => a - b);
  const found = await readReplyStates(trx, broadcast, ids);
  if (found.length < ids.length) throw new Refusal('notFound', 'One of these replies is no longer here.');
  await sql`
    insert into broadcast_reply_marks as k (account_id, broadcast_id, message_id, moved_to, moved_by_user_id)
    select ${actor.accountId}::bigint, ${broadcast.broadcastId}::bigint, id, ${body.GroupKey}::text, ${actor.userId}::bigint
    from unnest(${ids}::bigint[]) as t(id) order by id
    on conflict (account_id, broadcast_id, message_id) do update
    set moved_to = excluded.moved_to, moved_by_user_id = excluded.moved_by_user_id`.execute(trx);
  await recordEvents(trx, actor, [
    { kind: 'broadcast.repliesMoved', id: broadcast.broadcastId, count: ids.length },
  ]);
  await notify(trx, actor.accountId, [{ type: 'broadcast.changed', BroadcastID: broadcast.broadcastId }]);
  return { Size: ids.length };
}
