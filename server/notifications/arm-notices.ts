import { sql } from 'kysely';
import { usesNumber } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import { isSignedIn } from './queries.ts';

/** An inbound text that somebody should read. */
export interface UnreadText {
  accountId: number;
  textNumberId: number;
  conversationId: number;
  messageId: number;
}

/**
 * Unread texts have come: who wants to be told by mail or text of their numbers is looked at from now on, and every
 * browser that wants to be told gets a row in the queue, one a conversation. Two statements, in the transaction that
 * brings the texts; nothing is sent here.
 */
export async function armNotices(trx: Trx, texts: UnreadText[]): Promise<void> {
  if (texts.length === 0) return;
  await armSettings(trx, texts);
  await queuePushes(trx, texts);
}

async function armSettings(trx: Trx, texts: UnreadText[]): Promise<void> {
  const numbers = new Map(texts.map((text) => [`${text.accountId} ${text.textNumberId}`, text]));
  await sql`
    ${prepared} with waking as materialized (
      select s.account_id, s.user_id, s.text_number_id
      from unnest(
        ${[...numbers.values()].map((text) => text.accountId)}::bigint[],
        ${[...numbers.values()].map((text) => text.textNumberId)}::bigint[]) as t(account_id, text_number_id)
      join notification_settings s on s.account_id = t.account_id and s.text_number_id = t.text_number_id
      where s.is_active and (s.due_at is null or s.is_last_look)
      -- In one order everywhere, so that two of these at once can't wait for each other.
      order by 1, 2, 3
      for no key update of s
    )
    update notification_settings s set due_at = now(), is_last_look = false
    from waking w
    where s.account_id = w.account_id and s.user_id = w.user_id and s.text_number_id = w.text_number_id
      and (s.due_at is null or s.is_last_look)`.execute(trx);
}

/** A browser shows no more than this of a flood (the answers to a broadcast); who opens the page sees all. */
const mostWaiting = 20;

async function queuePushes(trx: Trx, texts: UnreadText[]): Promise<void> {
  const shown = latestOfEach(texts);
  const column = <T>(pick: (text: UnreadText) => T) => shown.map(pick);
  await sql`
    ${prepared} with text as materialized (
      select * from unnest(
        ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[],
        ${column((t) => t.conversationId)}::bigint[], ${column((t) => t.messageId)}::bigint[]
      ) as t(account_id, text_number_id, conversation_id, message_id)
    ),
    -- "materialized": whom to tell is found once a number, not once a text.
    browser as materialized (
      select p.account_id, p.push_token_id, n.text_number_id
      from (select distinct account_id, text_number_id from text) t
      join text_numbers n on n.account_id = t.account_id and n.text_number_id = t.text_number_id
      join push_tokens p on p.account_id = t.account_id
      join users u on u.account_id = p.account_id and u.user_id = p.user_id
      left join notification_settings s
        on s.account_id = u.account_id and s.user_id = u.user_id and s.text_number_id = n.text_number_id
      where u.is_active and not u.browser_notifications_do_not_disturb and ${isSignedIn}
        and coalesce(s.browser_notifications_enabled, n.browser_notifications_enabled)
        and ${usesNumber(sql`n.text_number_id`)}
        and (select count(*) from push_queue w
          where w.account_id = p.account_id and w.push_token_id = p.push_token_id) < ${mostWaiting}
    )
    insert into push_queue as q (account_id, push_token_id, conversation_id, message_id)
    select b.account_id, b.push_token_id, t.conversation_id, t.message_id
    from browser b join text t on t.account_id = b.account_id and t.text_number_id = b.text_number_id
    -- In one order everywhere, so that two of these at once can't wait for each other.
    order by 1, 2, 3
    on conflict (account_id, push_token_id, conversation_id) do update
    set message_id = greatest(q.message_id, excluded.message_id), attempts = 0, send_at = least(q.send_at, now())`.execute(
    trx,
  );
}

/** Of each conversation the latest text, and of each number the latest conversations. */
function latestOfEach(texts: UnreadText[]): UnreadText[] {
  const latest = new Map<string, UnreadText>();
  for (const text of texts.toSorted((a, b) => b.messageId - a.messageId)) {
    const key = `${text.accountId} ${text.conversationId}`;
    if (!latest.has(key)) latest.set(key, text);
  }
  const byNumber = Map.groupBy(latest.values(), (text) => `${text.accountId} ${text.textNumberId}`);
  return [...byNumber.values()].flatMap((ofNumber) => ofNumber.slice(0, mostWaiting));
}
