import { useCallback, useMemo, useState } from 'react';
import {
  addToSelection,
  everythingSelected,
  isSelected,
  nothingSelected,
  removeFromSelection,
  type Selection,
  selectionCount,
  toggleInSelection,
} from '../../contract/selection.ts';

export interface SelectionState<Id extends string | number> {
  /** The wire format: { Type, Items }. */
  selection: { Type: Selection['Type']; Items: Id[] };
  count: number;
  isAny: boolean;
  isAll: boolean;
  isSelected: (id: Id) => boolean;
  toggle: (id: Id) => void;
  add: (ids: readonly Id[]) => void;
  remove: (ids: readonly Id[]) => void;
  selectAll: () => void;
  clear: () => void;
}

/**
 * The selection in a server-side list of `total` rows. It belongs to one search and filter: pass both as `scope`.
 * Another scope starts with an empty selection, so that "all" never means another list.
 */
export function useSelection<Id extends string | number = number>(
  total: number,
  scope: string,
): SelectionState<Id> {
  const [held, setHeld] = useState<{ scope: string; chosen: Selection<Id> }>({
    scope,
    chosen: nothingSelected,
  });
  const chosen: Selection<Id> = held.scope === scope ? held.chosen : nothingSelected;
  const change = useCallback(
    (by: (chosen: Selection<Id>) => Selection<Id>) =>
      setHeld((before) => ({ scope, chosen: by(before.scope === scope ? before.chosen : nothingSelected) })),
    [scope],
  );
  return useMemo(() => {
    const count = selectionCount(chosen, total);
    return {
      selection: { Type: chosen.Type, Items: [...chosen.Items] },
      count,
      isAny: count > 0,
      isAll: total > 0 && count === total,
      isSelected: (id) => isSelected(chosen, id),
      toggle: (id) => change((before) => toggleInSelection(before, id, total)),
      add: (ids) => change((before) => addToSelection(before, ids)),
      remove: (ids) => change((before) => removeFromSelection(before, ids, total)),
      selectAll: () => change(() => everythingSelected),
      clear: () => change(() => nothingSelected),
    };
  }, [chosen, total, change]);
}
