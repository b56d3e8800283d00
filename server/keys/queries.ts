import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { keyPrefix } from './rules.ts';

/** The account's keys that are not revoked, newest first. */
export async function listKeys(trx: Trx, actor: Actor) {
  const rows = await trx
    .selectFrom('api_keys as k')
    .innerJoin('users as u', (join) =>
      join.onRef('u.account_id', '=', 'k.account_id').onRef('u.user_id', '=', 'k.user_id'),
    )
    .select([
      'k.api_key_id as ApiKeyID',
      'k.name as Name',
      'k.public_id as publicId',
      'k.scopes as Scopes',
      'k.addresses as Addresses',
      'k.user_id as userId',
      sql<string>`u.first_name || ' ' || u.last_name`.as('userName'),
      'u.is_active as isActive',
      'k.created_at as CreateTimestamp',
      'k.expires_at as ExpireTimestamp',
      sql<boolean>`coalesce(k.expires_at <= now(), false)`.as('IsExpired'),
      'k.last_used_at as LastUsedTimestamp',
      'k.last_used_address as LastUsedAddress',
      'k.refused_at as RefusedTimestamp',
      'k.refused_address as RefusedAddress',
      sql<Date | null>`case when k.old_secret_until > now() then k.old_secret_until end`.as('OldSecretUntil'),
    ])
    .where('k.account_id', '=', actor.accountId)
    .where('k.revoked_at', 'is', null)
    .orderBy('k.api_key_id', 'desc')
    .execute();
  const Items = rows.map(({ publicId, userId, userName, isActive, ...row }) => ({
    ...row,
    Prefix: keyPrefix(publicId),
    User: { UserID: userId, Name: userName, IsActive: isActive },
    IsMine: userId === actor.userId,
  }));
  return { Items, Size: Items.length };
}

/** A key of the account that is not revoked, locked until the end of the transaction. */
export async function requireKey(trx: Trx, actor: Actor, apiKeyId: number) {
  const key = await trx
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('api_key_id', '=', apiKeyId)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) throw new Refusal('notFound');
  return key;
}

/** The same, but only the user's own: a new secret or wider scopes would let others act as its creator. */
export async function requireOwnKey(trx: Trx, actor: Actor, apiKeyId: number) {
  const key = await requireKey(trx, actor, apiKeyId);
  if (key.user_id !== actor.userId)
    throw new Refusal('refused', 'Only the person who made a key can change it. You can revoke it.');
  return key;
}
