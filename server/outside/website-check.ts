import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { withScheme } from '../../contract/fields/character-rules.ts';
import type { Config } from '../config.ts';
import { isPrivateAddress, type Lookup, lookupPublic } from './private-address.ts';

const wholeMs = 8_000;
const mostRedirects = 5;
/** Enough to see that there is a page; the rest isn’t read. */
const mostBytes = 256 * 1024;

type WebsiteAnswer = { isValid: true; lastUrl: string } | { isValid: false; problem: string };

/** Opens websites that users enter, in our terms. */
export interface WebsiteChecker {
  check(url: string): Promise<WebsiteAnswer>;
  close(): Promise<void>;
}

/**
 * Anybody can enter any URL, so it is opened through the same guard as pictures from outside: public
 * addresses only, checked on the address that is connected to, at each redirect again, with limits on time,
 * size and hops. `playedAt` replaces hosts under .example, which exist nowhere: the sandbox simulates them.
 */
export function createWebsiteChecker(
  { WEBSITE_PLAYED_AT }: Pick<Config, 'WEBSITE_PLAYED_AT'>,
  lookup: Lookup = lookupPublic,
): WebsiteChecker {
  const strangers = new Agent({ allowH2: false, connect: { timeout: 3_000, lookup } });
  const played = new Agent({ allowH2: false, connect: { timeout: 3_000 } });

  async function openOnce(url: URL, signal: AbortSignal): Promise<URL | WebsiteAnswer> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { isValid: false, problem: 'This isn’t a web address.' };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isPlayed = WEBSITE_PLAYED_AT !== undefined && host.endsWith('.example');
    if (!isPlayed && isInside(url, host))
      return { isValid: false, problem: 'This address is not on the public internet.' };
    const at = isPlayed ? new URL(`/sites/${host}${url.pathname}`, WEBSITE_PLAYED_AT) : url;
    const { statusCode, headers, body } = await request(at, {
      dispatcher: isPlayed ? played : strangers,
      headers: { accept: 'text/html,*/*', 'user-agent': 'Muster' },
      signal,
    });
    body.on('error', () => {});
    if (statusCode >= 300 && statusCode < 400) {
      await body.dump();
      const to = URL.parse(String(headers.location ?? ''), url);
      return to ?? { isValid: false, problem: 'The website has moved, and doesn’t say where.' };
    }
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > mostBytes) break;
    }
    if (statusCode >= 400)
      return { isValid: false, problem: `The website answered with error ${statusCode}.` };
    return size === 0
      ? { isValid: false, problem: 'The website is empty.' }
      : { isValid: true, lastUrl: url.href };
  }

  return {
    async check(text) {
      const signal = AbortSignal.timeout(wholeMs);
      let url = URL.parse(withScheme(text.trim()));
      if (url === null || !url.hostname.includes('.'))
        return { isValid: false, problem: 'This isn’t a web address.' };
      try {
        for (let hops = 0; hops <= mostRedirects; hops++) {
          const found: URL | WebsiteAnswer = await openOnce(url, signal);
          if (!(found instanceof URL)) return found;
          url = found;
        }
      } catch {
        // Without the reason: it would reveal what is behind an address.
        return { isValid: false, problem: 'The website didn’t answer.' };
      }
      return { isValid: false, problem: 'The website redirects too often.' };
    },
    async close() {
      await Promise.all([strangers.close(), played.close()]);
    },
  };
}

/** Never looked up: an IP address, a name without a dot, a port that no website has. */
function isInside(url: URL, host: string): boolean {
  const isUsualPort = url.port === '' || url.port === '80' || url.port === '443';
  if (isIP(host) !== 0) return !isUsualPort || isPrivateAddress(host);
  return !isUsualPort || !host.includes('.') || /\.(local|internal|localhost|lan|home|corp)$/i.test(host);
}
