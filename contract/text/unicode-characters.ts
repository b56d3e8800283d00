import { isGsm, septetsOf } from './gsm.ts';
import { normalizeText } from './normalize-text.ts';
import { findPersonalizedFields } from './personalized-fields.ts';

/** A character, as people see one, that makes the whole text Unicode. */
export interface UnicodeCharacter {
  character: string;
  /** Its position in UTF-16 units, as an editor counts. */
  index: number;
  length: number;
  /**
   * The replacement that one click can make without changing the meaning; undefined for emoji and other
   * scripts.
   */
  plain: string | undefined;
}

/** More than anybody wants marked; bounds the work on a text in another script. */
const MOST_SHOWN = 200;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters that make the text Unicode, with their positions. Merge fields in double braces are ignored. */
export function findUnicodeCharacters(text: string, most = MOST_SHOWN): UnicodeCharacter[] {
  const found: UnicodeCharacter[] = [];
  for (const [start, end] of stretchesOutsideFields(text)) {
    for (
      let at = firstForeign(text, start, end);
      at < end && found.length < most;
      at = firstForeign(text, at, end)
    ) {
      const grapheme = graphemeAt(text, at, start, end);
      const plain = normalizeText(grapheme.character);
      found.push({ ...grapheme, length: grapheme.character.length, plain: isGsm(plain) ? plain : undefined });
      at = grapheme.index + grapheme.character.length;
    }
  }
  return found;
}

function stretchesOutsideFields(text: string): [number, number][] {
  const stretches: [number, number][] = [];
  let at = 0;
  for (const field of findPersonalizedFields(text)) {
    if (field.start > at) stretches.push([at, field.start]);
    at = field.end;
  }
  stretches.push([at, text.length]);
  return stretches;
}

function firstForeign(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && septetsOf(text.charCodeAt(at)) > 0) at += 1;
  return at;
}

/** A combining accent or a joiner belongs to the character before it, so the window begins one earlier. */
function graphemeAt(text: string, at: number, start: number, end: number) {
  // Long enough for every real emoji sequence; a pile of accents on one letter is shown in pieces.
  const from = Math.max(start, at - 1);
  const segments = graphemes.segment(text.slice(from, Math.min(end, at + 40)));
  const segment = segments.containing(at - from);
  return segment
    ? { character: segment.segment, index: from + segment.index }
    : { character: text.charAt(at), index: at };
}
