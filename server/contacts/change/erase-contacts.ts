import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { writeContacts } from '../keep-written.ts';

/** Permanently removes contacts, whether or not they were deleted before. Returns their number. */
export async function eraseContacts(trx: Trx, accountId: number, personIds: number[]): Promise<number> {
  return writeContacts(
    trx,
    sql`delete from contacts where account_id = ${accountId} and person_id = any(${personIds}::bigint[])`,
  );
}
