import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { hashPassword } from '../../auth/sign-in.ts';
import type { Trx } from '../../db.ts';
import { notify, notifySockets } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import { holdAccount } from './hold-account.ts';
import { keepTakenName } from './keep-taken-name.ts';

export interface Admitted {
  accountId: number;
  email: string;
  firstName: string;
  lastName: string;
  role: 'admin' | 'user';
  address: string;
  agent: string;
}

/**
 * Creates a user whom their organization's directory has signed in for the first time. Nobody knows a
 * password for them.
 */
export async function admitUser(trx: Trx, admitted: Admitted): Promise<number> {
  const { accountId, email, role } = admitted;
  const account = await holdAccount(trx, accountId);
  const userName = await findFreeName(trx, email);
  const { user_id } = await trx
    .insertInto('users')
    .values({
      account_id: accountId,
      user_name: userName,
      password_hash: await hashPassword(randomBytes(32).toString('base64url')),
      first_name: admitted.firstName,
      last_name: admitted.lastName,
      email,
      role,
      time_zone: account.time_zone,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow();
  await keepTakenName(trx, accountId, user_id);
  const by = { accountId, userId: user_id, address: admitted.address, agent: admitted.agent };
  await recordEvents(trx, by, [
    { kind: 'user.created', id: user_id, changes: { Role: [null, role], UserName: [null, userName] } },
  ]);
  await notify(trx, accountId, [{ type: 'users.changed' }]);
  await notifySockets(trx, [{ accessChangedOf: accountId }]);
  return user_id;
}

/** The role given by the directory's groups. It never makes anybody an owner, and owners stay owners. */
export async function setRoleByDirectory(
  trx: Trx,
  by: { accountId: number; userId: number; address: string; agent: string },
  role: 'admin' | 'user',
): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    update users set role = ${role}
    where account_id = ${by.accountId} and user_id = ${by.userId} and role in ('admin', 'user') and role <> ${role}
    returning old.role as before`.execute(trx);
  const [changed] = rows;
  if (changed === undefined) return;
  await recordEvents(trx, by, [
    { kind: 'user.updated', id: by.userId, changes: { Role: [changed.before, role] } },
  ]);
  await notify(trx, by.accountId, [{ type: 'users.changed' }]);
  await notifySockets(trx, [{ accessChangedOf: by.accountId }]);
}

/** The part before the @, followed by a number if another user has that name. */
async function findFreeName(trx: Trx, email: string): Promise<string> {
  const base = (email.split('@')[0] ?? '')
    .replace(/[^\w.-]/g, '')
    .slice(0, 40)
    .padEnd(4, '0');
  const { rows } = await sql<{ name: string }>`
    select name from (
      select 0 as place, ${base}::text as name
      union all select n, ${base} || n from generate_series(2, 1000) n
    ) wanted
    where not exists (select from users where lower(user_name) = lower(wanted.name))
      and not exists (select from taken_names t where t.name = lower(wanted.name))
    order by place limit 1`.execute(trx);
  return rows[0]?.name ?? `${base}-${randomBytes(4).toString('hex')}`;
}
