import { sql } from 'kysely';
import type { updateAccountUsers as definition } from '../../../contract/account-users.ts';
import type { Input, Reply } from '../../../contract/call.ts';
import type { Role } from '../../../contract/permissions.ts';
import { endSessionsOfSwitchedOff } from '../../auth/end-sessions.ts';
import type { Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import { selectedRows } from '../../selection.ts';
import type { Actor } from '../../serve.ts';
import { holdAccount } from './hold-account.ts';
import { isInvited, shownUsers } from './queries.ts';
import { whyNotSwitch } from './rules.ts';
import { refuseWithoutOwner } from './update-user.ts';

/**
 * Activates or deactivates many users. Users who can't be changed are skipped and named; the actor is always
 * skipped.
 */
export async function switchUsers(
  trx: Trx,
  actor: Actor,
  { query, body }: Input<typeof definition>,
): Promise<Reply<typeof definition>> {
  await holdAccount(trx, actor.accountId);
  const { IsActive } = body.Update;
  const selected = selectedRows(sql`u.user_id`, body.Selection, shownUsers(actor, query, true));
  const { rows } = await sql<{ userId: number; name: string; role: Role; isInvited: boolean }>`
    select u.user_id as "userId", u.first_name || ' ' || u.last_name as name, u.role, ${isInvited} as "isInvited"
    from users u where ${selected} and u.is_active <> ${IsActive}
    order by u.user_id for no key update of u`.execute(trx);
  const judged = rows.map((user) => ({ ...user, Message: whyNotSwitch(actor, user, IsActive) }));
  const going = judged.filter(({ Message }) => Message === undefined);
  const ids = going.map(({ userId }) => userId);
  if (!IsActive && going.some(({ role }) => role === 'owner')) await refuseWithoutOwner(trx, actor, ids);
  if (ids.length > 0) {
    await trx
      .updateTable('users')
      .set({ is_active: IsActive, version: sql`version + 1` })
      .where('account_id', '=', actor.accountId)
      .where('user_id', 'in', ids)
      .execute();
    if (!IsActive) await endSessionsOfSwitchedOff(trx, actor.accountId, ids);
    await notifySockets(trx, [{ accessChangedOf: actor.accountId }]);
    await recordEvents(trx, actor, [
      { kind: 'users.changed', ids, changes: { IsActive: [!IsActive, IsActive] } },
    ]);
    await notify(trx, actor.accountId, [{ type: 'users.changed' }]);
  }
  return {
    Size: ids.length,
    LeftOut: judged.flatMap(({ userId, name, Message }) =>
      Message === undefined ? [] : [{ UserID: userId, Name: name, Message }],
    ),
  };
}
