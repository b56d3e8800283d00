/**
 * The two protocols for signing in with a directory. The consequences are the same (sign-in-by-directory.ts).
 */
import { randomBytes } from 'node:crypto';
import { createToken, takeToken } from '../auth/create-token.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db.ts';
import { DirectoryError, openDirectoryLine } from '../outside/directory-line.ts';
import { createOpenId, type OpenId } from '../outside/openid.ts';
import { createSaml, type OwnSaml, type Saml } from '../outside/saml.ts';
import { answerProblems } from '../outside/saml-xml.ts';
import { directoryOf, findProvider, keepDescription, type ProviderRow } from './queries.ts';

export type Claims = Record<string, unknown> & { sub: string };

export interface Protocols {
  openId: OpenId;
  saml: Saml;
  /** The URL for the browser, and the data to remember until it returns. */
  begin(provider: ProviderRow, email: string): Promise<{ url: string; kept: Record<string, string> }>;
  /** The user who returned; undefined when this doesn't belong to the sign-in that was started. */
  finish(
    provider: ProviderRow,
    query: URLSearchParams,
    begun: Record<string, unknown>,
  ): Promise<Claims | undefined>;
  /** Accepts the post of a SAML directory by the browser, and returns the page that continues. */
  takeSamlAnswer(answer: string): Promise<string>;
}

export function callbackUrl(config: Config): string {
  return `${config.PUBLIC_URL}/sso/callback`;
}

export function ownSaml(config: Config): OwnSaml {
  return { entityId: `${config.PUBLIC_URL}/sso/saml/metadata`, acsUrl: `${config.PUBLIC_URL}/sso/saml` };
}

export function createProtocols(database: Database, config: Config): Protocols {
  const line = openDirectoryLine(config.SSO_ALLOWED_HOSTS);
  const openId = createOpenId(line);
  const saml = createSaml(line, ownSaml(config));
  return {
    openId,
    saml,
    async begin(provider, email) {
      if (provider.protocol === 'saml') {
        // It begins with the account, so that the response, which comes without a cookie, finds its
        // directory.
        const requestId = `_${provider.accountId}.${randomBytes(20).toString('hex')}`;
        const url = await saml.begin(await describeAgain(database, saml, provider), requestId);
        return { url, kept: { requestId } };
      }
      const state = randomBytes(32).toString('base64url');
      const { url, ...kept } = await openId.begin(await directoryOf(database, provider), {
        ...{ redirectUri: callbackUrl(config), state, loginHint: email },
      });
      return { url, kept: { ...kept, state } };
    },
    async finish(provider, query, begun) {
      if (provider.protocol === 'saml') {
        const answer = await takeToken(database, 'samlAnswer', query.get('saml') ?? '');
        const isAnswer =
          answer?.accountId === provider.accountId && answer.data.requestId === begun.requestId;
        return isAnswer ? (answer.data.claims as Claims) : undefined;
      }
      return openId.finish(await directoryOf(database, provider), {
        url: new URL(`${callbackUrl(config)}?${query}`),
        state: String(begun.state),
        nonce: String(begun.nonce),
        codeVerifier: String(begun.codeVerifier),
      });
    },
    async takeSamlAnswer(answer) {
      const lead = (name: string, value: string) => `/sso/callback?${new URLSearchParams({ [name]: value })}`;
      try {
        const token = await keepAnswer(database, saml, answer);
        return token === undefined ? lead('problem', 'unasked') : lead('saml', token);
      } catch (error) {
        if (error instanceof DirectoryError) return lead('problem', nameOf(error));
        throw error;
      }
    },
  };
}

/** Verified before anything is saved. Undefined when nobody here requested it. */
async function keepAnswer(database: Database, saml: Saml, answer: string): Promise<string | undefined> {
  const requestId = saml.peek(answer);
  const accountId = Number(/^_(\d{1,15})\.[\da-f]{40}$/.exec(requestId)?.[1] ?? 0);
  const provider = accountId === 0 ? undefined : await findProvider(database.system, accountId);
  if (!provider?.isEnabled || provider.protocol !== 'saml') return undefined;
  const claims = await saml.finish({ issuer: provider.issuer, ...provider.saml }, { answer, requestId });
  return createToken(database, 'samlAnswer', { accountId, data: { requestId, claims } });
}

function nameOf({ message }: DirectoryError): string {
  return Object.entries(answerProblems).find(([, sentence]) => sentence === message)?.[0] ?? 'distrusted';
}

/** The message for the error of a SAML response. */
export function problemIn(query: URLSearchParams): string | undefined {
  const name = query.get('problem') ?? '';
  return Object.hasOwn(answerProblems, name)
    ? answerProblems[name as keyof typeof answerProblems]
    : undefined;
}

/**
 * Directories change their keys: the metadata is read again if it has a URL. If that doesn't respond, the
 * saved one is used.
 */
async function describeAgain(
  database: Database,
  saml: Saml,
  { accountId, issuer, saml: saved }: Extract<ProviderRow, { protocol: 'saml' }>,
) {
  const known = { issuer, ...saved };
  if (saved.metadataUrl === '') return known;
  try {
    const now = await saml.describe({ metadataUrl: saved.metadataUrl });
    if (now.issuer !== issuer) return known;
    await keepDescription(database, accountId, now);
    return now;
  } catch (error) {
    if (error instanceof DirectoryError) return known;
    throw error;
  }
}
