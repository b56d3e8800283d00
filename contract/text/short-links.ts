import { withoutClosing } from './short-urls.ts';

/**
 * Links in a text, shortened on the organization's own address. Every recipient gets a link of their own, so
 * that a click can be attributed to them. Until the texts are made, a placeholder of the same length stands
 * for each link, so that lengths and costs are correct.
 */

/** Characters of what follows the address: 62 to the power of ten can't be guessed. */
export const linkTokenLength = 10;

/** "https://example.org/l/" */
export function linkBase(address: string): string {
  return `${address.replace(/\/+$/, '')}/l/`;
}

/** More links than this aren't shortened; nobody writes them in one text. */
const mostLinks = 20;

const placeOf = (index: number) => `Muster${String(index + 1).padStart(linkTokenLength - 6, '0')}`;

export interface Shortened {
  text: string;
  /** The addresses and their placeholders, in the order of the text; the same address twice is one link. */
  links: readonly { url: string; place: string }[];
}

/**
 * A text with the placeholders of its short links. Addresses that contain a personalized field differ for
 * everybody and stay as they are, as do those without http.
 */
export function shortenLinks(text: string, base: string): Shortened {
  const links: { url: string; place: string }[] = [];
  let shortened = '';
  let at = 0;
  for (const { 0: word, index } of text.matchAll(/[^\s<>"“”«»]+/g)) {
    const scheme = word.search(/https?:\/\//i);
    const url = scheme < 0 ? '' : withoutClosing(word.slice(scheme));
    if (!isShortenable(url) || url.startsWith(base)) continue;
    let link = links.find((one) => one.url === url);
    if (link === undefined) {
      if (links.length === mostLinks) break;
      link = { url, place: base + placeOf(links.length) };
      links.push(link);
    }
    shortened += text.slice(at, index + scheme) + link.place;
    at = index + scheme + url.length;
  }
  return { text: shortened + text.slice(at), links };
}

function isShortenable(url: string): boolean {
  if (url === '' || url.length > 2000 || url.includes('{{')) return false;
  const parsed = URL.parse(url);
  return parsed?.hostname.includes('.') === true && parsed.username === '' && parsed.password === '';
}
