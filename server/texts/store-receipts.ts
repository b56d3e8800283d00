import { sql } from 'kysely';
import type { Database } from '../db.ts';
import type { Receipt } from '../outside/carrier.ts';
import { prepared } from '../prepared.ts';
import type { OwnReceipt } from './apply-receipts.ts';
import { readSendKey } from './rules.ts';

/** The receipts with a send key of ours, with the parts of the key. */
export function readOwn(receipts: Receipt[]): OwnReceipt[] {
  const own: OwnReceipt[] = [];
  for (const receipt of receipts) {
    const key = readSendKey(receipt.key);
    if (key !== undefined) own.push({ ...receipt, ...key });
  }
  return own;
}

/**
 * Stores receipts as received; apply-receipts.ts applies them later. The carrier gets its response only after
 * this has committed. Returns how many had a key of ours.
 */
export async function storeReceipts(database: Database, receipts: Receipt[]): Promise<number> {
  const own = readOwn(receipts);
  if (own.length === 0) return 0;
  // Serialized by hand: the driver would inspect each of thousands of values.
  const column = (pick: (receipt: OwnReceipt) => number | string) => `{${own.map(pick).join()}}`;
  const texts = (pick: (receipt: OwnReceipt) => string | null) =>
    own.every((receipt) => pick(receipt) === null) ? null : own.map(pick);
  await sql`
    ${prepared} insert into carrier_receipts
      (account_id, message_id, send_nonce, status, carrier_message_id, carrier_error, occurred_at)
    select account_id, message_id, send_nonce, status, carrier_message_id, carrier_error, to_timestamp(ms / 1000.0)
    from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.messageId)}::bigint[], ${column((r) => r.nonce)}::integer[],
      ${column((r) => r.status)}::text[], ${texts((r) => r.carrierMessageId)}::text[], ${texts((r) => r.error)}::text[],
      ${column((r) => r.occurredAt.getTime())}::float8[]
    ) as t(account_id, message_id, send_nonce, status, carrier_message_id, carrier_error, ms)`.execute(
    database.system,
  );
  return own.length;
}
