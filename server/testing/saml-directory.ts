import { randomBytes } from 'node:crypto';
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify';
import { makeCertificate } from '../../scripts/test-certificates.ts';

// Its parsing of our requests is checked by the values it finds.
setSchemaValidator({ validate: async () => 'ok' });

const sha256 = Constants.algorithms.signature.RSA_SHA256;
export const sha1 = Constants.algorithms.signature.RSA_SHA1;

export interface Said {
  requestId: string;
  acsUrl: string;
  audience: string;
  nameId: string;
  nameIdFormat: string;
  issuer: string;
  /** Seconds from now until it expires. */
  until: number;
  status: string;
  attributes: Record<string, string[]>;
}

/** An organization's SAML directory, simulated by another library than the one that parses its responses. */
export function createSamlDirectory(issuer: string, signInUrl: string) {
  const { privateKey, certificate } = makeCertificate(issuer);
  const provider = IdentityProvider({
    entityID: issuer,
    signingCert: certificate,
    privateKey,
    wantAuthnRequestsSigned: false,
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    singleSignOnService: [{ Binding: Constants.namespace.binding.redirect, Location: signInUrl }],
    // Without one it prints a warning to the console.
    singleLogoutService: [{ Binding: Constants.namespace.binding.redirect, Location: `${issuer}/out` }],
  });
  return {
    privateKey,
    certificate,
    metadata: provider.getMetadata(),
    /** Parses the URL of the browser, as the receiving directory would. */
    async readRequest(address: string, ownMetadata: string): Promise<{ id: string; issuer: string }> {
      const query = Object.fromEntries(new URL(address).searchParams);
      const { extract } = await provider.parseLoginRequest(
        ServiceProvider({ metadata: ownMetadata }),
        'redirect',
        {
          query,
        },
      );
      return { id: String(extract.request?.id), issuer: String(extract.issuer) };
    },
  };
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A typical directory's response, without signatures. */
export function writeAnswer(said: Said): string {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const id = () => `_${randomBytes(16).toString('hex')}`;
  const attributes = Object.entries(said.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escapeXml(name)}">${values
        .map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id()}" Version="2.0" IssueInstant="${at(0)}" Destination="${said.acsUrl}" InResponseTo="${said.requestId}">`,
    `<saml:Issuer>${said.issuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status}"/></samlp:Status>`,
    `<saml:Assertion ID="${id()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${said.nameIdFormat}">${escapeXml(said.nameId)}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(said.until)}" Recipient="${said.acsUrl}" InResponseTo="${said.requestId}"/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${at(said.until - 600)}" NotOnOrAfter="${at(said.until)}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(0)}"/>`,
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`,
  ].join('');
}

/** Signs the assertion, as most directories do, or the whole response. */
export function signAnswer(
  xml: string,
  { privateKey, certificate }: { privateKey: string; certificate: string },
  { whole = false, algorithm = sha256 }: { whole?: boolean; algorithm?: string } = {},
): string {
  const name = whole ? 'Response' : 'Assertion';
  return SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: `//*[local-name(.)='${name}']`,
    privateKey,
    signingCert: certificate.replace(/-----[A-Z ]+-----|\s/g, ''),
    signatureAlgorithm: algorithm,
    isBase64Output: false,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: `//*[local-name(.)='${name}']/*[local-name(.)='Issuer']`, action: 'after' },
    },
  });
}
