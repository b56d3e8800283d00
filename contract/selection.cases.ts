import type { Selection } from './selection.ts';
import { ruleTable } from './testing/rule-table.ts';

const TOTAL = 5;

export const selectionCounts = ruleTable<Selection, number>({
  about: `Selection count (of ${TOTAL} rows)`,
  file: 'contract/selection.ts',
  rows: [
    {
      rule: 'Selected count is the id count, the total size, or total minus excluded',
      cases: [
        [{ Type: 'Selected', Items: [] }, 0],
        [{ Type: 'Selected', Items: [1, 2] }, 2],
        [{ Type: 'SelectedAll', Items: [] }, 5],
        [{ Type: 'SelectedAllExcept', Items: [3] }, 4],
        [{ Type: 'SelectedAllExcept', Items: [1, 2, 3, 4, 5, 6] }, 0],
      ],
    },
  ],
});

/** The selection before, the rows that are ticked or unticked, and the selection after. */
type Step = { from: Selection; add?: number[]; remove?: number[] };

export const selectionSteps = ruleTable<Step, Selection>({
  about: `Adding to and removing from a selection (of ${TOTAL} rows)`,
  file: 'contract/selection.ts',
  rows: [
    {
      rule: 'Adding or removing items converts between modes: from Selected',
      cases: [
        [
          { from: { Type: 'Selected', Items: [] }, add: [3] },
          { Type: 'Selected', Items: [3] },
        ],
        [
          { from: { Type: 'Selected', Items: [3] }, add: [3, 4] },
          { Type: 'Selected', Items: [3, 4] },
        ],
        [
          { from: { Type: 'Selected', Items: [3, 4] }, remove: [3] },
          { Type: 'Selected', Items: [4] },
        ],
        [
          { from: { Type: 'Selected', Items: [3] }, remove: [3] },
          { Type: 'Selected', Items: [] },
        ],
      ],
    },
    {
      rule: 'Ours: ticking every row one by one stays Selected, so that rows that arrive later are not touched',
      cases: [
        [
          { from: { Type: 'Selected', Items: [1, 2, 3, 4] }, add: [5] },
          { Type: 'Selected', Items: [1, 2, 3, 4, 5] },
        ],
      ],
    },
    {
      rule: 'Adding or removing items converts between modes: from SelectedAll',
      cases: [
        [
          { from: { Type: 'SelectedAll', Items: [] }, add: [3] },
          { Type: 'SelectedAll', Items: [] },
        ],
        [
          { from: { Type: 'SelectedAll', Items: [] }, remove: [3] },
          { Type: 'SelectedAllExcept', Items: [3] },
        ],
        [
          { from: { Type: 'SelectedAll', Items: [] }, remove: [] },
          { Type: 'SelectedAll', Items: [] },
        ],
      ],
    },
    {
      rule: 'Adding or removing items converts between modes: from SelectedAllExcept',
      cases: [
        [
          { from: { Type: 'SelectedAllExcept', Items: [3, 4] }, add: [3] },
          { Type: 'SelectedAllExcept', Items: [4] },
        ],
        [
          { from: { Type: 'SelectedAllExcept', Items: [3] }, add: [3] },
          { Type: 'SelectedAll', Items: [] },
        ],
        [
          { from: { Type: 'SelectedAllExcept', Items: [3] }, remove: [4] },
          { Type: 'SelectedAllExcept', Items: [3, 4] },
        ],
        [
          { from: { Type: 'SelectedAllExcept', Items: [1, 2, 3, 4] }, remove: [5] },
          { Type: 'Selected', Items: [] },
        ],
      ],
    },
  ],
});

export const selectionTotal = TOTAL;
