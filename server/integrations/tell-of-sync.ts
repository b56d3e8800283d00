import type { Trx } from '../db.ts';
import { composeMail, type MailParts } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { findEntry } from './rules.ts';

interface Told {
  accountId: number;
  integrationId: number;
}

/** Syncs run at night: owners and admins get a mail about those that need a person. */
async function mailManagers(
  trx: Trx,
  publicUrl: string,
  { accountId, integrationId }: Told,
  parts: Pick<MailParts, 'subject' | 'title' | 'paragraphs'> & { label: string },
): Promise<void> {
  const managers = await trx
    .selectFrom('users')
    .select(['user_id', 'email'])
    .where('account_id', '=', accountId)
    .where('role', 'in', ['owner', 'admin'])
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .execute();
  const { label, ...words } = parts;
  const mail = composeMail({
    ...words,
    action: { label, url: `${publicUrl}/automation/${integrationId}` },
    foot: 'You get this email because you manage a Muster account.',
  });
  await queueMails(
    trx,
    managers.map(({ user_id: userId, email }) => {
      return { ...mail, accountId, userId, kind: 'integration', to: email };
    }),
  );
}

/** So many people would be removed that a user has to confirm it. */
export async function tellOfHeldSync(
  trx: Trx,
  publicUrl: string,
  held: Told & { leaving: number; people: number; groups: string[] },
): Promise<void> {
  const name = findEntry(held.integrationId)?.name ?? '';
  const [leaving, people] = [held.leaving, held.people].map((many) => many.toLocaleString('en-US'));
  const groups = held.groups.join(', ');
  await mailManagers(trx, publicUrl, held, {
    subject: `A sync with ${name} is waiting for your answer`,
    title:
      groups === ''
        ? `${leaving} of ${people} people would leave`
        : `${leaving} of ${people} people would leave ${groups}`,
    paragraphs: [
      groups === ''
        ? `${name} no longer has ${leaving} of the ${people} people whom Muster keeps in step with it. Nothing has changed in your contacts yet.`
        : `${name} no longer has ${leaving} of the ${people} people in ${groups}. Nothing has changed in your contacts yet.`,
      'Say whether that is right. Until then, nothing is synced.',
    ],
    label: 'Look at the sync',
  });
}

/** Sent once: until a user connects it again, each sync fails for the same reason. */
export async function tellOfLockout(trx: Trx, publicUrl: string, of: Told): Promise<void> {
  const name = findEntry(of.integrationId)?.name ?? '';
  await mailManagers(trx, publicUrl, of, {
    subject: `${name} no longer lets Muster in`,
    title: `Connect ${name} again`,
    paragraphs: [
      `${name} refused the last sync: its password or permission is no longer good. Your contacts are as they were, and are no longer kept in step.`,
    ],
    label: 'Connect it again',
  });
}
