import { sql } from 'kysely';
import { refuseField } from '../../../contract/errors.ts';
import { emailTaken, userNameTaken } from '../../../contract/forms/user-dialog.ts';
import type { Trx } from '../../db.ts';
import { isInvited } from './queries.ts';

interface Holder {
  name: string;
  isActive: boolean;
  isInvited: boolean;
}

/** The message for an address that another user of the organization already has: what to do instead. */
function emailMessage({ name, isActive, isInvited: isWaiting }: Holder): string {
  if (isWaiting) return `${emailTaken} ${name} has been invited already: send that invitation again.`;
  return isActive ? emailTaken : `${emailTaken} ${name} is deactivated: activate that user instead.`;
}

/**
 * The message about another user of the organization with this address. Users of other organizations don't
 * count: one person may work for two of them. Without `knowsColleagues` the message doesn't say whose address
 * it is.
 */
export async function findEmailProblem(
  trx: Trx,
  accountId: number,
  of: { email: string; userId?: number | undefined; knowsColleagues: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<Holder>`
    select u.first_name || ' ' || u.last_name as name, u.is_active as "isActive", ${isInvited} as "isInvited"
    from users u
    where u.account_id = ${accountId} and lower(u.email) = lower(${of.email}) and u.user_id <> ${of.userId ?? 0}
    order by u.is_active desc limit 1`.execute(trx);
  const [holder] = rows;
  if (holder === undefined) return undefined;
  return of.knowsColleagues ? emailMessage(holder) : emailTaken;
}

export async function refuseTakenEmail(
  trx: Trx,
  accountId: number,
  of: { email: string; userId?: number | undefined; knowsColleagues: boolean },
): Promise<void> {
  const problem = await findEmailProblem(trx, accountId, of);
  if (problem !== undefined) throw refuseField('Email', problem);
}

/** User names are unique in the whole installation, which only the index can check. */
export function refusingTakenUserName(error: unknown): never {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (code === '23505' && constraint === 'users_name') throw refuseField('UserName', userNameTaken);
  throw error;
}
