import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { createToken, voidTokens } from './user-tokens.ts';

interface Person {
  accountId: number;
  userId: number;
  firstName: string;
}

/** Mails the link that proves an address. Links in earlier mails stop working. */
export async function mailVerification(
  trx: Trx,
  { accountId, userId, firstName }: Person,
  email: string,
  publicUrl: string,
): Promise<void> {
  await voidTokens(trx, { accountId, userId }, ['verify_email']);
  const token = await createToken(trx, { accountId, userId, kind: 'verify_email', email });
  const mail = composeMail({
    subject: 'Verify your email',
    title: 'Verify your email',
    paragraphs: [`Hello ${firstName}, open the link to verify your email. It works once, for a week.`],
    action: { label: 'Verify your email', url: `${publicUrl}/verify-email?token=${token}` },
    foot: 'If you didn’t ask for it, ignore this email.',
  });
  await queueMails(trx, [{ ...mail, accountId, userId, kind: 'verify-email', to: email }]);
}
