import { z } from 'zod';
import { call, id } from './call.ts';
import { listQuery, sizedList } from './list.ts';
import { defaultPageSize } from './reference/paging.ts';

/** A word that people text to a number, what they get back, and the group that they are added to. Ours: Active, ListID. */
const keyword = z.object({
  ID: z.number().int(),
  Keyword: z.string(),
  Message: z.string(),
  Active: z.boolean(),
  TextNumberIDs: z.array(z.number().int()),
  ListID: z.number().int().nullable(),
  ListName: z.string(),
});
export type Keyword = z.output<typeof keyword>;

/** Validated by keywordForm of contract/forms/auto-reply.ts, whose messages are returned by field. */
const written = z.object({
  Keyword: z.string().max(200).default(''),
  Message: z.string().max(2000).default(''),
  Active: z.boolean().default(true),
  TextNumberIDs: z.array(id).max(1000).default([]),
  ListID: id.nullable().default(null),
});

/** Ours: a word means one thing at a number. */
export const keywordTaken = 'One of these text numbers already uses this keyword.';

export const listKeywords = call({
  method: 'GET',
  path: '/keywords',
  summary: 'Lists the keywords alphabetically.',
  allow: 'seeTextNumbers',
  query: listQuery({ pagesize: defaultPageSize, most: 1000, sortby: ['keyword'] }).extend({
    textNumberId: id.optional(),
  }),
  reply: sizedList(keyword),
});

export const addKeyword = call({
  method: 'POST',
  path: '/keywords',
  summary: 'Adds a keyword to text numbers.',
  allow: 'manageAutoReplies',
  event: 'keyword.created',
  takesIdempotencyKey: true,
  body: written,
  reply: keyword,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const updateKeyword = call({
  method: 'PUT',
  path: '/keywords/:KeywordID',
  summary: 'Updates a keyword, its reply, its group or its text numbers.',
  allow: 'manageAutoReplies',
  event: 'keyword.updated',
  params: z.object({ KeywordID: id }),
  body: written,
  reply: keyword,
  errors: ['notFound', 'refused'],
});

export const deleteKeyword = call({
  method: 'DELETE',
  path: '/keywords/:KeywordID',
  summary: 'Deletes a keyword.',
  allow: 'manageAutoReplies',
  event: 'keyword.deleted',
  params: z.object({ KeywordID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});
