import type { GridRowSelectionModel } from '@mui/x-data-grid';
import type { SelectionState } from '../../queries/selection.ts';

/** The grid's model of a selection: include is Selected, exclude is SelectedAllExcept. */
export function gridModelOf({ Type, Items }: SelectionState<number>['selection']): GridRowSelectionModel {
  return { type: Type === 'Selected' ? 'include' : 'exclude', ids: new Set(Items) };
}

/** Applies the ticks that changed in the grid. */
export function applyGridModel(
  selection: Pick<SelectionState<number>, 'selection' | 'add' | 'remove' | 'clear' | 'selectAll'>,
  after: GridRowSelectionModel,
): void {
  const before = gridModelOf(selection.selection);
  if (before.type !== after.type) {
    if (after.type === 'include') selection.clear();
    else selection.selectAll();
  }
  const known: ReadonlySet<unknown> = before.type === after.type ? before.ids : new Set();
  const came = [...after.ids].filter((id) => !known.has(id)).map(Number);
  const went = [...known].filter((id) => !after.ids.has(id as number)).map(Number);
  const [ticked, unticked] = after.type === 'include' ? [came, went] : [went, came];
  if (ticked.length > 0) selection.add(ticked);
  if (unticked.length > 0) selection.remove(unticked);
}
