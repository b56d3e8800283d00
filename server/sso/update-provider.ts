import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { changesBetween } from '../../contract/event-changes.ts';
import type { updateSso as definition } from '../../contract/sso.ts';
import { getSecret } from '../auth/queries.ts';
import type { Trx } from '../db.ts';
import { asAccount, asSystem } from '../db.ts';
import { DirectoryError, type OpenId } from '../outside/openid.ts';
import { recordEvents } from '../record-events.ts';
import { openSecret, sealSecret } from '../seal-secret.ts';
import type { Actor, App } from '../serve.ts';
import { findProvider, type ProviderRow, secretPlace } from './queries.ts';

/** Two owners who claim the same domain at once: the second waits here. */
const domainsLock = 7_316_060;

/** Saves the directory once it has answered and is who it says. */
export async function updateProvider(
  { database }: App,
  openId: OpenId,
  actor: Actor,
  { body }: Input<typeof definition>,
): Promise<Record<string, never>> {
  const installation = await getSecret(database);
  const place = secretPlace(actor.accountId);
  const before = await findProvider(database.system, actor.accountId);
  if (body.ClientSecret === '' && before === undefined)
    throw refuseField('ClientSecret', 'Enter the client secret');
  const secret =
    body.ClientSecret === '' && before !== undefined
      ? openSecret(installation, place, before.clientSecret).toString()
      : body.ClientSecret;
  // The secret goes where the issuer says: not to another one than it was given for.
  if (body.ClientSecret === '' && before?.issuer !== body.Issuer)
    throw refuseField('ClientSecret', 'Enter the client secret of this issuer');
  await openId
    .check({ issuer: body.Issuer, clientId: body.ClientID, clientSecret: secret })
    .catch((error: unknown) => {
      if (error instanceof DirectoryError) throw refuseField('Issuer', error.message);
      throw error;
    });
  const sealed = sealSecret(installation, place, secret);
  const domains = [...new Set(body.Domains)];
  await asSystem(database, async (trx) => {
    await refuseTakenDomains(trx, actor.accountId, domains);
    await sql`
      insert into sso_providers (account_id, is_enabled, issuer, client_id, client_secret, domains, creates_users,
        default_role, groups_claim, group_roles)
      values (${actor.accountId}, ${body.IsEnabled}, ${body.Issuer}, ${body.ClientID}, ${sealed}, ${domains},
        ${body.CreatesUsers}, ${body.DefaultRole}, ${body.GroupsClaim}, ${JSON.stringify(body.GroupRoles)}::jsonb)
      on conflict (account_id) do update
      set is_enabled = excluded.is_enabled, issuer = excluded.issuer, client_id = excluded.client_id,
        client_secret = excluded.client_secret, domains = excluded.domains, creates_users = excluded.creates_users,
        default_role = excluded.default_role, groups_claim = excluded.groups_claim,
        group_roles = excluded.group_roles, updated_at = now()`.execute(trx);
    const { ClientSecret, ...after } = body;
    const changes = {
      ...changesBetween(before === undefined ? {} : settingsOf(before), { ...after, Domains: domains }),
      ...(ClientSecret === '' ? {} : { ClientSecret: ['', ''] }),
    };
    await recordEvents(trx, actor, [{ kind: 'sso.updated', changes }]);
  });
  return {};
}

/** What pages and the audit log see: everything but the secret. */
export function settingsOf(row: ProviderRow) {
  return {
    IsEnabled: row.isEnabled,
    Issuer: row.issuer,
    ClientID: row.clientId,
    Domains: row.domains,
    CreatesUsers: row.createsUsers,
    DefaultRole: row.defaultRole,
    GroupsClaim: row.groupsClaim,
    GroupRoles: row.groupRoles,
  };
}

async function refuseTakenDomains(trx: Trx, accountId: number, domains: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${domainsLock})`.execute(trx);
  const { rows } = await sql<{ domain: string }>`
    select domain from sso_providers, unnest(domains) as domain
    where account_id <> ${accountId} and domain = any(${domains}::text[]) limit 1`.execute(trx);
  const [taken] = rows;
  if (taken !== undefined)
    throw refuseField('Domains', `Another organization here uses ${taken.domain} already.`);
}

export async function deleteProvider({ database }: App, actor: Actor): Promise<Record<string, never>> {
  await asAccount(database, actor.accountId, async (trx) => {
    const gone = await trx
      .deleteFrom('sso_providers')
      .where('account_id', '=', actor.accountId)
      .returning('issuer')
      .executeTakeFirst();
    if (gone === undefined) throw new Refusal('notFound');
    await recordEvents(trx, actor, [{ kind: 'sso.removed', changes: { Issuer: gone.issuer } }]);
  });
  return {};
}
