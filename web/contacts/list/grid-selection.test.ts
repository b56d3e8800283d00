import { describe, expect, it } from 'vitest';
import {
  addToSelection,
  everythingSelected,
  nothingSelected,
  removeFromSelection,
  type Selection,
} from '../../../contract/selection.ts';
import { applyGridModel, gridModelOf } from './grid-selection.ts';

const TOTAL = 2_000;

/** The page's own selection, without React around it. */
function after(before: Selection, model: { type: 'include' | 'exclude'; ids: number[] }): Selection {
  let chosen = before;
  applyGridModel(
    {
      selection: { Type: before.Type, Items: [...before.Items] },
      add: (ids) => {
        chosen = addToSelection(chosen, ids);
      },
      remove: (ids) => {
        chosen = removeFromSelection(chosen, ids, TOTAL);
      },
      clear: () => {
        chosen = nothingSelected;
      },
      selectAll: () => {
        chosen = everythingSelected;
      },
    },
    { type: model.type, ids: new Set(model.ids) },
  );
  return chosen;
}

const few: Selection = { Type: 'Selected', Items: [3, 7] };
const most: Selection = { Type: 'SelectedAllExcept', Items: [3, 7] };

describe('ticks in the grid', () => {
  it.each([
    ['one more', few, { type: 'include', ids: [3, 7, 9] }, { Type: 'Selected', Items: [3, 7, 9] }],
    ['one less', few, { type: 'include', ids: [7] }, { Type: 'Selected', Items: [7] }],
    ['a page less', few, { type: 'include', ids: [] }, nothingSelected],
    [
      'one of all taken out',
      everythingSelected,
      { type: 'exclude', ids: [5] },
      { Type: 'SelectedAllExcept', Items: [5] },
    ],
    [
      'another of all but two',
      most,
      { type: 'exclude', ids: [3, 7, 9] },
      { Type: 'SelectedAllExcept', Items: [3, 7, 9] },
    ],
    ['the two put back', most, { type: 'exclude', ids: [] }, everythingSelected],
    ['only these instead', most, { type: 'include', ids: [1] }, { Type: 'Selected', Items: [1] }],
    ['all instead', few, { type: 'exclude', ids: [] }, everythingSelected],
  ] as const)('%s', (_, before, model, expected) => {
    expect(after(before, { type: model.type, ids: [...model.ids] })).toEqual(expected);
  });
  it('are shown in the grid as they are', () => {
    expect(gridModelOf({ Type: 'SelectedAll', Items: [] })).toEqual({ type: 'exclude', ids: new Set() });
    expect(gridModelOf({ Type: 'SelectedAllExcept', Items: [3] })).toEqual({
      type: 'exclude',
      ids: new Set([3]),
    });
    expect(gridModelOf({ Type: 'Selected', Items: [3] })).toEqual({ type: 'include', ids: new Set([3]) });
  });
});
