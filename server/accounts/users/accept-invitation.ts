import { sql } from 'kysely';
import type {
  acceptInvitation as acceptDefinition,
  getInvitation as getDefinition,
} from '../../../contract/account-users.ts';
import type { Input, Reply } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { requestedLanguageId } from '../../../contract/reference/languages.ts';
import { deviceName } from '../../../contract/text/device-name.ts';
import { isSsoOnly } from '../../auth/queries.ts';
import { refuseGuessablePassword, refuseOwnDetails } from '../../auth/refuse-guessable-password.ts';
import { tokenHash } from '../../auth/rules.ts';
import { hashPassword, onlySso, startSession } from '../../auth/sign-in.ts';
import type { Config } from '../../config.ts';
import type { Database, Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Visitor } from '../../serve.ts';

interface Found {
  accountId: number;
  userId: number;
  companyName: string;
  firstName: string;
  userName: string;
  email: string;
  phone: string;
  invitedBy: string;
  expiresAt: Date;
  isExpired: boolean;
  isAccepted: boolean;
}

/**
 * The user whom a link invites, or a refusal that says what to do. Unknown, withdrawn and replaced links get
 * the same refusal.
 */
async function requireInvitation(db: Trx | Database['system'], token: string): Promise<Found> {
  const { rows } = await sql<Found>`
    select i.account_id as "accountId", i.user_id as "userId", a.company_name as "companyName",
      u.first_name as "firstName", u.user_name as "userName", u.email, u.phone,
      coalesce((select b.first_name || ' ' || b.last_name from users b
        where b.account_id = i.account_id and b.user_id = i.invited_by_user_id), a.company_name) as "invitedBy",
      i.expires_at as "expiresAt", i.expires_at <= now() as "isExpired", i.accepted_at is not null as "isAccepted"
    from invitations i
    join accounts a on a.account_id = i.account_id
    join users u on u.account_id = i.account_id and u.user_id = i.user_id
    where i.token_hash = ${tokenHash(token)}
    for update of i`.execute(db);
  const [found] = rows;
  if (found === undefined) {
    throw new Refusal(
      'refused',
      'This invitation is no longer valid. Ask the person who invited you to send it again.',
    );
  }
  if (found.isAccepted) {
    throw new Refusal('refused', 'You have already accepted this invitation. Sign in with your password.');
  }
  if (found.isExpired) {
    throw new Refusal('refused', `This invitation has expired. Ask ${found.invitedBy} to send it again.`);
  }
  return found;
}

export async function getInvitation(
  { database }: Visitor,
  config: Config,
  { params }: Input<typeof getDefinition>,
): Promise<Reply<typeof getDefinition>> {
  const found = await requireInvitation(database.system, params.Token);
  return {
    CompanyName: found.companyName,
    FirstName: found.firstName,
    UserName: found.userName,
    Email: found.email,
    InvitedBy: found.invitedBy,
    ExpireTimestamp: found.expiresAt.toISOString(),
    IsSsoLoginOnly: await isSsoOnly(database.system, config, found.accountId),
  };
}

/** Sets the password, activates the user and signs in. The mail arrived, so the address is verified. */
export async function acceptInvitation(
  visitor: Visitor,
  config: Config,
  { params, body }: Input<typeof acceptDefinition>,
): Promise<Reply<typeof acceptDefinition>> {
  const { accountId, userName, email, phone } = await requireInvitation(
    visitor.database.system,
    params.Token,
  );
  // Before anything is saved: the password would let nobody in, and the link works once.
  if (await isSsoOnly(visitor.database.system, config, accountId)) throw new Refusal('refused', onlySso);
  refuseOwnDetails('Password', body.Password, { user_name: userName, email, phone });
  refuseGuessablePassword('Password', body.Password);
  // Before the row is locked: hashing takes a while.
  const passwordHash = await hashPassword(body.Password);
  const person = await visitor.database.system.transaction().execute(async (trx) => {
    const { userId } = await requireInvitation(trx, params.Token);
    await admitInvited(trx, visitor, { accountId, userId, passwordHash });
    return { account_id: accountId, user_id: userId };
  });
  const { MustSetUpSecondFactor } = await startSession(visitor, config, person, false);
  return { UserID: person.user_id, AccountID: person.account_id, MustSetUpSecondFactor };
}

/**
 * Activates a user with an open invitation: they followed its link, or their organization's directory proved who
 * they are. False without an open invitation. Its week limits the link; a directory may admit them later.
 */
export async function admitInvited(
  trx: Trx,
  visitor: Visitor,
  { accountId, userId, passwordHash }: { accountId: number; userId: number; passwordHash?: string },
): Promise<boolean> {
  const accepted = await trx
    .updateTable('invitations')
    .set({ accepted_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  if (accepted === undefined) return false;
  await trx
    .updateTable('users')
    .set({
      ...(passwordHash !== undefined && {
        password_hash: passwordHash,
        password_changed_at: sql<Date>`now()`,
      }),
      is_active: true,
      needs_email_verification: false,
      // The language of the page on which they accepted it.
      language_id: requestedLanguageId(visitor.request.headers),
      version: sql`version + 1`,
    })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  const by = { accountId, userId, address: visitor.address, agent: deviceName(visitor.device) };
  await recordEvents(trx, by, [{ kind: 'invitation.accepted', id: userId }]);
  await notify(trx, accountId, [{ type: 'users.changed' }]);
  await notifySockets(trx, [{ accessChangedOf: accountId }]);
  return true;
}
