import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { CarrierId, NamedReceipt } from '../outside/carrier.ts';
import type { OwnReceipt } from './apply-receipts.ts';
import { readSendKey, writeSendKey } from './rules.ts';

/** Longer than any carrier tries to deliver a text. */
const keptDays = 7;
/** Hours that a receipt waits for the text with its id. */
const strayHours = 24;

/** Saves a carrier's ids of texts whose receipts name nothing else. */
export async function keepCarrierIds(
  database: Database,
  aggregatorId: number,
  ids: CarrierId[],
): Promise<void> {
  const own = ids.flatMap((id) => {
    const key = readSendKey(id.key);
    return key === undefined ? [] : [{ ...id, ...key }];
  });
  const column = <T>(pick: (id: (typeof own)[number]) => T) => own.map(pick);
  await sql`
    insert into carrier_ids (account_id, message_id, part, parts, send_nonce, aggregator_id, carrier_message_id)
    select distinct on (account_id, message_id, part)
      account_id, message_id, part, parts, send_nonce, ${aggregatorId}, carrier_message_id
    from unnest(
      ${column((id) => id.accountId)}::bigint[], ${column((id) => id.messageId)}::bigint[],
      ${column((id) => id.part)}::smallint[], ${column((id) => id.parts)}::smallint[],
      ${column((id) => id.nonce)}::integer[], ${column((id) => id.carrierMessageId)}::text[]
    ) as i(account_id, message_id, part, parts, send_nonce, carrier_message_id)
    order by account_id, message_id, part
    on conflict (account_id, message_id, part) do nothing`.execute(database.system);
}

/** The first id of each text that the carrier has in all its parts, by send key. */
export async function findCarrierIds(
  database: Database,
  aggregatorId: number,
  keys: string[],
): Promise<Map<string, string>> {
  const own = keys.flatMap((key) => readSendKey(key) ?? []);
  const { rows } = await sql<{ accountId: number; messageId: number; nonce: number; id: string }>`
    select i.account_id as "accountId", i.message_id as "messageId", i.send_nonce as nonce,
      min(i.carrier_message_id) filter (where i.part = 1) as id
    from unnest(
      ${own.map((key) => key.accountId)}::bigint[], ${own.map((key) => key.messageId)}::bigint[],
      ${own.map((key) => key.nonce)}::integer[]
    ) as k(account_id, message_id, send_nonce)
    join carrier_ids i on i.account_id = k.account_id and i.message_id = k.message_id
      and i.send_nonce = k.send_nonce and i.aggregator_id = ${aggregatorId}
    group by 1, 2, 3
    having count(*) = max(i.parts)`.execute(database.system);
  return new Map(rows.map((row) => [writeSendKey(row), row.id]));
}

/**
 * Finds the texts of receipts. A text in several parts is delivered when the last of them is. Receipts with
 * an unknown id are stored, and checked again: their text may be recorded a moment later.
 */
export async function matchReceipts(
  database: Database,
  aggregatorId: number,
  receipts: NamedReceipt[],
): Promise<OwnReceipt[]> {
  return asSystem(database, async (trx) => {
    const { own, strays } = await match(trx, aggregatorId, receipts);
    const column = <T>(pick: (receipt: NamedReceipt) => T) => strays.map(pick);
    if (strays.length > 0) {
      await sql`
        insert into stray_receipts (aggregator_id, carrier_message_id, status, carrier_error, occurred_at)
        select ${aggregatorId}, * from unnest(
          ${column((r) => r.carrierMessageId)}::text[], ${column((r) => r.status)}::text[],
          ${column((r) => r.error)}::text[], ${column((r) => r.occurredAt)}::timestamptz[])`.execute(trx);
    }
    return own;
  });
}

async function match<Given extends NamedReceipt>(
  trx: Trx,
  aggregatorId: number,
  receipts: Given[],
): Promise<{ own: OwnReceipt[]; strays: Given[] }> {
  const named = [...new Set(receipts.map((receipt) => receipt.carrierMessageId))];
  const { rows } = await sql<KnownId>`
    -- An SMSC may reuse an id after a while: the latest text counts.
    select distinct on (carrier_message_id) carrier_message_id as "carrierMessageId", account_id as "accountId",
      message_id as "messageId", send_nonce as nonce, part, parts
    from carrier_ids
    where carrier_message_id = any(${named}::text[]) and aggregator_id = ${aggregatorId}
    order by carrier_message_id, handed_at desc`.execute(trx);
  const known = new Map(rows.map((row) => [row.carrierMessageId, row]));
  const whole = await markDelivered(trx, receipts, known);
  const own: OwnReceipt[] = [];
  const strays: Given[] = [];
  for (const receipt of receipts) {
    const id = known.get(receipt.carrierMessageId);
    if (id === undefined) strays.push(receipt);
    // "On its way" for one part says nothing about the others.
    else if (
      id.parts === 1 ||
      (receipt.status === 'delivered' ? whole.has(keyOf(id)) : receipt.status !== 'sent')
    ) {
      const { status, error, occurredAt, carrierMessageId } = receipt;
      const { accountId, messageId, nonce } = id;
      own.push({ accountId, messageId, nonce, key: keyOf(id), status, error, occurredAt, carrierMessageId });
    }
  }
  return { own, strays };
}

interface KnownId {
  carrierMessageId: string;
  accountId: number;
  messageId: number;
  nonce: number;
  part: number;
  parts: number;
}

const keyOf = (id: KnownId) => writeSendKey(id);

/** Marks the parts that arrived. Returns the texts that have all their parts now. */
async function markDelivered(
  trx: Trx,
  receipts: NamedReceipt[],
  known: Map<string, KnownId>,
): Promise<Set<string>> {
  const arrived = receipts.flatMap(({ status, carrierMessageId }) => {
    const id = status === 'delivered' ? known.get(carrierMessageId) : undefined;
    return id !== undefined && id.parts > 1 ? [id] : [];
  });
  if (arrived.length === 0) return new Set();
  const accounts = arrived.map((id) => id.accountId);
  const messages = arrived.map((id) => id.messageId);
  // All parts of a text are locked, in the order of their key: another process may mark the other part at
  // this moment.
  await sql`
    select from carrier_ids where (account_id, message_id) in (
      select * from unnest(${accounts}::bigint[], ${messages}::bigint[]))
    order by account_id, message_id, part for update`.execute(trx);
  await sql`
    update carrier_ids i set is_delivered = true
    from unnest(${accounts}::bigint[], ${messages}::bigint[], ${arrived.map((id) => id.part)}::smallint[])
      as a(account_id, message_id, part)
    where i.account_id = a.account_id and i.message_id = a.message_id and i.part = a.part`.execute(trx);
  const { rows } = await sql<{ accountId: number; messageId: number; nonce: number }>`
    select account_id as "accountId", message_id as "messageId", send_nonce as nonce from carrier_ids
    where (account_id, message_id) in (select * from unnest(${accounts}::bigint[], ${messages}::bigint[]))
    group by 1, 2, 3 having count(*) filter (where is_delivered) = max(parts)`.execute(trx);
  return new Set(rows.map(writeSendKey));
}

/**
 * Checks again receipts whose text wasn't known. For those still unknown the wait doubles each time; `take`
 * gets the others before they are deleted, so that none is lost. Returns how many were checked.
 */
export async function matchStrays(
  database: Database,
  size: number,
  take: (receipts: OwnReceipt[]) => Promise<void>,
): Promise<number> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<NamedReceipt & { receiptId: number; aggregatorId: number }>`
      select receipt_id as "receiptId", aggregator_id as "aggregatorId", carrier_message_id as "carrierMessageId",
        status, carrier_error as error, occurred_at as "occurredAt"
      from stray_receipts where try_at <= now() order by try_at limit ${size} for update skip locked`.execute(
      trx,
    );
    const left: number[] = [];
    for (const [aggregatorId, receipts] of Map.groupBy(rows, (row) => row.aggregatorId)) {
      const { own, strays } = await match(trx, aggregatorId, receipts);
      left.push(...strays.map((stray) => stray.receiptId));
      if (own.length > 0) await take(own);
    }
    const ids = rows.map((row) => row.receiptId).filter((id) => !left.includes(id));
    await sql`delete from stray_receipts where receipt_id = any(${ids}::bigint[])`.execute(trx);
    await sql`update stray_receipts set try_at = now() + greatest(now() - received_at, interval '1 second')
      where receipt_id = any(${left}::bigint[])`.execute(trx);
    return rows.length;
  });
}

/** Deletes ids that no receipt will name any more, and receipts of texts that aren't ours. */
export async function sweepCarrierIds(database: Database): Promise<void> {
  await sql`delete from carrier_ids where handed_at < now() - ${keptDays} * interval '1 day'`.execute(
    database.system,
  );
  await sql`delete from stray_receipts where received_at < now() - ${strayHours} * interval '1 hour'`.execute(
    database.system,
  );
}
