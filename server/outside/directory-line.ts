/**
 * Requests to an organization's sign-in service. Its URLs come from outside, so they are limited to public
 * hosts, by https, unless the operator names the host.
 */
import { isIP } from 'node:net';
import { Agent, fetch } from 'undici';
import { isPrivateAddress, lookupPublic, PrivateAddress } from './private-address.ts';

/** A description or a set of keys has a few thousand bytes. */
const mostBytes = 1024 * 1024;

/** Its message is for a user who signs in or sets it up: what is wrong, never what was sent. */
export class DirectoryError extends Error {
  override name = 'DirectoryError';
}

const inPrivateNetwork = 'The issuer is in a private network. Ask whoever runs Muster to allow it.';
const down = 'Your organization’s sign-in service doesn’t answer. Try again in a few minutes.';
export const distrusted =
  'Your organization’s sign-in service gave an answer that can’t be trusted, so nobody was signed in. Tell whoever manages it.';
export const refusedThere = 'Your organization’s sign-in service didn’t let you in.';

export interface DirectoryLine {
  isAllowed(url: URL): boolean;
  /** True if people may be sent there to sign in. */
  isPlaceToSignIn(address: string): boolean;
  requireReachable(url: URL): void;
  fetch(address: string, options?: Parameters<typeof fetch>[1]): ReturnType<typeof fetch>;
}

export function openDirectoryLine(allowedHosts: readonly string[]): DirectoryLine {
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
    // An IP address is never looked up.
    if (isIP(host) !== 0 && isPrivateAddress(host)) throw new DirectoryError(inPrivateNetwork);
  }

  return {
    isAllowed,
    requireReachable,
    isPlaceToSignIn(address) {
      const url = URL.parse(address);
      return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isAllowed(url)));
    },
    async fetch(address, options) {
      const url = new URL(address);
      requireReachable(url);
      const dispatcher = isAllowed(url) ? known : strangers;
      const answer = await fetch(url, { ...options, redirect: 'manual', dispatcher }).catch(sayWhyUnreached);
      if (answer.status >= 500) throw new DirectoryError(down);
      return answer;
    },
  };
}

/** A library's errors contain the request, including secrets. */
export function plainError(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const reasons = causesOf(error);
  const found = reasons.find((each) => each instanceof DirectoryError);
  if (found instanceof DirectoryError) return found;
  const isRefused = reasons.some((each) => (each as { error?: unknown }).error === 'access_denied');
  return new DirectoryError(isRefused ? refusedThere : distrusted);
}

/** The cause of a failed connection. */
function sayWhyUnreached(error: unknown): never {
  const isPrivate = causesOf(error).some((each) => each instanceof PrivateAddress);
  throw new DirectoryError(isPrivate ? inPrivateNetwork : down);
}

function causesOf(error: unknown): unknown[] {
  const inside = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, ...inside, ...(cause === undefined ? [] : causesOf(cause))];
}
