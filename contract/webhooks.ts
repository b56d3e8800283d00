import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { webhookForm } from './forms/webhook.ts';
import { nextList, sizedList } from './list.ts';
import { webhookTypes } from './webhook-events.ts';

/** Ours: outgoing webhooks, to addresses at which the organization's other systems receive events. */
const webhook = z.object({
  WebhookID: z.number().int(),
  Url: z.string(),
  Description: z.string(),
  EventTypes: z.array(z.string()),
  IsEnabled: z.boolean(),
  /**
   * Reason why it is off: '', hand, failing (for a week), gone (it answered 410), key (the API key that added it has
   * ended).
   */
  OffReason: z.enum(['', 'hand', 'failing', 'gone', 'key']),
  /** Its creator: a person on the page, or Zapier. */
  MadeBy: z.enum(['page', 'zapier']),
  /** Time since which nothing has arrived. */
  FailingSince: moment.nullable(),
  /** The secret's last characters. */
  SecretEnd: z.string(),
  /** End of the time in which the secret before it is good too. */
  OldSecretUntil: moment.nullable(),
  CreateTimestamp: moment,
  /** Of the last seven days, and of the latest 10,000 deliveries at most. */
  Delivered: z.number().int(),
  Failed: z.number().int(),
  Waiting: z.number().int(),
});
export type Webhook = z.output<typeof webhook>;

const params = z.object({ WebhookID: id });
const deliveryStates = ['waiting', 'delivered', 'failed'] as const;

const delivery = z.object({
  DeliveryID: z.number().int(),
  EventType: z.string(),
  /** The header webhook-id: the same at every try. */
  MessageID: z.string(),
  State: z.enum(deliveryStates),
  Tries: z.number().int(),
  LastStatus: z.number().int().nullable(),
  LastDuration: z.number().int().nullable(),
  CreateTimestamp: moment,
  /** Time of the next attempt, while it waits. */
  NextTryTimestamp: moment.nullable(),
});
export type WebhookDelivery = z.output<typeof delivery>;

export const listWebhooks = call({
  method: 'GET',
  path: '/webhooks',
  summary: 'Lists the organization’s webhooks, with what arrived in the last seven days.',
  allow: 'manageWebhooks',
  reply: sizedList(webhook),
});

export const addWebhook = call({
  method: 'POST',
  path: '/webhooks',
  summary: 'Adds an address that events are posted to. The secret signs them.',
  allow: 'manageWebhooks',
  event: 'webhook.created',
  confirm: true,
  takesIdempotencyKey: true,
  body: webhookForm,
  reply: webhook.extend({ Secret: z.string() }),
  errors: ['refused', 'keyReused'],
});

export const updateWebhook = call({
  method: 'POST',
  path: '/webhooks/:WebhookID',
  summary: 'Changes a webhook’s address, description or events, or switches it on or off.',
  allow: 'manageWebhooks',
  event: 'webhook.updated',
  confirm: true,
  params,
  body: webhookForm.extend({ IsEnabled: z.boolean() }),
  reply: webhook,
  errors: ['notFound'],
});

export const deleteWebhook = call({
  method: 'DELETE',
  path: '/webhooks/:WebhookID',
  summary: 'Deletes a webhook with its deliveries.',
  allow: 'manageWebhooks',
  event: 'webhook.deleted',
  params,
  reply: z.object({}),
  errors: ['notFound'],
});

export const showWebhookSecret = call({
  method: 'POST',
  path: '/webhooks/:WebhookID/secret/show',
  summary: 'Shows the secret that signs a webhook.',
  allow: 'manageWebhooks',
  event: 'webhook.secretShown',
  confirm: true,
  params,
  reply: z.object({ Secret: z.string() }),
  errors: ['notFound'],
});

export const rotateWebhookSecret = call({
  method: 'POST',
  path: '/webhooks/:WebhookID/secret/rotate',
  summary: 'Makes a new secret. The old one signs beside it for 24 hours.',
  allow: 'manageWebhooks',
  event: 'webhook.secretRotated',
  confirm: true,
  params,
  reply: z.object({ Secret: z.string(), OldSecretUntil: moment }),
  errors: ['notFound'],
});

export const testWebhook = call({
  method: 'POST',
  path: '/webhooks/:WebhookID/test',
  summary: 'Sends a sample of an event to a webhook, and says which delivery it is.',
  allow: 'manageWebhooks',
  event: 'webhook.tested',
  params,
  body: z.object({ EventType: z.enum(webhookTypes).default('message.received') }),
  reply: z.object({ DeliveryID: z.number().int() }),
  errors: ['notFound', 'refused'],
});

export const listWebhookDeliveries = call({
  method: 'GET',
  path: '/webhooks/:WebhookID/deliveries',
  summary: 'Lists what was posted to a webhook, newest first, over the last 30 days.',
  allow: 'manageWebhooks',
  params,
  query: z.object({
    state: z.enum(deliveryStates).optional(),
    pagesize: z.coerce.number().int().min(1).max(100).default(50),
    next: z
      .string()
      .regex(/^\d{1,15}$/, 'next is not a place in this list')
      .optional(),
  }),
  reply: nextList(delivery).extend({
    Counts: z
      .object({ All: z.number().int(), Failed: z.number().int(), Waiting: z.number().int() })
      .optional()
      .describe('With the first page: how many there are in each state, up to 10,000.'),
  }),
  errors: ['notFound'],
});

export const getWebhookDelivery = call({
  method: 'GET',
  path: '/webhooks/:WebhookID/deliveries/:DeliveryID',
  summary: 'Returns a delivery: what was posted, each try, and what was answered.',
  allow: 'manageWebhooks',
  params: params.extend({ DeliveryID: id }),
  reply: delivery.extend({
    Body: z.string(),
    Attempts: z.array(
      z.object({
        Attempt: z.number().int(),
        Timestamp: moment,
        /** The header webhook-timestamp, in seconds. */
        SignedAt: z.number().int(),
        Signature: z.string(),
        Duration: z.number().int(),
        Status: z.number().int().nullable(),
        ContentType: z.string(),
        /** Its beginning. */
        Reply: z.string(),
        Error: z.string(),
      }),
    ),
  }),
  errors: ['notFound'],
});

export const replayWebhookDelivery = call({
  method: 'POST',
  path: '/webhooks/:WebhookID/deliveries/:DeliveryID/replay',
  summary: 'Posts a delivery again, with the same webhook-id.',
  allow: 'manageWebhooks',
  event: 'webhook.replayed',
  params: params.extend({ DeliveryID: id }),
  reply: z.object({ Count: z.number().int() }),
  errors: ['notFound', 'refused'],
});

export const replayWebhook = call({
  method: 'POST',
  path: '/webhooks/:WebhookID/replay',
  summary: 'Posts again what happened in a span of time: what failed, or everything.',
  allow: 'manageWebhooks',
  event: 'webhook.replayed',
  params,
  body: z.object({
    From: z.iso.datetime({ error: 'Enter when to begin' }),
    To: z.iso.datetime({ error: 'Enter when to end' }),
    OnlyFailed: z.boolean().default(true),
  }),
  reply: z.object({ Count: z.number().int() }),
  errors: ['notFound', 'refused'],
});
