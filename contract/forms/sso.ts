import { z } from 'zod';

const role = z.enum(['admin', 'user']);
const domain = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/;

/** Ours: single sign-on of an account. Browser and server judge with the same rules. */
export const ssoForm = z.object({
  IsEnabled: z.boolean().default(true),
  Issuer: z
    .string()
    .trim()
    .min(1, 'Enter the issuer')
    .max(500, 'At most 500 characters')
    .refine(
      (text) => URL.parse(text)?.protocol.startsWith('http') === true,
      'Enter an address such as https://login.example.org',
    ),
  ClientID: z.string().trim().min(1, 'Enter the client ID').max(300, 'At most 300 characters'),
  /** Empty keeps the one that is saved. */
  ClientSecret: z.string().trim().max(1000, 'At most 1,000 characters').default(''),
  Domains: z
    .array(z.string().trim().toLowerCase().regex(domain, 'Enter domains such as example.org'))
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
