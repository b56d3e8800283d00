import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';

/** Sends the owner a mail with a link to the billing page. */
export async function mailOwner(
  trx: Trx,
  { accountId, publicUrl }: { accountId: number; publicUrl: string },
  { title, lines }: { title: string; lines: string[] },
): Promise<void> {
  const owner = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(['email', 'user_id', 'company_name'])
    .where('users.account_id', '=', accountId)
    .where('role', '=', 'owner')
    .executeTakeFirst();
  if (owner === undefined || owner.email === '') return;
  const mail = composeMail({
    subject: title,
    from: owner.company_name,
    title,
    paragraphs: lines,
    action: { label: 'Open billing', url: `${publicUrl}/settings/billing` },
  });
  await queueMails(trx, [{ ...mail, accountId, userId: owner.user_id, kind: 'billing', to: owner.email }]);
}
