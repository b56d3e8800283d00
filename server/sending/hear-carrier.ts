import { asSystem, type Database } from '../db.ts';
import { storeHeard, trustHeard } from '../inbound/store-heard.ts';
import { enqueue } from '../jobs.ts';
import type { Log } from '../log.ts';
import type { Carrier, CarrierEar } from '../outside/carrier.ts';
import type { OwnReceipt } from '../texts/apply-receipts.ts';
import { findCarrierIds, keepCarrierIds, matchReceipts } from '../texts/carrier-ids.ts';
import { storeReceipts } from '../texts/store-receipts.ts';

/** Handles messages over a carrier's connection like webhooks. They are acknowledged after the commit. */
export function createEar(
  { database, log }: { database: Database; log: Log },
  { aggregatorId, name }: Carrier,
  takeReceipts: (receipts: OwnReceipt[]) => Promise<boolean>,
): CarrierEar {
  return {
    keepIds: (ids) => keepCarrierIds(database, aggregatorId, ids),
    findIds: (keys) => findCarrierIds(database, aggregatorId, keys),
    async takeReceipts(receipts) {
      const own = await matchReceipts(database, aggregatorId, receipts);
      await applyOrStore(database, own, takeReceipts);
    },
    async takeInbound(texts, parts) {
      const { repeats, isAnyWhole } = await storeHeard(database, aggregatorId, { texts, parts });
      if (repeats > 0)
        log.warn(
          { carrier: name, repeats },
          'texts that were stored before a connection was lost came again; they are not shown twice',
        );
      if (isAnyWhole) await asSystem(database, (trx) => enqueue(trx, 'apply_inbound', {}));
    },
    trust: (connection, olderThanSeconds) => trustHeard(database, connection, olderThanSeconds),
    warn: (facts, sentence) => log.warn({ carrier: name, ...facts }, sentence),
  };
}

export async function applyOrStore(
  database: Database,
  receipts: OwnReceipt[],
  takeReceipts: (receipts: OwnReceipt[]) => Promise<boolean>,
): Promise<void> {
  if (receipts.length === 0 || (await takeReceipts(receipts))) return;
  await storeReceipts(database, receipts);
}
