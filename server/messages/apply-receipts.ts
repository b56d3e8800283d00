import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import type { Database } from '../db.ts';
import { notify } from '../notify.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from './record-carrier-opt-outs.ts';
import { settleMoved } from './record-hand-overs.ts';

interface Applied {
  account_id: number;
  message_id: number;
  conversation_id: number | null;
  credits: number;
  left_outbox: boolean;
}

/**
 * Takes stored receipts, up to `size` at a time, and moves their texts' statuses forward. Receipts
 * that come twice, late or in the wrong order change nothing. A receipt for a text that still lies in
 * the outbox proves that the carrier has it: it leaves the outbox and is never sent again. One that
 * says "opted out" is the phone's consent too. Returns how many receipts were taken.
 */
export async function applyReceipts(database: Database, size: number): Promise<number> {
  return database.system.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      taken: number;
      applied: Applied[] | null;
      opted_out: CarrierOptOut[] | null;
    }>`
      with batch as (
        delete from carrier_receipts
        where receipt_id = any(array(
          select receipt_id from carrier_receipts order by receipt_id limit ${size} for update skip locked))
        returning *
      ),
      latest as (
        select distinct on (account_id, message_id) *
        from batch
        order by account_id, message_id, text_status_rank(status) desc, receipt_id desc
      ),
      -- In the order of the key, as everywhere that touches many texts at once.
      target as materialized (
        select m.account_id, m.message_id, l.status, l.occurred_at, l.carrier_message_id, l.carrier_error
        from latest l
        join messages m on m.account_id = l.account_id and m.message_id = l.message_id
        where m.send_nonce = l.send_nonce and not m.is_inbound
          and text_status_rank(l.status) > text_status_rank(m.status)
        order by m.account_id, m.message_id
        for no key update of m
      ),
      moved as (
        update messages m
        set status = t.status, status_at = t.occurred_at, handed_at = coalesce(m.handed_at, now()),
          carrier_message_id = coalesce(m.carrier_message_id, t.carrier_message_id),
          carrier_error = t.carrier_error
        from target t
        where m.account_id = t.account_id and m.message_id = t.message_id
        returning m.account_id, m.message_id, m.text_number_id, m.phone, m.origin, m.credits, m.created_at,
          text_status_rank(old.status) as old_rank, text_status_rank(new.status) as new_rank, new.status,
          new.status_at, new.carrier_error
      ),
      proven as (
        delete from outbox o using moved m
        where m.old_rank = 0 and o.account_id = m.account_id and o.message_id = m.message_id
        returning o.account_id, o.message_id
      ),
      counted as (
        insert into daily_texts as d (account_id, day, text_number_id, sent, delivered, failed, credits)
        select m.account_id, (m.created_at at time zone a.time_zone)::date, m.text_number_id,
          count(*) filter (where p.message_id is not null),
          count(*) filter (where m.new_rank >= 4 and m.old_rank < 4),
          count(*) filter (where m.new_rank = 3) - count(*) filter (where m.old_rank = 3),
          coalesce(sum(m.credits) filter (where p.message_id is not null), 0)
        from moved m
        join accounts a on a.account_id = m.account_id
        left join proven p on p.account_id = m.account_id and p.message_id = m.message_id
        group by 1, 2, 3
        order by 1, 2, 3
        on conflict (account_id, day, text_number_id) do update
        set sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
          failed = d.failed + excluded.failed, credits = d.credits + excluded.credits
      ),
      shown as (
        select m.account_id, m.message_id, m.credits, c.conversation_id, p.message_id is not null as left_outbox
        from moved m
        left join proven p on p.account_id = m.account_id and p.message_id = m.message_id
        left join conversations c on m.origin <> 'broadcast'
          and c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone
        where p.message_id is not null or c.conversation_id is not null
      ),
      opted_out as (
        select account_id, message_id, phone, status_at, carrier_error from moved where status = 'opted_out'
      )
      select (select count(*) from batch) as taken, (select json_agg(shown) from shown) as applied,
        (select json_agg(opted_out) from opted_out) as opted_out`.execute(trx);
    const { taken = 0, applied = null, opted_out = null } = rows[0] ?? {};
    const shown = applied ?? [];
    // Credits before consents, as where inbound texts are applied.
    await settleMoved(
      trx,
      shown.filter((text) => text.left_outbox).map((text) => ({ ...text, is_sent: true })),
      'Texts that a receipt proved sent',
    );
    await recordCarrierOptOuts(trx, opted_out ?? []);
    for (const [accountId, texts] of Map.groupBy(
      shown.filter((text) => !text.left_outbox),
      (text) => text.account_id,
    )) {
      const events: Event[] = texts.map((text) => ({
        type: 'message.changed',
        ConversationID: text.conversation_id as number,
        TextMessageID: text.message_id,
      }));
      await notify(trx, accountId, events);
    }
    return taken;
  });
}
