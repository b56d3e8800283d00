/**
 * Other systems with an organization's people: contacts at Google and Microsoft, where somebody signs in by OAuth 2, and
 * a published sheet. They check what the real ones check: the client, the redirect address, PKCE, the token.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressBook, type BookPerson, phonesOf, versionOf } from './address-book.ts';
import { serveCarddav } from './carddav.ts';
import { directoryPage } from './directory-page.ts';
import { BadRequest, readBody, send, sendJson } from './http.ts';

const sourceClientSecret = 'sandbox-contacts-secret';
const owner = 'office@harlowcreek.example';

interface Code {
  redirectUri: string;
  challenge: string;
}

const codes = new Map<string, Code>();
const accessTokens = new Map<string, number>();
const refreshTokens = new Set<string>();

export function isSourcePath(path: string): boolean {
  return path.startsWith('/sources/') || path.startsWith('/carddav/') || path === '/sheet.csv';
}

export async function serveSources(
  book: AddressBook,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  if (url.pathname === '/sources/people') return control(book, request, response);
  if (book.isDown) return send(response, 503, 'text/plain', 'Down for maintenance');
  if (url.pathname.startsWith('/carddav/')) return serveCarddav(book, request, response, url.pathname);
  if (url.pathname === '/sheet.csv') return serveSheet(book, request, response);
  const [, , company = '', ...rest] = url.pathname.split('/');
  const at = `${request.method} ${rest.join('/')}`;
  if (at === 'GET authorize') return askLeave(url, company, response);
  if (at === 'GET allow') return allow(url, response);
  if (at === 'POST token') return exchange(book, request, response);
  const [, token = ''] = (request.headers.authorization ?? '').split(' ');
  if ((accessTokens.get(token) ?? 0) < Date.now())
    return sendJson(response, 401, { error: { code: 401, status: 'UNAUTHENTICATED' } });
  if (company === 'google') return serveGoogle(book, url, rest.join('/'), response);
  if (company === 'microsoft') return serveMicrosoft(book, url, rest.join('/'), response);
  throw new BadRequest('There is nothing here.', 404);
}

/** For tests and for whoever wants to see a sync at work. */
async function control(book: AddressBook, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') {
    const given = JSON.parse((await readBody(request)).toString()) as {
      Items?: BookPerson[];
      TokenSeconds?: number;
      IsDown?: boolean;
      /** 0 for all. */
      MostMembers?: number;
      Forget?: boolean;
    };
    if (given.Items !== undefined) book.replace(given.Items);
    if (given.TokenSeconds !== undefined) book.tokenSeconds = given.TokenSeconds;
    if (given.IsDown !== undefined) book.isDown = given.IsDown;
    if (given.MostMembers !== undefined) book.mostMembers = given.MostMembers || Number.POSITIVE_INFINITY;
    // Nobody's sync token is good any more.
    if (given.Forget) book.before.clear();
  }
  sendJson(response, 200, { Items: book.people, Refreshes: book.refreshes, Told: book.told });
}

function askLeave(url: URL, company: string, response: ServerResponse) {
  for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge', 'scope'])
    if (!url.searchParams.get(name)) throw new BadRequest(`The page needs ${name}.`);
  const denied = new URL(url.searchParams.get('redirect_uri') ?? '');
  denied.searchParams.set('error', 'access_denied');
  denied.searchParams.set('state', url.searchParams.get('state') ?? '');
  const title = company === 'google' ? 'Google Contacts' : 'Outlook contacts';
  const links = [
    { name: 'Allow', about: `Muster may read the contacts of ${owner}`, address: `allow${url.search}` },
    { name: 'Don’t allow', about: 'Nothing is shared', address: denied.href },
  ];
  send(response, 200, 'text/html; charset=utf-8', directoryPage(title, links));
}

function allow({ searchParams }: URL, response: ServerResponse) {
  const redirectUri = searchParams.get('redirect_uri') ?? '';
  const back = URL.parse(redirectUri);
  if (back === null || !back.protocol.startsWith('http')) throw new BadRequest('redirect_uri is no address.');
  const code = randomBytes(16).toString('base64url');
  codes.set(code, { redirectUri, challenge: searchParams.get('code_challenge') ?? '' });
  back.searchParams.set('code', code);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  response.writeHead(302, { location: back.href, 'cache-control': 'no-store' }).end();
}

async function exchange(
  book: AddressBook,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams((await readBody(request)).toString());
  if (form.get('client_secret') !== sourceClientSecret)
    return sendJson(response, 401, { error: 'invalid_client' });
  if (form.get('grant_type') === 'refresh_token') {
    // Each is good once: who renews twice has lost the connection.
    if (!refreshTokens.delete(form.get('refresh_token') ?? ''))
      return sendJson(response, 400, { error: 'invalid_grant' });
    book.refreshes += 1;
  } else {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return sendJson(response, 400, { error: 'invalid_grant' });
  }
  const [access_token, refresh_token] = [randomBytes(24), randomBytes(24)].map((bytes) =>
    bytes.toString('base64url'),
  ) as [string, string];
  accessTokens.set(access_token, Date.now() + book.tokenSeconds * 1000);
  refreshTokens.add(refresh_token);
  sendJson(response, 200, {
    ...{ access_token, refresh_token, token_type: 'Bearer', expires_in: book.tokenSeconds },
  });
}

function serveGoogle(book: AddressBook, url: URL, path: string, response: ServerResponse) {
  const labelOf = (name: string) => `contactGroups/${Buffer.from(name).toString('hex')}`;
  const personOf = (person: BookPerson) => ({
    resourceName: `people/${person.id}`,
    names: [{ givenName: person.first, familyName: person.last }],
    phoneNumbers: phonesOf(person).map((value) => ({ value, type: 'mobile' })),
    memberships: ['contactGroups/myContacts', ...person.groups.map(labelOf)].map(
      (contactGroupResourceName) => ({
        contactGroupMembership: { contactGroupResourceName },
      }),
    ),
  });
  if (path === 'v1/people/me') return sendJson(response, 200, { emailAddresses: [{ value: owner }] });
  if (path === 'v1/contactGroups') {
    const contactGroups = [
      {
        ...{
          resourceName: 'contactGroups/myContacts',
          name: 'myContacts',
          groupType: 'SYSTEM_CONTACT_GROUP',
        },
        memberCount: book.people.length,
      },
      ...book.groupNames().map((name) => ({
        ...{ resourceName: labelOf(name), name, groupType: 'USER_CONTACT_GROUP' },
        memberCount: book.people.filter((person) => person.groups.includes(name)).length,
      })),
    ];
    return sendJson(response, 200, { contactGroups });
  }
  if (path !== 'v1/people/me/connections') throw new BadRequest('There is nothing here.', 404);
  const nextSyncToken = `v${book.version}`;
  const token = url.searchParams.get('syncToken');
  if (token === null) {
    const size = Number(url.searchParams.get('pageSize') ?? 100);
    const first = Number(url.searchParams.get('pageToken') ?? 0);
    const connections = book.people.slice(first, first + size).map(personOf);
    const isMore = first + size < book.people.length;
    return sendJson(response, 200, {
      connections,
      ...(isMore ? { nextPageToken: `${first + size}` } : { nextSyncToken }),
    });
  }
  const changes = book.changesSince(versionOf(token));
  if (changes === undefined)
    return sendJson(response, 400, { error: { code: 400, details: [{ reason: 'EXPIRED_SYNC_TOKEN' }] } });
  const { changed, gone } = changes;
  book.told += changed.length;
  sendJson(response, 200, {
    connections: [
      ...changed.map(personOf),
      ...gone.map(({ id }) => ({ resourceName: `people/${id}`, metadata: { deleted: true } })),
    ],
    nextSyncToken,
  });
}

/** As many as Graph gives at once, at most, so that its next links are followed. */
const graphPage = 10;

const [defaultFolder, boardFolder] = ['AAMkDefault', 'board'];

function serveMicrosoft(book: AddressBook, url: URL, path: string, response: ServerResponse) {
  const at = path.replace(/^v1\.0\//, '');
  if (at === 'me') return sendJson(response, 200, { userPrincipalName: owner, mail: owner });
  if (at === 'me/contactFolders')
    return sendJson(response, 200, { value: [{ id: boardFolder, displayName: 'Board members' }] });
  const isBoard = (person: BookPerson) => person.groups.includes('Board');
  const contactOf = (person: BookPerson) => ({
    ...{ id: person.id, givenName: person.first, surname: person.last },
    displayName: `${person.first} ${person.last}`,
    parentFolderId: isBoard(person) ? boardFolder : defaultFolder,
    ...{ mobilePhone: person.phone || null, homePhones: [], businessPhones: [], categories: person.groups },
  });
  const one = /^me\/contacts\/([^/]+)$/.exec(at);
  if (one !== null) {
    const person = book.people.find(({ id }) => id === one[1]);
    if (person === undefined) throw new BadRequest('There is nothing here.', 404);
    return sendJson(response, 200, contactOf(person));
  }
  const [, folder = defaultFolder, delta] =
    /^me\/(?:contacts|contactFolders\/(board|AAMkDefault)\/contacts(\/delta)?)$/.exec(at) ?? notThere();
  const isIn = (person: BookPerson) => isBoard(person) === (folder === boardFolder);
  // The changes since a delta link. A person who was moved has left this folder.
  const token = url.searchParams.get('$deltatoken');
  const changes = token === null ? undefined : book.changesSince(versionOf(token));
  if (token !== null && changes === undefined)
    return sendJson(response, 410, { error: { code: 'syncStateNotFound' } });
  const left = [...(changes?.gone ?? []), ...(changes?.changed.filter((person) => !isIn(person)) ?? [])];
  const items = [
    // A change tells what changed; the first is told without the rest, as Graph may do.
    ...(changes?.changed ?? book.people)
      .filter(isIn)
      .map((person, place) =>
        changes !== undefined && place === 0
          ? { id: person.id, mobilePhone: person.phone }
          : contactOf(person),
      ),
    ...left.map(({ id }) => ({ id, '@removed': { reason: 'deleted' } })),
  ];
  const first = Number(url.searchParams.get('$skip') ?? 0);
  const end = first + Math.min(graphPage, Number(url.searchParams.get('$top') ?? graphPage));
  // A request that asks only for the folder's id isn't told about anybody.
  if (!url.searchParams.get('$select')?.startsWith('parent')) book.told += items.slice(first, end).length;
  const link = (name: string, value: string) => {
    const next = new URL(url.pathname, url);
    for (const [key, given] of url.searchParams) if (key === '$select') next.searchParams.set(key, given);
    if (token !== null && name === '$skip') next.searchParams.set('$deltatoken', token);
    next.searchParams.set(name, value);
    return next.href;
  };
  sendJson(response, 200, {
    value: items.slice(first, end),
    ...(end < items.length
      ? { '@odata.nextLink': link('$skip', String(end)) }
      : delta === undefined
        ? {}
        : { '@odata.deltaLink': link('$deltatoken', `v${book.version}`) }),
  });
}

function notThere(): never {
  throw new BadRequest('There is nothing here.', 404);
}

function serveSheet(book: AddressBook, request: IncomingMessage, response: ServerResponse) {
  const etag = `"v${book.version}"`;
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const lines = book.people.map(
    ({ first, last, phone, groups }) => `${first},${last},${phone},${groups.join(';')}`,
  );
  response.setHeader('etag', etag);
  send(
    response,
    200,
    'text/csv; charset=utf-8',
    ['First name,Last name,Mobile,Groups', ...lines, ''].join('\n'),
  );
}
