import { sql } from 'kysely';
import { isSsoOnly } from '../../auth/queries.ts';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db.ts';

/** More are in the settings. */
const namedDomains = 3;

/**
 * Warning that somebody with this address couldn't sign in: the organization requires single sign-on, and its
 * directory lets in only addresses of its domains. It is no refusal, since a domain may be added or confirmed later.
 */
export async function findSsoWarning(
  trx: Trx,
  config: Pick<Config, 'SSO_ONLY_GROUP_CODES'>,
  accountId: number,
  email: string,
): Promise<string | undefined> {
  if (!(await isSsoOnly(trx, config, accountId))) return undefined;
  const { rows } = await sql<{ domains: string[] }>`
    select proved_domains as domains from sso_providers where account_id = ${accountId}`.execute(trx);
  const domains = rows[0]?.domains ?? [];
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domains.includes(domain)) return undefined;
  if (domains.length === 0)
    return 'They can’t sign in yet: single sign-on is required here, and none of its email domains is confirmed.';
  const named = domains.slice(0, namedDomains).join(', ');
  const names = domains.length > namedDomains ? `${named} …` : named;
  return `They won’t be able to sign in: single sign-on is required here, and it is only for emails of ${names}.`;
}
