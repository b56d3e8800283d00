/**
 * An organization's directory that speaks SAML 2.0: whoever comes chooses who they are, and the browser posts a signed
 * answer. It writes its XML in canonical form already (attributes in order, no short tags), so that what it signs is
 * what it writes.
 */
import { createHash, createSign, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { makeCertificate } from './certificate.ts';
import { directoryPage, escapeHtml } from './directory-page.ts';
import { BadRequest, send } from './http.ts';

interface Person {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  groups: string[];
}

/** The demo's church. The last one is new to Muster. */
const people: readonly Person[] = [
  {
    ...{ id: 'ruth', firstName: 'Ruth', lastName: 'Abernathy' },
    ...{ email: 'ruth@secondstreet.example', groups: ['staff'] },
  },
  {
    ...{ id: 'noah', firstName: 'Noah', lastName: 'Lindqvist' },
    ...{ email: 'noah@secondstreet.example', groups: ['staff', 'office'] },
  },
];

const namespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
};
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const minutes = 5;

let made: ReturnType<typeof makeCertificate> | undefined;
/** Made when it is first asked for: it takes a moment. */
function keys() {
  made ??= makeCertificate('Sandbox directory');
  return made;
}

export function isSamlPath(path: string): boolean {
  return path.startsWith('/saml/');
}

export function serveSaml(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  const issuer = `${url.origin}/saml/metadata`;
  const page = (html: string) => send(response, 200, 'text/html; charset=utf-8', html);
  if (url.pathname === '/saml/metadata')
    send(response, 200, 'application/samlmetadata+xml', describe(issuer, url));
  else if (url.pathname === '/saml/sso') page(choicePage(url));
  else if (url.pathname === '/saml/choose') page(answerPage(issuer, url));
  else throw new BadRequest('The directory has nothing here.', 404);
}

function describe(issuer: string, { origin }: URL): string {
  const certificate = keys().certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"><IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${namespaces.protocol}"><KeyDescriptor use="signing"><KeyInfo xmlns="${namespaces.signature}"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/saml/sso"/></IDPSSODescriptor></EntityDescriptor>`;
}

/** Reads who asks, the request's id, and where the answer goes. */
function readRequest({ searchParams }: URL) {
  let xml = '';
  try {
    xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64'), {
      maxOutputLength: 64 * 1024,
    }).toString();
  } catch {
    throw new BadRequest('The directory needs a SAMLRequest.');
  }
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  const [id, acsUrl] = [find(/ ID="([\w.-]+)"/), find(/ AssertionConsumerServiceURL="([^"]+)"/)];
  const audience = find(/<(?:\w+:)?Issuer[^>]*>([^<]+)</);
  if (id === '' || audience === '' || !URL.parse(acsUrl)?.protocol.startsWith('http'))
    throw new BadRequest('The directory can’t read that SAMLRequest.');
  return { id, acsUrl, audience };
}

function choicePage(url: URL): string {
  readRequest(url);
  const links = people.map(({ id, firstName, lastName, email, groups }) => ({
    name: `${firstName} ${lastName}`,
    about: `${email} · ${groups.join(', ')}`,
    address: `/saml/choose?${new URLSearchParams([...url.searchParams, ['person', id]])}`,
  }));
  return directoryPage('Second Street directory', links);
}

/** The browser posts the answer by itself. */
function answerPage(issuer: string, url: URL): string {
  const person = people.find(({ id }) => id === url.searchParams.get('person'));
  if (person === undefined) throw new BadRequest('The directory knows nobody like that.');
  const asked = readRequest(url);
  const answer = Buffer.from(writeAnswer(issuer, asked, person)).toString('base64');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signing in</title>
<form method="post" action="${escapeHtml(asked.acsUrl)}"><input type="hidden" name="SAMLResponse" value="${answer}">
<noscript><button>Continue</button></noscript></form><script>document.forms[0].submit()</script></html>`;
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function writeAnswer(issuer: string, asked: ReturnType<typeof readRequest>, person: Person): string {
  const at = (plusMinutes: number) => new Date(Date.now() + plusMinutes * 60_000).toISOString();
  const newId = () => `_${randomBytes(16).toString('hex')}`;
  const acsUrl = escapeXml(asked.acsUrl);
  const attribute = (name: string, values: string[]) =>
    `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`;
  const assertionId = newId();
  const head = `<saml:Assertion xmlns:saml="${namespaces.assertion}" ID="${assertionId}" IssueInstant="${at(0)}" Version="2.0"><saml:Issuer>${issuer}</saml:Issuer>`;
  const rest = [
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${person.id}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${asked.id}" NotOnOrAfter="${at(minutes)}" Recipient="${acsUrl}"></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${at(-1)}" NotOnOrAfter="${at(minutes)}"><saml:AudienceRestriction><saml:Audience>${escapeXml(asked.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${attribute('mail', [person.email])}${attribute('givenName', [person.firstName])}${attribute('sn', [person.lastName])}${attribute('groups', person.groups)}</saml:AttributeStatement></saml:Assertion>`,
  ].join('');
  const signed = head + sign(assertionId, head + rest) + rest;
  return `<samlp:Response xmlns:samlp="${namespaces.protocol}" Destination="${acsUrl}" ID="${newId()}" InResponseTo="${asked.id}" IssueInstant="${at(0)}" Version="2.0"><saml:Issuer xmlns:saml="${namespaces.assertion}">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"></samlp:StatusCode></samlp:Status>${signed}</samlp:Response>`;
}

/** A signature over an element that is in canonical form. */
function sign(id: string, element: string): string {
  const digest = createHash('sha256').update(element).digest('base64');
  const method = (name: string, algorithm: string) => `<ds:${name} Algorithm="${algorithm}"></ds:${name}>`;
  const info = (declared: string) =>
    `<ds:SignedInfo${declared}>${method('CanonicalizationMethod', exclusive)}${method('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}<ds:Reference URI="#${id}"><ds:Transforms>${method('Transform', `${namespaces.signature}enveloped-signature`)}${method('Transform', exclusive)}</ds:Transforms>${method('DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256')}<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`;
  const declared = ` xmlns:ds="${namespaces.signature}"`;
  const value = createSign('sha256').update(info(declared)).sign(keys().privateKey, 'base64');
  return `<ds:Signature${declared}>${info('')}<ds:SignatureValue>${value}</ds:SignatureValue></ds:Signature>`;
}
