import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { username } from '../../contract/fields/character-rules.ts';
import type { signUp as definition } from '../../contract/onboarding.ts';
import { requestedLanguageId } from '../../contract/reference/languages.ts';
import { isZone } from '../../contract/time/zone-offset.ts';
import { createAccount } from '../accounts/create-account.ts';
import { againWhenNameTaken } from '../accounts/users/refuse-taken.ts';
import { refuseOver } from '../auth/limit-attempts.ts';
import { refuseGuessablePassword, refuseOwnDetails } from '../auth/refuse-guessable-password.ts';
import { networkOf } from '../auth/rules.ts';
import { hashPassword } from '../auth/sign-in.ts';
import { createToken } from '../auth/user-tokens.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { type Config, isSignUpOpen } from '../config.ts';
import { asSystem, type Trx } from '../db.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { knownMail, welcomeMail } from './compose-mails.ts';

const signUpClosed =
  'You can’t sign up here. Ask the owner of your organization’s account to add you as a user.';

/**
 * A street of schools behind one router signs up within an hour; a script that creates accounts doesn't get
 * far.
 */
const perNetwork = { most: 30, hours: 1 };
const perEmail = { most: 5, hours: 1 };

/**
 * A free trial and its owner, or for a known address a mail that says so. Both give the same reply, after the
 * same work: the password is hashed either way, and the rest is a few rows.
 */
export async function signUp(visitor: Visitor, config: Config, { body }: Input<typeof definition>) {
  const { database, address } = visitor;
  if (!isSignUpOpen(config) || !(await hasOrganization(visitor))) throw new Refusal('refused', signUpClosed);
  if (!isZone(body.TimeZone)) throw refuseField('TimeZone', 'Select a time zone');
  refuseGuessablePassword('Password', body.Password);
  refuseOwnDetails('Password', body.Password, { email: body.Email, phone: '', user_name: body.UserName });
  await refuseOver(database, 'sign-up network', networkOf(address), perNetwork);
  await refuseOver(database, 'sign-up email', body.Email, perEmail);
  const passwordHash = await hashPassword(body.Password);
  const create = async (trx: Trx) => {
    // If two use one address at once, the second finds the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(lower(${body.Email}), 0))`.execute(trx);
    const known = await findKnown(trx, body.Email);
    if (known.length > 0) {
      await queueMails(
        trx,
        known.map((user) => ({
          ...knownMail({ firstName: user.first_name, userName: user.user_name }, config.PUBLIC_URL),
          ...{ accountId: user.account_id, userId: user.user_id, kind: 'known-email', to: user.email },
        })),
      );
      return;
    }
    const userName = await freeUserName(trx, body.UserName || body.Email);
    const made = await createAccount(trx, {
      companyName: body.CompanyName,
      timeZone: body.TimeZone,
      languageId: requestedLanguageId(visitor.request.headers),
      trial: { collects: config.ONBOARDING_COLLECT.filter((name) => name !== 'nothing') },
      owner: {
        firstName: body.FirstName,
        lastName: body.LastName,
        email: body.Email,
        userName,
        passwordHash,
      },
    });
    const { account_id: accountId, user_id: userId } = made;
    if (config.TRIAL_CREDITS > 0)
      await moveCredits(trx, [
        { accountId, kind: 'grant', credits: config.TRIAL_CREDITS, note: 'Free trial' },
      ]);
    const token = await createToken(trx, { accountId, userId, kind: 'verify_email', email: body.Email });
    const mail = welcomeMail(
      { firstName: body.FirstName, userName },
      { company: body.CompanyName, url: `${config.PUBLIC_URL}/verify-email?token=${token}` },
    );
    await queueMails(trx, [{ ...mail, accountId, userId, kind: 'verify-email', to: body.Email }]);
    await recordEvents(trx, { accountId, userId, address }, [{ kind: 'account.created', id: accountId }]);
  };
  await againWhenNameTaken(() => asSystem(database, create));
  return { Email: body.Email };
}

/** The operator creates the first organization through /setup. */
async function hasOrganization({ database }: Visitor): Promise<boolean> {
  const any = await database.system.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst();
  return any !== undefined;
}

function findKnown(trx: Trx, email: string) {
  return trx
    .selectFrom('users')
    .select(['account_id', 'user_id', 'user_name', 'first_name', 'email'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('is_active', '=', true)
    .orderBy('user_id')
    .limit(3)
    .execute();
}

/**
 * The requested name, or a similar one: saying that a name is taken would reveal who is a user here. The mail
 * contains the name.
 */
async function freeUserName(trx: Trx, wanted: string): Promise<string> {
  const base =
    username()(wanted) === undefined ? wanted : wanted.replace(/[^A-Za-z0-9._~@+-]/g, '').slice(0, 50);
  const start = base.length < 4 ? `${base}user` : base;
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `-${number}`;
    const name = `${start.slice(0, 50 - ending.length)}${ending}`;
    const { rows: taken } = await sql`
      select from users where lower(user_name) = ${name.toLowerCase()}
      union all
      select from taken_names where name = ${name.toLowerCase()}
      limit 1`.execute(trx);
    if (taken.length === 0) return name;
  }
}
