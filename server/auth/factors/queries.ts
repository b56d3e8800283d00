import { sql } from 'kysely';
import type { FactorMethod } from '../../../contract/second-factors.ts';
import type { Config } from '../../config.ts';
import type { Database, Trx } from '../../db.ts';
import type { Entering } from '../open-session.ts';

type Reader = Pick<Trx, 'selectFrom'>;

/** The second factors that this person can use after the password; undefined without any. */
export async function findMethods(database: Database, person: Entering): Promise<FactorMethod[]> {
  const { rows } = await sql<{ totp: boolean; passkey: boolean; recovery: boolean }>`
    select
      exists (select from totp_secrets t where (t.account_id, t.user_id) = (u.account_id, u.user_id)) as totp,
      exists (select from passkeys p where (p.account_id, p.user_id) = (u.account_id, u.user_id)) as passkey,
      exists (select from recovery_codes r
        where (r.account_id, r.user_id) = (u.account_id, u.user_id) and r.used_at is null) as recovery
    from users u where u.account_id = ${person.account_id} and u.user_id = ${person.user_id}`.execute(
    database.system,
  );
  const [has] = rows;
  if (has === undefined || !(has.totp || has.passkey)) return [];
  return (['totp', 'passkey', 'recovery'] as const).filter((method) => has[method]);
}

export async function requiresSecondFactor(database: Database, accountId: number): Promise<boolean> {
  return isSecondFactorRequired(database.system, accountId);
}

export async function isSecondFactorRequired(trx: Reader, accountId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('account_security')
    .select('requires_second_factor')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.requires_second_factor ?? false;
}

export async function listPasskeyRows(trx: Reader, person: Entering) {
  return trx
    .selectFrom('passkeys')
    .select([
      'passkey_id',
      'credential_id',
      'public_key',
      'counter',
      'transports',
      'name',
      'created_at',
      'last_used_at',
    ])
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .orderBy('passkey_id')
    .limit(100)
    .execute();
}

export async function findTotpRow(trx: Reader, person: Entering) {
  return trx
    .selectFrom('totp_secrets')
    .select(['sealed', 'created_at', 'last_used_at'])
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .executeTakeFirst();
}

export async function countRecoveryCodes(trx: Reader, person: Entering): Promise<number> {
  const row = await trx
    .selectFrom('recovery_codes')
    .select((count) => count.fn.countAll<number>().as('left'))
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return row?.left ?? 0;
}

/** The relying party of passkeys: a name and the origin of the pages. */
export interface PasskeyPlace {
  rpID: string;
  origin: string;
}

/**
 * The name in PUBLIC_URL. Without one it is the name that this request came with, which is this machine's: localhost.
 * Undefined where the installation is reached by an address in digits, for which browsers make no passkeys.
 */
export function findPasskeyPlace(
  config: Pick<Config, 'PUBLIC_URL' | 'isPublicUrlSet'>,
  requestHost: string,
): PasskeyPlace | undefined {
  const url = config.isPublicUrlSet ? new URL(config.PUBLIC_URL) : URL.parse(`http://${requestHost}`);
  if (url === null || /^[\d.]+$|^\[/.test(url.hostname)) return undefined;
  return { rpID: url.hostname, origin: url.origin };
}
