import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { selectionCounts, selectionSteps, selectionTotal } from './selection.cases.ts';
import {
  addToSelection,
  everythingSelected,
  isSelected,
  nothingSelected,
  removeFromSelection,
  type Selection,
  selection,
  selectionCount,
  selectionOf,
  toggleInSelection,
} from './selection.ts';
import { testRuleTable } from './testing/test-rule-table.ts';

testRuleTable(selectionCounts, (chosen) => selectionCount(chosen, selectionTotal));
testRuleTable(selectionSteps, ({ from, add = [], remove }) =>
  remove ? removeFromSelection(from, remove, selectionTotal) : addToSelection(from, add),
);

describe('a selection', () => {
  it('holds exactly the rows that a set would, whatever is ticked in which order', () => {
    const total = 8;
    const rows = Array.from({ length: total }, (_, id) => id);
    const step = fc.record({
      verb: fc.constantFrom('add', 'remove', 'toggle', 'all', 'none'),
      ids: fc.uniqueArray(fc.nat(total - 1), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let chosen: Selection = nothingSelected;
        const model = new Set<number>();
        for (const { verb, ids } of steps) {
          const [first = 0] = ids;
          if (verb === 'add') chosen = addToSelection(chosen, ids);
          if (verb === 'remove') chosen = removeFromSelection(chosen, ids, total);
          if (verb === 'toggle') chosen = toggleInSelection(chosen, first, total);
          if (verb === 'all') chosen = everythingSelected;
          if (verb === 'none') chosen = nothingSelected;
          for (const id of verb === 'toggle' ? [first] : ids) {
            if (verb === 'add' || (verb === 'toggle' && !model.has(id))) model.add(id);
            else if (verb === 'remove' || verb === 'toggle') model.delete(id);
          }
          if (verb === 'all') for (const id of rows) model.add(id);
          if (verb === 'none') model.clear();

          expect(rows.filter((id) => isSelected(chosen, id))).toEqual(rows.filter((id) => model.has(id)));
          expect(selectionCount(chosen, total)).toBe(model.size);
          expect(selection.safeParse(chosen).success).toBe(true);
        }
      }),
    );
  });

  it('travels as Type and Items', () => {
    expect(selection.parse({ Type: 'SelectedAll' })).toEqual({ Type: 'SelectedAll', Items: [] });
    expect(selection.safeParse({ Type: 'All', Items: [] }).success).toBe(false);
    expect(selection.safeParse({ Type: 'Selected', Items: ['3'] }).success).toBe(false);
    expect(selection.safeParse({ Type: 'Selected', Items: Array(10_001).fill(1) }).success).toBe(false);
    const lists = selectionOf(z.object({ ListID: z.int() }));
    expect(lists.parse({ Type: 'Selected', Items: [{ ListID: 0 }] }).Items).toEqual([{ ListID: 0 }]);
  });

  it('of everything takes no items, which were most likely meant as exceptions', () => {
    expect(selection.safeParse({ Type: 'SelectedAll', Items: [3] }).success).toBe(false);
  });
});
