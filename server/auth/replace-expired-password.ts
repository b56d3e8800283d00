import type { replaceExpiredPassword as definition } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { isEqualToValue } from '../../contract/fields/basic-rules.ts';
import type { Config } from '../config.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { refuseGuessablePassword, refuseOwnDetails } from './refuse-guessable-password.ts';
import { setPassword } from './set-password.ts';
import { hashPassword, requirePerson, startSession } from './sign-in.ts';

/** Changes a password that has expired, ends every session that the old one opened, and signs in. */
export async function replaceExpiredPassword(
  visitor: Visitor,
  config: Config,
  { body }: Input<typeof definition>,
) {
  const person = await requirePerson(visitor, body.UserName, body.Password);
  if (!person.is_expired) throw new Refusal('conflict', 'Your password has not expired. Sign in with it.');
  const problem = isEqualToValue(body.Password)(body.NewPassword);
  if (problem !== undefined) throw refuseField('NewPassword', problem);
  refuseGuessablePassword('NewPassword', body.NewPassword);
  refuseOwnDetails('NewPassword', body.NewPassword, person);
  const password = await hashPassword(body.NewPassword);
  await visitor.database.system.transaction().execute(async (trx) => {
    await setPassword(trx, { accountId: person.account_id, userId: person.user_id }, password);
    const by = { accountId: person.account_id, userId: person.user_id, address: visitor.address };
    await recordEvents(trx, by, [{ kind: 'password.changed', id: person.user_id }]);
  });
  await startSession(visitor, config, person, false);
  return { UserID: person.user_id, AccountID: person.account_id };
}
