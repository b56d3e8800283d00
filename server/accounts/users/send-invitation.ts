import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isSsoOnly } from '../../auth/queries.ts';
import { tokenHash } from '../../auth/rules.ts';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db.ts';
import { composeMail } from '../../mails/compose-mail.ts';
import { queueMails } from '../../mails/queue-mails.ts';
import type { Actor } from '../../serve.ts';

/** Our choice: long enough for a week off, short enough that a forgotten mail is no risk. */
const invitationDays = 7;

export interface Invited {
  userId: number;
  firstName: string;
  email: string;
  userName: string;
}

/**
 * Writes the invitation and its mail, which is sent when this commits. An earlier link of the same user stops
 * working.
 */
export async function sendInvitation(
  trx: Trx,
  actor: Actor,
  person: Invited,
  at: { companyName: string; config: Pick<Config, 'PUBLIC_URL' | 'SSO_ONLY_GROUP_CODES'> },
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await sql`
    insert into invitations (account_id, user_id, token_hash, invited_by_user_id, expires_at)
    values (${actor.accountId}, ${person.userId}, ${tokenHash(token)}, ${actor.userId},
      now() + ${invitationDays} * interval '1 day')
    on conflict (account_id, user_id) do update
    set token_hash = excluded.token_hash, invited_by_user_id = excluded.invited_by_user_id, sent_at = now(),
      expires_at = excluded.expires_at`.execute(trx);
  const isSso = await isSsoOnly(trx, at.config, actor.accountId);
  const mail = composeMail({
    subject: `${actor.name} invited you to ${at.companyName} on Muster`,
    from: at.companyName,
    title: `Join ${at.companyName} on Muster`,
    paragraphs: [
      `Hello ${person.firstName},`,
      isSso
        ? `${actor.name} invited you to ${at.companyName}, which uses Muster to text and call people. Sign in with single sign-on, as you do for the other programs of your organization.`
        : `${actor.name} invited you to ${at.companyName}, which uses Muster to text and call people. Your username is ${person.userName}. Choose a password to sign in.`,
    ],
    action: { label: 'Accept the invitation', url: `${at.config.PUBLIC_URL}/invitation/${token}` },
    foot: `The link works once, for ${invitationDays} days. If you didn’t expect this email, you can ignore it.`,
  });
  await queueMails(trx, [
    { ...mail, accountId: actor.accountId, userId: person.userId, kind: 'invitation', to: person.email },
  ]);
}
