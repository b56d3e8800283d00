import { randomBytes } from 'node:crypto';
import { linkTokenLength } from '../../../contract/text/short-links.ts';

/** The request data of a visitor who opens a link. */
export interface LinkRequest {
  method: string;
  userAgent: string;
  /** Sec-Purpose, Purpose or X-Moz: browsers that prefetch send one of them. */
  purpose: string;
}

/**
 * Programs that fetch links: previews of messaging apps (iMessage calls itself facebookexternalhit and
 * Twitterbot), carriers' and mail filters, crawlers and command-line tools. A person's browser names none of
 * these.
 */
const machines =
  /bot|crawl|spider|preview|externalhit|facebot|whatsapp|slurp|scan|monitor|fetch|headless|phantom|python|curl|wget|java\/|okhttp|go-http|axios|node-fetch|undici|libwww|ruby|perl|proofpoint|barracuda|mimecast|safelinks|validator|cloudmark|google-(read|safety|cloud)|bitdefender/i;

/** True if a machine rather than a person opens a link. */
export function isPreview({ method, userAgent, purpose }: LinkRequest): boolean {
  if (method === 'HEAD' || /prefetch|preview|prerender/i.test(purpose)) return true;
  return userAgent.trim() === '' || machines.test(userAgent);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** As many random tokens as asked for. */
export function newTokens(count: number): string[] {
  let bytes = randomBytes(count * linkTokenLength * 2);
  let at = 0;
  const next = (): string => {
    for (;;) {
      if (at === bytes.length) {
        bytes = randomBytes(1024);
        at = 0;
      }
      const byte = bytes[at++] ?? 255;
      // 248 is four times 62: above it some letters would occur more often.
      if (byte < 248) return letters.charAt(byte % 62);
    }
  };
  return Array.from({ length: count }, () => Array.from({ length: linkTokenLength }, next).join(''));
}
