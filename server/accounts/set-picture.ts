import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';

/**
 * Sets the file of the user's picture; null for none. A new picture has a new address, so that browsers may
 * cache it.
 */
export async function setPicture(trx: Trx, actor: Actor, hash: string | null): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      picture_hash: hash,
      picture_key: hash === null ? null : randomBytes(16).toString('base64url'),
      version: sql`version + 1`,
    })
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }, { type: 'users.changed' }]);
}
