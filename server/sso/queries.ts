import { sql } from 'kysely';
import type { z } from 'zod';
import type { ssoForm } from '../../contract/forms/sso.ts';
import { getSecret } from '../auth/queries.ts';
import type { Database, Trx } from '../db.ts';
import type { Directory } from '../outside/openid.ts';
import type { SamlDirectory } from '../outside/saml-xml.ts';
import { openSecret } from '../seal-secret.ts';

type GroupRoles = z.output<typeof ssoForm>['GroupRoles'];

/** The saved data of a SAML directory besides its issuer; an empty URL when its metadata was pasted. */
export type SamlSettings = Omit<SamlDirectory, 'issuer'> & { metadataUrl: string };

interface OpenIdRow {
  protocol: 'oidc';
  clientId: string;
  clientSecret: Buffer;
}

interface SamlRow {
  protocol: 'saml';
  saml: SamlSettings;
}

export type ProviderRow = (OpenIdRow | SamlRow) & {
  accountId: number;
  isEnabled: boolean;
  issuer: string;
  domains: string[];
  provedDomains: string[];
  createsUsers: boolean;
  defaultRole: 'admin' | 'user';
  groupsClaim: string;
  groupRoles: GroupRoles;
};

const columns = sql`account_id as "accountId", is_enabled as "isEnabled", protocol, saml, issuer, client_id as "clientId",
  client_secret as "clientSecret", domains, proved_domains as "provedDomains",
  creates_users as "createsUsers", default_role as "defaultRole",
  groups_claim as "groupsClaim", group_roles as "groupRoles"`;

/** The purpose that the secret of an account's directory is sealed for. */
export function secretPlace(accountId: number): string {
  return `sso:${accountId}`;
}

export async function findProvider(trx: Trx | Database['system'], accountId: number) {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sso_providers where account_id = ${accountId}`.execute(trx);
  return rows[0];
}

/** The directory for users with an address of this domain, if the domain was verified. */
export async function findProviderOfDomain(database: Database, domain: string) {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sso_providers
    where proved_domains @> array[${domain}]::text[] and is_enabled
    order by account_id limit 1`.execute(database.system);
  return rows[0];
}

export async function directoryOf(
  database: Database,
  row: OpenIdRow & { accountId: number; issuer: string },
): Promise<Directory> {
  const secret = await getSecret(database);
  return {
    issuer: row.issuer,
    clientId: row.clientId,
    clientSecret: openSecret(secret, secretPlace(row.accountId), row.clientSecret).toString(),
  };
}

/** Saves a SAML directory's current metadata. */
export async function keepDescription(
  database: Database,
  accountId: number,
  { issuer, ...said }: SamlDirectory,
): Promise<void> {
  const now = sql`saml || ${JSON.stringify(said)}::jsonb`;
  // It rarely changes: anybody can start a sign-in, and an unchanged row needn't be written.
  await sql`update sso_providers set saml = ${now}
    where account_id = ${accountId} and protocol = 'saml' and issuer = ${issuer} and saml <> ${now}`.execute(
    database.system,
  );
}

export function domainOf(email: string): string {
  return email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
}
