import { z } from 'zod';
import { call } from './call.ts';
import { ssoForm } from './forms/sso.ts';

export const startSso = call({
  method: 'POST',
  path: '/sso/start',
  summary: 'Finds the directory of an email’s domain, and says where to sign in.',
  allow: 'public',
  event: 'none',
  body: z.object({
    Email: z.string({ error: 'Enter an email' }).trim().min(1, 'Enter an email').max(200),
    KeepSignedIn: z.boolean().default(false),
  }),
  reply: z.object({ Url: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const finishSso = call({
  method: 'POST',
  path: '/sso/finish',
  summary: 'Takes what the directory sent back with the browser, and sets the session cookie.',
  allow: 'public',
  event: 'session.started',
  body: z.object({
    /** The query string of the address. */
    Query: z.string().min(1).max(6000),
  }),
  reply: z.object({ UserID: z.number(), AccountID: z.number() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const getSso = call({
  method: 'GET',
  path: '/account/sso',
  summary: 'How the organization signs in with its own directory.',
  allow: 'manageSecurity',
  reply: z.object({
    Provider: z
      .object({
        IsEnabled: z.boolean(),
        Protocol: z.enum(['oidc', 'saml']),
        Issuer: z.string(),
        ClientID: z.string(),
        MetadataUrl: z.string(),
        /** For SAML: the keys that its responses may be signed with. */
        Certificates: z.array(z.object({ Fingerprint: z.string(), ValidTo: z.string() })),
        Domains: z.array(z.string()),
        /**
         * Domains that nobody can sign in with yet: a mail to the domain asks whether it belongs to the
         * organization.
         */
        UnprovedDomains: z.array(z.string()),
        CreatesUsers: z.boolean(),
        DefaultRole: z.enum(['admin', 'user']),
        GroupsClaim: z.string(),
        GroupRoles: z.array(z.object({ Group: z.string(), Role: z.enum(['admin', 'user']) })),
      })
      .nullable(),
    /** The address that the directory redirects people to; it has to be registered there. */
    CallbackUrl: z.string(),
    /** The data about us that a SAML directory needs. */
    Saml: z.object({ EntityID: z.string(), AcsUrl: z.string(), MetadataUrl: z.string() }),
    /** Of the account's group code: nobody signs in with a password. */
    IsSsoLoginOnly: z.boolean(),
  }),
});

export const updateSso = call({
  method: 'POST',
  path: '/account/sso',
  summary:
    'Sets the organization’s directory. It is asked for its description first; a SAML one may be given as XML.',
  allow: 'manageSecurity',
  event: 'sso.updated',
  confirm: true,
  body: ssoForm,
  reply: z.object({}),
  errors: ['refused', 'conflict'],
});

export const deleteSso = call({
  method: 'DELETE',
  path: '/account/sso',
  summary: 'Removes the organization’s directory. Users keep their passwords.',
  allow: 'manageSecurity',
  event: 'sso.removed',
  confirm: true,
  reply: z.object({}),
  errors: ['notFound'],
});

export const mailDomainProofs = call({
  method: 'POST',
  path: '/account/sso/proofs',
  summary: 'Mails the postmasters of the domains that aren’t proved yet once more.',
  allow: 'manageSecurity',
  event: 'sso.proofMailed',
  reply: z.object({ Domains: z.array(z.string()) }),
  errors: ['notFound', 'tooManyAttempts'],
});

export const proveDomain = call({
  method: 'POST',
  path: '/sso/prove-domain',
  summary: 'What the link in that mail leads to: says who asks, and with Agree lets them use the domain.',
  allow: 'public',
  event: 'sso.domainProved',
  body: z.object({ Token: z.string().min(1).max(200), Agree: z.boolean().default(false) }),
  reply: z.object({ Domain: z.string(), CompanyName: z.string() }),
  errors: ['refused', 'tooManyAttempts'],
});

export const createLoginToken = call({
  method: 'POST',
  path: '/singlesignon/logintokens',
  summary: 'Makes a token that signs the user in to Labs: good once, for a minute.',
  allow: 'useLabs',
  event: 'labs.opened',
  reply: z.object({ LoginToken: z.string() }),
});

export const redeemLoginToken = call({
  method: 'POST',
  path: '/singlesignon/logintokens/redeem',
  summary: 'For Labs: says whose token it is, once.',
  allow: 'public',
  event: 'none',
  body: z.object({ LoginToken: z.string().min(1).max(200) }),
  reply: z.object({
    UserID: z.number(),
    AccountID: z.number(),
    UserName: z.string(),
    FirstName: z.string(),
    LastName: z.string(),
    Email: z.string(),
  }),
  errors: ['refused'],
});
