import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { passwordChangeForm, wrongExistingPinCode } from '../../contract/forms/profile.ts';
import type { changePassword as definition } from '../../contract/passwords.ts';
import { asAccount } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { refuseOver } from './limit-attempts.ts';
import { refuseGuessablePassword } from './refuse-guessable-password.ts';
import { setPassword } from './set-password.ts';
import { hashPassword, matchesHash } from './sign-in.ts';
import { createToken } from './user-tokens.ts';

/**
 * The user's own new password. Other sessions end with it, so that nobody who knew the old one stays signed in; this
 * browser changes its session for a new one with the AuthToken. Hashing is done with no transaction open.
 */
export async function changePassword(app: App, actor: Actor, { body }: Input<typeof definition>) {
  const { database } = app;
  const { accountId, userId } = actor;
  if (body.UserID !== undefined && body.UserID !== userId)
    throw new Refusal('refused', 'You can change your own password only.');
  const user = await asAccount(database, accountId, (trx) =>
    trx
      .selectFrom('users')
      .select(['password_hash', 'email', 'phone', 'user_name'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(),
  );
  const form = passwordChangeForm(
    { Email: user.email, Phone: user.phone, UserName: user.user_name },
    'Password',
  );
  const errors = Object.entries(fieldErrors(form, body));
  const [first] = errors;
  if (first !== undefined)
    throw new Refusal('invalid', first[1], {
      fields: errors.map(([Field, Message]) => ({ Field, Message })),
    });
  refuseGuessablePassword('PinCode', body.PinCode);
  // A session that was left open must not be a way to guess passwords.
  await refuseOver(database, 'password change', String(userId), { most: 20, hours: 1 });
  if (!(await matchesHash(user.password_hash, body.ExistingPinCode)))
    throw refuseField('ExistingPinCode', wrongExistingPinCode('Password'));
  const passwordHash = await hashPassword(body.PinCode);
  return asAccount(database, accountId, async (trx) => {
    await setPassword(trx, actor, passwordHash, actor.sessionId);
    await recordEvents(trx, actor, [{ kind: 'password.changed', id: userId }]);
    return { AuthToken: await createToken(trx, { accountId, userId, kind: 'reset_session' }) };
  });
}
