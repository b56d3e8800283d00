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

/**
 * User names are unique in the whole installation, which only the database can check: the index until
 * `npx muster spread` drops it; the directory, and one index per account, from then on.
 */
const nameKeys = ['users_name', 'users_name_in_account', 'taken_names_pkey'];

function isTakenUserName(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' && nameKeys.includes(constraint);
}

export function refusingTakenUserName(error: unknown): never {
  if (isTakenUserName(error)) throw refuseField('UserName', userNameTaken);
  throw error;
}

/** As many as may choose the same name in the same second. */
const mostTries = 20;

/**
 * Runs a transaction that chooses a free name again when somebody else took that name at the same moment. The next
 * try sees it.
 */
export async function againWhenNameTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTakenUserName(error) || tries === mostTries) throw error;
    }
  }
}
