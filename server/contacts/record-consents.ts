import { sql } from 'kysely';
import type { Trx } from '../db.ts';

export interface ConsentChange {
  accountId: number;
  phone: string;
  state: 'in' | 'out';
  at: Date;
  source: 'inbound' | 'user' | 'carrier' | 'import';
  messageId?: number;
  userId?: number;
  note?: string;
}

/**
 * Writes what phones have allowed or taken back for texts: every change into the history with its
 * evidence, and the latest of each phone as what holds now. A change that is older than what is
 * known is history only.
 */
export async function recordConsents(trx: Trx, changes: ConsentChange[]): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(pick: (change: ConsentChange) => T) => changes.map(pick);
  await sql`
    with change as (
      select * from unnest(
        ${column((c) => c.accountId)}::bigint[], ${column((c) => c.phone)}::text[], ${column((c) => c.state)}::text[],
        ${column((c) => c.at)}::timestamptz[], ${column((c) => c.source)}::text[], ${column((c) => c.messageId ?? null)}::bigint[],
        ${column((c) => c.userId ?? null)}::bigint[], ${column((c) => c.note ?? '')}::text[]
      ) with ordinality as c(account_id, phone, state, at, source, message_id, user_id, note, place)
    ),
    history as (
      insert into consent_events (account_id, phone, channel, state, source, message_id, user_id, note, created_at)
      select account_id, phone, 'text', state, source, message_id, user_id, note, at from change order by place
    )
    insert into phone_consents as p (account_id, phone, text_state, text_changed_at)
    select distinct on (account_id, phone) account_id, phone, state, at
    from change
    order by account_id, phone, at desc, place desc
    on conflict (account_id, phone) do update
    set text_state = excluded.text_state, text_changed_at = excluded.text_changed_at
    where p.text_changed_at is null or p.text_changed_at <= excluded.text_changed_at`.execute(trx);
}
