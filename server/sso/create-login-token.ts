import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { redeemLoginToken as definition } from '../../contract/sso.ts';
import { createToken, takeToken } from '../auth/create-token.ts';
import { asAccount } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App, Visitor } from '../serve.ts';

/** A token for Labs, which runs elsewhere: valid once, for a minute. */
export async function createLoginToken({ database }: App, actor: Actor) {
  const LoginToken = await createToken(database, 'labs', {
    accountId: actor.accountId,
    userId: actor.userId,
  });
  await asAccount(database, actor.accountId, (trx) => recordEvents(trx, actor, [{ kind: 'labs.opened' }]));
  return { LoginToken };
}

export async function redeemLoginToken({ database }: Visitor, { body }: Input<typeof definition>) {
  const taken = await takeToken(database, 'labs', body.LoginToken);
  const user =
    taken?.userId == null
      ? undefined
      : await database.system
          .selectFrom('users')
          .select([
            'user_id as UserID',
            'account_id as AccountID',
            'user_name as UserName',
            'first_name as FirstName',
            'last_name as LastName',
            'email as Email',
          ])
          .where('account_id', '=', taken.accountId)
          .where('user_id', '=', taken.userId)
          .where('is_active', '=', true)
          .executeTakeFirst();
  if (user === undefined) throw new Refusal('refused', 'There was an error signing you in to Labs.');
  return user;
}
