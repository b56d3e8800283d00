import { textToSend } from '../../../contract/text/normalize-text.ts';
import { countSegments } from '../../../contract/text/segments.ts';
import { findUnicodeCharacters } from '../../../contract/text/unicode-characters.ts';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';

/** The effect of replacing special characters with plain ones, and what it saves. */
export interface PlainChange {
  /** "’ as ', … as ..." */
  changes: string;
  /** "1 segment instead of 2"; empty if it saves nothing. */
  saved: string;
}

/** The number of replacements to list. */
const SHOWN = 4;

/** Undefined if the text is already plain, or nothing in it has a plain form. */
export function plainChange(text: string, signature?: string): PlainChange | undefined {
  const plain = textToSend(text, {});
  if (plain === text) return undefined;
  const pairs = new Map<string, string>();
  for (const { character, plain: instead } of findUnicodeCharacters(text)) {
    if (instead !== undefined)
      pairs.set(nameOf(character), instead === '' ? say('nothing') : nameOf(instead));
  }
  if (pairs.size === 0) return undefined;
  const named = [...pairs].slice(0, SHOWN).map(([from, to]) => `${from} as ${to}`);
  const changes = [...named, ...(pairs.size > SHOWN ? ['and others'] : [])].join(', ');
  return { changes, saved: savedWords(text, plain, signature) };
}

function savedWords(text: string, plain: string, signature: string | undefined): string {
  const suffix = signature === undefined ? undefined : textToSend(signature, {});
  const before = countSegments(text, { suffix: signature });
  const after = countSegments(plain, { suffix });
  if (after.segments < before.segments)
    return `${countOf(after.segments, 'segment', 'segments')} instead of ${before.segments}`;
  if (after.parts < before.parts)
    return `${countOf(after.parts, 'part', 'parts')} at the carrier instead of ${before.parts}`;
  return '';
}

/** Invisible characters get a name. */
function nameOf(character: string): string {
  if (character === ' ') return 'a space';
  if (character === '\n') return 'a line break';
  if (/^\s+$/u.test(character)) return 'a special space';
  return /^[\p{Cf}\p{Cc}\p{M}]+$/u.test(character) ? 'an invisible character' : character;
}
