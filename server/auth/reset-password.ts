import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { resetPassword as definition } from '../../contract/passwords.ts';
import { asSystem } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { refuseOver } from './limit-attempts.ts';
import { refuseGuessablePassword, refuseOwnDetails } from './refuse-guessable-password.ts';
import { networkOf } from './rules.ts';
import { setPassword } from './set-password.ts';
import { hashPassword } from './sign-in.ts';
import { useToken } from './user-tokens.ts';

const sentences = {
  used: 'This link was used already. If you need another one, ask for a new password again.',
  expired: 'This link has expired. Ask for a new password again, and we’ll send you another one.',
};

/**
 * Sets a new password for the user of the link. It doesn't sign in: every other requirement of signing in
 * still applies. The link came by mail, so it also verifies the address.
 */
export async function resetPassword(visitor: Visitor, { body }: Input<typeof definition>) {
  const { database, address } = visitor;
  await refuseOver(database, 'reset network', networkOf(address), { most: 60, hours: 1 });
  refuseGuessablePassword('NewPassword', body.NewPassword);
  const passwordHash = await hashPassword(body.NewPassword);
  return asSystem(database, async (trx) => {
    const { accountId, userId, email } = await useToken(trx, 'reset_password', body.Token, sentences);
    const user = await trx
      .selectFrom('users')
      .select(['user_name', 'email', 'phone', 'is_active'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!user?.is_active) throw new Refusal('refused', sentences.expired);
    // The link stays valid: the refusal rolls all of this back.
    refuseOwnDetails('NewPassword', body.NewPassword, user);
    await setPassword(trx, { accountId, userId }, passwordHash);
    if (user.email === email) {
      await trx
        .updateTable('users')
        .set({ needs_email_verification: false })
        .where('account_id', '=', accountId)
        .where('user_id', '=', userId)
        .execute();
    }
    await recordEvents(trx, { accountId, userId, address }, [{ kind: 'password.changed', id: userId }]);
    return { UserName: user.user_name };
  });
}
