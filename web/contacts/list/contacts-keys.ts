import type { ExplainedKeys } from '../../ui/keys.tsx';

export const contactsKeys: ExplainedKeys = [
  [['j'], 'Next contact'],
  [['k'], 'Previous contact'],
  [['Enter'], 'Open it'],
  [['x'], 'Select it'],
  [['Shift', 'Space'], 'Select it, in the table'],
  [['Esc'], 'Select nothing, or leave the search'],
  [['n'], 'New contact'],
  [['/'], 'Search'],
  [['?'], 'Show these keys'],
];

/** Those that the strip names. */
export const contactsHints: ExplainedKeys = [[['j', 'k'], 'move']];
