import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Turns off, for this transaction, the triggers that update counts, search words and the unfiled. Only for
 * callers that do the same work in sets.
 */
export async function setContactTriggersOff(trx: Trx, isOff: boolean): Promise<void> {
  await sql`select set_config('app.keeps_contacts_itself', ${isOff ? 'on' : 'off'}, true)`.execute(trx);
}
