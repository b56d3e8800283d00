/** Address books by CardDAV (RFC 6352), for example Nextcloud, iCloud, Fastmail and Radicale. */
import { createHash } from 'node:crypto';
import {
  createAccount,
  type DAVAddressBook,
  fetchAddressBooks,
  fetchVCards,
  type getBasicAuthHeaders,
  syncCollection,
} from 'tsdav';
import { z } from 'zod';
import {
  type ContactSource,
  countGroups,
  type SourceChanges,
  type SourceContact,
  SourceError,
  sourceProblems,
  wholeSource,
} from './contact-source.ts';
import { readVcard } from './read-vcard.ts';
import { plainSourceError, type SourceLine } from './source-line.ts';

type Fetch = NonNullable<Parameters<typeof fetchAddressBooks>[0]>['fetch'];

export interface CarddavLogin {
  ServerUrl: string;
  UserName: string;
  Password: string;
}

const bookType = 'book';
const categoryType = 'category';

export function createCarddavSource(line: SourceLine, login: CarddavLogin): ContactSource {
  const url = URL.parse(
    /^https?:\/\//i.test(login.ServerUrl) ? login.ServerUrl : `https://${login.ServerUrl}`,
  );
  const host = url?.host ?? login.ServerUrl;
  const basic = Buffer.from(`${login.UserName}:${login.Password}`).toString('base64');
  const headers: ReturnType<typeof getBasicAuthHeaders> = { authorization: `Basic ${basic}` };

  /** The error is remembered: the library continues after some errors, and others contain the request. */
  async function asking<T>(run: (own: Fetch) => Promise<T>): Promise<T> {
    if (url === null) throw new SourceError('odd', 'The address is not written correctly.');
    let failure: SourceError | undefined;
    let isRefused = false;
    const own = async (address: string, options: RequestInit) => {
      try {
        const answer = await line.fetch(String(address), options as never);
        if (answer.status === 401 || answer.status === 403) isRefused = true;
        return answer;
      } catch (error) {
        failure = plainSourceError(error, host);
        throw error;
      }
    };
    try {
      return await run(own as unknown as Fetch);
    } catch (error) {
      if (isRefused) throw sourceProblems.login(host);
      throw failure ?? plainSourceError(error, host);
    }
  }

  function listBooks(own: Fetch): Promise<DAVAddressBook[]> {
    return readBooks(own).then((books) => books.filter((book) => book.url !== ''));
  }

  async function readBooks(own: Fetch): Promise<DAVAddressBook[]> {
    const given = { headers, ...(own === undefined ? {} : { fetch: own }) };
    const account = await createAccount({
      account: {
        ...{ serverUrl: url?.href ?? '', accountType: 'carddav', rootUrl: url?.href ?? '' },
        credentials: { username: login.UserName, password: login.Password },
      },
      ...given,
    });
    return fetchAddressBooks({ account, ...given });
  }

  const nameOf = (book: DAVAddressBook) =>
    typeof book.displayName === 'string' && book.displayName !== '' ? book.displayName : lastPart(book.url);

  async function readCards(own: Fetch, addressBook: DAVAddressBook, only?: string[]): Promise<Card[]> {
    const cards = await fetchVCards({
      ...{ addressBook, headers },
      ...(only === undefined ? {} : { objectUrls: only }),
      ...(own === undefined ? {} : { fetch: own }),
    });
    const book = pathOf(addressBook.url);
    return cards.flatMap(({ url: address, data }) => {
      if (typeof data !== 'string') return [];
      const path = pathOf(address);
      const card = readVcard(data);
      if (card === undefined) return { path, id: path, contact: undefined };
      const { firstName, lastName, phones, categories } = card;
      const id = card.uid || path;
      const groups = [`${bookType}:${book}`, ...categories.map((name) => `${categoryType}:${name}`)];
      return { path, id, contact: { key: keyOf(book, id), firstName, lastName, phones, groups } };
    });
  }

  async function readAll(own: Fetch, books: DAVAddressBook[]): Promise<Card[]> {
    const cards: Card[] = [];
    for (const book of books) cards.push(...(await readCards(own, book)));
    return cards;
  }

  async function readWhole(own: Fetch, books: DAVAddressBook[]): Promise<SourceChanges> {
    const cards = await readAll(own, books);
    const mark = writeMark(books, Object.fromEntries(cards.filter(isNamedOtherwise).map(nameOfCard)));
    return { isWhole: true, contacts: cards.flatMap(({ contact }) => contact ?? []), gone: [], mark };
  }

  /**
   * By sync-collection (RFC 6578). Undefined if a book was added or removed, or the server no longer knows
   * its token.
   */
  async function readChanges(
    own: Fetch,
    books: DAVAddressBook[],
    { tokens, names }: Mark,
  ): Promise<SourceChanges | undefined> {
    const isSame =
      Object.keys(tokens).length === books.length && books.every(({ url: at }) => pathOf(at) in tokens);
    if (!isSame) return undefined;
    const contacts: SourceContact[] = [];
    const gone: string[] = [];
    const namesNow = { ...names };
    for (const book of books) {
      const path = pathOf(book.url);
      const token = tokens[path];
      if (token === undefined || token === tokenOf(book)) continue;
      const answers = await syncCollection({
        ...{ url: book.url, headers, syncLevel: 1, syncToken: token, props: { 'd:getetag': {} } },
        ...(own === undefined ? {} : { fetch: own }),
      });
      const changed: string[] = [];
      for (const { href, status, ok } of answers) {
        const at = href === undefined ? undefined : pathOf(new URL(href, book.url).href);
        // The book itself: the token is no longer valid, or there is more than one response can contain.
        if (at === undefined || at === path || (!ok && status !== 404)) return undefined;
        if (ok) changed.push(at);
        gone.push(keyOf(path, names[at] ?? usualId(at)));
        delete namesNow[at];
      }
      const cards = changed.length === 0 ? [] : await readCards(own, book, changed);
      // A card that is listed without data may not be deleted.
      if (cards.length < changed.length) return undefined;
      for (const { contact } of cards) if (contact !== undefined) contacts.push(contact);
      Object.assign(namesNow, Object.fromEntries(cards.filter(isNamedOtherwise).map(nameOfCard)));
    }
    const here = new Set(contacts.map(({ key }) => key));
    return {
      isWhole: false,
      contacts,
      gone: gone.filter((key) => !here.has(key)),
      mark: writeMark(books, namesNow),
    };
  }

  return wholeSource({
    check: () =>
      asking(async (own) => {
        const books = await listBooks(own);
        if (books.length === 0) throw new SourceError('odd', `${host} has no address book for this user.`);
        return `${login.UserName} at ${host}`;
      }),
    groupTypes: async () => [
      { key: bookType, name: 'Address books' },
      { key: categoryType, name: 'Categories' },
    ],
    groups: () =>
      asking(async (own) => {
        const books = await listBooks(own);
        const people = (await readAll(own, books)).flatMap(({ contact }) => contact ?? []);
        const counts = countGroups(people);
        const many = (key: string) => counts.get(key) ?? 0;
        const categories = [...counts.keys()].filter((key) => key.startsWith(`${categoryType}:`));
        return [
          ...books.map((book) => {
            const key = `${bookType}:${pathOf(book.url)}`;
            return { key, name: nameOf(book), type: bookType, count: many(key) };
          }),
          ...categories.sort().map((key) => ({
            ...{ key, name: key.slice(categoryType.length + 1), type: categoryType, count: many(key) },
          })),
        ];
      }),
    changesSince: (mark) =>
      asking(async (own) => {
        const books = await listBooks(own);
        const known = mark === null ? undefined : readMark(mark);
        const changes = known === undefined ? undefined : await readChanges(own, books, known);
        if (changes !== undefined) return changes;
        // A book that can't report its changes has a tag that shows whether there were any.
        const tag = tagOf(books);
        if (mark !== null && mark === tag) return { isWhole: false, contacts: [], gone: [], mark };
        const whole = await readWhole(own, books);
        return { ...whole, mark: whole.mark ?? tag };
      }),
  });
}

interface Card {
  /** The path of the card. */
  path: string;
  /** Its UID; its path if it has none. */
  id: string;
  /** Undefined if it isn't a person. */
  contact: SourceContact | undefined;
}

/** A deleted card is named only by its path, and people are identified by their UIDs. */
const markShape = z.object({
  tokens: z.record(z.string(), z.string()),
  /** UIDs of the cards whose name differs from it. */
  names: z.record(z.string(), z.string()),
});
type Mark = z.output<typeof markShape>;

/** A book with more of them is read completely. */
const mostNames = 2_000;

/** Undefined for a tag, which is all that some servers return. */
function readMark(mark: string): Mark | undefined {
  if (!mark.startsWith('{')) return undefined;
  return markShape.safeParse(JSON.parse(mark)).data;
}

/** Null if a book has no token. */
function writeMark(books: DAVAddressBook[], names: Mark['names']): string | null {
  const tokens = books.map((book) => [pathOf(book.url), tokenOf(book)] as const);
  if (tokens.some(([, token]) => token === undefined) || Object.keys(names).length > mostNames) return null;
  return JSON.stringify({ tokens: Object.fromEntries(tokens), names });
}

function tokenOf({ syncToken, reports }: DAVAddressBook): string | undefined {
  if (!reports?.includes('syncCollection')) return undefined;
  // The library converts digits to numbers, and long ones lose precision.
  if (typeof syncToken === 'number') return Number.isSafeInteger(syncToken) ? String(syncToken) : undefined;
  return typeof syncToken === 'string' && syncToken !== '' ? syncToken : undefined;
}

function tagOf(books: DAVAddressBook[]): string | null {
  if (books.some(({ ctag }) => ctag === undefined || ctag === '')) return null;
  return createHash('sha256')
    .update(JSON.stringify(books.map(({ url: at, ctag }) => [at, ctag]).sort()))
    .digest('base64url');
}

/** In addition to its book: the same card may be in two. */
function keyOf(book: string, id: string): string {
  return `${book} ${id}`;
}

/** Nearly all programs name a card by its UID. */
function usualId(path: string): string {
  return lastPart(path).replace(/\.vcf$/i, '');
}

function isNamedOtherwise({ path, id, contact }: Card): boolean {
  return contact !== undefined && id !== usualId(path);
}

function nameOfCard({ path, id }: Card): [string, string] {
  return [path, id];
}

function pathOf(address: string): string {
  return URL.parse(address)?.pathname ?? address;
}

function lastPart(address: string): string {
  return decodeURIComponent(pathOf(address).replace(/\/+$/, '').split('/').at(-1) ?? address);
}
