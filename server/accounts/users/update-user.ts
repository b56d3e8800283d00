import { sql } from 'kysely';
import type { updateAccountUser as definition, Member } from '../../../contract/account-users.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { notKept } from '../../../contract/event-changes.ts';
import type { Role } from '../../../contract/permissions.ts';
import { refuseUnless, refuseUnlessConfirmed } from '../../access/refuse-unless.ts';
import { endSessions, endSessionsOfSwitchedOff } from '../../auth/end-sessions.ts';
import { refuseGuessablePassword } from '../../auth/refuse-guessable-password.ts';
import { hashPassword } from '../../auth/sign-in.ts';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { followNewEmail, isOtherEmail } from '../follow-email.ts';
import { judgeSettings } from '../judge-settings.ts';
import type { UserRow } from '../queries.ts';
import { changesOf } from '../rules.ts';
import { holdAccount } from './hold-account.ts';
import { keepTakenName } from './keep-taken-name.ts';
import { getMember, isInvited } from './queries.ts';
import { refuseTakenEmail, refusingTakenUserName } from './refuse-taken.ts';
import { lastOwner, refuseUnlessMayMake, roleFrom, whyNotSwitch } from './rules.ts';
import { sendInvitation } from './send-invitation.ts';
import { setTextNumbers } from './set-text-numbers.ts';

const changedMeanwhile = 'Somebody else changed this user in the meantime.';

/** Changes one user, for those who manage users. */
export async function updateAccountUser(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof definition>,
  config: Config,
): Promise<Member> {
  const account = await holdAccount(trx, actor.accountId);
  const before = await requireUser(trx, actor, params.UserID);
  const userId = before.user_id;
  if (body.Version !== undefined && body.Version !== before.version) {
    // The dialog shows what the other user saved, and keeps what was typed.
    const extendedData = await getMember(trx, actor, userId, config);
    throw new Refusal('conflict', changedMeanwhile, { extendedData });
  }
  if (before.role === 'owner') refuseUnless(actor, 'manageOwners');
  const role = roleFrom(body, before.role);
  if (role !== before.role) refuseUnlessMayMake(actor, role);
  const { IsActive = before.is_active } = body;
  if (IsActive !== before.is_active) {
    const problem = whyNotSwitch(
      actor,
      { userId, role: before.role, isInvited: before.is_invited },
      IsActive,
    );
    if (problem !== undefined) throw new Refusal('refused', problem);
  }
  const { country_id: countryId, time_zone: timeZone } = account;
  const columns = judgeSettings(body, { countryId, before, timeZone });
  const wasOwner = before.role === 'owner' && before.is_active;
  if (wasOwner && (role !== 'owner' || !IsActive)) await refuseWithoutOwner(trx, actor, [userId]);
  const { email } = columns;
  const isNewEmail = isOtherEmail(before.email, email);
  // Changes that let another person sign in as this user, or give the user more rights.
  if (role !== before.role || body.PinCode || (isNewEmail && !before.is_invited))
    refuseUnlessConfirmed(actor);
  if (isNewEmail) await refuseTakenEmail(trx, actor.accountId, { email, userId, knowsColleagues: true });
  const after = {
    ...columns,
    ...(isNewEmail &&
      !before.is_invited &&
      (await followNewEmail(trx, config, before, { email, isOwn: userId === actor.userId }))),
    ...permissionColumns(body),
    role,
    is_active: IsActive,
  };
  await trx
    .updateTable('users')
    .set({ ...after, ...(await passwordColumns(actor, userId, body.PinCode)), version: sql`version + 1` })
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .execute()
    .catch(refusingTakenUserName);
  if (columns.user_name !== undefined)
    await keepTakenName(trx, actor.accountId, userId).catch(refusingTakenUserName);
  const TextNumbers = body.TextNumbers && (await setTextNumbers(trx, actor, userId, body.TextNumbers));
  if (before.is_active && !IsActive) await endSessionsOfSwitchedOff(trx, actor.accountId, [userId]);
  else if (body.PinCode) await endSessions(trx, actor.accountId, [userId]);
  await notifySockets(trx, [{ accessChangedOf: actor.accountId }]);
  if (before.is_invited && columns.email !== undefined && columns.email !== before.email) {
    const person = {
      userId,
      firstName: columns.first_name ?? before.first_name,
      email: columns.email,
      userName: columns.user_name ?? before.user_name,
    };
    // The link in the mail to the old address must not work for its current owner.
    await sendInvitation(trx, actor, person, { companyName: account.company_name, config });
  }
  const changes = {
    ...changesOf(before, after),
    ...(TextNumbers && { TextNumbers }),
    ...(body.PinCode ? { PinCode: [notKept, notKept] } : {}),
  };
  await recordEvents(trx, actor, [{ kind: 'user.updated', id: userId, changes }]);
  await notify(trx, actor.accountId, [{ type: 'users.changed' }, { type: 'settings.changed' }]);
  return getMember(trx, actor, userId, config);
}

async function requireUser(
  trx: Trx,
  actor: Actor,
  userId: number,
): Promise<UserRow & { is_invited: boolean }> {
  const { rows } = await sql<UserRow & { is_invited: boolean }>`
    select u.*, ${isInvited} as is_invited from users u
    where u.account_id = ${actor.accountId} and u.user_id = ${userId}
    for no key update of u`.execute(trx);
  if (rows[0] === undefined) throw new Refusal('notFound');
  return rows[0];
}

/** Refuses if no active owner would be left. The account is locked, so nobody else does the same now. */
export async function refuseWithoutOwner(trx: Trx, actor: Actor, leaving: readonly number[]): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', actor.accountId)
    .where('role', '=', 'owner')
    .where('is_active', '=', true)
    .where('user_id', 'not in', [...leaving])
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw new Refusal('refused', lastOwner);
}

function permissionColumns(body: Input<typeof definition>['body']) {
  const { CanSeeAllBroadcasts, CanSeeAllRoster, CanSeeGroupAudio } = body.Permissions ?? {};
  return {
    ...(body.CanCreateBroadcast !== undefined && { can_create_broadcast: body.CanCreateBroadcast }),
    ...(CanSeeAllBroadcasts !== undefined && { can_see_all_broadcasts: CanSeeAllBroadcasts }),
    ...(CanSeeAllRoster !== undefined && { can_see_all_roster: CanSeeAllRoster }),
    ...(CanSeeGroupAudio !== undefined && { can_see_group_audio: CanSeeGroupAudio }),
  } satisfies Partial<UserRow> & { role?: Role };
}

async function passwordColumns(actor: Actor, userId: number, pinCode: string | undefined) {
  if (!pinCode) return {};
  if (userId === actor.userId) throw refuseField('PinCode', 'Change your own PIN code in your profile.');
  refuseGuessablePassword('PinCode', pinCode);
  return {
    password_hash: await hashPassword(pinCode),
    password_changed_at: sql<Date>`now()`,
    password_expires_at: null,
  };
}
