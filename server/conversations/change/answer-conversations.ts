import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { changeConversations, eventsOf, holdConversations } from './change-conversations.ts';

/**
 * A broadcast answers all of these people at once: their conversations become read, lose their waiting mark
 * and, if requested, are done. The text itself appears in them when it is sent.
 */
export async function answerConversations(
  trx: Trx,
  actor: Actor,
  threads: readonly { textNumberId: number; phone: string }[],
  { isDone }: { isDone: boolean },
): Promise<void> {
  if (threads.length === 0) return;
  const ids = await holdConversations(
    trx,
    actor,
    sql`(c.text_number_id, c.phone) in (select * from unnest(
      ${threads.map(({ textNumberId }) => textNumberId)}::bigint[], ${threads.map(({ phone }) => phone)}::text[]))`,
  );
  await sql`
    update conversations c set unread_count = 0, waiting_since = null, courtesy_since = null
    where c.account_id = ${actor.accountId} and c.conversation_id = any(${ids}::bigint[])
      and (c.unread_count > 0 or c.waiting_since is not null or c.courtesy_since is not null)`.execute(trx);
  if (isDone) await changeConversations(trx, actor, ids, { change: { isDone: true }, undoId: null });
  await notify(trx, actor.accountId, eventsOf(ids));
}
