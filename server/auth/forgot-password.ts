import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type { forgotPassword as definition } from '../../contract/passwords.ts';
import type { Config } from '../config.ts';
import { asSystem } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { refuseOver } from './limit-attempts.ts';
import { networkOf } from './rules.ts';
import { createToken } from './user-tokens.ts';

/** One address may belong to users of several organizations; more than this is unrealistic. */
const mostUsers = 5;

/**
 * Mails a link to everybody who has this username or email. The reply doesn't reveal whether anybody does: a
 * mail is a row and a job, and takes no measurable time.
 */
export async function forgotPassword(
  visitor: Visitor,
  config: Config,
  { body }: Input<typeof definition>,
): Promise<Record<string, never>> {
  const { database, address } = visitor;
  const name = body.UserName.toLowerCase();
  await refuseOver(database, 'forgot network', networkOf(address), { most: 60, hours: 1 });
  await refuseOver(database, 'forgot name', name, { most: 5, hours: 1 });
  await asSystem(database, async (trx) => {
    const users = await trx
      .selectFrom('users')
      .select(['account_id', 'user_id', 'user_name', 'first_name', 'email'])
      .where('is_active', '=', true)
      .where('email', '<>', '')
      .where((where) =>
        where.or([
          where(sql<string>`lower(user_name)`, '=', name),
          where(sql<string>`lower(email)`, '=', name),
        ]),
      )
      .orderBy('user_id')
      .limit(mostUsers)
      .execute();
    for (const user of users) {
      const { account_id: accountId, user_id: userId, email } = user;
      const token = await createToken(trx, { accountId, userId, kind: 'reset_password', email });
      const mail = composeMail({
        subject: 'Choose a new password',
        title: 'Choose a new password',
        paragraphs: [
          `Hello ${user.first_name}, somebody asked for a new password for your username ${user.user_name}.`,
          'The link works once and for one hour. Signing in with your old password still works until you choose a new one.',
        ],
        action: { label: 'Choose a new password', url: `${config.PUBLIC_URL}/reset-password?token=${token}` },
        foot: 'If it wasn’t you, ignore this email: nobody can change your password without this link.',
      });
      await queueMails(trx, [{ ...mail, accountId, userId, kind: 'reset-password', to: email }]);
      await recordEvents(trx, { accountId, userId, address }, [{ kind: 'password.resetAsked', id: userId }]);
    }
  });
  return {};
}
