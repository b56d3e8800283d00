/** Address books by CardDAV (RFC 6352), as Nextcloud, iCloud, Fastmail and Radicale have them. */
import { createHash } from 'node:crypto';
import {
  createAccount,
  type DAVAddressBook,
  fetchAddressBooks,
  fetchVCards,
  type getBasicAuthHeaders,
} from 'tsdav';
import {
  type ContactSource,
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

  /** What failed is remembered: the library goes on after some errors, and says of others what was sent. */
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

  async function readAll(own: Fetch, books: DAVAddressBook[]): Promise<SourceContact[]> {
    const people: SourceContact[] = [];
    for (const addressBook of books) {
      const cards = await fetchVCards({ addressBook, headers, ...(own === undefined ? {} : { fetch: own }) });
      for (const { url: address, data } of cards) {
        const card = typeof data === 'string' ? readVcard(data) : undefined;
        if (card === undefined) continue;
        people.push({
          // Beside its book: the same card may be in two.
          key: `${pathOf(addressBook.url)} ${card.uid || pathOf(address)}`,
          firstName: card.firstName,
          lastName: card.lastName,
          phones: card.phones,
          groups: [
            `${bookType}:${pathOf(addressBook.url)}`,
            ...card.categories.map((name) => `${categoryType}:${name}`),
          ],
        });
      }
    }
    return people;
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
        const people = await readAll(own, books);
        const many = (key: string) => people.filter(({ groups }) => groups.includes(key)).length;
        const categories = [...new Set(people.flatMap(({ groups }) => groups))].filter((key) =>
          key.startsWith(`${categoryType}:`),
        );
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
        // The books say by a tag whether anything in them has changed.
        const now = books.every(({ ctag }) => ctag !== undefined && ctag !== '')
          ? createHash('sha256')
              .update(JSON.stringify(books.map(({ url: at, ctag }) => [at, ctag]).sort()))
              .digest('base64url')
          : null;
        if (mark !== null && mark === now) return { isWhole: false, contacts: [], gone: [], mark };
        return { isWhole: true, contacts: await readAll(own, books), gone: [], mark: now };
      }),
  });
}

function pathOf(address: string): string {
  return URL.parse(address)?.pathname ?? address;
}

function lastPart(address: string): string {
  return decodeURIComponent(pathOf(address).replace(/\/+$/, '').split('/').at(-1) ?? address);
}
