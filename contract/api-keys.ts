import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { apiKeyForm } from './forms/api-key.ts';
import { sizedList } from './list.ts';

/** An account has at most so many keys that work. */
export const mostApiKeys = 100;

/** Hours that the old secret goes on working after a key got a new one. */
export const overlapHours = [0, 1, 24, 168] as const;

const apiKey = z.object({
  ApiKeyID: z.number(),
  Name: z.string(),
  /** Beginning of the key: `mk_live_9f3c40b7c1e877d0`. The secret is kept nowhere. */
  Prefix: z.string(),
  Scopes: z.array(z.string()),
  Addresses: z.array(z.string()),
  /** The user it acts as: who made it. */
  User: z.object({ UserID: z.number(), Name: z.string(), IsActive: z.boolean() }),
  /** True if this user may change the key and give it a new secret. */
  IsMine: z.boolean(),
  CreateTimestamp: moment,
  ExpireTimestamp: moment.nullable(),
  IsExpired: z.boolean(),
  /** To the minute. */
  LastUsedTimestamp: moment.nullable(),
  LastUsedAddress: z.string(),
  /** The last time it was tried from an address that it is not limited to. */
  RefusedTimestamp: moment.nullable(),
  RefusedAddress: z.string(),
  /** End of the time in which the secret before this one works too. */
  OldSecretUntil: moment.nullable(),
});

const shownOnce = z.object({
  ApiKeyID: z.number(),
  /** The whole key. This reply is the only place that ever shows it. */
  Key: z.string(),
});

export const listApiKeys = call({
  method: 'GET',
  path: '/apikeys',
  summary: 'Lists the organization’s API keys, without their secrets.',
  allow: 'manageApiKeys',
  reply: sizedList(apiKey),
});

export const createApiKey = call({
  method: 'POST',
  path: '/apikeys',
  summary: 'Makes an API key. Its secret is in this reply and nowhere else.',
  allow: 'manageApiKeys',
  event: 'apiKey.created',
  confirm: true,
  body: apiKeyForm,
  reply: shownOnce,
  errors: ['refused'],
});

export const updateApiKey = call({
  method: 'PUT',
  path: '/apikeys/:ApiKeyID',
  summary: 'Changes the name, scopes, addresses and end of an API key that you made.',
  allow: 'manageApiKeys',
  event: 'apiKey.updated',
  confirm: true,
  params: z.object({ ApiKeyID: id }),
  body: apiKeyForm,
  reply: z.object({}),
  errors: ['notFound', 'refused'],
});

export const rotateApiKey = call({
  method: 'POST',
  path: '/apikeys/:ApiKeyID/rotate',
  summary: 'Gives an API key that you made a new secret. The old one can go on working for a while.',
  allow: 'manageApiKeys',
  event: 'apiKey.rotated',
  confirm: true,
  params: z.object({ ApiKeyID: id }),
  body: z.object({ OverlapHours: z.literal(overlapHours).default(24) }),
  reply: shownOnce,
  errors: ['notFound', 'refused'],
});

export const revokeApiKey = call({
  method: 'DELETE',
  path: '/apikeys/:ApiKeyID',
  summary: 'Revokes an API key. It stops working at once, for good.',
  allow: 'manageApiKeys',
  event: 'apiKey.revoked',
  params: z.object({ ApiKeyID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});
