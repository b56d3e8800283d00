import type { ExplainedKeys } from '../../ui/keys.tsx';

export const contactsKeys: ExplainedKeys = [
  [['j'], 'Next contact'],
  [['k'], 'Previous contact'],
  [['Enter'], 'Open'],
  [['x'], 'Select'],
  [['Shift', 'Space'], 'Select, in the table'],
  [['Esc'], 'Clear the selection or search'],
  [['n'], 'New contact'],
  [['/'], 'Search'],
  [['?'], 'Show keyboard shortcuts'],
];

/** Those that the strip names. */
export const contactsHints: ExplainedKeys = [[['j', 'k'], 'move']];
