import { z } from 'zod';
import { call, id } from './call.ts';
import type { Scope } from './scopes.ts';

/**
 * REST hooks: programs such as Zapier subscribe by themselves. They receive events that their key may read,
 * and no others. The endpoints are webhooks (contract/webhooks.ts) and are listed among them.
 */
export const hookScopes = {
  'message.received': 'conversations:read',
  'message.delivered': 'conversations:read',
  'message.failed': 'conversations:read',
  'call.ended': 'broadcasts:read',
  'broadcast.sent': 'broadcasts:read',
  'broadcast.completed': 'broadcasts:read',
  'link.opened': 'broadcasts:read',
  'contact.created': 'contacts:read',
  'contact.updated': 'contacts:read',
  'contact.opted_out': 'consent:read',
  'contact.opted_in': 'consent:read',
} as const satisfies Record<string, Scope>;
export type HookEvent = keyof typeof hookScopes;
const hookEvents = Object.keys(hookScopes) as [HookEvent, ...HookEvent[]];

export const subscribeHook = call({
  method: 'POST',
  path: '/zapier/hooks',
  summary: 'Subscribes an address to an event (REST hooks). It is posted to as a webhook.',
  allow: 'manageWebhooks',
  event: 'webhook.created',
  takesIdempotencyKey: true,
  body: z.object({
    Event: z.enum(hookEvents),
    TargetUrl: z.string().trim().min(1, 'Enter an address').max(2000),
  }),
  reply: z.object({ HookID: z.number().int() }),
  errors: ['refused', 'keyReused'],
});

export const unsubscribeHook = call({
  method: 'DELETE',
  path: '/zapier/hooks/:WebhookID',
  summary: 'Ends a subscription.',
  allow: 'manageWebhooks',
  event: 'webhook.deleted',
  params: z.object({ WebhookID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

export const listHookSamples = call({
  method: 'GET',
  path: '/zapier/samples/:Event',
  summary: 'Shows what a subscription to an event gets, as a sample.',
  allow: 'manageWebhooks',
  params: z.object({ Event: z.enum(hookEvents) }),
  reply: z.object({ Items: z.array(z.record(z.string(), z.unknown())) }),
});
