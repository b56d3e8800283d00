import { sql } from 'kysely';
import type { Database } from '../db.ts';
import type { InboundText, Receipt } from '../outside/carrier.ts';
import { prepared } from '../prepared.ts';
import type { OwnReceipt } from './apply-receipts.ts';
import { readSendKey } from './rules.ts';

/** Those with a key of ours, with what it says. */
export function readOwn(receipts: Receipt[]): OwnReceipt[] {
  const own: OwnReceipt[] = [];
  for (const receipt of receipts) {
    const key = readSendKey(receipt.key);
    if (key !== undefined) own.push({ ...receipt, ...key });
  }
  return own;
}

/**
 * Keeps receipts as they came; they are applied afterwards (apply-receipts.ts). Only once this has
 * committed is the carrier told that we have them. Returns how many had a key of ours.
 */
export async function storeReceipts(database: Database, receipts: Receipt[]): Promise<number> {
  const own = readOwn(receipts);
  if (own.length === 0) return 0;
  const column = <T>(pick: (receipt: OwnReceipt) => T) => own.map(pick);
  await sql`
    insert into carrier_receipts
      (account_id, message_id, send_nonce, status, carrier_message_id, carrier_error, occurred_at)
    select * from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.messageId)}::bigint[], ${column((r) => r.nonce)}::integer[],
      ${column((r) => r.status)}::text[], ${column((r) => r.carrierMessageId)}::text[], ${column((r) => r.error)}::text[],
      ${column((r) => r.occurredAt)}::timestamptz[])`.execute(database.system);
  return own.length;
}

/** Keeps inbound texts as they came; the same one twice is kept once. */
export async function storeInbound(
  database: Database,
  aggregatorId: number,
  texts: InboundText[],
): Promise<void> {
  if (texts.length === 0) return;
  const column = <T>(pick: (text: InboundText) => T) => texts.map(pick);
  await sql`
    ${prepared} insert into carrier_inbound (inbound_key, aggregator_id, from_phone, to_phone, body, media, occurred_at)
    -- A microsecond apart, so that texts of one moment stay in the order in which they came.
    select t.key, ${aggregatorId}, t.sender, t.receiver, t.body, t.media::jsonb, t.occurred_at + t.place * interval '1 microsecond'
    from unnest(
      ${column((t) => t.inboundKey)}::text[], ${column((t) => t.from)}::text[], ${column((t) => t.to)}::text[],
      ${column((t) => t.body.replaceAll('\u0000', ''))}::text[], ${column((t) => JSON.stringify(t.media))}::text[],
      ${column((t) => t.occurredAt)}::timestamptz[]
    ) with ordinality as t(key, sender, receiver, body, media, occurred_at, place)
    -- The same texts in another order may come at this very moment: in the order of the key nobody waits crosswise.
    order by t.key
    on conflict (inbound_key) do nothing`.execute(database.system);
}
