import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { writeConversations } from '../write-conversations.ts';

/** Returns snoozed conversations that are due to the list, as unread; returns how many. */
export async function wakeConversations(trx: Trx, most: number): Promise<number> {
  const woken = await writeConversations<{ accountId: number; id: number }>(trx, {
    first: sql`
      due as (
        select account_id, conversation_id from conversations where snoozed_until <= now()
        order by snoozed_until limit ${most} for update skip locked
      )`,
    write: sql`
      -- If it is done or opted out by now, only its wake-up time is removed.
      update conversations c
      set snoozed_until = null, unread_count = case when c.place = 1 then greatest(1, c.unread_count) else c.unread_count end
      from due d where c.account_id = d.account_id and c.conversation_id = d.conversation_id`,
    select: sql`(new_row).account_id as "accountId", (new_row).conversation_id as id`,
  });
  for (const [accountId, theirs] of Map.groupBy(woken, (row) => row.accountId)) {
    await notify(
      trx,
      accountId,
      theirs.map(({ id }) => ({ type: 'conversation.changed', ConversationID: id })),
    );
  }
  return woken.length;
}
