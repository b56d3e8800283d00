import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordConsents } from './record-consents.ts';

/** A text that its carrier didn't accept or deliver because the phone has opted out there. */
export interface CarrierOptOut {
  account_id: number;
  message_id: number;
  phone: string;
  /** A date, or its text when it came in JSON. */
  status_at: Date | string;
  carrier_error: string | null;
}

/**
 * The carrier knows that a phone has opted out, so we record it too, with the refused text as proof. The next
 * text is then refused at once, and waiting ones are dropped by the statement that claims. A phone that is
 * already opted out stays unchanged. Every conversation with the phone shows it.
 */
export async function recordCarrierOptOuts(trx: Trx, refused: CarrierOptOut[]): Promise<void> {
  if (refused.length === 0) return;
  const column = <T>(pick: (text: CarrierOptOut) => T) => refused.map(pick);
  const { rows } = await sql<CarrierOptOut & { conversation_ids: number[] }>`
    select distinct on (t.account_id, t.phone) t.*, array(
      select c.conversation_id from conversations c where c.account_id = t.account_id and c.phone = t.phone
    ) as conversation_ids
    from unnest(
      ${column((t) => t.account_id)}::bigint[], ${column((t) => t.message_id)}::bigint[], ${column((t) => t.phone)}::text[],
      ${column((t) => t.status_at)}::timestamptz[], ${column((t) => t.carrier_error)}::text[]
    ) as t(account_id, message_id, phone, status_at, carrier_error)
    where not exists (
      select from phone_consents p where p.account_id = t.account_id and p.phone = t.phone and p.text_state = 'out')
    order by t.account_id, t.phone, t.status_at desc`.execute(trx);
  await recordConsents(
    trx,
    rows.map((row) => ({
      accountId: row.account_id,
      phone: row.phone,
      state: 'out',
      at: new Date(row.status_at),
      source: 'carrier',
      messageId: row.message_id,
      wording: row.carrier_error ?? '',
    })),
  );
  for (const [accountId, optOuts] of Map.groupBy(rows, (row) => row.account_id)) {
    const events: Event[] = optOuts
      .flatMap((row) => row.conversation_ids)
      .map((ConversationID) => ({ type: 'conversation.changed', ConversationID }));
    await notify(trx, accountId, [...events, { type: 'contacts.changed' }]);
  }
}
