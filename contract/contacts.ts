import { z } from 'zod';
import { call } from './call.ts';
import { listQuery, sizedList } from './list.ts';

/** The groups that always exist. */
export const specialGroups = { deleted: -2, unfiled: -1, everyone: 0 } as const;

export const contact = z.object({
  PersonID: z.number().int(),
  FirstName: z.string(),
  LastName: z.string(),
  Notes: z.string(),
  PrimaryPhone: z.string(),
  SecondaryPhone: z.string(),
  TertiaryPhone: z.string(),
  PrimaryPhoneOptedOut: z.boolean(),
});
export type Contact = z.output<typeof contact>;

export const listContacts = call({
  method: 'GET',
  path: '/lists/:ListID/contacts',
  summary: 'The contacts of a group, or of everyone (0), found by name or number.',
  allow: 'user',
  params: z.object({ ListID: z.coerce.number().int().min(specialGroups.everyone) }),
  query: listQuery({ pagesize: 10, most: 100, sortby: ['name', 'lastname'] }),
  reply: sizedList(contact),
  errors: ['notFound'],
});
