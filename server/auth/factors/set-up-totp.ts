import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { activateTotp as definition } from '../../../contract/second-factors.ts';
import { nowMs } from '../../clock.ts';
import { asAccount } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import { openSecret, sealSecret } from '../../seal-secret.ts';
import type { Actor, App } from '../../serve.ts';
import { createToken, findToken, takeToken } from '../create-token.ts';
import { getSecret } from '../queries.ts';
import { countedCheck, totpPlace } from './check-factor.ts';
import { admitFully, ensureRecoveryCodes } from './keep-recovery-codes.ts';
import { base32, findTotpStep, newTotpSecret, totpUri } from './rules.ts';

const tooLate = 'This took too long. Start again to get a new QR code.';

/**
 * Creates a secret. It takes effect only after one of its codes was entered, so that nobody locks themselves
 * out.
 */
export async function beginTotp({ database }: App, actor: Actor) {
  const secret = newTotpSecret();
  const person = personOf(actor);
  const user = await database.system
    .selectFrom('users')
    .select('user_name')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const sealed = sealSecret(await getSecret(database), totpPlace(person), secret);
  const Token = await createToken(database, 'totpSetup', {
    accountId: actor.accountId,
    userId: actor.userId,
    data: { sealed: sealed.toString('base64') },
  });
  return { Token, Secret: base32(secret), Uri: totpUri(secret, user.user_name, 'Muster') };
}

export async function activateTotp(
  { database }: App,
  actor: Actor,
  { body }: Input<typeof definition>,
): Promise<{ RecoveryCodes: string[] | null }> {
  const person = personOf(actor);
  const installation = await getSecret(database);
  const started = await findToken(database, 'totpSetup', body.Token);
  if (started?.userId !== actor.userId) throw new Refusal('refused', tooLate);
  const sealed = Buffer.from(String(started.data.sealed), 'base64');
  const secret = openSecret(installation, totpPlace(person), sealed);
  const step = await countedCheck(database, person, async () => findTotpStep(secret, body.Code, nowMs()));
  if ((await takeToken(database, 'totpSetup', body.Token)) === undefined)
    throw new Refusal('refused', tooLate);
  return asAccount(database, actor.accountId, async (trx) => {
    // An app on a new telephone takes the old one's place.
    await sql`
      insert into totp_secrets (account_id, user_id, sealed, last_step)
      values (${actor.accountId}, ${actor.userId}, ${sealed}, ${step})
      on conflict (account_id, user_id) do update
      set sealed = excluded.sealed, last_step = excluded.last_step, created_at = now(), last_used_at = null`.execute(
      trx,
    );
    await recordEvents(trx, actor, [
      { kind: 'secondFactor.added', id: actor.userId, changes: { Method: 'totp' } },
    ]);
    await admitFully(trx, actor);
    return { RecoveryCodes: await ensureRecoveryCodes(trx, actor, installation) };
  });
}

export function personOf(actor: Pick<Actor, 'accountId' | 'userId'>) {
  return { account_id: actor.accountId, user_id: actor.userId };
}
