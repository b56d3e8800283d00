import type { ExplainedKeys } from '../../ui/keys.tsx';
import { say } from '../../ui/say.ts';

export const contactsKeys: ExplainedKeys = [
  [['j'], 'Next contact'],
  [['k'], 'Previous contact'],
  [['Enter'], say('Open')],
  [['x'], say('Select')],
  [['Shift', 'Space'], 'Select, in the table'],
  [['Esc'], 'Clear the selection or search'],
  [['n'], 'New contact'],
  [['/'], say('Search')],
  [['?'], 'Show keyboard shortcuts'],
];

/** The shortcuts in the hint strip. */
export const contactsHints: ExplainedKeys = [[['j', 'k'], say('move')]];
