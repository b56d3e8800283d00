import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { addAccountUser as definition, Member } from '../../../contract/account-users.ts';
import type { Input } from '../../../contract/call.ts';
import { refuseUnlessConfirmed } from '../../access/refuse-unless.ts';
import { refuseGuessablePassword } from '../../auth/refuse-guessable-password.ts';
import { hashPassword } from '../../auth/sign-in.ts';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { judgeSettings } from '../judge-settings.ts';
import { holdAccount } from './hold-account.ts';
import { keepTakenName } from './keep-taken-name.ts';
import { getMember } from './queries.ts';
import { refuseTakenEmail, refusingTakenUserName } from './refuse-taken.ts';
import { refuseUnlessMayMake, roleFrom } from './rules.ts';
import { sendInvitation } from './send-invitation.ts';
import { setTextNumbers } from './set-text-numbers.ts';

/** Adds a user with a PIN code, who can sign in at once, or one who gets a mail to choose it. */
export async function addUser(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
  config: Config,
): Promise<Member> {
  const account = await holdAccount(trx, actor.accountId);
  const { PinCode = '', Invite = false } = body;
  const columns = judgeSettings(
    { ...body, PinCode, Invite },
    { countryId: account.country_id, before: undefined, timeZone: account.time_zone },
  );
  const role = roleFrom(body, 'user');
  refuseUnlessMayMake(actor, role);
  if (role !== 'user') refuseUnlessConfirmed(actor);
  const { email = '', user_name = '', first_name = '', last_name = '' } = columns;
  await refuseTakenEmail(trx, actor.accountId, { email, knowsColleagues: true });
  if (!Invite) refuseGuessablePassword('PinCode', PinCode);
  // Nobody knows the password of invited users before they choose it.
  const password_hash = await hashPassword(Invite ? randomBytes(32).toString('base64url') : PinCode);
  const { user_id } = await trx
    .insertInto('users')
    .values({
      // New users get the language of the user who adds them.
      language_id: sql`(select language_id from users where account_id = ${actor.accountId} and user_id = ${actor.userId})`,
      ...columns,
      account_id: actor.accountId,
      user_name,
      first_name,
      last_name,
      email,
      password_hash,
      role,
      is_active: !Invite,
      can_create_broadcast: body.CanCreateBroadcast ?? true,
      can_see_all_broadcasts: body.Permissions?.CanSeeAllBroadcasts ?? false,
      can_see_all_roster: body.Permissions?.CanSeeAllRoster ?? false,
      can_see_group_audio: body.Permissions?.CanSeeGroupAudio ?? false,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow()
    .catch(refusingTakenUserName);
  await keepTakenName(trx, actor.accountId, user_id).catch(refusingTakenUserName);
  if (body.TextNumbers !== undefined) await setTextNumbers(trx, actor, user_id, body.TextNumbers);
  if (Invite) {
    const person = { userId: user_id, firstName: first_name, email, userName: user_name };
    await sendInvitation(trx, actor, person, { companyName: account.company_name, config });
  }
  await recordEvents(trx, actor, [
    { kind: 'user.created', id: user_id, changes: { Role: [null, role], UserName: [null, user_name] } },
  ]);
  await notify(trx, actor.accountId, [{ type: 'users.changed' }]);
  await notifySockets(trx, [{ accessChangedOf: actor.accountId }]);
  return getMember(trx, actor, user_id, config);
}
