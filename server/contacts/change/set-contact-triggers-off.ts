import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Switches off, for this transaction, the triggers that keep counts, search words and the unfiled up to date. Only for
 * callers that do the same work in sets.
 */
export async function setContactTriggersOff(trx: Trx, isOff: boolean): Promise<void> {
  await sql`select set_config('app.keeps_contacts_itself', ${isOff ? 'on' : 'off'}, true)`.execute(trx);
}
