import { sql } from 'kysely';
import type { createOrganization as definition } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { countries } from '../../contract/reference/countries.ts';
import { isZone } from '../../contract/time/zone-offset.ts';
import { refuseGuessablePassword, refuseOwnDetails } from '../auth/refuse-guessable-password.ts';
import { hashPassword, startSession } from '../auth/sign-in.ts';
import type { Config } from '../config.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { createAccount } from './create-account.ts';
import { currentTerms } from './read-terms.ts';

/** Two first-run pages submitted at once must not create two organizations: the second waits here. */
const setupLock = 7_316_025;

/** Creates the first organization and its owner. Once there is one, this is always refused. */
export async function createOrganization(
  visitor: Visitor,
  config: Config,
  { body }: Input<typeof definition>,
) {
  if (!isZone(body.TimeZone)) throw refuseField('TimeZone', 'Select a time zone');
  if (!countries.some(({ id }) => id === body.CountryID)) throw refuseField('CountryID', 'Select a country');
  refuseGuessablePassword('Password', body.Password);
  refuseOwnDetails('Password', body.Password, { email: body.Email, phone: '', user_name: body.UserName });
  const passwordHash = await hashPassword(body.Password);
  const person = await visitor.database.system.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${setupLock})`.execute(trx);
    const any = await trx.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst();
    if (any !== undefined)
      throw new Refusal('conflict', 'This installation has its organization already. Sign in instead.');
    const made = await createAccount(trx, {
      companyName: body.CompanyName,
      countryId: body.CountryID,
      timeZone: body.TimeZone,
      termsVersion: currentTerms(config).version,
      owner: {
        firstName: body.FirstName,
        lastName: body.LastName,
        email: body.Email,
        userName: body.UserName,
        passwordHash,
      },
    });
    const by = { accountId: made.account_id, userId: made.user_id, address: visitor.address };
    await recordEvents(trx, by, [{ kind: 'account.created', id: made.account_id }]);
    return made;
  });
  await startSession(visitor, config, person, false);
  return { UserID: person.user_id, AccountID: person.account_id };
}
