import { z } from 'zod';

/** Selected: only the items. SelectedAll: everything. SelectedAllExcept: everything but the items. */
const selectionTypes = ['Selected', 'SelectedAll', 'SelectedAllExcept'] as const;
type SelectionType = (typeof selectionTypes)[number];

/** More ids than anybody ticks by hand; a larger choice is SelectedAll with a search. */
const MOST_SELECTED_ITEMS = 10_000;

const selectionType = z.enum(selectionTypes);

/** A selection whose items are objects, e.g. selectionOf(z.object({ ListID: z.int() })). */
export function selectionOf<Item extends z.ZodType>(item: Item) {
  return (
    z
      .object({ Type: selectionType, Items: z.array(item).max(MOST_SELECTED_ITEMS).default([]) })
      // Items beside SelectedAll were most likely meant as exceptions: refuse rather than touch too many rows.
      .refine(({ Type, Items }) => Type !== 'SelectedAll' || Items.length === 0, {
        path: ['Items'],
        message: 'Everything is selected, so Items must be empty.',
      })
  );
}

/** A selection of numeric ids as it travels, e.g. { Type: 'SelectedAllExcept', Items: [3, 7] }. */
export const selection = selectionOf(z.int());
export type SelectionOfIds = z.infer<typeof selection>;

/** A selection as pages and rules hold it. Items are ids, without doubles, in the order they were ticked. */
export interface Selection<Id extends string | number = number> {
  Type: SelectionType;
  Items: readonly Id[];
}

/** The mode "none": nothing is ticked. On the wire it is Selected without items. */
export const nothingSelected: Selection<never> = { Type: 'Selected', Items: [] };
export const everythingSelected: Selection<never> = { Type: 'SelectedAll', Items: [] };

/** "Selected count is the id count, the total size, or total minus excluded." Never below zero. */
export function selectionCount<Id extends string | number>(chosen: Selection<Id>, total: number): number {
  if (chosen.Type === 'Selected') return chosen.Items.length;
  if (chosen.Type === 'SelectedAll') return total;
  return Math.max(0, total - chosen.Items.length);
}

export function isSelected<Id extends string | number>(chosen: Selection<Id>, id: Id): boolean {
  if (chosen.Type === 'SelectedAll') return true;
  return chosen.Items.includes(id) === (chosen.Type === 'Selected');
}

/**
 * "Adding or removing items converts between modes." Ticking the last excluded row of SelectedAllExcept gives
 * SelectedAll. Ticking every row one by one stays Selected: rows that arrive later, or that another search shows,
 * must never be touched without having been ticked.
 */
export function addToSelection<Id extends string | number>(
  chosen: Selection<Id>,
  ids: readonly Id[],
): Selection<Id> {
  if (chosen.Type === 'SelectedAll') return chosen;
  if (chosen.Type === 'Selected') return { Type: 'Selected', Items: union(chosen.Items, ids) };
  const excluded = without(chosen.Items, ids);
  return excluded.length === 0 ? everythingSelected : { Type: 'SelectedAllExcept', Items: excluded };
}

/** Taking a row out of SelectedAll gives SelectedAllExcept; taking the last one out gives nothing selected. */
export function removeFromSelection<Id extends string | number>(
  chosen: Selection<Id>,
  ids: readonly Id[],
  total: number,
): Selection<Id> {
  if (chosen.Type === 'Selected') return { Type: 'Selected', Items: without(chosen.Items, ids) };
  const excluded = union(chosen.Type === 'SelectedAll' ? [] : chosen.Items, ids);
  if (excluded.length === 0) return everythingSelected;
  return excluded.length >= total ? nothingSelected : { Type: 'SelectedAllExcept', Items: excluded };
}

export function toggleInSelection<Id extends string | number>(
  chosen: Selection<Id>,
  id: Id,
  total: number,
): Selection<Id> {
  return isSelected(chosen, id) ? removeFromSelection(chosen, [id], total) : addToSelection(chosen, [id]);
}

function union<Id>(items: readonly Id[], more: readonly Id[]): readonly Id[] {
  return [...new Set([...items, ...more])];
}

function without<Id>(items: readonly Id[], fewer: readonly Id[]): readonly Id[] {
  const gone = new Set(fewer);
  return items.filter((item) => !gone.has(item));
}
