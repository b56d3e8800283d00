import { sql } from 'kysely';
import { getSecret } from '../auth/queries.ts';
import type { Database } from '../db.ts';
import { sealSecret } from '../seal-secret.ts';
import { secretPlace } from '../sso/queries.ts';

const clientId = 'muster-demo';
/** The sandbox's directory has the same one; it is on this machine only and reveals nothing. */
const clientSecret = 'sandbox-directory-secret';
const samlDomain = 'secondstreet.example';

/**
 * The school district and the church sign in with the sandbox's directories, by OpenID Connect and by SAML,
 * for users who want to try it. The sandbox may have another port at the next start, so the addresses are set
 * again; settings that a user changed stay.
 */
export async function setDemoDirectory(
  database: Database,
  sandboxUrl: string,
  isNew: boolean,
): Promise<void> {
  const issuer = `${sandboxUrl}/oidc`;
  const saml = { metadataUrl: `${sandboxUrl}/saml/metadata`, signInUrl: `${sandboxUrl}/saml/sso` };
  if (!isNew) {
    await sql`update sso_providers set issuer = ${issuer}
      where client_id = ${clientId} and issuer <> ${issuer}`.execute(database.system);
    await sql`update sso_providers set issuer = ${saml.metadataUrl}, saml = saml || ${JSON.stringify(saml)}::jsonb
      where protocol = 'saml' and domains = ${[samlDomain]} and issuer <> ${saml.metadataUrl}`.execute(
      database.system,
    );
    return;
  }
  const { rows } = await sql<{ accountId: number; churchId: number }>`
    select d.account_id as "accountId", o.account_id as "churchId"
    from users d, users o where d.user_name = 'demo-owner' and o.user_name = 'other-owner'`.execute(
    database.system,
  );
  const [found] = rows;
  if (found === undefined) return;
  const { accountId, churchId } = found;
  const sealed = sealSecret(await getSecret(database), secretPlace(accountId), clientSecret);
  const groups = [{ Group: 'office', Role: 'admin' }];
  await sql`
    insert into sso_providers (account_id, issuer, client_id, client_secret, domains, proved_domains, group_roles)
    values (${accountId}, ${issuer}, ${clientId}, ${sealed}, '{harlowcreek.example}', '{harlowcreek.example}', ${JSON.stringify(groups)}::jsonb)`.execute(
    database.system,
  );
  // Its certificate is read at the first sign-in, like any other.
  const described = { ...saml, certificates: [] };
  await sql`
    insert into sso_providers (account_id, protocol, issuer, saml, domains, proved_domains, group_roles)
    values (${churchId}, 'saml', ${saml.metadataUrl}, ${JSON.stringify(described)}::jsonb, ${[samlDomain]}, ${[samlDomain]},
      ${JSON.stringify(groups)}::jsonb)`.execute(database.system);
}
