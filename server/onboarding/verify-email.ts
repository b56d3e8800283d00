import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { changesBetween } from '../../contract/event-changes.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { emailForm } from '../../contract/forms/sign-up.ts';
import type {
  resendVerification as resendDefinition,
  verifyEmail as verifyDefinition,
} from '../../contract/onboarding.ts';
import { may, refuseUnlessConfirmed } from '../access/refuse-unless.ts';
import { fillInUser } from '../accounts/fill-in.ts';
import { isOtherEmail } from '../accounts/follow-email.ts';
import { holdAccount } from '../accounts/users/hold-account.ts';
import { refuseTakenEmail } from '../accounts/users/refuse-taken.ts';
import { refuseOver } from '../auth/limit-attempts.ts';
import { mailVerification } from '../auth/mail-verification.ts';
import { networkOf } from '../auth/rules.ts';
import { useToken } from '../auth/user-tokens.ts';
import { asAccount, asSystem } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App, Visitor } from '../serve.ts';

const sentences = {
  used: 'This link was used already. Your email is verified: sign in.',
  expired: 'This link has expired. Sign in, and we’ll send you a new one.',
};

/** Marks the address that the link went to as verified, if the user still has it. */
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
    // The onboarding page that waits for it continues automatically.
    await notify(trx, accountId, [{ type: 'settings.changed' }]);
    return { Email: email };
  });
}

/** Sends the mail again; for a mistyped address, to the right one. */
export async function resendVerification(app: App, actor: Actor, { body }: Input<typeof resendDefinition>) {
  const { database, config } = app;
  const { accountId, userId } = actor;
  const { Email } = body.Email === undefined ? {} : fieldErrors(emailForm, body);
  if (Email !== undefined)
    throw new Refusal('invalid', Email, { fields: [{ Field: 'Email', Message: Email }] });
  await refuseOver(database, 'verification mail', String(userId), { most: 5, hours: 1 });
  return asAccount(database, accountId, async (trx) => {
    // Two who take the same address at once: the second waits here, and is refused.
    if (body.Email !== undefined) await holdAccount(trx, accountId);
    const user = await trx
      .selectFrom('users')
      .select(['email', 'first_name', 'onboarding', 'needs_email_verification'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (!user.needs_email_verification) throw new Refusal('refused', 'Your email is verified already.');
    const email = body.Email ?? user.email;
    if (isOtherEmail(user.email, email)) {
      // A user who is joining has entered nothing yet that a stranger could take over.
      if (user.onboarding !== 'open') refuseUnlessConfirmed(actor);
      const knowsColleagues = may(actor, 'manageUsers');
      await refuseTakenEmail(trx, accountId, { email, userId, knowsColleagues });
    }
    if (email !== user.email) await fillInUser(trx, actor, { email });
    await mailVerification(trx, { accountId, userId, firstName: user.first_name }, email, config.PUBLIC_URL);
    const changes = changesBetween({ Email: user.email }, { Email: email });
    await recordEvents(trx, actor, [{ kind: 'email.verificationSent', id: userId, changes }]);
    return { Email: email };
  });
}
