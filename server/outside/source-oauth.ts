/**
 * Signing in at another company that allows Muster to read contacts: OAuth 2 with PKCE, and tokens that are
 * renewed.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  randomPKCECodeVerifier,
  refreshTokenGrant,
} from 'openid-client';
import { SourceError, sourceProblems } from './contact-source.ts';
import { plainSourceError, type SourceLine } from './source-line.ts';

/** The company, with the operator's credentials there. */
export interface OauthClient {
  /** "Google", for messages. */
  name: string;
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  scope: string;
  /** Additional parameters that the company requires. */
  extra: Record<string, string>;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** In milliseconds. */
  expiresAt: number;
}

export interface Oauth {
  /** The URL where the user signs in. */
  begin(
    client: OauthClient,
    asked: { redirectUri: string; state: string; codeVerifier: string },
  ): Promise<string>;
  finish(client: OauthClient, came: { url: URL; state: string; codeVerifier: string }): Promise<Tokens>;
  refresh(client: OauthClient, tokens: Tokens): Promise<Tokens>;
}

const timeoutSeconds = 10;

export const newCodeVerifier = randomPKCECodeVerifier;

export function createOauth(line: SourceLine): Oauth {
  function configure(client: OauthClient): Configuration {
    const at = new URL(client.tokenUrl);
    const configuration = new Configuration(
      {
        issuer: at.origin,
        authorization_endpoint: client.authorizeUrl,
        token_endpoint: client.tokenUrl,
      },
      client.clientId,
      client.clientSecret,
    );
    configuration.timeout = timeoutSeconds;
    configuration[customFetch] = line.fetch as never;
    if (at.protocol === 'http:') allowInsecureRequests(configuration);
    return configuration;
  }

  async function asking(
    client: OauthClient,
    run: (configuration: Configuration) => ReturnType<typeof refreshTokenGrant>,
  ) {
    try {
      return await run(configure(client));
    } catch (error) {
      const why = (error as { error?: unknown }).error;
      if (why === 'access_denied')
        throw new SourceError('login', `${client.name} was not allowed to share the contacts.`);
      if (typeof why === 'string') throw sourceProblems.permission(client.name);
      throw plainSourceError(error, client.name);
    }
  }

  return {
    async begin(client, { redirectUri, state, codeVerifier }) {
      const url = buildAuthorizationUrl(configure(client), {
        ...{ redirect_uri: redirectUri, scope: client.scope, response_type: 'code', state },
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...client.extra,
      });
      return url.href;
    },
    async finish(client, { url, state, codeVerifier }) {
      const given = await asking(client, (configuration) =>
        authorizationCodeGrant(configuration, url, { expectedState: state, pkceCodeVerifier: codeVerifier }),
      );
      if (given.refresh_token === undefined) throw sourceProblems.permission(client.name);
      return tokensOf(given, given.refresh_token);
    },
    async refresh(client, { refreshToken }) {
      const given = await asking(client, (configuration) => refreshTokenGrant(configuration, refreshToken));
      return tokensOf(given, given.refresh_token ?? refreshToken);
    },
  };
}

function tokensOf(given: { access_token: string; expires_in?: number }, refreshToken: string): Tokens {
  return {
    accessToken: given.access_token,
    refreshToken,
    expiresAt: Date.now() + (given.expires_in ?? 300) * 1000,
  };
}

/** Sends a request with a token, and repeats it with a new one if the company has revoked it early. */
export async function askWithToken(
  line: SourceLine,
  { name, token }: { name: string; token: (isStale?: boolean) => Promise<string> },
  address: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  for (const isStale of [false, true]) {
    const answer = await line.fetch(address, {
      headers: { ...headers, authorization: `Bearer ${await token(isStale)}` },
    });
    if (answer.status === 401 && !isStale) {
      await answer.body?.cancel();
      continue;
    }
    if (answer.status === 401 || answer.status === 403) throw sourceProblems.permission(name);
    if (answer.status === 429) throw sourceProblems.down(name);
    const body = await answer.json().catch(() => undefined);
    if (body === undefined) throw sourceProblems.odd(name);
    return { status: answer.status, body };
  }
  throw sourceProblems.permission(name);
}
