import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { countRecoveryCodes } from './queries.ts';
import { newRecoveryCodes, recoveryHash } from './rules.ts';

/** Ten new codes in place of all old ones. Only their hashes are kept: this is the one time that they can be shown. */
async function replaceRecoveryCodes(trx: Trx, actor: Actor, secret: Buffer): Promise<string[]> {
  const codes = newRecoveryCodes();
  await sql`
    delete from recovery_codes
    where account_id = ${actor.accountId} and user_id = ${actor.userId}`.execute(trx);
  await sql`
    insert into recovery_codes (account_id, user_id, code_hash)
    select ${actor.accountId}, ${actor.userId}, hash
    from unnest(${codes.map((code) => recoveryHash(secret, code))}::bytea[]) as hash`.execute(trx);
  return codes;
}

/** Codes for somebody who has none left; null where there are some. */
export async function ensureRecoveryCodes(trx: Trx, actor: Actor, secret: Buffer): Promise<string[] | null> {
  const left = await countRecoveryCodes(trx, { account_id: actor.accountId, user_id: actor.userId });
  return left > 0 ? null : replaceRecoveryCodes(trx, actor, secret);
}

export async function createRecoveryCodes(trx: Trx, actor: Actor, secret: Buffer) {
  const { rows } = await sql`
    select from totp_secrets where account_id = ${actor.accountId} and user_id = ${actor.userId}
    union all
    select from passkeys where account_id = ${actor.accountId} and user_id = ${actor.userId}`.execute(trx);
  if (rows.length === 0)
    throw new Refusal(
      'refused',
      'Recovery codes come with an authenticator app or a passkey. Add one first.',
    );
  return { RecoveryCodes: await replaceRecoveryCodes(trx, actor, secret) };
}

/** The user had to set up a second factor and now has one: the rest of Muster opens for this session. */
export async function admitFully(trx: Trx, actor: Actor): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ is_limited: false })
    .where('account_id', '=', actor.accountId)
    .where('session_id', '=', actor.sessionId)
    .where('is_limited', '=', true)
    .execute();
}
