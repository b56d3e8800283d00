import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { listQuery, sizedList, undoable, undone } from './list.ts';
import { mediaItem } from './media.ts';
import { limits } from './reference/limits.ts';
import { selection } from './selection.ts';

/** Ours: the shortcut that is typed after "/" to insert a saved text. */
const templateShortcutLength = 30;
/** Ours: words by which saved texts are sorted. */
const templateLabels = { length: 30, most: 10 } as const;
/** Ours: as long as the longest text. */
export const templateTextLength = 1600;

const label = z
  .string()
  .trim()
  .min(1, 'Enter a Label')
  .max(templateLabels.length, `Label must be at most ${templateLabels.length} characters`);

/** The same word in upper or lower case is one label. */
const labels = z
  .array(label)
  .max(templateLabels.most, `A saved text has at most ${templateLabels.most} labels`)
  .transform((all) => [...new Map(all.map((one) => [one.toLowerCase(), one])).values()]);

/** A saved text. Ours: Shortcut. */
const template = z.object({
  TemplateID: z.number().int(),
  TemplateName: z.string(),
  TemplateText: z.string(),
  TemplateType: z.literal('Text'),
  Shortcut: z.string(),
  IsShared: z.boolean(),
  /** The asking user's own star. */
  IsFavorite: z.boolean(),
  /** Somebody else's: may be used, not changed. Admins may change what is shared. */
  ReadOnly: z.boolean(),
  Media: z.array(mediaItem),
  // Ours from here on.
  Labels: z.array(z.string()),
  /** Number of times it was put into a message. */
  UseCount: z.number().int().nonnegative(),
  LastUsedTimestamp: moment.nullable(),
  AddedBy: z.string(),
});
export type Template = z.output<typeof template>;

const written = z.object({
  TemplateName: z
    .string()
    .trim()
    .min(1, 'Enter a Template Name')
    .max(limits.templateName, `Template Name must be at most ${limits.templateName} characters`),
  TemplateText: z
    .string()
    .max(templateTextLength, `Template Text must be at most ${templateTextLength} characters`)
    .default(''),
  TemplateType: z.literal('Text').default('Text'),
  Shortcut: z
    .string()
    .trim()
    .max(templateShortcutLength, `Shortcut must be at most ${templateShortcutLength} characters`)
    .regex(/^[\p{L}\p{N}_-]*$/u, 'Shortcut cannot contain any spaces')
    .default(''),
  IsShared: z.boolean().default(false),
  Media: z
    .array(z.object({ MediaID: id }))
    .max(10)
    .default([]),
  Labels: labels.default([]),
});

/** The filters of the list. A selection applies to the same rows. */
const shown = {
  isfavorite: flag.optional(),
  isshared: flag.optional(),
  /** Those that were never put into a message. */
  unused: flag.optional(),
  /** Those with this label. */
  label: z.string().trim().max(templateLabels.length).optional(),
};
const shownQuery = z.object({ q: z.string().trim().max(200).default(''), ...shown });
export type TemplateFilter = z.output<typeof shownQuery>;

export const templateSorts = ['name', '-name', 'newest', 'used', '-used'] as const;

export const listTemplates = call({
  method: 'GET',
  path: '/templates',
  summary:
    'Lists the saved texts that the user can use: their own and shared ones. q searches name, shortcut, text and labels.',
  allow: 'useMessageLibrary',
  query: listQuery({ pagesize: 10, most: 100, sortby: templateSorts }).extend(shown),
  reply: sizedList(template),
});

export const getTemplateSummary = call({
  method: 'GET',
  path: '/templates/summary',
  summary: 'Counts the saved texts in each view, and those with each label.',
  allow: 'useMessageLibrary',
  reply: z.object({
    All: z.number().int().nonnegative(),
    Favorited: z.number().int().nonnegative(),
    Shared: z.number().int().nonnegative(),
    Unused: z.number().int().nonnegative(),
    /** Ours: the labels that are in use, by name. */
    Labels: z.array(z.object({ Name: z.string(), Count: z.number().int().positive() })),
  }),
});

export const addTemplate = call({
  method: 'POST',
  path: '/templates',
  summary: 'Saves a text.',
  allow: 'useMessageLibrary',
  event: 'template.created',
  takesIdempotencyKey: true,
  body: written,
  reply: template,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const updateTemplate = call({
  method: 'PUT',
  path: '/templates/:TemplateID',
  summary:
    'Updates or stars a saved text. You can only star texts of other users. Admins can also update shared texts.',
  allow: 'useMessageLibrary',
  event: 'template.updated',
  params: z.object({ TemplateID: id }),
  // Without the defaults: fields that aren't given stay unchanged.
  body: z.object({
    TemplateName: written.shape.TemplateName.optional(),
    TemplateText: written.shape.TemplateText.unwrap().optional(),
    Shortcut: written.shape.Shortcut.unwrap().optional(),
    IsShared: z.boolean().optional(),
    IsFavorite: z.boolean().optional(),
    Media: written.shape.Media.unwrap().optional(),
    Labels: labels.optional(),
  }),
  reply: template,
  errors: ['notFound', 'refused'],
});

/** Ours: counts a use, so that the list can begin with the texts that are used. */
export const noteTemplateUse = call({
  method: 'POST',
  path: '/templates/:TemplateID/uses',
  summary: 'Records that the user inserted a saved text, for sorting by last use.',
  allow: 'useMessageLibrary',
  event: 'none',
  params: z.object({ TemplateID: id }),
  reply: template,
  errors: ['notFound'],
});

export const deleteTemplate = call({
  method: 'DELETE',
  path: '/templates/:TemplateID',
  summary: 'Deletes a saved text.',
  allow: 'useMessageLibrary',
  event: 'template.deleted',
  params: z.object({ TemplateID: id }),
  reply: undoable,
  errors: ['notFound', 'refused'],
});

const changed = undoable.extend({ Size: z.number().int().nonnegative() });

export const updateTemplateSelection = call({
  method: 'PUT',
  path: '/templates',
  summary: 'Stars or shares the selected saved texts that match the filter.',
  allow: 'useMessageLibrary',
  event: 'template.updated',
  query: shownQuery,
  body: z.object({
    Selection: selection,
    Update: z.union([z.strictObject({ IsFavorite: z.boolean() }), z.strictObject({ IsShared: z.boolean() })]),
  }),
  reply: changed,
});

export const deleteTemplates = call({
  method: 'DELETE',
  path: '/templates',
  summary: 'Deletes the selected saved texts that match the filter, except read-only ones.',
  allow: 'useMessageLibrary',
  event: 'template.deleted',
  query: shownQuery,
  body: z.object({ Selection: selection }),
  reply: changed,
});

export const undoTemplates = call({
  method: 'POST',
  path: '/templates/undo/:UndoID',
  summary: 'Undoes a change to saved texts.',
  allow: 'useMessageLibrary',
  event: 'template.restored',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});
