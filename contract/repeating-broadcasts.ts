import { z } from 'zod';
import { createBroadcast, updateBroadcast } from './broadcasts.ts';
import { call, id, moment } from './call.ts';
import { listQuery, nextList } from './list.ts';
import { mediaItem } from './media.ts';
import { broadcastTypes } from './reference/broadcast-types.ts';
import { intervalFrequencies, scheduleFrequencies } from './time/repeating-schedule.ts';

export const repeatingSchedule = z.object({
  ScheduleFrequency: z.enum(scheduleFrequencies).optional(),
  Interval: z.number({ error: 'Enter an Interval' }),
  IntervalFrequency: z.enum(intervalFrequencies),
  DaysOfWeek: z.array(z.string()).default([]),
  /** A reading of the user's clock, or a moment; null or left out: until it is stopped. */
  EndDateTime: z.string().nullish(),
});

const repeatingBroadcast = z.object({
  RepeatingBroadcastID: z.number().int(),
  BroadcastName: z.string(),
  BroadcastType: z.enum(broadcastTypes),
  IsTextSurvey: z.boolean(),
  TextMessage: z.string(),
  Media: z.array(mediaItem),
  TextNumberID: z.number().int().nullable(),
  /** People who would have gotten it when the series was created, by text or call. */
  PhoneNumberCount: z.number().int(),
  /** Texts a minute that were asked for; null is Max. */
  PerMinute: z.number().int().nullable(),
  RepeatingBroadcastSchedule: repeatingSchedule,
  ScheduleDescription: z.string(),
  NextStartDate: moment.nullable(),
  LastBroadcastID: z.number().int().nullable(),
  User: z.object({ UserID: z.number().int(), Name: z.string() }),
});
export type RepeatingBroadcast = z.output<typeof repeatingBroadcast>;

const repeatingParams = z.object({ RepeatingBroadcastID: id });

export const validateSchedule = call({
  method: 'POST',
  path: '/repeatingbroadcasts/validateschedule',
  summary: 'Checks a schedule and describes it in a sentence.',
  allow: 'seeBroadcasts',
  event: 'none',
  body: repeatingSchedule.extend({ StartDateTime: z.string().max(40) }),
  reply: z.object({
    ScheduleDescription: z.string(),
    /** Ours: the first few times. */
    Occurrences: z.array(moment),
  }),
  errors: ['refused'],
});

export const createRepeating = call({
  method: 'POST',
  path: '/repeatingbroadcasts/create',
  summary: 'Sends a draft repeatedly on its schedule.',
  allow: 'createRepeatingBroadcast',
  event: 'repeating.created',
  takesIdempotencyKey: true,
  body: createBroadcast.body,
  reply: createBroadcast.reply.extend({ RepeatingBroadcastID: z.number().int() }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded', 'keyReused'],
});

export const listRepeating = call({
  method: 'GET',
  path: '/repeatingbroadcasts',
  summary: 'Lists the repeating broadcasts, next one first.',
  allow: 'seeBroadcasts',
  query: listQuery({ pagesize: 10, most: 100, sortby: ['next'] }),
  reply: nextList(repeatingBroadcast),
});

export const updateRepeating = call({
  method: 'PUT',
  path: '/repeatingbroadcasts/:RepeatingBroadcastID',
  summary:
    'Updates the schedule, text, picture and speed of a repeating broadcast. The next start must be at least 5 minutes ahead.',
  allow: 'createRepeatingBroadcast',
  event: 'repeating.updated',
  params: repeatingParams,
  body: z.object({
    BroadcastName: updateBroadcast.body.shape.BroadcastName,
    TextMessage: z.string().max(5000).optional(),
    KeepCharacters: updateBroadcast.body.shape.KeepCharacters,
    Media: updateBroadcast.body.shape.Media,
    PerMinute: updateBroadcast.body.shape.PerMinute,
    StartDateTime: z.string().max(40).optional(),
    RepeatingBroadcastSchedule: repeatingSchedule.optional(),
  }),
  reply: repeatingBroadcast,
  errors: ['notFound', 'refused', 'conflict'],
});

export const deleteRepeating = call({
  method: 'DELETE',
  path: '/repeatingbroadcasts/:RepeatingBroadcastID',
  summary: 'Ends a repeating broadcast. Broadcasts that were already sent stay.',
  allow: 'manageBroadcasts',
  event: 'repeating.deleted',
  params: repeatingParams,
  reply: z.object({}),
  errors: ['notFound'],
});

export const canSafelyDeleteRepeating = call({
  method: 'GET',
  path: '/repeatingbroadcasts/cansafelydelete/:RepeatingBroadcastID',
  summary:
    'Says whether a repeating broadcast can be ended without stopping one that is in progress or about to start.',
  allow: 'seeBroadcasts',
  params: repeatingParams,
  reply: z.object({ CanSafelyDelete: z.boolean(), Message: z.string() }),
  errors: ['notFound'],
});

export const listRepeatingFailures = call({
  method: 'GET',
  path: '/repeatingbroadcasts/accountfailures',
  summary: 'Lists the repeating broadcasts that couldn’t start, with the reason, until they are dismissed.',
  allow: 'seeBroadcasts',
  reply: z.object({
    Items: z.array(
      z.object({
        FailureID: z.number().int(),
        RepeatingBroadcastID: z.number().int(),
        BroadcastName: z.string(),
        ErrorCode: z.number().int(),
        Message: z.string(),
        CreateTimestamp: moment,
      }),
    ),
  }),
});

export const dismissRepeatingFailures = call({
  method: 'POST',
  path: '/repeatingbroadcasts/dismissfailures',
  summary: 'Dismisses these notices.',
  allow: 'manageBroadcasts',
  event: 'none',
  body: z.object({ Items: z.array(id).max(1000).optional() }).default({}),
  reply: z.object({}),
});
