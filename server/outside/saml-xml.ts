/**
 * The XML of SAML, parsed strictly and within limits: a directory's metadata, and the envelope of its
 * responses. Signatures are not checked here (saml.ts). A response is refused here when its form alone is
 * that of a known attack: a second assertion, an ID that names two elements, a signature in the wrong place,
 * a comment inside of a name, a document type, an algorithm that can be forged.
 */
import { X509Certificate } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { DirectoryError, distrusted, refusedThere } from './directory-line.ts';

const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
type Namespace = keyof typeof namespaces;

/** The errors of a response, by their names in the URL of the page that shows them. */
export const answerProblems = {
  distrusted,
  refused: refusedThere,
  unasked: 'This sign-in didn’t begin in Muster. Go to the sign-in page and choose single sign-on.',
  encrypted:
    'Your organization’s sign-in service encrypts its answers. Turn that off there: Muster doesn’t read encrypted ones.',
  weak: 'Your organization’s sign-in service signs with an algorithm that is no longer safe. Choose SHA-256 there.',
  fleeting:
    'Your organization’s sign-in service gives you another name each time. It has to send a lasting one (NameID).',
} as const;

/** A response has some 60 elements, complete metadata some 300; neither is deep. */
const mostElements = 5_000;
const mostDepth = 40;

interface Element {
  uri: string;
  name: string;
  attributes: Record<string, string>;
  parent: Element | undefined;
  children: Element[];
  text: string;
}

class BadXml extends Error {
  override name = 'BadXml';
}

function parseXml(xml: string, { allowsComments }: { allowsComments: boolean }): Element[] {
  const elements: Element[] = [];
  let open: Element | undefined;
  let depth = 0;
  const refuse = (what: string) => () => {
    throw new BadXml(what);
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', refuse('malformed'));
  parser.on('doctype', refuse('document type'));
  parser.on('processinginstruction', refuse('processing instruction'));
  if (!allowsComments) parser.on('comment', refuse('comment'));
  parser.on('opentag', ({ uri, local, attributes }) => {
    depth += 1;
    if (depth > mostDepth || elements.length >= mostElements) throw new BadXml('too large');
    const element: Element = {
      uri,
      name: local,
      attributes: Object.fromEntries(
        Object.values(attributes)
          .filter((each) => each.prefix === '')
          .map(({ local: name, value }) => [name, value]),
      ),
      parent: open,
      children: [],
      text: '',
    };
    open?.children.push(element);
    elements.push(element);
    open = element;
  });
  const add = (text: string) => {
    if (open !== undefined) open.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    depth -= 1;
    open = open?.parent;
  });
  parser.write(xml).close();
  return elements;
}

function is(element: Element | undefined, namespace: Namespace, name: string): element is Element {
  return element?.uri === namespaces[namespace] && element.name === name;
}

function childrenOf(element: Element, namespace: Namespace, name: string): Element[] {
  return element.children.filter((each) => is(each, namespace, name));
}

/** The element at a path of names; undefined if there is none, or more than one. */
function onlyAt(element: Element, namespace: Namespace, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>((from, name) => {
    const found = from === undefined ? [] : childrenOf(from, namespace, name);
    return found.length === 1 ? found[0] : undefined;
  }, element);
}

/** A directory's metadata. */
export interface SamlDirectory {
  /** Its entity ID. */
  issuer: string;
  signInUrl: string;
  /** In base64, without head and foot. */
  certificates: string[];
}

export function readDescription(xml: string): SamlDirectory {
  const bad = (message: string) => new DirectoryError(message);
  let elements: Element[];
  try {
    elements = parseXml(xml, { allowsComments: true });
  } catch {
    throw bad('This isn’t the metadata of a SAML sign-in service.');
  }
  const [root] = elements;
  const roles = elements.filter((each) => is(each, 'metadata', 'IDPSSODescriptor'));
  const [role] = roles;
  const issuer = role?.parent?.attributes.entityID ?? '';
  if (
    root === undefined ||
    role === undefined ||
    !is(role.parent, 'metadata', 'EntityDescriptor') ||
    issuer === ''
  )
    throw bad('This isn’t the metadata of a SAML sign-in service.');
  if (roles.length > 1) throw bad('This metadata describes more than one sign-in service.');
  if (/^(true|1)$/.test(role.attributes.WantAuthnRequestsSigned ?? ''))
    throw bad('The sign-in service asks for signed requests. Turn that off there: Muster doesn’t sign them.');
  const signInUrl = childrenOf(role, 'metadata', 'SingleSignOnService').find(
    ({ attributes }) => attributes.Binding === 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  )?.attributes.Location;
  if (signInUrl === undefined)
    throw bad('The sign-in service doesn’t say where people sign in (HTTP-Redirect).');
  const certificates = childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter(({ attributes: { use } }) => use === undefined || use === 'signing')
    .flatMap((key) => childrenOf(key, 'signature', 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'signature', 'X509Data'))
    .flatMap((data) => childrenOf(data, 'signature', 'X509Certificate'))
    .map(({ text }) => text.replace(/\s+/g, ''))
    .filter(isGoodCertificate);
  if (certificates.length === 0)
    throw bad('The metadata has no certificate to check signatures with (RSA, at least 2,048 bits).');
  return { issuer, signInUrl, certificates: [...new Set(certificates)] };
}

export function readCertificate(base64: string): X509Certificate {
  return new X509Certificate(Buffer.from(base64, 'base64'));
}

function isGoodCertificate(base64: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = readCertificate(base64).publicKey;
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}

/** Without SHA-1: two documents with one such digest can be made. */
const algorithms: Record<string, readonly string[]> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
};

/**
 * The envelope of a response, which isn't signed: the request that it claims to answer, and whether it let
 * them in.
 */
export function readEnvelope(xml: string): { inResponseTo: string; isSuccess: boolean } {
  let elements: Element[];
  try {
    elements = parseXml(xml, { allowsComments: false });
  } catch {
    throw new DirectoryError(distrusted);
  }
  const [root] = elements;
  if (!is(root, 'protocol', 'Response')) throw new DirectoryError(distrusted);
  const status = onlyAt(root, 'protocol', 'Status', 'StatusCode')?.attributes.Value;
  const isSuccess = status === 'urn:oasis:names:tc:SAML:2.0:status:Success';
  if (isSuccess) refuseTricks(root, elements);
  return { inResponseTo: root.attributes.InResponseTo ?? '', isSuccess };
}

function refuseTricks(root: Element, elements: Element[]): void {
  const refuseUnless = (isRight: boolean, message: string = distrusted) => {
    if (!isRight) throw new DirectoryError(message);
  };
  refuseUnless(!elements.some(({ name }) => name === 'EncryptedAssertion'), answerProblems.encrypted);
  // By name alone: an element of another namespace might be mistaken for it.
  const assertions = elements.filter(({ name }) => name === 'Assertion');
  const [assertion] = assertions;
  refuseUnless(
    assertions.length === 1 && is(assertion, 'assertion', 'Assertion') && assertion.parent === root,
  );
  const ids = elements
    .flatMap(({ attributes: { ID, Id, id } }) => [ID, Id, id])
    .filter((id) => id !== undefined);
  refuseUnless(new Set(ids).size === ids.length);
  const signatures = elements.filter(({ name }) => name === 'Signature');
  refuseUnless(
    signatures.length > 0 &&
      signatures.every(
        (each) => is(each, 'signature', 'Signature') && (each.parent === root || each.parent === assertion),
      ),
  );
  for (const { name, attributes } of elements) {
    const allowed = algorithms[name];
    refuseUnless(allowed === undefined || allowed.includes(attributes.Algorithm ?? ''), answerProblems.weak);
  }
}

/** The part of a response that its signature covers. */
export interface SignedAssertion {
  issuer: string;
  nameId: string;
  nameIdFormat: string;
  /** Its intended use: for which recipient, until when and for which request. */
  confirmations: { recipient: string; until: number; inResponseTo: string }[];
  attributes: Map<string, string[]>;
}

/** Parses only the verified bytes. */
export function readAssertion(xml: string): SignedAssertion {
  const [root] = parseXml(xml, { allowsComments: false });
  if (!is(root, 'assertion', 'Assertion')) throw new BadXml('no assertion');
  const name = onlyAt(root, 'assertion', 'Subject', 'NameID');
  const subject = onlyAt(root, 'assertion', 'Subject');
  const attributes = new Map<string, string[]>();
  for (const statement of childrenOf(root, 'assertion', 'AttributeStatement')) {
    for (const each of childrenOf(statement, 'assertion', 'Attribute')) {
      const values = childrenOf(each, 'assertion', 'AttributeValue').map(({ text }) => text.trim());
      const key = each.attributes.Name ?? '';
      attributes.set(key, [...(attributes.get(key) ?? []), ...values]);
    }
  }
  return {
    issuer: onlyAt(root, 'assertion', 'Issuer')?.text.trim() ?? '',
    nameId: name?.text.trim() ?? '',
    nameIdFormat: name?.attributes.Format ?? '',
    confirmations: (subject === undefined ? [] : childrenOf(subject, 'assertion', 'SubjectConfirmation'))
      .filter(({ attributes: { Method } }) => Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
      .flatMap((each) => childrenOf(each, 'assertion', 'SubjectConfirmationData'))
      .map(({ attributes: { Recipient = '', NotOnOrAfter = '', InResponseTo = '' } }) => ({
        recipient: Recipient,
        until: Date.parse(NotOnOrAfter),
        inResponseTo: InResponseTo,
      })),
    attributes,
  };
}
