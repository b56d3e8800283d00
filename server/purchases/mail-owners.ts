import { listReachableOwners } from '../accounts/list-reachable-owners.ts';
import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';

/** Sends every owner a mail with a link to the billing page. */
export async function mailOwners(
  trx: Trx,
  { accountId, publicUrl }: { accountId: number; publicUrl: string },
  { title, lines }: { title: string; lines: string[] },
): Promise<void> {
  const { company_name } = await trx
    .selectFrom('accounts')
    .select('company_name')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const mail = composeMail({
    subject: title,
    from: company_name,
    title,
    paragraphs: lines,
    action: { label: 'Open billing', url: `${publicUrl}/settings/billing` },
  });
  const owners = await listReachableOwners(trx, accountId);
  await queueMails(
    trx,
    owners.map(({ user_id, email }) => ({ ...mail, accountId, userId: user_id, kind: 'billing', to: email })),
  );
}
