import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { changesBetween } from '../../contract/event-changes.ts';
import type { updateSso as definition } from '../../contract/sso.ts';
import { getSecret } from '../auth/queries.ts';
import { asAccount, asSystem } from '../db.ts';
import { DirectoryError } from '../outside/directory-line.ts';
import { readCertificate } from '../outside/saml-xml.ts';
import { recordEvents } from '../record-events.ts';
import { openSecret, sealSecret } from '../seal-secret.ts';
import type { Actor, App } from '../serve.ts';
import type { Protocols } from './ask-directory.ts';
import { mailProofs, needsProof, refuseTakenDomains } from './prove-domain.ts';
import { findProvider, type ProviderRow, type SamlSettings, secretPlace } from './queries.ts';

type Body = Input<typeof definition>['body'];

/** Saves the directory once it has responded and its identity is verified. */
export async function updateProvider(
  { database, config }: App,
  protocols: Protocols,
  actor: Actor,
  { body }: Input<typeof definition>,
): Promise<Record<string, never>> {
  const before = await findProvider(database.system, actor.accountId);
  const said = await (body.Protocol === 'saml'
    ? describeSaml(protocols, body, before)
    : describeOpenId(protocols, body, { secret: await getSecret(database), actor, before }));
  const domains = [...new Set(body.Domains)];
  await asSystem(database, async (trx) => {
    await refuseTakenDomains(trx, actor.accountId, domains);
    const proved = domains.filter((domain) => !needsProof(config) || before?.provedDomains.includes(domain));
    await sql`
      insert into sso_providers (account_id, is_enabled, protocol, issuer, client_id, client_secret, saml, domains,
        proved_domains, creates_users, default_role, groups_claim, group_roles)
      values (${actor.accountId}, ${body.IsEnabled}, ${body.Protocol}, ${said.issuer}, ${said.clientId},
        ${said.clientSecret}, ${said.saml === null ? null : JSON.stringify(said.saml)}::jsonb, ${domains},
        ${proved}, ${body.CreatesUsers}, ${body.DefaultRole}, ${body.GroupsClaim}, ${JSON.stringify(body.GroupRoles)}::jsonb)
      on conflict (account_id) do update
      set is_enabled = excluded.is_enabled, protocol = excluded.protocol, issuer = excluded.issuer,
        client_id = excluded.client_id, client_secret = excluded.client_secret, saml = excluded.saml,
        domains = excluded.domains, proved_domains = excluded.proved_domains, creates_users = excluded.creates_users, default_role = excluded.default_role,
        groups_claim = excluded.groups_claim, group_roles = excluded.group_roles, updated_at = now()`.execute(
      trx,
    );
    const after = await findProvider(trx, actor.accountId);
    const changes = {
      ...changesBetween(shownOf(before), shownOf(after)),
      ...(body.Protocol === 'saml' || body.ClientSecret === '' ? {} : { ClientSecret: ['', ''] }),
    };
    await recordEvents(trx, actor, [{ kind: 'sso.updated', changes }]);
    const known = before?.domains ?? [];
    const asked = domains.filter((domain) => !proved.includes(domain) && !known.includes(domain));
    await mailProofs(trx, config, actor, asked);
  });
  return {};
}

interface Said {
  issuer: string;
  clientId: string | null;
  clientSecret: Buffer | null;
  saml: SamlSettings | null;
}

async function describeOpenId(
  { openId }: Protocols,
  body: Body,
  { secret: installation, actor, before }: { secret: Buffer; actor: Actor; before: ProviderRow | undefined },
): Promise<Said> {
  const place = secretPlace(actor.accountId);
  const saved = before?.protocol === 'oidc' ? before : undefined;
  if (body.ClientSecret === '' && saved === undefined)
    throw refuseField('ClientSecret', 'Enter the client secret');
  const secret =
    body.ClientSecret === '' && saved !== undefined
      ? openSecret(installation, place, saved.clientSecret).toString()
      : body.ClientSecret;
  // The secret is sent to the issuer's endpoints: never to another issuer than it was given for.
  if (body.ClientSecret === '' && saved?.issuer !== body.Issuer)
    throw refuseField('ClientSecret', 'Enter the client secret of this issuer');
  await openId
    .check({ issuer: body.Issuer, clientId: body.ClientID, clientSecret: secret })
    .catch(refuseAt('Issuer'));
  const clientSecret = sealSecret(installation, place, secret);
  return { issuer: body.Issuer, clientId: body.ClientID, clientSecret, saml: null };
}

async function describeSaml(
  { saml }: Protocols,
  { MetadataUrl, Metadata }: Body,
  before: ProviderRow | undefined,
): Promise<Said> {
  const none = { clientId: null, clientSecret: null };
  if (MetadataUrl === '' && Metadata === '') {
    if (before?.protocol !== 'saml')
      throw refuseField('MetadataUrl', 'Enter the metadata address, or the metadata');
    // Pasted metadata stays. A URL that was removed is no longer read.
    return { ...none, issuer: before.issuer, saml: { ...before.saml, metadataUrl: '' } };
  }
  const { issuer, ...said } = await (Metadata === ''
    ? saml.describe({ metadataUrl: MetadataUrl }).catch(refuseAt('MetadataUrl'))
    : saml.describe({ metadata: Metadata }).catch(refuseAt('Metadata')));
  return { ...none, issuer, saml: { ...said, metadataUrl: Metadata === '' ? MetadataUrl : '' } };
}

function refuseAt(field: keyof Body) {
  return (error: unknown): never => {
    if (error instanceof DirectoryError) throw refuseField(field, error.message);
    throw error;
  };
}

/** The data for pages: everything except the secret. */
export function settingsOf(row: ProviderRow) {
  const certificates = row.protocol === 'saml' ? row.saml.certificates.map(readCertificate) : [];
  return {
    IsEnabled: row.isEnabled,
    Protocol: row.protocol,
    Issuer: row.issuer,
    ClientID: row.protocol === 'oidc' ? row.clientId : '',
    MetadataUrl: row.protocol === 'saml' ? row.saml.metadataUrl : '',
    Certificates: certificates.map(({ fingerprint256, validToDate }) => ({
      Fingerprint: fingerprint256,
      ValidTo: validToDate.toISOString(),
    })),
    Domains: row.domains,
    UnprovedDomains: row.domains.filter((domain) => !row.provedDomains.includes(domain)),
    CreatesUsers: row.createsUsers,
    DefaultRole: row.defaultRole,
    GroupsClaim: row.groupsClaim,
    GroupRoles: row.groupRoles,
  };
}

/** The same for the audit log, which shows a certificate by its fingerprint. */
function shownOf(row: ProviderRow | undefined): Record<string, unknown> {
  if (row === undefined) return {};
  const { Certificates, ...settings } = settingsOf(row);
  return { ...settings, Certificates: Certificates.map(({ Fingerprint }) => Fingerprint) };
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
