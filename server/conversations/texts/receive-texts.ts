import { sql } from 'kysely';
import type { InboundWord } from '../../../contract/text/inbound-word.ts';
import type { Trx } from '../../db.ts';
import { writeConversations } from '../write-conversations.ts';

export interface ReceivedText {
  accountId: number;
  textNumberId: number;
  phone: string;
  messageId: number;
  at: Date;
  word: InboundWord | undefined;
  /** Needs no answer (contract/text/courtesy.ts): its sender isn't waiting. */
  isCourtesy?: boolean | undefined;
}

interface ReceivingConversation {
  accountId: number;
  textNumberId: number;
  phone: string;
  conversationId: number;
}

/**
 * Adds inbound texts to their conversations, by the rule for one text in the contract's
 * afterConversationEvent: creates the conversation if there is none, increases the unread count, saves the
 * last message, and returns a done, snoozed, retired or opted-out one to the list. STOP needs no answer: it
 * isn't counted, and moves a conversation to the opt-outs unless that would hide something unread. Thanks and
 * the like are unread but need no answer; a person who writes again after their conversation was marked done
 * is waiting from then on.
 */
export async function receiveTexts(trx: Trx, texts: ReceivedText[]): Promise<ReceivingConversation[]> {
  if (texts.length === 0) return [];
  const column = <T>(pick: (text: ReceivedText) => T) => texts.map(pick);
  return writeConversations<ReceivingConversation>(trx, {
    isPrepared: true,
    first: sql`
      text as (
        select * from unnest(
          ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[],
          ${column((t) => t.messageId)}::bigint[], ${column((t) => t.at)}::timestamptz[], ${column((t) => t.word ?? '')}::text[],
          ${column((t) => t.isCourtesy ?? false)}::boolean[]
        ) as t(account_id, text_number_id, phone, message_id, at, word, is_courtesy)
      ),
      thread as (
        select account_id, text_number_id, phone, max(at) as last_at,
          (array_agg(message_id order by at desc, message_id desc))[1] as last_id,
          -- All but STOPs: those that somebody should read.
          count(*) filter (where word <> 'stop') as many,
          min(at) filter (where word <> 'stop' and not is_courtesy) as first_at,
          min(at) filter (where word <> 'stop' and is_courtesy) as courtesy_at
        from text
        group by account_id, text_number_id, phone
      )`,
    write: sql`
      insert into conversations as c
        (account_id, text_number_id, phone, unread_count, last_message_id, last_message_at, waiting_since, courtesy_since,
          is_auto_opt_out)
      select account_id, text_number_id, phone, many, last_id, last_at, first_at, courtesy_at, many = 0
      from thread
      -- In one order everywhere, to avoid deadlocks between two of these at once.
      order by account_id, text_number_id, phone
      on conflict (account_id, text_number_id, phone) do update
      set unread_count = c.unread_count + excluded.unread_count,
        last_message_id = case when excluded.last_message_at >= c.last_message_at then excluded.last_message_id else c.last_message_id end,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at),
        -- Marking it done ended the wait for earlier unanswered texts.
        waiting_since = case when c.is_done and excluded.unread_count > 0 then excluded.waiting_since
          else coalesce(c.waiting_since, excluded.waiting_since) end,
        courtesy_since = case when c.is_done and excluded.unread_count > 0 then excluded.courtesy_since
          else coalesce(c.courtesy_since, excluded.courtesy_since) end,
        is_done = c.is_done and excluded.unread_count = 0,
        is_retired = false,
        continued_in_id = null,
        snoozed_until = null,
        is_auto_opt_out = excluded.unread_count = 0 and (c.is_auto_opt_out or c.unread_count = 0)`,
    select: sql`(new_row).account_id as "accountId", (new_row).text_number_id as "textNumberId", (new_row).phone,
      (new_row).conversation_id as "conversationId"`,
  });
}
