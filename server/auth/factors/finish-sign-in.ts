import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { finishSignIn as definition } from '../../../contract/second-factors.ts';
import type { Config } from '../../config.ts';
import type { Visitor } from '../../serve.ts';
import { findToken, takeToken } from '../create-token.ts';
import { openSession } from '../open-session.ts';
import { countedCheck, takePasskey, takeRecoveryCode, takeTotpCode } from './check-factor.ts';
import { countRecoveryCodes, findPasskeyPlace } from './queries.ts';

const over = 'This sign-in took too long. Go back and sign in again.';

/** The second step of sign-in. A wrong code leaves the step open; a right one spends it. */
export async function finishSignIn(visitor: Visitor, config: Config, { body }: Input<typeof definition>) {
  const { database, request } = visitor;
  const step = await findToken(database, 'signIn', body.Token);
  if (step?.userId === undefined || step.userId === null) throw new Refusal('refused', over);
  const person = { account_id: step.accountId, user_id: step.userId };
  const { isKept, challenge } = step.data as { isKept: boolean; challenge: string };
  const method = await countedCheck(database, person, async () => {
    if (body.Passkey !== undefined) {
      const place = findPasskeyPlace(config, request.host);
      return takePasskey(database, person, { response: body.Passkey, challenge, place });
    }
    if (body.Code === undefined) return undefined;
    return (
      (await takeTotpCode(database, person, body.Code)) ??
      (await takeRecoveryCode(database, person, body.Code))
    );
  });
  // If two requests answer the same step, only one gets in.
  if ((await takeToken(database, 'signIn', body.Token)) === undefined) throw new Refusal('refused', over);
  const user = await database.system
    .selectFrom('users')
    .select('is_active')
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .executeTakeFirst();
  if (!user?.is_active) throw new Refusal('wrongSignIn');
  await openSession(visitor, config, person, { isKept, method });
  return {
    UserID: person.user_id,
    AccountID: person.account_id,
    RecoveryCodesLeft: await countRecoveryCodes(database.system, person),
  };
}
