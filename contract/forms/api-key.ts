import { z } from 'zod';
import { moment } from '../call.ts';
import { type Scope, scopes, tidyScopes } from '../scopes.ts';

const badAddress = 'Use an address such as 203.0.113.7 or a range such as 203.0.113.0/24';

/** An IPv4 or IPv6 address, or a range of them. */
const addressRange = z
  .string()
  .trim()
  .max(50, badAddress)
  .pipe(z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], { error: badAddress }));

/** Ours: the name and the limits of an API key. Browser and server validate with the same rules. */
export const apiKeyForm = z.object({
  Name: z.string({ error: 'Enter a name' }).trim().min(1, 'Enter a name').max(100, 'At most 100 characters'),
  Scopes: z
    .array(z.enum(scopes as [Scope, ...Scope[]]), { error: 'Choose at least one thing that the key can do' })
    .min(1, 'Choose at least one thing that the key can do')
    .max(50)
    .transform(tidyScopes),
  /** Empty: from anywhere. */
  Addresses: z.array(addressRange).max(50, 'At most 50 addresses').default([]),
  /** Null: it doesn't expire. */
  ExpireTimestamp: moment.nullable().default(null),
});
