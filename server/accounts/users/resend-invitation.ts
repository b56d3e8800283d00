import { sql } from 'kysely';
import type {
  Member,
  resendInvitation as resendDefinition,
  withdrawInvitation as withdrawDefinition,
} from '../../../contract/account-users.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { holdAccount } from './hold-account.ts';
import { keepTakenName } from './keep-taken-name.ts';
import { getMember } from './queries.ts';
import { sendInvitation } from './send-invitation.ts';

/** A user with an open invitation; a user who accepts it at the same moment waits. */
async function requireInvited(trx: Trx, actor: Actor, userId: number) {
  const found = await trx
    .selectFrom('invitations')
    .innerJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'invitations.account_id')
        .onRef('users.user_id', '=', 'invitations.user_id'),
    )
    .select([
      'users.user_id as userId',
      'users.first_name as firstName',
      'users.email as email',
      'users.user_name as userName',
      'users.role as role',
    ])
    .where('invitations.account_id', '=', actor.accountId)
    .where('invitations.user_id', '=', userId)
    .where('invitations.accepted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('notFound', 'This invitation has been accepted or withdrawn.');
  if (found.role === 'owner') refuseUnless(actor, 'manageOwners');
  return found;
}

/** Sends a new link in a new mail; the earlier one stops working. */
export async function resendInvitation(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof resendDefinition>,
  config: Config,
): Promise<Member> {
  const { company_name: companyName } = await holdAccount(trx, actor.accountId);
  const person = await requireInvited(trx, actor, params.UserID);
  await sendInvitation(trx, actor, person, { companyName, config });
  await notify(trx, actor.accountId, [{ type: 'users.changed' }]);
  return getMember(trx, actor, params.UserID, config);
}

/** The user never joined, so nothing of theirs is left: name and address are free again. */
export async function withdrawInvitation(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof withdrawDefinition>,
) {
  await holdAccount(trx, actor.accountId);
  const { userId } = await requireInvited(trx, actor, params.UserID);
  await sql`delete from users where account_id = ${actor.accountId} and user_id = ${userId}`.execute(trx);
  await keepTakenName(trx, actor.accountId, userId);
  await notify(trx, actor.accountId, [{ type: 'users.changed' }]);
  await notifySockets(trx, [{ accessChangedOf: actor.accountId }]);
  return {};
}
