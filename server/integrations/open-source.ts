import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { errorCatalog, genericError } from '../../contract/reference/error-catalog.ts';
import { getSecret } from '../auth/queries.ts';
import type { Config } from '../config.ts';
import { asSystem, type Database } from '../db.ts';
import { countryOf } from '../imports/queries.ts';
import { readSheetAside } from '../imports/read-sheet-aside.ts';
import { BadFile } from '../imports/rules.ts';
import { type ContactSource, SourceError } from '../outside/contact-source.ts';
import { createCarddavSource } from '../outside/source-carddav.ts';
import { createGoogleSource, googleScope } from '../outside/source-google.ts';
import { createLdapSource } from '../outside/source-ldap.ts';
import { openSourceLine } from '../outside/source-line.ts';
import { createMicrosoftSource, microsoftScope } from '../outside/source-microsoft.ts';
import { createOauth, type Oauth, type OauthClient, type Tokens } from '../outside/source-oauth.ts';
import { createSheetSource } from '../outside/source-sheet.ts';
import { openSecret, sealSecret } from '../seal-secret.ts';
import { type CatalogEntry, type Credentials, findEntry, secretPlace } from './rules.ts';

export interface Sources {
  oauth: Oauth;
  /** The company that asks the user for permission; undefined for integrations with a form. */
  clientOf(entry: CatalogEntry): OauthClient | undefined;
  /** A source with credentials that are not saved yet. */
  try(entry: CatalogEntry, credentials: Credentials, accountId: number): Promise<ContactSource>;
  /** The source of a connection. People who were read for one page are cached for the next, for a minute. */
  open(accountId: number, integrationId: number): Promise<ContactSource>;
  close(): Promise<void>;
}

/** A token is renewed this long before it expires. */
const earlyMs = 60_000;
const mostRemembered = 100;

export function createSources({ database, config }: { database: Database; config: Config }): Sources {
  const line = openSourceLine([...config.OUTSIDE_ALLOWED_HOSTS, ...ownHosts(config)]);
  const oauth = createOauth(line);
  /** By connection. One that was connected again has another password, and is opened again. */
  const remembered = new Map<string, { connectedAt: number; source: ContactSource }>();

  function clientOf({ kind }: CatalogEntry): OauthClient | undefined {
    if (kind === 'google') {
      return {
        name: 'Google',
        clientId: config.GOOGLE_CONTACTS_CLIENT_ID ?? '',
        clientSecret: config.GOOGLE_CONTACTS_CLIENT_SECRET ?? '',
        authorizeUrl: config.GOOGLE_AUTHORIZE_URL,
        tokenUrl: config.GOOGLE_TOKEN_URL,
        scope: googleScope,
        // Without these Google returns no token that is valid for more than an hour.
        extra: { access_type: 'offline', prompt: 'consent' },
      };
    }
    if (kind !== 'microsoft') return undefined;
    return {
      name: 'Microsoft',
      clientId: config.MICROSOFT_CLIENT_ID ?? '',
      clientSecret: config.MICROSOFT_CLIENT_SECRET ?? '',
      authorizeUrl: `${config.MICROSOFT_LOGIN_URL}/authorize`,
      tokenUrl: `${config.MICROSOFT_LOGIN_URL}/token`,
      scope: microsoftScope,
      extra: { prompt: 'select_account' },
    };
  }

  function make(
    entry: CatalogEntry,
    given: { fields: Record<string, string> } | { token: (isStale?: boolean) => Promise<string> },
    accountId: number,
  ): ContactSource {
    const field = (name: string) => ('fields' in given ? (given.fields[name] ?? '') : '');
    const token = 'token' in given ? given.token : async () => '';
    const login = { ServerUrl: field('ServerUrl'), UserName: field('UserName'), Password: field('Password') };
    switch (entry.kind) {
      case 'carddav':
        return createCarddavSource(line, login);
      case 'ldap':
        return createLdapSource(line, { ...login, BaseDN: field('BaseDN') });
      case 'sheet':
        return createSheetSource(line, { SheetUrl: field('SheetUrl') }, async (bytes) => {
          const countryId = await asSystem(database, (trx) => countryOf(trx, accountId));
          return readSheetAside({ bytes, countryId }).catch((error) => {
            throw error instanceof BadFile ? new SourceError('odd', error.message) : error;
          });
        });
      case 'google':
        return createGoogleSource(line, config.GOOGLE_CONTACTS_BASE_URL, token);
      case 'microsoft':
        return createMicrosoftSource(line, config.MICROSOFT_GRAPH_URL, token);
      case 'sso':
        throw new Refusal('notFound');
    }
  }

  return {
    oauth,
    clientOf,
    async try(entry, credentials, accountId) {
      return 'tokens' in credentials
        ? make(entry, { token: async () => credentials.tokens.accessToken }, accountId)
        : make(entry, credentials, accountId);
    },
    async open(accountId, integrationId) {
      const entry = findEntry(integrationId);
      const { rows } = await sql<{ secret: Buffer; connectedAt: Date }>`
        select secret, connected_at as "connectedAt" from integrations
        where account_id = ${accountId} and integration_id = ${integrationId}`.execute(database.system);
      const [row] = rows;
      const key = `${accountId}:${integrationId}`;
      const connectedAt = row?.connectedAt.getTime() ?? 0;
      const known = remembered.get(key);
      if (known?.connectedAt === connectedAt) return known.source;
      remembered.delete(key);
      if (entry === undefined || row === undefined)
        throw new Refusal('notFound', 'That integration is not connected.');
      const credentials = await unseal(database, { accountId, integrationId, secret: row.secret });
      const client = clientOf(entry);
      const source =
        'fields' in credentials || client === undefined
          ? make(entry, credentials as { fields: Record<string, string> }, accountId)
          : make(
              entry,
              { token: tokenKeeper({ database, oauth }, client, { accountId, integrationId }) },
              accountId,
            );
      if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
      remembered.set(key, { connectedAt, source });
      return source;
    },
    close: () => line.close(),
  };
}

/** Hosts that the operator has listed need not be public. */
function ownHosts(config: Config): string[] {
  return [
    ...[config.GOOGLE_CONTACTS_BASE_URL, config.GOOGLE_TOKEN_URL],
    ...[config.MICROSOFT_LOGIN_URL, config.MICROSOFT_GRAPH_URL],
  ].map((address) => new URL(address).host);
}

async function unseal(
  database: Database,
  { accountId, integrationId, secret }: { accountId: number; integrationId: number; secret: Buffer },
): Promise<Credentials> {
  const place = secretPlace(accountId, integrationId);
  return JSON.parse(openSecret(await getSecret(database), place, secret).toString()) as Credentials;
}

export async function seal(
  database: Database,
  { accountId, integrationId }: { accountId: number; integrationId: number },
  credentials: Credentials,
): Promise<Buffer> {
  const place = secretPlace(accountId, integrationId);
  return sealSecret(await getSecret(database), place, JSON.stringify(credentials));
}

/**
 * The token of a connection, renewed when it expires. Renewing it locks the row: companies revoke a token
 * that is renewed twice, so two at once must be one.
 */
function tokenKeeper(
  { database, oauth }: { database: Database; oauth: Oauth },
  client: OauthClient,
  of: { accountId: number; integrationId: number },
) {
  return async (isStale = false): Promise<string> => {
    const before = await readTokens(database, of);
    if (!isStale && before.expiresAt - Date.now() > earlyMs) return before.accessToken;
    return asSystem(database, async (trx) => {
      const { rows } = await sql<{ secret: Buffer }>`
        select secret from integrations
        where account_id = ${of.accountId} and integration_id = ${of.integrationId} for update`.execute(trx);
      const [row] = rows;
      if (row === undefined) throw new Refusal('notFound', 'That integration is not connected.');
      const now = await unseal(database, { ...of, secret: row.secret });
      if (!('tokens' in now)) throw new Error('an integration by OAuth has tokens');
      // Another process renewed it while this one waited.
      if (now.tokens.accessToken !== before.accessToken) return now.tokens.accessToken;
      const tokens = await oauth.refresh(client, now.tokens);
      const secret = await seal(database, of, { tokens });
      await sql`update integrations set secret = ${secret}
        where account_id = ${of.accountId} and integration_id = ${of.integrationId}`.execute(trx);
      return tokens.accessToken;
    });
  };
}

async function readTokens(
  database: Database,
  of: { accountId: number; integrationId: number },
): Promise<Tokens> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from integrations
    where account_id = ${of.accountId} and integration_id = ${of.integrationId}`.execute(database.system);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That integration is not connected.');
  const credentials = await unseal(database, { ...of, secret: row.secret });
  if (!('tokens' in credentials)) throw new Error('an integration by OAuth has tokens');
  return credentials.tokens;
}

/** The message for a person who connects or browses: the specification's first, if it has one. */
export function refuseSource(name: string) {
  return (error: unknown): never => {
    if (!(error instanceof SourceError)) throw error;
    if (error.problem === 'login') throw new Refusal('refused', genericError.integrationLogin(name));
    throw new Refusal('refused', `${errorCatalog.connectIntegration} ${error.message}`);
  };
}
