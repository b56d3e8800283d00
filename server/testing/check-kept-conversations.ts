import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database, Trx } from '../db.ts';
import { asOwner } from './test-db.ts';

/** Drops the triggers that only processes of the version before need, on conversations and texts. */
export async function dropConversationTriggers(databaseUrl: string): Promise<void> {
  await asOwner(databaseUrl, (client) =>
    client.query(`
      drop trigger keep_inserted on conversations;
      drop trigger keep_updated on conversations;
      drop trigger keep_deleted on conversations;
      drop trigger keep_inserted on messages`),
  );
}

/**
 * Compares the data that is kept for conversations with the conversations themselves: counts, tags, phones, and the texts
 * that are found by their words.
 */
export async function checkKeptConversations(at: Database['system'] | Trx, accountId: number): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    with counted as (
      select text_number_id, coalesce(assigned_user_id, 0) as assigned_user_id,
        count(*) filter (where place = 0) as open, count(*) filter (where place = 0 and unread_count > 0) as unread,
        count(*) filter (where place = 1) as snoozed, count(*) filter (where place = 2) as done,
        count(*) filter (where place = 3) as opted_out
      from (
        select *, case when is_auto_opt_out then 3 when is_done then 2 when snoozed_until is not null then 1 else 0 end as place
        from (select text_number_id, assigned_user_id, unread_count, is_auto_opt_out, is_done, snoozed_until
          from conversations where account_id = ${accountId}) c) c
      group by 1, 2
    ),
    kept as (
      select text_number_id, assigned_user_id, sum(open) as open, sum(unread) as unread, sum(snoozed) as snoozed,
        sum(done) as done, sum(opted_out) as opted_out
      from (
        select text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out
        from conversation_counts where account_id = ${accountId}
        union all
        select text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out
        from conversation_count_changes where account_id = ${accountId}) part
      group by 1, 2
      having (sum(open), sum(unread), sum(snoozed), sum(done), sum(opted_out)) <> (0, 0, 0, 0, 0)
    ),
    tagged as (
      select conversation_id, unnest(tag_ids) as tag_id, text_number_id, place, last_message_at
      from conversations where account_id = ${accountId}
    ),
    kept_tags as (
      select conversation_id, tag_id, text_number_id, place, last_message_at
      from conversation_tags where account_id = ${accountId}
    ),
    worded as (
      select message_id from messages
      where account_id = ${accountId} and origin in ('conversation', 'inbound') and body <> ''
    ),
    kept_words as (
      select message_id from message_search where account_id = ${accountId}
      union all
      select message_id from message_search_queue where account_id = ${accountId}
    )
    select 'counts of ' || coalesce(c::text, k::text) as wrong from counted c full join kept k on k::text = c::text
    where c.open is null or k.open is null
    union all
    select 'tag ' || coalesce(t::text, k::text) from tagged t full join kept_tags k on k::text = t::text
    where t.tag_id is null or k.tag_id is null
    union all
    select 'phone ' || phone from conversations c
    where account_id = ${accountId} and not exists (
      select from conversation_phones p where p.account_id = c.account_id and p.phone = c.phone)
    union all
    select 'words of text ' || message_id from (
      (select message_id from worded except all select message_id from kept_words)
      union all
      (select message_id from kept_words except all select message_id from worded)) other
    limit 10`.execute(at);
  expect(rows.map(({ wrong }) => wrong)).toEqual([]);
}
