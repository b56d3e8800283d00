import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';

/** Returns snoozed conversations that are due to the list, as unread; returns how many. */
export async function wakeConversations(trx: Trx, most: number): Promise<number> {
  const { rows } = await sql<{ accountId: number; ids: number[] }>`
    with due as (
      select account_id, conversation_id from conversations where snoozed_until <= now()
      order by snoozed_until limit ${most} for update skip locked
    ),
    woken as (
      -- If it is done or opted out by now, only its wake-up time is removed.
      update conversations c
      set snoozed_until = null, unread_count = case when c.place = 1 then greatest(1, c.unread_count) else c.unread_count end
      from due d where c.account_id = d.account_id and c.conversation_id = d.conversation_id
      returning c.account_id, c.conversation_id
    )
    select account_id as "accountId", array_agg(conversation_id order by conversation_id) as ids
    from woken group by 1`.execute(trx);
  for (const { accountId, ids } of rows) {
    await notify(
      trx,
      accountId,
      ids.map((ConversationID) => ({ type: 'conversation.changed', ConversationID })),
    );
  }
  return rows.reduce((sum, { ids }) => sum + ids.length, 0);
}
