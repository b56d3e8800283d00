import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/**
 * Whether this user can get a local number here. While no carrier sells numbers, the addLocalNumber step isn't asked
 * for: it answers 404, which pages pass over.
 */
export async function canAddLocalNumber(_trx: Trx, _actor: Actor, _config: Config): Promise<boolean> {
  return false;
}
