import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/** Whether the triggers that keep counts, words and the unfiled are off: for who does the same in sets. */
export async function setKeepsItself(trx: Trx, isOn: boolean): Promise<void> {
  await sql`select set_config('app.keeps_contacts_itself', ${isOn ? 'on' : 'off'}, true)`.execute(trx);
}
