import { countSegments } from '../../../../contract/text/segments.ts';
import {
  findUnicodeCharacters,
  type UnicodeCharacter,
} from '../../../../contract/text/unicode-characters.ts';
import { formatSmall } from '../../../ui/format.ts';

/** What a few characters outside the plain alphabet do to a text, and what one press can do about it. */
export interface PlainAdvice {
  /** The characters, to tell one advice from the next. */
  key: string;
  title: string;
  sentence: string;
  action: string;
  plainText: string;
}

/** Undefined where the text is plain, where nothing can be put in their place, or where it would gain nothing. */
export function plainAdvice(text: string, signature: string | undefined): PlainAdvice | undefined {
  const costly = findUnicodeCharacters(text);
  const replaceable = costly.filter(({ plain }) => plain !== undefined);
  if (replaceable.length === 0) return undefined;
  const plainText = replaced(text, replaceable);
  const now = countSegments(text, { suffix: signature });
  const then = countSegments(plainText, { suffix: signature });
  // Others stay: it would be Unicode all the same.
  if (then.charset === 'Unicode' || then.parts >= now.parts) return undefined;
  const many = replaceable.length > 1;
  const subject = many ? `${capital(formatSmall(replaceable.length))} characters` : 'One character';
  const raisesCost = then.segments < now.segments;
  const doubles = now.segments === 2 * then.segments;
  const title = raisesCost
    ? `${subject} ${doubles ? (many ? 'double' : 'doubles') : many ? 'raise' : 'raises'} the cost`
    : `${subject} ${many ? 'split' : 'splits'} each text into ${formatSmall(now.parts)} parts`;
  const outcome = raisesCost
    ? `so each text takes ${now.segments} segments instead of ${then.segments}.`
    : `so carriers send ${now.parts} parts instead of ${then.parts}. The cost in credits stays the same.`;
  return {
    key: replaceable.map(({ character }) => character).join(''),
    title,
    sentence: `${where(text, replaceable)} not plain text, ${outcome}`,
    action: actionOf(replaceable),
    plainText,
  };
}

function replaced(text: string, characters: readonly UnicodeCharacter[]): string {
  let plain = '';
  let at = 0;
  for (const { index, length, plain: instead = '' } of characters) {
    plain += text.slice(at, index) + instead;
    at = index + length;
  }
  return plain + text.slice(at);
}

function where(text: string, characters: readonly UnicodeCharacter[]): string {
  const [first] = characters;
  if (!first) return '';
  const name = nameOf(first);
  const word = wordAround(text, first.index);
  if (characters.length === 1) return `The ${name === 'dash' ? 'long dash' : name} in “${word}” is`;
  return characters.every((one) => nameOf(one) === name)
    ? `The ${plural(name)}, such as in “${word}”, are`
    : `Characters like the one in “${word}” are`;
}

/** So much of a word is shown at most. */
const WORD = 24;

function wordAround(text: string, index: number): string {
  const before = /\S*$/.exec(text.slice(Math.max(0, index - WORD), index))?.[0] ?? '';
  const after = /^\S*/.exec(text.slice(index, index + WORD))?.[0] ?? '';
  return `${before}${after}` || text.slice(Math.max(0, index - 6), index + 6).trim();
}

/** What people call a character by what takes its place. */
function nameOf({ plain }: UnicodeCharacter): string {
  switch (plain) {
    case '-':
      return 'dash';
    case "'":
      return 'apostrophe';
    case '"':
      return 'quotation mark';
    case '...':
      return 'ellipsis';
    case ' ':
      return 'space';
    case '':
      return 'invisible mark';
    default:
      return 'character';
  }
}

function plural(name: string): string {
  if (name === 'ellipsis') return 'ellipses';
  return name.endsWith('sh') ? `${name}es` : `${name}s`;
}

function actionOf(characters: readonly UnicodeCharacter[]): string {
  const names = [...new Set(characters.map(nameOf))];
  const [name = 'character'] = names;
  if (names.length > 1) return 'Use plain characters';
  if (name === 'invisible mark') return characters.length === 1 ? 'Remove it' : 'Remove them';
  if (name === 'ellipsis') return 'Use three dots';
  return characters.length === 1 ? `Use a plain ${name}` : `Use plain ${plural(name)}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
