import { limits } from '../../contract/reference/limits.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { cutText } from '../../contract/text/cut-text.ts';
import { inLanguage } from '../in-language.ts';
import { withEnding } from './rules.ts';

/**
 * Names that Muster itself gives to broadcasts and to their recipients' sources, in the language of the user
 * who creates them.
 */

/** A broadcast to people who replied: "Helpers wanted, replies". */
export function repliesName(name: string, languageId: number): string {
  return withEnding(name, `, ${inLanguage(languageId, 'files')('replies')}`);
}

/** The answer to a group of replies: "Answer: Yes, Helpers wanted". */
export function answerName(group: string, name: string, languageId: number): string {
  const say = inLanguage(languageId, 'files');
  return withEnding(`${say('Answer:')} ${say(group)}, ${name}`, '');
}

/** "3 contacts". */
export function countedName(count: number, noun: 'contact' | 'pasted number', languageId: number): string {
  return inLanguage(
    languageId,
    'files',
  )(`${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`);
}

/** People whose numbers were typed. */
export function typedName(languageId: number): string {
  return inLanguage(languageId, 'files')('Typed');
}

/** "Parents" if all of a group were selected, else how many. */
export function selectionName(
  { query, selection }: { query: { q: string }; selection: SelectionOfIds },
  listName: string,
  languageId: number,
): string {
  if (selection.Type === 'Selected') return countedName(selection.Items.length, 'contact', languageId);
  return query.q === '' ? listName : `${listName}: “${query.q}”`;
}

/** "Grade 5" for one group, "Grade 5 and 2 more groups" for three. */
export function groupsName(name: string, others: number, languageId: number): string {
  const say = inLanguage(languageId, 'files');
  if (others === 0) return name;
  return `${name}${say(others === 1 ? ' and 1 more group' : ` and ${others} more groups`)}`;
}

/** "Grade 5 state tests, step 2". */
export function stepName(name: string, position: number, languageId: number): string {
  const end = `, ${inLanguage(languageId, 'files')(`step ${position}`)}`;
  return cutText(name, limits.broadcastName - end.length) + end;
}

/** A broadcast that somebody started by calling in. */
export function launchName(group: string, languageId: number): string {
  return cutText(`${inLanguage(languageId, 'files')('By phone:')} ${group}`, limits.broadcastName);
}

/** A sample that goes to the user's own phones. */
export function sampleName(message: string, languageId: number): string {
  return `${inLanguage(languageId, 'files')('Sample:')} ${message}`.slice(0, limits.broadcastName);
}
