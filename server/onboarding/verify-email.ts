import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { emailForm } from '../../contract/forms/sign-up.ts';
import type {
  resendVerification as resendDefinition,
  verifyEmail as verifyDefinition,
} from '../../contract/onboarding.ts';
import { fillInUser } from '../accounts/fill-in.ts';
import { refuseOver } from '../auth/limit-attempts.ts';
import { networkOf } from '../auth/rules.ts';
import { createToken, useToken, voidTokens } from '../auth/user-tokens.ts';
import { asAccount, asSystem } from '../db.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App, Visitor } from '../serve.ts';
import { verificationMail } from './compose-mails.ts';

const sentences = {
  used: 'This link was used already. Your email is verified: sign in.',
  expired: 'This link has expired. Sign in, and we’ll send you a new one.',
};

/** The address that the link went to is proved, if the user still has it. */
export async function verifyEmail(visitor: Visitor, { body }: Input<typeof verifyDefinition>) {
  const { database, address } = visitor;
  await refuseOver(database, 'verify network', networkOf(address), { most: 120, hours: 1 });
  return asSystem(database, async (trx) => {
    const { accountId, userId, email } = await useToken(trx, 'verify_email', body.Token, sentences);
    const user = await trx
      .selectFrom('users')
      .select(['email', 'is_active'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!user?.is_active || user.email !== email) throw new Refusal('refused', sentences.expired);
    await fillInUser(trx, { accountId, userId }, { isEmailVerified: true });
    await recordEvents(trx, { accountId, userId, address }, [{ kind: 'email.verified', id: userId }]);
    // The onboarding page that waits for it goes on by itself.
    await notify(trx, accountId, [{ type: 'settings.changed' }]);
    return { Email: email };
  });
}

/** The mail again; for an address that was mistyped, to the right one. */
export async function resendVerification(app: App, actor: Actor, { body }: Input<typeof resendDefinition>) {
  const { database, config } = app;
  const { accountId, userId } = actor;
  const { Email } = body.Email === undefined ? {} : fieldErrors(emailForm, body);
  if (Email !== undefined)
    throw new Refusal('invalid', Email, { fields: [{ Field: 'Email', Message: Email }] });
  await refuseOver(database, 'verification mail', String(userId), { most: 5, hours: 1 });
  return asAccount(database, accountId, async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['email', 'first_name', 'user_name', 'needs_email_verification'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (!user.needs_email_verification) throw new Refusal('refused', 'Your email is verified already.');
    const email = body.Email ?? user.email;
    if (email !== user.email) await fillInUser(trx, actor, { email });
    await voidTokens(trx, actor, ['verify_email']);
    const token = await createToken(trx, { accountId, userId, kind: 'verify_email', email });
    const mail = verificationMail(
      { firstName: user.first_name, userName: user.user_name },
      `${config.PUBLIC_URL}/verify-email?token=${token}`,
    );
    await queueMails(trx, [{ ...mail, accountId, userId, kind: 'verify-email', to: email }]);
    await recordEvents(trx, actor, [{ kind: 'email.verificationSent', id: userId }]);
    return { Email: email };
  });
}
