import { z } from 'zod';
import { call, flag, id } from './call.ts';
import { sizedList } from './list.ts';
import { notificationSetting } from './numbers.ts';
import { pageSizes } from './reference/paging.ts';

/** A text number that has unread texts, or for which the user wants browser notifications. */
const notification = z.object({
  TextNumberID: z.number().int(),
  Name: z.string(),
  TextPhoneNumber: z.string(),
  UnreadCount: z.number().int(),
  BrowserNotificationsEnabled: z.boolean(),
  AudioNotificationsEnabled: z.boolean(),
  Notifications: notificationSetting,
});

export const pushProviders = ['WebPush', 'Firebase'] as const;

export const listNotifications = call({
  method: 'GET',
  path: '/notifications',
  summary:
    'Lists unread counts and notification settings by text number. BrowserNotifications=true returns only numbers with browser notifications. Push says how this browser subscribes.',
  allow: 'useMuster',
  query: z.object({
    BrowserNotifications: flag.optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(1000).default(pageSizes.unreadNotifications),
  }),
  reply: sizedList(notification).extend({
    DoNotDisturb: z.boolean(),
    Push: z.object({
      Provider: z.enum(pushProviders),
      /** VAPID's public key, or Firebase's. */
      PublicKey: z.string(),
      /** The settings that Firebase's own library needs; null for WebPush. */
      FirebaseConfig: z.record(z.string(), z.string()).nullable(),
      /** The subscriptions of this session. A browser whose subscription is missing subscribes again. */
      PushTokenIDs: z.array(z.number().int()),
    }),
  }),
});

export const addPushToken = call({
  method: 'POST',
  path: '/notifications/push/token',
  summary: 'Subscribes this browser to push notifications. For WebPush, Token is the subscription as JSON.',
  allow: 'editOwnProfile',
  event: 'pushToken.added',
  body: z.object({
    Token: z.string().min(1).max(4000),
    Provider: z.enum(pushProviders).default('Firebase'),
    DeviceType: z.literal('Browser').default('Browser'),
  }),
  reply: z.object({ PushTokenID: z.number().int() }),
  errors: ['refused'],
});

export const deletePushToken = call({
  method: 'DELETE',
  path: '/notifications/push/token/:PushTokenID',
  summary: 'Unsubscribes this browser from push notifications.',
  allow: 'editOwnProfile',
  event: 'pushToken.removed',
  params: z.object({ PushTokenID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

/**
 * The content of a push to the browser's service worker. Of two pushes for one conversation, the later one is
 * shown.
 */
const pushNotice = z.object({
  ConversationID: z.number().int(),
  Title: z.string(),
  Body: z.string(),
  UnreadCount: z.number().int(),
});
export type PushNotice = z.output<typeof pushNotice>;
