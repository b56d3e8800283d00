/**
 * Signing in with another organization's directory by SAML 2.0: a request by redirect, a signed answer by post. What an
 * answer says is read from the bytes that its signature covers, and only for the request that we made.
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
/** What two clocks may differ. */
const skewMs = 2 * 60_000;

/** What a directory has to know of us. */
export interface OwnSaml {
  entityId: string;
  acsUrl: string;
}

export interface Saml {
  /** Reads what a directory says of itself, given as XML or where to find it. */
  describe(given: { metadata: string } | { metadataUrl: string }): Promise<SamlDirectory>;
  /** Where to send the browser. The answer has to name the request. */
  begin(directory: SamlDirectory, requestId: string): Promise<string>;
  /** Which request an answer says that it is for: empty when we made none. Nothing is verified yet. */
  peek(answer: string): string;
  /** Who the answer is about. Throws when anything about it is wrong. */
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
      // One of the two is enough: it covers the assertion either way, and one of the two there has to be.
      ...{ wantAuthnResponseSigned: false, wantAssertionsSigned: false },
      // Compared below, with what is signed.
      validateInResponseTo: ValidateInResponseTo.never,
      acceptedClockSkewMs: skewMs,
      // Whichever name and whichever way of signing in the directory likes.
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

/** The library has checked signature, audience and time. These it leaves to us, or takes from what isn't signed. */
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

/** The names that directories give to the same thing, in small letters. */
const attributeNames = {
  email: ['email', 'mail', 'emailaddress', 'e-mail', 'urn:oid:0.9.2342.19200300.100.1.3'],
  given_name: ['givenname', 'given_name', 'firstname', 'first_name', 'urn:oid:2.5.4.42'],
  family_name: ['surname', 'sn', 'family_name', 'lastname', 'last_name', 'urn:oid:2.5.4.4'],
  name: ['displayname', 'display_name', 'cn', 'urn:oid:2.16.840.1.113730.3.1.241', 'urn:oid:2.5.4.3'],
} as const;

/** As OpenID Connect would tell it, so that one sign-in serves both. */
function claimsOf({ nameId, nameIdFormat, attributes }: SignedAssertion) {
  if (nameId === '' || nameIdFormat.endsWith(':transient')) throw new DirectoryError(answerProblems.fleeting);
  const claims: Record<string, unknown> = {};
  const plain = new Map<string, string>();
  for (const [name, values] of attributes) {
    // Microsoft's are addresses: http://schemas.xmlsoap.org/…/claims/emailaddress.
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
