/**
 * Requests to systems whose URLs customers enter. They may lead anywhere: only public hosts by https get a
 * request, unless the operator lists the host. Redirects are not followed.
 */
import { isIP } from 'node:net';
import { Agent, fetch } from 'undici';
import { SourceError, sourceProblems } from './contact-source.ts';
import { isPrivateAddress, lookupPublic, PrivateAddress } from './private-address.ts';

/** An address book of a hundred thousand people has some fifty megabytes. */
const mostBytes = 128 * 1024 * 1024;
const answerMs = 30_000;

export interface SourceLine {
  isAllowed(host: string): boolean;
  /** Throws the message why a host can't be reached. `scheme` is the one required for unlisted hosts. */
  requireReachable(url: URL, scheme: string): void;
  fetch(address: string, options?: Parameters<typeof fetch>[1]): ReturnType<typeof fetch>;
  close(): Promise<void>;
}

export function openSourceLine(allowedHosts: readonly string[]): SourceLine {
  const options = {
    ...{ allowH2: false, maxResponseSize: mostBytes, headersTimeout: answerMs, bodyTimeout: answerMs },
  };
  const strangers = new Agent({ ...options, connect: { timeout: 5_000, lookup: lookupPublic } });
  const known = new Agent({ ...options, connect: { timeout: 5_000 } });
  const isAllowed = (host: string) => allowedHosts.includes(host.toLowerCase());

  function requireReachable(url: URL, scheme: string): void {
    if (isAllowed(url.host)) return;
    if (url.protocol !== scheme.replace('//', '')) throw sourceProblems.notSafe(url.host, scheme);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An IP address is never looked up.
    if (isIP(host) !== 0 && isPrivateAddress(host)) throw sourceProblems.private(url.host);
  }

  let closing: Promise<unknown> | undefined;
  return {
    isAllowed,
    requireReachable,
    async fetch(address, given) {
      const url = URL.parse(address);
      if (url === null) throw new SourceError('odd', 'The address is not written correctly.');
      requireReachable(url, 'https://');
      const dispatcher = isAllowed(url.host) ? known : strangers;
      const signal = AbortSignal.timeout(4 * answerMs);
      const answer = await fetch(url, { ...given, redirect: 'manual', dispatcher, signal }).catch((error) => {
        throw plainSourceError(error, url.host);
      });
      if (answer.status >= 500) {
        await answer.body?.cancel();
        throw sourceProblems.down(url.host);
      }
      return answer;
    },
    async close() {
      closing ??= Promise.all([strangers.destroy(), known.destroy()]);
      await closing;
    },
  };
}

const certificateCode = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|DEPTH_ZERO|^ERR_TLS|^ERR_SSL|EPROTO/;

/**
 * The cause of a failed connection, as a message. Errors of libraries contain the request, including
 * passwords.
 */
export function plainSourceError(error: unknown, host: string): SourceError {
  const causes = causesOf(error);
  const known = causes.find((each) => each instanceof SourceError);
  if (known instanceof SourceError) return known;
  if (causes.some((each) => each instanceof PrivateAddress)) return sourceProblems.private(host);
  const codes = causes.map((each) => String((each as { code?: unknown } | undefined)?.code ?? ''));
  if (codes.some((code) => certificateCode.test(code))) return sourceProblems.certificate(host);
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) return sourceProblems.unknown(host);
  if (codes.includes('UND_ERR_RES_EXCEEDED_MAX_SIZE')) return sourceProblems.tooLarge(host);
  const isLost =
    codes.some((code) => /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) ||
    causes.some((each) => each instanceof Error && /Timeout|AbortError/.test(each.name));
  return isLost ? sourceProblems.down(host) : sourceProblems.odd(host);
}

function causesOf(error: unknown): unknown[] {
  const inside = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, ...inside, ...(cause === undefined ? [] : causesOf(cause))];
}
