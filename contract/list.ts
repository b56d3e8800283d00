import { z } from 'zod';

/**
 * The shared shape of lists. A list takes page, pagesize, q and sortby and answers Items with Size (how many
 * there are in all) or Next (where the following page begins; null at the end). Lists that grow without bound
 * answer Next and are paged by it: page numbers work too, for clients that have nothing else, and cost more
 * for later pages.
 */
export function listQuery<const Sorts extends readonly [string, ...string[]]>(options: {
  pagesize: number;
  most: number;
  sortby: Sorts;
}) {
  return z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(options.most).default(options.pagesize),
    q: z.string().trim().max(200).default(''),
    sortby: z.enum(options.sortby).default(options.sortby[0] as Sorts[number] as never),
    next: z.string().max(400).optional(),
  });
}

export function sizedList<Item extends z.ZodType>(item: Item) {
  return z.object({ Items: z.array(item), Size: z.number().int().nonnegative() });
}

export function nextList<Item extends z.ZodType>(item: Item) {
  return z.object({
    Items: z.array(item),
    Next: z.string().nullable(),
    Size: z.number().int().nonnegative().optional(),
  });
}

/** The reply of an action that can be undone. */
export const undoable = z.object({ UndoID: z.number().int().positive().nullable() });

/** The reply of an undo; its UndoID undoes the undo. */
export const undone = z.object({ UndoExecuted: z.boolean(), UndoID: z.number().int().positive().nullable() });
