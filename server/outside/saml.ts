/**
 * Signing in with another organization's directory by SAML 2.0: a request by redirect, a signed response by
 * post. A response's data is read from the bytes that its signature covers, and only for the request that we
 * made.
 */
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import {
  DirectoryError,
  type DirectoryLine,
  distrusted,
  plainError,
  refusedThere,
} from './directory-line.ts';
import {
  answerProblems,
  readAssertion,
  readDescription,
  readEnvelope,
  type SamlDirectory,
  type SignedAssertion,
} from './saml-xml.ts';

const timeoutMs = 8_000;
/** The allowed difference between two clocks. */
const skewMs = 2 * 60_000;

/** Our settings for a directory's administrator. */
export interface OwnSaml {
  entityId: string;
  acsUrl: string;
}

export interface Saml {
  /** Reads a directory's metadata, given as XML or as a URL. */
  describe(given: { metadata: string } | { metadataUrl: string }): Promise<SamlDirectory>;
  /** The URL for the browser. The response has to name the request. */
  begin(directory: SamlDirectory, requestId: string): Promise<string>;
  /** The request that a response claims to answer: empty when we made none. Nothing is verified yet. */
  peek(answer: string): string;
  /** The user in the response. Throws when anything about it is invalid. */
  finish(
    directory: SamlDirectory,
    came: { answer: string; requestId: string },
  ): Promise<Record<string, unknown> & { sub: string }>;
  /** For directories that read it. */
  ownDescription(): string;
}

export function createSaml(line: DirectoryLine, { entityId, acsUrl }: OwnSaml): Saml {
  function library(directory: SamlDirectory, requestId: string): SAML {
    return new SAML({
      ...{ issuer: entityId, audience: entityId, callbackUrl: acsUrl },
      entryPoint: directory.signInUrl,
      idpCert: directory.certificates,
      idpIssuer: directory.issuer,
      generateUniqueId: () => requestId,
      // One of the two is enough: it covers the assertion either way, and at least one of the two is
      // required.
      ...{ wantAuthnResponseSigned: false, wantAssertionsSigned: false },
      // Compared below, with the signed data.
      validateInResponseTo: ValidateInResponseTo.never,
      acceptedClockSkewMs: skewMs,
      // Any name format and any way of signing in that the directory prefers.
      ...{ identifierFormat: null, disableRequestedAuthnContext: true },
    });
  }

  return {
    async describe(given) {
      const xml = 'metadata' in given ? given.metadata : await read(line, given.metadataUrl);
      const directory = readDescription(xml);
      if (!line.isPlaceToSignIn(directory.signInUrl))
        throw new DirectoryError('The sign-in service’s address has to begin with https://.');
      return directory;
    },
    begin: (directory, requestId) => library(directory, requestId).getAuthorizeUrlAsync('', undefined, {}),
    peek: (answer) => readEnvelope(decode(answer)).inResponseTo,
    async finish(directory, { answer, requestId }) {
      if (!readEnvelope(decode(answer)).isSuccess) throw new DirectoryError(refusedThere);
      try {
        const { profile } = await library(directory, requestId).validatePostResponseAsync({
          SAMLResponse: answer,
        });
        const assertion = readAssertion(profile?.getAssertionXml?.() ?? '');
        refuseUnlessForUs(assertion, { issuer: directory.issuer, acsUrl, requestId });
        return claimsOf(assertion);
      } catch (error) {
        throw plainError(error);
      }
    },
    ownDescription: () =>
      generateServiceProviderMetadata({
        ...{ issuer: entityId, callbackUrl: acsUrl, identifierFormat: null, wantAssertionsSigned: true },
      }),
  };
}

function decode(answer: string): string {
  return Buffer.from(answer, 'base64').toString('utf8');
}

async function read(line: DirectoryLine, address: string): Promise<string> {
  const answer = await line.fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (answer.status !== 200) throw new DirectoryError('There is no metadata at that address.');
  return answer.text().catch(() => {
    throw new DirectoryError('There is no metadata at that address.');
  });
}

/**
 * The library has checked signature, audience and time. It leaves these to us, or takes them from unsigned
 * data.
 */
function refuseUnlessForUs(
  { issuer, confirmations }: SignedAssertion,
  expected: { issuer: string; acsUrl: string; requestId: string },
): void {
  const isForUs = confirmations.some(
    ({ recipient, until, inResponseTo }) =>
      recipient === expected.acsUrl && inResponseTo === expected.requestId && until + skewMs > Date.now(),
  );
  if (!isForUs || issuer !== expected.issuer) throw new DirectoryError(distrusted);
}

/** The names that directories use for the same attribute, in lower case. */
const attributeNames = {
  email: ['email', 'mail', 'emailaddress', 'e-mail', 'urn:oid:0.9.2342.19200300.100.1.3'],
  given_name: ['givenname', 'given_name', 'firstname', 'first_name', 'urn:oid:2.5.4.42'],
  family_name: ['surname', 'sn', 'family_name', 'lastname', 'last_name', 'urn:oid:2.5.4.4'],
  name: ['displayname', 'display_name', 'cn', 'urn:oid:2.16.840.1.113730.3.1.241', 'urn:oid:2.5.4.3'],
} as const;

/** In the format of OpenID Connect, so that one sign-in serves both. */
function claimsOf({ nameId, nameIdFormat, attributes }: SignedAssertion) {
  if (nameId === '' || nameIdFormat.endsWith(':transient')) throw new DirectoryError(answerProblems.fleeting);
  const claims: Record<string, unknown> = {};
  const plain = new Map<string, string>();
  for (const [name, values] of attributes) {
    // Microsoft's are URLs: http://schemas.xmlsoap.org/…/claims/emailaddress.
    const short = name.slice(name.lastIndexOf('/') + 1);
    for (const key of new Set([name, short])) {
      if (key === '__proto__') continue;
      claims[key] = values;
      plain.set(key.toLowerCase(), values[0] ?? '');
    }
  }
  const find = (names: readonly string[]) => names.map((name) => plain.get(name)).find((text) => text);
  return {
    ...claims,
    sub: nameId,
    email: find(attributeNames.email) ?? (nameId.includes('@') ? nameId : undefined),
    email_verified: true,
    given_name: find(attributeNames.given_name),
    family_name: find(attributeNames.family_name),
    name: find(attributeNames.name),
  };
}
