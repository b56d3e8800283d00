import { type RawBuilder, sql } from 'kysely';

/** Each becomes this many webhooks at once. */
const peopleAnEvent = 100;

/**
 * Records people who became a contact other than by a user's call: by texting a keyword, in an import, from
 * an integration. A part of the statement that creates them: `added` has account_id and person_id. Only for
 * accounts with a webhook for this event, because an import has up to two million.
 */
export function recordAddedContacts(added: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into events (account_id, kind, actor_kind, subject_ids, subject_count)
    select t.account_id, 'contacts.added', 'system', array_agg(t.person_id order by t.person_id), count(*)
    from (
      select a.account_id, a.person_id,
        (row_number() over (partition by a.account_id order by a.person_id) - 1) / ${peopleAnEvent} as part
      from ${added} a
      where a.account_id in (
        select w.account_id from webhook_endpoints w
        where w.is_enabled and w.deleted_at is null and 'contact.created' = any(w.event_types))) t
    group by t.account_id, t.part
    returning account_id`;
}
