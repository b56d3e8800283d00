import { z } from 'zod';
import { call } from './call.ts';
import { linkHostForm } from './forms/link-host.ts';

export const getLinkHost = call({
  method: 'GET',
  path: '/account/linkhost',
  summary: 'The host that the organization’s short links are on.',
  allow: 'editAccountSettings',
  reply: z.object({
    /** Empty: short links use the address of this installation. */
    LinkHost: z.string(),
    /** The host of this installation. An organization's own host has to point to it. */
    OwnHost: z.string(),
  }),
});

export const updateLinkHost = call({
  method: 'PUT',
  path: '/account/linkhost',
  summary: 'Puts short links on a host of the organization’s own, once it leads here. Empty takes it away.',
  allow: 'editAccountSettings',
  event: 'account.updated',
  body: linkHostForm,
  reply: z.object({ LinkHost: z.string() }),
  errors: ['tooManyAttempts'],
});
