import { countSegments } from '../../../../contract/text/segments.ts';
import {
  findUnicodeCharacters,
  type UnicodeCharacter,
} from '../../../../contract/text/unicode-characters.ts';
import { formatSmall } from '../../../ui/format.ts';
import { say } from '../../../ui/say.ts';

/** The effect of a few characters outside the plain alphabet on a text, and how one press can fix it. */
export interface PlainAdvice {
  /** The characters, which identify the advice. */
  key: string;
  title: string;
  sentence: string;
  action: string;
  plainText: string;
}

/**
 * Undefined where the text is plain, where they have no replacement, or where replacing them would gain
 * nothing.
 */
export function plainAdvice(text: string, signature: string | undefined): PlainAdvice | undefined {
  const costly = findUnicodeCharacters(text);
  const replaceable = costly.filter(({ plain }) => plain !== undefined);
  if (replaceable.length === 0) return undefined;
  const plainText = replaced(text, replaceable);
  const now = countSegments(text, { suffix: signature });
  const then = countSegments(plainText, { suffix: signature });
  // Other characters stay, so it would be Unicode anyway.
  if (then.charset === 'Unicode' || then.parts >= now.parts) return undefined;
  const many = replaceable.length > 1;
  const raisesCost = then.segments < now.segments;
  const doubles = now.segments === 2 * then.segments;
  const effect = raisesCost ? (doubles ? 'doubles' : 'raises') : 'splits';
  const parts = formatSmall(now.parts);
  const title = many
    ? titleOfMany(effect, capital(formatSmall(replaceable.length)), parts)
    : titleOfOne(effect, parts);
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

type Effect = 'doubles' | 'raises' | 'splits';

function titleOfOne(effect: Effect, parts: string): string {
  if (effect === 'splits') return `One character splits each text into ${parts} parts`;
  return effect === 'doubles' ? 'One character doubles the cost' : 'One character raises the cost';
}

function titleOfMany(effect: Effect, count: string, parts: string): string {
  if (effect === 'splits') return `${count} characters split each text into ${parts} parts`;
  return effect === 'doubles' ? `${count} characters double the cost` : `${count} characters raise the cost`;
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
  const kind = kindOf(first);
  const { name, names } = kinds[kind];
  const word = wordAround(text, first.index);
  if (characters.length === 1) return `The ${name} in “${word}” is`;
  return characters.every((one) => kindOf(one) === kind)
    ? `The ${names}, such as in “${word}”, are`
    : `Characters like the one in “${word}” are`;
}

/** At most this many characters of a word are shown. */
const WORD = 24;

function wordAround(text: string, index: number): string {
  const before = /\S*$/.exec(text.slice(Math.max(0, index - WORD), index))?.[0] ?? '';
  const after = /^\S*/.exec(text.slice(index, index + WORD))?.[0] ?? '';
  return `${before}${after}` || text.slice(Math.max(0, index - 6), index + 6).trim();
}

interface Words {
  name: string;
  names: string;
  /** The label of the button for one of them, and for several. */
  use: string;
  useMany: string;
}

/** The everyday name of a character, by its replacement. */
const kinds = {
  dash: {
    name: 'long dash',
    names: say('dashes'),
    use: 'Use a plain dash',
    useMany: 'Use plain dashes',
  },
  apostrophe: {
    name: say('apostrophe'),
    names: say('apostrophes'),
    use: 'Use a plain apostrophe',
    useMany: 'Use plain apostrophes',
  },
  quote: {
    name: 'quotation mark',
    names: 'quotation marks',
    use: 'Use a plain quotation mark',
    useMany: 'Use plain quotation marks',
  },
  ellipsis: {
    name: say('ellipsis'),
    names: say('ellipses'),
    use: 'Use three dots',
    useMany: 'Use three dots',
  },
  space: { name: say('space'), names: say('spaces'), use: 'Use a plain space', useMany: 'Use plain spaces' },
  invisible: { name: 'invisible mark', names: 'invisible marks', use: 'Remove it', useMany: 'Remove them' },
  other: {
    name: say('character'),
    names: say('characters'),
    use: 'Use a plain character',
    useMany: 'Use plain characters',
  },
} as const satisfies Record<string, Words>;

const kindOfPlain: Record<string, keyof typeof kinds> = {
  '-': 'dash',
  "'": 'apostrophe',
  '"': 'quote',
  '...': 'ellipsis',
  ' ': 'space',
  '': 'invisible',
};

function kindOf({ plain = 'other' }: UnicodeCharacter): keyof typeof kinds {
  return kindOfPlain[plain] ?? 'other';
}

function actionOf(characters: readonly UnicodeCharacter[]): string {
  const found = new Set(characters.map(kindOf));
  const [kind = 'other'] = found;
  if (found.size > 1) return 'Use plain characters';
  return characters.length === 1 ? kinds[kind].use : kinds[kind].useMany;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
