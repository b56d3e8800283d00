import type { ExplainedKeys } from '../ui/keys.tsx';
import { say } from '../ui/say.ts';

export const inboxKeys: ExplainedKeys = [
  [['j'], 'Next conversation'],
  [['k'], 'Previous conversation'],
  [['Enter'], 'Open it'],
  [['r'], 'Open it and reply'],
  [['e'], 'Mark done and open the next one, or reopen it'],
  [['u'], 'Mark unread'],
  [['t'], say('Tags')],
  [['a'], say('Assign')],
  [['s'], say('Snooze')],
  [['m'], 'Move to another text number'],
  [['n'], 'Write a note for the team'],
  [['x'], 'Select it'],
  [['Shift', 'x'], 'Select a range'],
  [['*'], 'Select all'],
  [['Esc'], 'Clear the selection; leave the text or the search'],
  [['1', '2', '3', '4'], 'Open, Unread, Done, Auto Opt-Outs'],
  [['w'], 'Show who is waiting, the longest wait first'],
  [['g'], 'Show what needs no answer'],
  [['f'], 'Filter and sort'],
  [['/'], say('Search')],
  [['c'], 'New conversation'],
  [['Enter'], 'In a text: send it'],
  [['Ctrl', 'Enter'], 'In a text: send it and mark done'],
  [['Shift', 'Enter'], 'In a text: a new line'],
  [['/'], 'In a text: insert a saved text'],
  [['?'], 'Show keyboard shortcuts'],
];

/** The shortcuts in the hint strip. */
export const inboxHints: ExplainedKeys = [
  [['j', 'k'], say('move')],
  [['e'], say('done', 'key')],
  [['r'], say('reply', 'key')],
];
