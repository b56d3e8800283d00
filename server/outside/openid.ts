/**
 * Signing in with another organization's directory by OpenID Connect: discovery, code with PKCE, nonce and state, and
 * the signature of what it says. Its addresses come from outside, so they lead to public hosts only, by https, unless
 * the operator names the host.
 */
import { isIP } from 'node:net';
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
import { Agent, fetch } from 'undici';
import { isPrivateAddress, lookupPublic, PrivateAddress } from './private-address.ts';

const timeoutSeconds = 8;
/** A description or a set of keys has a few thousand bytes. */
const mostBytes = 1024 * 1024;

export interface Directory {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Its message is for whoever signs in or sets it up: what is wrong, never what was sent. */
export class DirectoryError extends Error {
  override name = 'DirectoryError';
}

export interface OpenId {
  /** Where to send the browser, and what has to be remembered until it comes back. */
  begin(
    directory: Directory,
    asked: { redirectUri: string; state: string; loginHint: string },
  ): Promise<{ url: string; nonce: string; codeVerifier: string }>;
  /** Who came back. Throws when anything about it is wrong. */
  finish(
    directory: Directory,
    came: { url: URL; state: string; nonce: string; codeVerifier: string },
  ): Promise<Record<string, unknown> & { sub: string }>;
  /** Whether the directory answers, and is who it says. */
  check(directory: Directory): Promise<void>;
}

export function createOpenId(allowedHosts: readonly string[]): OpenId {
  const strangers = new Agent({
    allowH2: false,
    maxResponseSize: mostBytes,
    connect: { timeout: 3_000, lookup: lookupPublic },
  });
  const known = new Agent({ allowH2: false, maxResponseSize: mostBytes, connect: { timeout: 3_000 } });
  const isAllowed = (url: URL) => allowedHosts.includes(url.host);

  function requireReachable(url: URL): void {
    if (isAllowed(url)) return;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'https:')
      throw new DirectoryError('The issuer’s address has to begin with https://.');
    // An address in digits is never looked up.
    if (isIP(host) !== 0 && isPrivateAddress(host)) throw new DirectoryError(inPrivateNetwork);
  }

  const guarded = (async (address: string, options: Parameters<typeof fetch>[1]) => {
    const url = new URL(address);
    requireReachable(url);
    const dispatcher = isAllowed(url) ? known : strangers;
    const answer = await fetch(url, { ...options, redirect: 'manual', dispatcher }).catch(sayWhyUnreached);
    if (answer.status >= 500) throw new DirectoryError(down);
    return answer;
  }) as never;

  async function discover({ issuer, clientId, clientSecret }: Directory): Promise<Configuration> {
    const url = URL.parse(issuer);
    if (url === null) throw new DirectoryError('The issuer’s address is not written correctly.');
    requireReachable(url);
    try {
      const configuration = await discovery(url, clientId, clientSecret, undefined, {
        [customFetch]: guarded,
        timeout: timeoutSeconds,
        execute: [enableNonRepudiationChecks, ...(isAllowed(url) ? [allowInsecureRequests] : [])],
      });
      const { authorization_endpoint: endpoint } = configuration.serverMetadata();
      const at = URL.parse(endpoint ?? '');
      if (at === null || (at.protocol !== 'https:' && !isAllowed(at)))
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

const inPrivateNetwork = 'The issuer is in a private network. Ask whoever runs Muster to allow it.';
const down = 'Your organization’s sign-in service doesn’t answer. Try again in a few minutes.';
const distrusted =
  'Your organization’s sign-in service gave an answer that can’t be trusted, so nobody was signed in. Tell whoever manages it.';

/** Errors of the library hold what was sent, secrets among it. */
function plainError(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const reasons = causesOf(error);
  const found = reasons.find((each) => each instanceof DirectoryError);
  if (found instanceof DirectoryError) return found;
  const isRefused = reasons.some((each) => (each as { error?: unknown }).error === 'access_denied');
  if (isRefused) return new DirectoryError('Your organization’s sign-in service didn’t let you in.');
  return new DirectoryError(distrusted);
}

/** What the connection failed of. */
function sayWhyUnreached(error: unknown): never {
  const isPrivate = causesOf(error).some((each) => each instanceof PrivateAddress);
  throw new DirectoryError(isPrivate ? inPrivateNetwork : down);
}

function causesOf(error: unknown): unknown[] {
  const inside = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, ...inside, ...(cause === undefined ? [] : causesOf(cause))];
}
