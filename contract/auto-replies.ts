import { z } from 'zod';
import { call, id } from './call.ts';
import { listQuery, sizedList } from './list.ts';
import { pageSizes } from './reference/paging.ts';

const dayHours = z.object({ StartTime: z.string().max(20), StopTime: z.string().max(20) }).nullable();

/** Weekdays with hours in the format h:mm A, in half-hour steps; null for a day without. */
const daySchedules = z.object({
  Sunday: dayHours,
  Monday: dayHours,
  Tuesday: dayHours,
  Wednesday: dayHours,
  Thursday: dayHours,
  Friday: dayHours,
  Saturday: dayHours,
});

const noHours = {
  Sunday: null,
  Monday: null,
  Tuesday: null,
  Wednesday: null,
  Thursday: null,
  Friday: null,
  Saturday: null,
};

/**
 * Anyone who texts a number while the reply is on gets it, once in twelve hours. The account's own auto reply
 * is in Account.
 */
const autoReply = z.object({
  ID: z.number().int(),
  /** Off is Never. */
  Active: z.boolean(),
  /** 1 Always, 2 Custom. */
  AutoReplyTypeID: z.union([z.literal(1), z.literal(2)]),
  Message: z.string(),
  /** Always empty here, in what is written too: words have a resource of their own, contract/keywords.ts. */
  Keyword: z.string(),
  DaySchedules: daySchedules,
  TextNumberIDs: z.array(z.number().int()),
});
export type AutoReply = z.output<typeof autoReply>;

/** The body. autoReplyForm of contract/forms/auto-reply.ts validates it and returns its messages by field. */
const written = z.object({
  Active: z.boolean().default(true),
  AutoReplyTypeID: autoReply.shape.AutoReplyTypeID.default(1),
  Message: z.string().max(2000).default(''),
  Keyword: z.string().max(200).default(''),
  DaySchedules: daySchedules
    .partial()
    .transform((days) => ({ ...noHours, ...days }))
    .prefault({}),
  /** A number that has another auto reply leaves it. */
  TextNumberIDs: z.array(id).max(1000).default([]),
});

export const listAutoReplies = call({
  method: 'GET',
  path: '/autoreplies',
  summary: 'Lists the auto replies of text numbers, oldest first.',
  allow: 'seeTextNumbers',
  query: listQuery({ pagesize: pageSizes.autoReplies, most: 1000, sortby: ['id'] }),
  reply: sizedList(autoReply),
});

export const addAutoReply = call({
  method: 'POST',
  path: '/autoreplies',
  summary: 'Creates an auto reply for text numbers.',
  allow: 'manageAutoReplies',
  event: 'autoReply.created',
  takesIdempotencyKey: true,
  body: written,
  reply: autoReply,
  errors: ['notFound', 'keyReused'],
});

export const updateAutoReply = call({
  method: 'PUT',
  path: '/autoreplies/:AutoReplyID',
  summary: 'Updates an auto reply, its schedule and its text numbers.',
  allow: 'manageAutoReplies',
  event: 'autoReply.updated',
  params: z.object({ AutoReplyID: id }),
  body: written,
  reply: autoReply,
  errors: ['notFound'],
});

export const deleteAutoReply = call({
  method: 'DELETE',
  path: '/autoreplies/:AutoReplyID',
  summary: 'Deletes an auto reply. Its numbers use the account’s auto reply again.',
  allow: 'manageAutoReplies',
  event: 'autoReply.deleted',
  params: z.object({ AutoReplyID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

export const listAutoRepliesOfNumber = call({
  method: 'GET',
  path: '/textnumbers/:TextNumberID/autoreplies',
  summary: 'Returns the auto reply of a text number, if it has one.',
  allow: 'seeTextNumbers',
  params: z.object({ TextNumberID: id }),
  reply: sizedList(autoReply),
  errors: ['notFound'],
});
