import { listReachableOwners } from '../accounts/list-reachable-owners.ts';
import type { Trx } from '../db.ts';
import { composeMail, type MailParts } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { hasTollFreeNumber, listNumbersToRegister } from '../numbers/register-numbers.ts';
import type { RequestRow } from './queries.ts';

/** Mails the registry's result to the owners. */
export async function tellOwner(trx: Trx, row: RequestRow, publicUrl: string): Promise<void> {
  const hasNumber =
    row.status !== 'Complete' ||
    (await listNumbersToRegister(trx, {
      accountId: row.account_id,
      aggregatorId: row.aggregator_id,
      kind: row.kind,
    }).then((numbers) => numbers.length > 0));
  const isReachable = hasNumber || (isCanadian(row) && (await hasTollFreeNumber(trx, row.account_id)));
  const parts = mailOf(row, publicUrl, isReachable);
  if (parts === undefined) return;
  const owners = await listReachableOwners(trx, row.account_id);
  const mail = composeMail(parts);
  await queueMails(
    trx,
    owners.map(({ user_id, email }) => ({
      ...mail,
      accountId: row.account_id,
      userId: user_id,
      kind: 'registration',
      to: email,
    })),
  );
}

/** Texts to Canada come from a toll-free number (decision 0183). */
function isCanadian({ brand }: RequestRow): boolean {
  return brand.Country === 'Canada';
}

function completeParts(
  row: RequestRow,
  of: { what: string; at: string; publicUrl: string; hasNumber: boolean },
): Pick<MailParts, 'paragraphs' | 'action'> {
  if (of.hasNumber)
    return {
      paragraphs: [`The phone carriers have confirmed your ${of.what}. You can send texts now.`],
      action: { label: 'Send a text', url: `${of.publicUrl}/inbox` },
    };
  if (isCanadian(row))
    return {
      paragraphs: [
        'The phone carriers have confirmed your organization. To send texts, apply for a toll-free number: it reaches Canada and the US.',
      ],
      action: { label: 'Apply for a toll-free number', url: `${of.at}/landing` },
    };
  return {
    paragraphs: [
      'The phone carriers have confirmed your organization. To send texts, get a local number: it joins the registration by itself.',
    ],
    action: { label: 'Get a number', url: `${of.publicUrl}/get-registered-number` },
  };
}

function mailOf(row: RequestRow, publicUrl: string, hasNumber: boolean): MailParts | undefined {
  const name = row.brand.DisplayName;
  const what = row.kind === 'TollFree' ? 'toll-free number' : 'organization';
  const at = `${publicUrl}/local-number-registration`;
  const foot = 'You get this email because you own the Muster account.';
  switch (row.status) {
    case 'Complete':
      return {
        subject: `${name} is registered to text`,
        from: name,
        title: 'Text Registration Complete',
        ...completeParts(row, { what, at, publicUrl, hasNumber }),
        foot,
      };
    case 'Failed':
      return {
        subject: `Your text registration needs a correction`,
        from: name,
        title: 'Your registration was not accepted',
        paragraphs: [
          row.kind === 'TollFree'
            ? 'The registry didn’t accept your toll-free number. Everything you typed is still there: correct what is listed and submit it again.'
            : `The registry didn’t accept the registration of ${name}. Everything you typed is still there: correct what is listed and submit it again.`,
          ...row.reasons.map(({ message }) => message),
        ],
        action: {
          label: 'Correct it',
          url: row.kind === 'TollFree' ? `${at}/processing` : `${at}/returning-user/needs-review`,
        },
        foot,
      };
    case 'PendingContactAuthentication': {
      const isSole = row.brand.EntityType === 'SOLE_PROPRIETOR';
      return {
        subject: isSole ? 'Answer the text from the registry' : 'Open the email from the registry',
        from: name,
        title: isSole ? 'Phone Verification' : 'Email Verification',
        paragraphs: [
          isSole
            ? `The registry has texted ${row.brand.PhoneNumber}. Answer YES within 24 hours.`
            : `The registry has sent an email to ${row.brand.BusinessContactEmail}. Open the link in it. If you don’t see it, look in the spam folder.`,
        ],
        action: { label: 'See the status', url: `${at}/${isSole ? 'verify-phone' : 'verify-email'}` },
        foot,
      };
    }
    default:
      return undefined;
  }
}
