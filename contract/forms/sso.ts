import { z } from 'zod';
import { isFreeMail } from '../reference/free-mail-domains.ts';

const role = z.enum(['admin', 'user']);
const domain = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/;
const isWebAddress = (text: string) => URL.parse(text)?.protocol.startsWith('http') === true;

/** The fields of OpenID Connect and those of SAML; the other protocol's are ignored. */
function judgeProtocol(form: ProtocolFields, add: (field: keyof ProtocolFields, message: string) => void) {
  if (form.Protocol === 'saml') {
    if (form.MetadataUrl !== '' && !isWebAddress(form.MetadataUrl))
      add('MetadataUrl', 'Enter an address such as https://login.example.org/metadata');
    return;
  }
  if (form.Issuer === '') add('Issuer', 'Enter the issuer');
  else if (!isWebAddress(form.Issuer)) add('Issuer', 'Enter an address such as https://login.example.org');
  if (form.ClientID === '') add('ClientID', 'Enter the client ID');
}

const protocolFields = {
  /** oidc is OpenID Connect. */
  Protocol: z.enum(['oidc', 'saml']).default('oidc'),
  Issuer: z.string().trim().max(500, 'At most 500 characters').default(''),
  ClientID: z.string().trim().max(300, 'At most 300 characters').default(''),
  /** Empty keeps the one that is saved. */
  ClientSecret: z.string().trim().max(1000, 'At most 1,000 characters').default(''),
  /**
   * For SAML: the address of the directory's metadata. It is read again at every sign-in, so that new keys
   * are known.
   */
  MetadataUrl: z.string().trim().max(500, 'At most 500 characters').default(''),
  /** For SAML: the metadata itself, for a directory without an address. Both empty keep what is saved. */
  Metadata: z.string().trim().max(300_000, 'At most 300,000 characters').default(''),
};
type ProtocolFields = z.output<z.ZodObject<typeof protocolFields>>;

const fields = z.object({
  IsEnabled: z.boolean().default(true),
  ...protocolFields,
  Domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(domain, 'Enter domains such as example.org')
        .refine((name) => !isFreeMail(name), {
          error: ({ input }) => `${input} is for everybody. Enter domains of your organization.`,
        }),
    )
    .min(1, 'Enter at least one email domain')
    .max(50, 'At most 50 domains'),
  CreatesUsers: z.boolean().default(true),
  DefaultRole: role.default('user'),
  GroupsClaim: z.string().trim().max(200, 'At most 200 characters').default('groups'),
  GroupRoles: z
    .array(z.object({ Group: z.string().trim().min(1, 'Enter a group').max(200), Role: role }))
    .max(50, 'At most 50 groups')
    .default([]),
});

/** Adds the rules of the protocol to a form that has its fields. */
export function withProtocol<T extends z.ZodType<ProtocolFields>>(form: T): T {
  return form.superRefine((given, context) =>
    judgeProtocol(given, (field, message) =>
      context.addIssue({ code: 'custom', path: [field], message, input: given[field] }),
    ),
  );
}

/** Ours: single sign-on of an account. Browser and server validate with the same rules. */
export const ssoForm = withProtocol(fields);
