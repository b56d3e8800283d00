import { z } from 'zod';
import { call, id } from './call.ts';
import { isBlank } from './fields/rule.ts';

/** Ours: names are as long as other names, and there are as many tags as a list beside the inbox can show. */
export const tagLimits = { name: 50, tags: 200, onConversation: 20 } as const;

export const tag = z.object({
  TagID: z.number().int(),
  TagName: z.string(),
  /** One of eight colors of the theme. */
  Color: z.number().int(),
});
export type Tag = z.output<typeof tag>;

export const tagIds = z.array(id).max(tagLimits.onConversation);

const tagName = z
  .string()
  .trim()
  .min(1, 'Enter a Tag Name')
  .max(tagLimits.name, `Tag Name must be at most ${tagLimits.name} characters`)
  .refine((name) => !isBlank(name), 'Enter a Tag Name');
const color = z.number().int().min(0).max(7);

export const listTags = call({
  method: 'GET',
  path: '/conversations/tags',
  summary: 'Lists the organization’s tags by name. Doesn’t include the built-in tag for auto opt-outs.',
  allow: 'readConversations',
  reply: z.object({ Items: z.array(tag), Size: z.number().int() }),
});

export const addTag = call({
  method: 'POST',
  path: '/conversations/tags',
  summary: 'Adds a tag.',
  allow: 'manageConversations',
  event: 'tag.created',
  takesIdempotencyKey: true,
  body: z.object({ TagName: tagName, Color: color.default(0) }),
  reply: tag,
  errors: ['refused', 'keyReused'],
});

export const updateTag = call({
  method: 'PUT',
  path: '/conversations/tags/:TagID',
  summary: 'Renames a tag or changes its color.',
  allow: 'manageConversations',
  event: 'tag.updated',
  params: z.object({ TagID: id }),
  body: z.object({ TagName: tagName.optional(), Color: color.optional() }),
  reply: tag,
  errors: ['notFound', 'refused'],
});

export const deleteTag = call({
  method: 'DELETE',
  path: '/conversations/tags/:TagID',
  summary: 'Deletes a tag and removes it from all conversations.',
  allow: 'deleteTags',
  event: 'tag.deleted',
  params: z.object({ TagID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});
