/** A CardDAV server with one user and one address book: as much of RFC 6352 as a client needs to read it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressBook, type BookPerson, phonesOf, versionOf } from './address-book.ts';
import { escapeHtml as escapeXml } from './directory-page.ts';
import { BadRequest, readBody, send } from './http.ts';

const login = `Basic ${Buffer.from('office:harlow-creek').toString('base64')}`;
const [root, principal, home, bookPath] = [
  '/carddav/',
  '/carddav/office/',
  '/carddav/office/books/',
  '/carddav/office/books/contacts/',
];

export async function serveCarddav(
  book: AddressBook,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.headers.authorization !== login) {
    response.setHeader('www-authenticate', 'Basic realm="contacts"');
    return send(response, 401, 'text/plain', 'Who are you?');
  }
  const body = (await readBody(request)).toString();
  const at = path.endsWith('/') ? path : `${path}/`;
  if (request.method === 'REPORT' && at === bookPath) {
    if (body.includes('sync-collection')) return answerChanges(book, body, response);
    return answer(response, cardsAsked(book, body));
  }
  if (request.method !== 'PROPFIND') throw new BadRequest('The address book is only read.', 405);
  const isDeep = request.headers.depth === '1';
  if (at === root) return answer(response, [described(root, '')]);
  if (at === principal) return answer(response, [described(principal, '')]);
  if (at === home) return answer(response, [described(home, ''), ...(isDeep ? [describedBook(book)] : [])]);
  if (at === bookPath) return answer(response, [describedBook(book)]);
  throw new BadRequest('There is nothing here.', 404);
}

/** RFC 6578: the cards that came, changed or went since a token, and the token of now. */
function answerChanges(book: AddressBook, body: string, response: ServerResponse) {
  const [, token = ''] = /sync-token>([^<]*)</.exec(body) ?? [];
  const changes = book.changesSince(versionOf(token));
  if (changes === undefined) {
    const error = '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>';
    return send(response, 403, 'application/xml; charset=utf-8', error);
  }
  answer(response, [
    ...changes.changed.map(({ id }) => part(hrefOf(id), `<d:getetag>"${book.version}"</d:getetag>`)),
    ...changes.gone.map(
      ({ id }) =>
        `<d:response><d:href>${escapeXml(hrefOf(id))}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`,
    ),
    `<d:sync-token>v${book.version}</d:sync-token>`,
  ]);
}

function hrefOf(id: string): string {
  return `${bookPath}${id}.vcf`;
}

function answer(response: ServerResponse, parts: string[]): void {
  const head = '<?xml version="1.0" encoding="utf-8"?>';
  const spaces =
    'xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav" xmlns:cs="http://calendarserver.org/ns/"';
  const body = `${head}<d:multistatus ${spaces}>${parts.join('')}</d:multistatus>`;
  send(response, 207, 'application/xml; charset=utf-8', body);
}

function part(href: string, props: string): string {
  return `<d:response><d:href>${escapeXml(href)}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}

function described(href: string, kind: string): string {
  return part(
    href,
    `<d:current-user-principal><d:href>${principal}</d:href></d:current-user-principal><card:addressbook-home-set><d:href>${home}</d:href></card:addressbook-home-set><d:resourcetype><d:collection/>${kind}</d:resourcetype>`,
  );
}

function describedBook({ version }: AddressBook): string {
  return part(
    bookPath,
    `<d:displayname>Office</d:displayname><cs:getctag>v${version}</cs:getctag><d:sync-token>v${version}</d:sync-token><d:resourcetype><d:collection/><card:addressbook/></d:resourcetype><d:supported-report-set><d:supported-report><d:report><card:addressbook-multiget/></d:report></d:supported-report><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report></d:supported-report-set>`,
  );
}

function cardsAsked(book: AddressBook, body: string): string[] {
  const isAsked = body.includes('addressbook-multiget')
    ? (href: string) => body.includes(`${href}<`)
    : () => true;
  const people = book.people
    .map((person) => ({ person, href: hrefOf(person.id) }))
    .filter(({ href }) => isAsked(href));
  if (body.includes('addressbook-multiget')) book.told += people.length;
  return people.map(({ person, href }) =>
    part(
      href,
      `<d:getetag>"${book.version}"</d:getetag><card:address-data>${escapeXml(cardOf(person))}</card:address-data>`,
    ),
  );
}

function cardOf(person: BookPerson): string {
  const { id, first, last, groups } = person;
  return [
    ...['BEGIN:VCARD', 'VERSION:3.0', `UID:${id}`, `N:${last};${first};;;`, `FN:${first} ${last}`],
    ...phonesOf(person).map((phone) => `TEL;TYPE=CELL:${phone}`),
    ...[`CATEGORIES:${groups.join(',')}`, 'END:VCARD', ''],
  ].join('\r\n');
}
