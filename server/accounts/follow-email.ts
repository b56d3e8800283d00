import { mailVerification } from '../auth/mail-verification.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import type { UserRow } from './queries.ts';

/** True if it is a different address, not the same one in a different spelling. */
export function isOtherEmail(before: string, after: string | undefined): after is string {
  return after !== undefined && after.toLowerCase() !== before.toLowerCase();
}

type Settings = Pick<Config, 'PUBLIC_URL' | 'SMTP_URL'>;

/**
 * The consequences of a new email. The old address is notified, because an attacker who takes over a user
 * changes the email first. An address has to be verified if people enter it for themselves or if it replaces
 * an unverified one: single sign-on finds users by it. Returns the columns to save with it.
 */
export async function followNewEmail(
  trx: Trx,
  { PUBLIC_URL, SMTP_URL }: Settings,
  before: UserRow,
  { email, isOwn }: { email: string; isOwn: boolean },
): Promise<{ needs_email_verification?: true }> {
  const { account_id: accountId, user_id: userId, first_name: firstName } = before;
  await tellOldAddress(trx, before, email);
  // Without a mail server nobody could receive the link.
  if (SMTP_URL === undefined || !(isOwn || before.needs_email_verification)) return {};
  await mailVerification(trx, { accountId, userId, firstName }, email, PUBLIC_URL);
  return { needs_email_verification: true };
}

async function tellOldAddress(trx: Trx, before: UserRow, email: string): Promise<void> {
  const { account_id: accountId, user_id: userId } = before;
  if (before.email === '') return;
  const mail = composeMail({
    subject: 'Your email in Muster was changed',
    title: 'Your email was changed',
    paragraphs: [
      `The email of the Muster user ${before.user_name} is now ${email}. Muster no longer writes to this address.`,
      'Was it you, or somebody who manages your organization’s users? Then there is nothing to do. If not, ask your account owner at once.',
    ],
    foot: 'You get this email because this was the address of your Muster user.',
  });
  await queueMails(trx, [{ ...mail, accountId, userId, kind: 'email-changed', to: before.email }]);
}
