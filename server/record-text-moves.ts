import { type RawBuilder, sql } from 'kysely';

/**
 * Records changes of texts (handed over, delivered, failed), as a part of the statement that makes them, one
 * event for all texts of an account. Only for accounts with a webhook for this event: for all accounts it
 * would double the ids stored per text. Reads `moved` with account_id, message_id, old_status and new_status.
 */
export const recordTextMoves: RawBuilder<unknown> = sql`
  insert into events (account_id, kind, actor_kind, subject_ids, subject_count)
  select t.account_id, t.kind, 'system', array_agg(t.message_id), count(*)
  from (
    select m.account_id, m.message_id, w.event_types,
      case
        when m.new_status = 'sent' then 'text.handed'
        when m.new_status in ('delivered', 'read') then 'text.delivered'
        when m.new_status in ('waiting', 'canceled', 'received') then null
        else 'text.failed'
      end as kind
    from moved m
    join (
      select account_id, array_agg(distinct type) as event_types
      from webhook_endpoints, unnest(event_types) as type
      where is_enabled and hears_texts and deleted_at is null
      group by account_id) w on w.account_id = m.account_id
    where m.new_status <> m.old_status and not (m.old_status = 'delivered' and m.new_status = 'read')) t
  where t.kind is not null and case t.kind
    when 'text.handed' then 'message.sent' when 'text.delivered' then 'message.delivered' else 'message.failed'
  end = any(t.event_types)
  group by t.account_id, t.kind
  returning account_id`;
