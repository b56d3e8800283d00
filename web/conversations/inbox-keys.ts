import type { ExplainedKeys } from '../ui/keys.tsx';

export const inboxKeys: ExplainedKeys = [
  [['j'], 'Next conversation'],
  [['k'], 'Previous conversation'],
  [['Enter'], 'Open it'],
  [['e'], 'Mark done, or open again'],
  [['x'], 'Select it'],
  [['r'], 'Open it and reply'],
  [['c'], 'New conversation'],
  [['/'], 'Search'],
  [['Esc'], 'Leave the text or the search'],
  [['Enter'], 'In a text: send it'],
  [['Shift', 'Enter'], 'In a text: a new line'],
  [['?'], 'Show these keys'],
];

/** Those that the strip names. */
export const inboxHints: ExplainedKeys = [
  [['j', 'k'], 'move'],
  [['e'], 'done'],
  [['r'], 'reply'],
];
