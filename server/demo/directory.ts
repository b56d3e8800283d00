import { sql } from 'kysely';
import { getSecret } from '../auth/queries.ts';
import type { Database } from '../db.ts';
import { sealSecret } from '../seal-secret.ts';
import { secretPlace } from '../sso/queries.ts';

const clientId = 'muster-demo';
/** The sandbox's directory knows the same one; it is on this machine only and gives nothing away. */
const clientSecret = 'sandbox-directory-secret';

/**
 * The school district signs in with the sandbox's directory, for whoever wants to try it. The sandbox may have another
 * port at the next start, so its address is set again; settings that somebody made stay.
 */
export async function setDemoDirectory(
  database: Database,
  sandboxUrl: string,
  isNew: boolean,
): Promise<void> {
  const issuer = `${sandboxUrl}/oidc`;
  if (!isNew) {
    await sql`update sso_providers set issuer = ${issuer}
      where client_id = ${clientId} and issuer <> ${issuer}`.execute(database.system);
    return;
  }
  const { rows } = await sql<{ accountId: number }>`
    select account_id as "accountId" from users where user_name = 'demo-owner'`.execute(database.system);
  const accountId = rows[0]?.accountId;
  if (accountId === undefined) return;
  const sealed = sealSecret(await getSecret(database), secretPlace(accountId), clientSecret);
  const groups = [{ Group: 'office', Role: 'admin' }];
  await sql`
    insert into sso_providers (account_id, issuer, client_id, client_secret, domains, group_roles)
    values (${accountId}, ${issuer}, ${clientId}, ${sealed}, '{harlowcreek.example}', ${JSON.stringify(groups)}::jsonb)`.execute(
    database.system,
  );
}
