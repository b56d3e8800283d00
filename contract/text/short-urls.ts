import { blockedShortenerHosts, shortenerHosts } from './shorteners.ts';

export const genericShortenerWarning =
  'Your message is using a generic URL shortener, which could cause it to be blocked by carrier spam filters. Please change to a full URL, or use a custom URL shortener.';

export interface ShortUrl {
  url: string;
  host: string;
  index: number;
}

/** A host name is never longer. */
const LONGEST_HOST = 253;

/**
 * The addresses in a text that a generic shortener made, with or without http://, in their order in the text.
 */
export function findShortUrls(text: string): ShortUrl[] {
  const found: ShortUrl[] = [];
  for (const { 0: word, index } of text.matchAll(/[^\s<>"“”«»]+/g)) {
    // "(see" and "link:bit.ly/x" begin before the address does.
    const scheme = word.search(/https?:\/\//i);
    const offset = scheme >= 0 ? scheme : (/^[^\p{L}\p{N}]+/u.exec(word)?.[0].length ?? 0);
    const url = withoutClosing(word.slice(offset));
    const host = hostOf(url);
    if (host !== undefined && shortenerHosts.has(host)) found.push({ url, host, index: index + offset });
  }
  return found;
}

/** Those among them that carriers block outright. */
export function findBlockedUrls(text: string): ShortUrl[] {
  return findShortUrls(text).filter(({ host }) => blockedShortenerHosts.has(host));
}

export function hasShortUrl(text: string): boolean {
  return findShortUrls(text).length > 0;
}

/** The warning to show beside a text, or undefined. */
export function shortenerWarning(text: string): string | undefined {
  return hasShortUrl(text) ? genericShortenerWarning : undefined;
}

/** Without the punctuation of the sentence around it. A loop: the same as a pattern is quadratic on ".....". */
export function withoutClosing(url: string): string {
  let end = url.length;
  while (end > 0 && ".,;:!?)]}'’…".includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}

function hostOf(url: string): string | undefined {
  const address = url.replace(/^https?:\/\//i, '');
  const authority = address.slice(0, LONGEST_HOST + 50).split(/[/?#\\]/, 1)[0] ?? '';
  // me@bit.ly is a mailbox; http://name@bit.ly/x is an address that hides its host.
  const at = authority.lastIndexOf('@');
  if (at >= 0 && address === url) return undefined;
  const host = authority
    .slice(at + 1)
    .split(/[:,;]/, 1)[0]
    ?.normalize('NFKC')
    .toLowerCase();
  return host?.replace(/^www\./, '').replace(/\.$/, '');
}
