/**
 * Older data that takes the place of newer doesn't know what cards were charged since: a month that was renewed would be
 * renewed again. So renewals, refills and invoices wait until the operator has looked at the differences from the card
 * processor, and says that they can go on. Purchases by people go on.
 */
import { sql } from 'kysely';
import { machineNowMs } from '../clock.ts';
import type { Database, Trx } from '../db.ts';
import type { Log } from '../log.ts';

/** `at`: how old the data is. */
export async function holdCharges(trx: Trx, at: Date): Promise<void> {
  await sql`insert into held_charges (since) values (${at}) on conflict (only_row) do update
    set since = least(held_charges.since, excluded.since)`.execute(trx);
}

async function readHeldCharges(trx: Trx | Database['system']): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`select since from held_charges`.execute(trx);
  return rows[0]?.since;
}

/** For the operator: says whether automatic charges wait, or lets them go on. */
export async function switchCharges(trx: Trx, word: string): Promise<string[]> {
  if (word === 'on') await sql`delete from held_charges`.execute(trx);
  const since = await readHeldCharges(trx);
  if (since === undefined) return ['Renewals, refills and invoices go on by themselves.'];
  return [
    `Renewals, refills and invoices wait: the data was restored to ${since.toISOString()}.`,
    'Look at “npx muster differences” for payments that this data doesn’t have, refund or explain them, then run “npx muster charges on”.',
  ];
}

const toldEveryMs = 3_600_000;

/** Asked before anything is charged without a person. While it is held, the log says so every hour. */
export function createHold(database: Database, log: Log): () => Promise<boolean> {
  let toldAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const since = await readHeldCharges(database.system);
    if (since !== undefined && machineNowMs() - toldAt >= toldEveryMs) {
      toldAt = machineNowMs();
      log.warn({ since }, 'renewals, refills and invoices wait since data was restored: npx muster charges');
    }
    return since !== undefined;
  };
}
