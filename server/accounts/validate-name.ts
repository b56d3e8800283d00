import { sql } from 'kysely';
import type {
  validateEmail as emailCall,
  validateUserName as userNameCall,
} from '../../contract/accounts.ts';
import type { Input } from '../../contract/call.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import { emailRules, ownUserNameRules, userNameTaken } from '../../contract/forms/user-dialog.ts';
import { may } from '../access/refuse-unless.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import type { Actor, App } from '../serve.ts';
import { findSsoWarning } from './users/find-sso-warning.ts';
import { findEmailProblem } from './users/refuse-taken.ts';

function outcome(problem: string | undefined) {
  return { Success: problem === undefined, ErrorMessage: problem ?? '' };
}

/** User names are unique in the whole installation, so the search runs across accounts. */
export async function validateUserName(app: App, actor: Actor, { body }: Input<typeof userNameCall>) {
  const problem = firstFailure(body.Source, ownUserNameRules({}));
  if (problem !== undefined) return outcome(problem);
  const holder = await app.database.system
    .selectFrom('users')
    .select(['account_id', 'user_id'])
    .where(sql`lower(user_name)`, '=', body.Source.toLowerCase())
    .executeTakeFirst();
  const isOwn = holder?.account_id === actor.accountId && holder.user_id === body.UserID;
  return outcome(holder === undefined || isOwn ? undefined : userNameTaken);
}

export async function validateEmail(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof emailCall>,
  config: Pick<Config, 'SSO_ONLY_GROUP_CODES'>,
) {
  const email = body.Source.trim();
  const problem =
    firstFailure(email, emailRules({})) ??
    (await findEmailProblem(trx, actor.accountId, {
      email,
      userId: body.UserID,
      knowsColleagues: may(actor, 'manageUsers'),
    }));
  if (problem !== undefined || !may(actor, 'manageUsers')) return outcome(problem);
  const Warning = await findSsoWarning(trx, config, actor.accountId, email);
  return { ...outcome(undefined), ...(Warning === undefined ? {} : { Warning }) };
}
