/** The two ways in which a directory says who somebody is. All that follows from it is the same (sign-in-by-directory.ts). */
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
  /** Where to send the browser, and what has to be remembered until it comes back. */
  begin(provider: ProviderRow, email: string): Promise<{ url: string; kept: Record<string, string> }>;
  /** Who came back; undefined when this is not the end of what was begun. */
  finish(
    provider: ProviderRow,
    query: URLSearchParams,
    begun: Record<string, unknown>,
  ): Promise<Claims | undefined>;
  /** Takes what a SAML directory had the browser post, and says which page goes on with it. */
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
        // It begins with the account, so that the answer, which comes without a cookie, finds its directory.
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

/** Verified before anything is kept. Undefined when nobody here asked for it. */
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

/** The sentence for what was wrong with a SAML answer. */
export function problemIn(query: URLSearchParams): string | undefined {
  const name = query.get('problem') ?? '';
  return Object.hasOwn(answerProblems, name)
    ? answerProblems[name as keyof typeof answerProblems]
    : undefined;
}

/** Directories change their keys: the description is read again if it has an address. If it doesn't answer, the one that we have counts. */
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
