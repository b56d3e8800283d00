import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  removePasskey as passkeyDefinition,
  resetSecondFactors,
} from '../../../contract/second-factors.ts';
import type { Trx } from '../../db.ts';
import { type EventActor, recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { endSessions } from '../end-sessions.ts';
import { isSecondFactorRequired } from './queries.ts';

const lastOne =
  'Your organization asks everybody for a second factor. Add another one before you remove this one.';

export async function removeTotp(trx: Trx, actor: Actor) {
  const removed = await trx
    .deleteFrom('totp_secrets')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .returning('user_id')
    .executeTakeFirst();
  if (removed === undefined) throw new Refusal('notFound');
  await afterRemoval(trx, actor, { Method: 'totp' });
  return {};
}

export async function removePasskey(trx: Trx, actor: Actor, { params }: Input<typeof passkeyDefinition>) {
  const removed = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('passkey_id', '=', params.PasskeyID)
    .returning('name')
    .executeTakeFirst();
  if (removed === undefined) throw new Refusal('notFound');
  await afterRemoval(trx, actor, { Method: 'passkey', Name: removed.name });
  return {};
}

/** Refuses if it was the last and one has to have one. Recovery codes go with the last. */
async function afterRemoval(trx: Trx, actor: Actor, changes: Record<string, unknown>): Promise<void> {
  const { rows } = await sql`
    select from totp_secrets where account_id = ${actor.accountId} and user_id = ${actor.userId}
    union all
    select from passkeys where account_id = ${actor.accountId} and user_id = ${actor.userId}`.execute(trx);
  if (rows.length === 0) {
    if (await isSecondFactorRequired(trx, actor.accountId)) throw new Refusal('refused', lastOne);
    await deleteRecoveryCodes(trx, actor.accountId, actor.userId);
  }
  await recordEvents(trx, actor, [{ kind: 'secondFactor.removed', id: actor.userId, changes }]);
}

async function deleteRecoveryCodes(trx: Trx, accountId: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/**
 * For a user who lost telephone and codes. An admin can't do it for the owner: with the owner's password, they would
 * become the owner.
 */
export async function resetFactors(trx: Trx, actor: Actor, { params }: Input<typeof resetSecondFactors>) {
  const user = await trx
    .selectFrom('users')
    .select('role')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', params.UserID)
    .executeTakeFirst();
  if (user === undefined) throw new Refusal('notFound');
  if (user.role === 'owner' && actor.role !== 'owner')
    throw new Refusal(
      'refused',
      'Only whoever runs this installation can reset the account owner’s second factors.',
    );
  await clearFactors(trx, actor, params.UserID);
  return {};
}

/** Takes all second factors of a user away and ends their sessions. */
export async function clearFactors(trx: Trx, by: EventActor, userId: number): Promise<void> {
  const { accountId } = by;
  await trx
    .deleteFrom('totp_secrets')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  await deleteRecoveryCodes(trx, accountId, userId);
  await endSessions(trx, accountId, [userId]);
  await recordEvents(trx, by, [{ kind: 'secondFactor.reset', id: userId }]);
}
