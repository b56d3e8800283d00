/**
 * An organization's directory that speaks OpenID Connect: whoever comes chooses who they are. It knows every client, and
 * checks what a real one checks: the redirect address, the code, PKCE and the client's secret.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { directoryPage } from './directory-page.ts';
import { BadRequest, readBody, send, sendJson } from './http.ts';

export const oidcClientSecret = 'sandbox-directory-secret';
const codeMs = 60_000;

interface Person {
  sub: string;
  name: string;
  email: string;
  groups: string[];
}

/** The demo organization's people, as their directory knows them. The last two are new to Muster. */
const people: readonly Person[] = [
  { sub: 'dana', name: 'Dana Whitfield', email: 'dana@harlowcreek.example', groups: ['staff', 'office'] },
  { sub: 'taylor', name: 'Taylor Reed', email: 'taylor.reed@harlowcreek.example', groups: ['staff'] },
  { sub: 'sam', name: 'Sam Ortiz', email: 'sam.ortiz@harlowcreek.example', groups: ['staff', 'office'] },
];

interface Granted {
  person: Person;
  clientId: string;
  redirectUri: string;
  nonce: string;
  challenge: string;
  until: number;
}

const codes = new Map<string, Granted>();
const tokens = new Map<string, Person>();
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyId = 'sandbox-1';

export function isOidcPath(path: string): boolean {
  return path.startsWith('/oidc/');
}

export async function serveOidc(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  const issuer = `${url.origin}/oidc`;
  const at = `${request.method} ${url.pathname.slice('/oidc'.length)}`;
  if (at === 'GET /.well-known/openid-configuration') sendJson(response, 200, describe(issuer));
  else if (at === 'GET /jwks') sendJson(response, 200, { keys: [publicJwk()] });
  else if (at === 'GET /authorize') send(response, 200, 'text/html; charset=utf-8', choicePage(url));
  else if (at === 'GET /choose') choose(url, response);
  else if (at === 'POST /token') await exchange(issuer, request, response);
  else if (at === 'GET /userinfo') tellAbout(request, response);
  else throw new BadRequest('The directory has nothing here.', 404);
}

function describe(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'email', 'profile', 'groups'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

function publicJwk() {
  return { ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' };
}

function required(from: URLSearchParams, name: string): string {
  const value = from.get(name) ?? '';
  if (value === '') throw new BadRequest(`The directory needs ${name}.`);
  return value;
}

function choicePage(url: URL): string {
  for (const name of ['client_id', 'redirect_uri', 'state', 'nonce', 'code_challenge']) {
    required(url.searchParams, name);
  }
  const links = people.map(({ sub, name, email, groups }) => {
    const to = new URLSearchParams(url.searchParams);
    to.set('person', sub);
    return { name, about: `${email} · ${groups.join(', ')}`, address: `/oidc/choose?${to}` };
  });
  return directoryPage('Harlow Creek directory', links);
}

function choose(url: URL, response: ServerResponse): void {
  const { searchParams } = url;
  const person = people.find(({ sub }) => sub === searchParams.get('person'));
  if (person === undefined) throw new BadRequest('The directory knows nobody like that.');
  const back = URL.parse(required(searchParams, 'redirect_uri'));
  if (back === null || !back.protocol.startsWith('http')) throw new BadRequest('redirect_uri is no address.');
  if (searchParams.get('code_challenge_method') !== 'S256')
    throw new BadRequest('The directory asks for PKCE.');
  const code = randomBytes(24).toString('base64url');
  codes.set(code, {
    person,
    clientId: required(searchParams, 'client_id'),
    redirectUri: required(searchParams, 'redirect_uri'),
    nonce: required(searchParams, 'nonce'),
    challenge: required(searchParams, 'code_challenge'),
    until: Date.now() + codeMs,
  });
  back.searchParams.set('code', code);
  back.searchParams.set('state', required(searchParams, 'state'));
  response.writeHead(302, { location: back.href, 'cache-control': 'no-store' }).end();
}

async function exchange(issuer: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readBody(request)).toString());
  const granted = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const { id, secret } = clientOf(request, form);
  if (secret !== oidcClientSecret) return sendJson(response, 401, { error: 'invalid_client' });
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    granted !== undefined &&
    granted.until > Date.now() &&
    granted.clientId === id &&
    granted.redirectUri === form.get('redirect_uri') &&
    granted.challenge === verifier;
  if (!isRight) return sendJson(response, 400, { error: 'invalid_grant' });
  const accessToken = randomBytes(24).toString('base64url');
  tokens.set(accessToken, granted.person);
  const seconds = Math.floor(Date.now() / 1000);
  sendJson(response, 200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 300,
    id_token: signed({
      ...{ iss: issuer, aud: id, iat: seconds, exp: seconds + 300, nonce: granted.nonce },
      ...claimsOf(granted.person),
    }),
  });
}

/** In the header, each part encoded as a form encodes it, or in the body. */
function clientOf(request: IncomingMessage, form: URLSearchParams): { id: string; secret: string } {
  const [scheme, given] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic' || given === undefined)
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
  const [id = '', secret = ''] = Buffer.from(given, 'base64').toString().split(':');
  const plain = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  return { id: plain(id), secret: plain(secret) };
}

function claimsOf({ sub, name, email, groups }: Person) {
  const [given_name = '', ...rest] = name.split(' ');
  return { sub, name, given_name, family_name: rest.join(' '), email, email_verified: true, groups };
}

function signed(claims: Record<string, unknown>): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createSign('sha256').update(text).sign(privateKey).toString('base64url')}`;
}

function tellAbout(request: IncomingMessage, response: ServerResponse): void {
  const [, token = ''] = (request.headers.authorization ?? '').split(' ');
  const person = tokens.get(token);
  if (person === undefined) sendJson(response, 401, { error: 'invalid_token' });
  else sendJson(response, 200, claimsOf(person));
}
