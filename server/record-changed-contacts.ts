import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './db.ts';

/** Each becomes this many webhooks at once. */
const peopleAnEvent = 100;

/**
 * Records the contacts that an import or a sync changed, for webhooks: `changed` has person_id. To be called
 * once, in the transaction that ends the import or sync: whoever is killed before has recorded nothing, and whoever
 * goes on records everybody. Only for accounts with a webhook for this event, because an import may change two million.
 */
export async function recordChangedContacts(
  trx: Trx,
  accountId: number,
  changed: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into events (account_id, kind, actor_kind, subject_ids, subject_count)
    select ${accountId}::bigint, 'contacts.updated', 'system', array_agg(t.person_id order by t.person_id), count(*)
    from (
      select c.person_id, (row_number() over (order by c.person_id) - 1) / ${peopleAnEvent} as part
      from (${changed}) c
      where exists (
        select from webhook_endpoints w
        where w.account_id = ${accountId} and w.is_enabled and w.deleted_at is null
          and 'contact.updated' = any(w.event_types))) t
    group by t.part`.execute(trx);
}
