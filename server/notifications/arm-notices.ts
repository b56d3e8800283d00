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
 * Unread texts have arrived: from now on, users who want notifications of their numbers by mail or text are
 * checked, and every browser with notifications on gets a row in the queue, one per conversation. Two
 * statements, in the transaction with the texts; nothing is sent here.
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
      -- In one order everywhere, to avoid deadlocks between two of these at once.
      order by 1, 2, 3
      for no key update of s
    )
    update notification_settings s set due_at = now(), is_last_look = false
    from waking w
    where s.account_id = w.account_id and s.user_id = w.user_id and s.text_number_id = w.text_number_id
      and (s.due_at is null or s.is_last_look)`.execute(trx);
}

/** A browser shows no more than this many of a flood (the answers to a broadcast); the page shows all. */
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
    -- "materialized": the recipients are found once per number, not once per text.
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
    -- In one order everywhere, to avoid deadlocks between two of these at once.
    order by 1, 2, 3
    on conflict (account_id, push_token_id, conversation_id) do update
    set message_id = greatest(q.message_id, excluded.message_id), attempts = 0, send_at = least(q.send_at, now())`.execute(
    trx,
  );
}

/** For each conversation the latest text, and for each number the latest conversations. */
function latestOfEach(texts: UnreadText[]): UnreadText[] {
  const latest = new Map<string, UnreadText>();
  for (const text of texts.toSorted((a, b) => b.messageId - a.messageId)) {
    const key = `${text.accountId} ${text.conversationId}`;
    if (!latest.has(key)) latest.set(key, text);
  }
  const byNumber = Map.groupBy(latest.values(), (text) => `${text.accountId} ${text.textNumberId}`);
  return [...byNumber.values()].flatMap((ofNumber) => ofNumber.slice(0, mostWaiting));
}
