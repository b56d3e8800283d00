/**
 * Signing in with another organization's directory by OpenID Connect: discovery, code with PKCE, nonce and
 * state, and the signature of its token.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { DirectoryError, type DirectoryLine, plainError } from './directory-line.ts';

const timeoutSeconds = 8;

export interface Directory {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface OpenId {
  /** The URL for the browser, and the data to remember until it returns. */
  begin(
    directory: Directory,
    asked: { redirectUri: string; state: string; loginHint: string },
  ): Promise<{ url: string; nonce: string; codeVerifier: string }>;
  /** The user who returned. Throws when anything about it is invalid. */
  finish(
    directory: Directory,
    came: { url: URL; state: string; nonce: string; codeVerifier: string },
  ): Promise<Record<string, unknown> & { sub: string }>;
  /** Resolves if the directory responds and has the right identity. */
  check(directory: Directory): Promise<void>;
}

export function createOpenId({ isAllowed, isPlaceToSignIn, requireReachable, fetch }: DirectoryLine): OpenId {
  async function discover({ issuer, clientId, clientSecret }: Directory): Promise<Configuration> {
    const url = URL.parse(issuer);
    if (url === null) throw new DirectoryError('The issuer’s address is not written correctly.');
    requireReachable(url);
    try {
      const configuration = await discovery(url, clientId, clientSecret, undefined, {
        [customFetch]: fetch as never,
        timeout: timeoutSeconds,
        execute: [enableNonRepudiationChecks, ...(isAllowed(url) ? [allowInsecureRequests] : [])],
      });
      const { authorization_endpoint: endpoint } = configuration.serverMetadata();
      if (!isPlaceToSignIn(endpoint ?? ''))
        throw new DirectoryError('The sign-in service doesn’t say where people sign in.');
      return configuration;
    } catch (error) {
      throw plainError(error);
    }
  }

  return {
    async begin(directory, { redirectUri, state, loginHint }) {
      const configuration = await discover(directory);
      const [nonce, codeVerifier] = [randomNonce(), randomPKCECodeVerifier()];
      const url = buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: scopeOf(configuration), response_type: 'code', state, nonce },
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        login_hint: loginHint,
      });
      return { url: url.href, nonce, codeVerifier };
    },
    async finish(directory, { url, state, nonce, codeVerifier }) {
      const configuration = await discover(directory);
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new DirectoryError('The sign-in service didn’t say who you are.');
        if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
        return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
      } catch (error) {
        throw plainError(error);
      }
    },
    async check(directory) {
      await discover(directory);
    },
  };
}

function scopeOf(configuration: Configuration): string {
  const offered = configuration.serverMetadata().scopes_supported ?? [];
  return ['openid', 'email', 'profile', ...(offered.includes('groups') ? ['groups'] : [])].join(' ');
}
