import { z } from 'zod';
import { timeOfDay } from './accounts.ts';
import { call, id, moment } from './call.ts';
import { startBeforeStop } from './fields/time-rules.ts';
import { listQuery, sizedList } from './list.ts';
import { limits } from './reference/limits.ts';
import { pageSizes } from './reference/paging.ts';
import { selection } from './selection.ts';
import { minutesOf } from './time/clock-time.ts';
import { isNotificationAllDay, onceADayMinutes } from './time/notification-window.ts';
import { dayNames } from './time/wall-clock.ts';

const registrationStatus = z.enum(['Not Registered', 'Pending', 'Rejected', 'Registered']);

/**
 * A user's settings for notices of unread texts. The messages of its form are in
 * contract/forms/text-number-settings.ts.
 */
export const notificationSetting = z.object({
  IsActive: z.boolean(),
  Type: z.literal('TextUnread'),
  PeriodMinutes: z.number().int().min(1).max(onceADayMinutes),
  Method: z.enum(['Email', 'Text']),
  NotificationWindow: z.object({
    Days: z.array(z.enum(dayNames)).min(1, 'Select at least one Notification Window Day').max(7),
    StartTimeOfDay: timeOfDay,
    StopTimeOfDay: timeOfDay,
  }),
});

const textNumber = z.object({
  TextNumberID: z.number().int(),
  Name: z.string(),
  /** Ten digits in the US and Canada, otherwise all digits with the country code. */
  TextPhoneNumber: z.string(),
  Description: z.string(),
  RegistrationStatus: registrationStatus,
  IsDefault: z.boolean(),
  IsBlocked: z.boolean(),
  CanCreateBroadcast: z.boolean(),
  CanText: z.boolean(),
  FlatRateConversation: z.boolean(),
  FlatRateConversationStatus: z.enum(['Active', 'CancelPending', 'BillingProblem']).nullable(),
  FlatRateSubscriptionEndDate: moment.nullable(),
  /** 5 speaks Infobip's protocol, 2 Twilio's; ours: 6 SMPP. */
  AggregatorID: z.union([z.literal(2), z.literal(5), z.literal(6)]),
  RcsAgent: z.string().nullable(),
  /** Ours: when a number that was given up stops working; null if it wasn’t. */
  ReleaseDate: moment.nullable(),
  /** The asking user's own, like the two after it. */
  Notifications: notificationSetting,
  BrowserNotificationsEnabled: z.boolean(),
  AudioNotificationsEnabled: z.boolean(),
});
export type TextNumber = z.output<typeof textNumber>;

export const listTextNumbers = call({
  method: 'GET',
  path: '/textnumbers',
  summary: 'Lists the text numbers that the user can use.',
  allow: 'seeTextNumbers',
  /** name: those of one name by the number. */
  query: listQuery({ pagesize: 10, most: 1000, sortby: ['name', 'textphonenumber'] }),
  reply: sizedList(textNumber),
});

export const getTextNumber = call({
  method: 'GET',
  path: '/textnumbers/:TextNumberID',
  summary: 'Returns a text number.',
  allow: 'seeTextNumbers',
  params: z.object({ TextNumberID: id }),
  reply: textNumber,
  errors: ['notFound'],
});

/** The same as it is saved: the window has to open at some time. */
const newNotificationSetting = notificationSetting.superRefine((setting, context) => {
  const { StartTimeOfDay, StopTimeOfDay } = setting.NotificationWindow;
  if (isNotificationAllDay(setting) || minutesOf(StartTimeOfDay) < minutesOf(StopTimeOfDay)) return;
  const path = ['NotificationWindow', 'StartTimeOfDay'];
  context.addIssue({ code: 'custom', path, message: startBeforeStop('Start Time') });
});

const personalSettings = z.object({
  Notifications: newNotificationSetting.optional(),
  BrowserNotificationsEnabled: z.boolean().optional(),
  AudioNotificationsEnabled: z.boolean().optional(),
});

export const updateTextNumber = call({
  method: 'PUT',
  path: '/textnumbers/:TextNumberID',
  summary:
    'Updates a text number: name, description and default (admins), and this user’s notifications for it.',
  allow: 'setOwnNotifications',
  event: 'textNumber.updated',
  params: z.object({ TextNumberID: id }),
  body: personalSettings.extend({
    Name: z
      .string()
      .trim()
      .max(limits.textNumberName, `Name must be at most ${limits.textNumberName} characters`)
      .optional(),
    Description: z
      .string()
      .trim()
      .max(
        limits.textNumberDescription,
        `Description must be at most ${limits.textNumberDescription} characters`,
      )
      .optional(),
    /** Only true: the default can be replaced by another number, not removed. */
    IsDefault: z.literal(true).optional(),
  }),
  reply: textNumber,
  errors: ['notFound', 'refused'],
});

export const updateTextNumbers = call({
  method: 'PUT',
  path: '/textnumbers',
  summary: 'Updates this user’s notifications for selected text numbers.',
  allow: 'setOwnNotifications',
  event: 'textNumber.updated',
  query: listTextNumbers.query,
  body: z.object({ Selection: selection, Update: personalSettings }),
  reply: z.object({ Size: z.number().int() }),
});

/** The usage of a number. Credits are those of texts that were handed to the carrier. */
export const textNumberUsage = z.object({
  TextNumberID: z.number().int(),
  Sent: z.number().int(),
  Delivered: z.number().int(),
  Failed: z.number().int(),
  Received: z.number().int(),
  Credits: z.number().int(),
  /** Number of users it was given to, and the names of the first three. Owners and admins use every number. */
  UserCount: z.number().int(),
  UserNames: z.array(z.string()),
});

export const listTextNumberUsage = call({
  method: 'GET',
  path: '/textnumbers/usage',
  summary:
    'Returns texts, credits and who may use it for each text number that the user can use. Covers the last 30 days if no dates are given.',
  allow: 'seeTextActivity',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(1000).default(pageSizes.textNumbersInNotifications),
    'date-from': z.iso.date().optional(),
    'date-to': z.iso.date().optional(),
  }),
  reply: sizedList(textNumberUsage),
});
