import { gsmBasicCharacters, septetsOf } from './gsm.ts';

/** "An SMS segment is 160 characters, or 150 for international accounts when over 160." */
export const SEGMENT_CHARACTERS = 160;
export const INTERNATIONAL_SEGMENT_CHARACTERS = 150;
/** "A minimum of 2 units applies when the extra-credit rule is on." */
const EXTRA_CREDIT_MINIMUM = 2;

/** The capacity of one message, alone and as a part of a longer one (3GPP TS 23.040, 6 header bytes). */
const GSM_SINGLE = 160;
const GSM_PART = 153;
const UNICODE_SINGLE = 70;
const UNICODE_PART = 67;

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Separates the text from a suffix such as the signature: the 2 characters that the length rule counts. */
export const SUFFIX_SEPARATOR = '\n\n';

export type Charset = 'GSM' | 'Unicode';

export interface SegmentOptions {
  /** A signature, or whatever else is sent after the text. Empty counts as none. */
  suffix?: string | undefined;
  /** True if the organization is outside the United States and Canada. */
  international?: boolean | undefined;
  /** True if the extra-credit rule is on. */
  extraCredit?: boolean | undefined;
}

export interface SegmentCount {
  /** The text, plus 2 plus the suffix where there is one. Merge fields count by full length. */
  characters: number;
  charset: Charset;
  /** The specification's count, which determines the credits. */
  segments: number;
  /** The count that the carrier bills: 160 or 70 alone, 153 or 67 per part, with no character split. */
  parts: number;
  /** Plain characters left before another part begins. */
  leftInPart: number;
}

/**
 * Counts a text both ways. Merge fields in double braces are ignored in the charset check and counted by full
 * length, one unit a character, so `parts` of a text with merge fields is an estimate until they are filled in.
 *
 * One pass over the text, no allocation but the answer: it runs at every keystroke and once a recipient.
 */
export function countSegments(text: string, options: SegmentOptions = {}): SegmentCount {
  const whole = withSuffix(text, options.suffix);
  const characters = whole.length;
  const segments = creditSegments(characters, options);
  const { unicode, units, unitsInParts } = measure(whole);
  if (unicode) {
    const parts = unicodeParts(whole);
    const room = parts <= 1 ? UNICODE_SINGLE : parts * UNICODE_PART;
    return { characters, charset: 'Unicode', segments, parts, leftInPart: Math.max(0, room - characters) };
  }
  if (units <= GSM_SINGLE) {
    return {
      characters,
      charset: 'GSM',
      segments,
      parts: units === 0 ? 0 : 1,
      leftInPart: GSM_SINGLE - units,
    };
  }
  const parts = Math.ceil(unitsInParts / GSM_PART);
  return { characters, charset: 'GSM', segments, parts, leftInPart: parts * GSM_PART - unitsInParts };
}

/** "Length counts the text plus 2 plus the length of an optional suffix." Without a suffix nothing is added. */
export function textLength(text: string, suffix?: string): number {
  return suffix ? text.length + SUFFIX_SEPARATOR.length + suffix.length : text.length;
}

/** The text that is sent when a suffix is on, exactly as textLength counts it. */
export function withSuffix(text: string, suffix?: string): string {
  return suffix ? text + SUFFIX_SEPARATOR + suffix : text;
}

/** The specification's segments of a text of that many characters. */
export function creditSegments(characters: number, options: SegmentOptions = {}): number {
  const perSegment =
    options.international && characters > SEGMENT_CHARACTERS
      ? INTERNATIONAL_SEGMENT_CHARACTERS
      : SEGMENT_CHARACTERS;
  const segments = Math.ceil(characters / perSegment);
  return options.extraCredit ? Math.max(segments, EXTRA_CREDIT_MINIMUM) : segments;
}

export function charsetOf(text: string): Charset {
  return measure(text).unicode ? 'Unicode' : 'GSM';
}

/**
 * Finds the characters that need a second look: braces and other extension characters, and what isn't GSM. The
 * engine's own search is three times as fast as a loop with charCodeAt, and most texts have none.
 */
const unusual = new RegExp(`[^${gsmBasicCharacters.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');

/** The result of `measure`; one object for all calls, because a new one would cost more than the counting. */
const measured = {
  unicode: false,
  /** 7-bit units of the text as one message. */
  units: 0,
  /** The same laid out in parts: an escape and its character stay together, so a part may end one short. */
  unitsInParts: 0,
};

/**
 * Reads a text once. At "{{" the counts so far are remembered; if a "}}" follows, the characters between are
 * discarded and the field's length is counted instead. Linear for any input.
 */
function measure(text: string): typeof measured {
  let escapes = 0;
  let inParts = 0;
  let countedTo = 0;
  let openAt = -1;
  let escapesAtOpen = 0;
  let inPartsAtOpen = 0;
  let foreignSinceOpen = false;
  measured.unicode = true;
  unusual.lastIndex = 0;
  while (unusual.test(text)) {
    const at = unusual.lastIndex - 1;
    const code = text.charCodeAt(at);
    if (septetsOf(code) === 0) {
      if (openAt < 0) return measured;
      foreignSinceOpen = true;
      continue;
    }
    inParts += at - countedTo;
    if (code === OPEN && text.charCodeAt(at + 1) === OPEN) {
      if (foreignSinceOpen) return measured;
      openAt = at;
      escapesAtOpen = escapes;
      inPartsAtOpen = inParts;
    }
    escapes += 1;
    inParts += inParts % GSM_PART === GSM_PART - 1 ? 3 : 2;
    countedTo = at + 1;
    if (code === CLOSE && openAt >= 0 && at >= openAt + 3 && text.charCodeAt(at - 1) === CLOSE) {
      escapes = escapesAtOpen;
      inParts = inPartsAtOpen + countedTo - openAt;
      foreignSinceOpen = false;
      openAt = -1;
    }
  }
  measured.unicode = foreignSinceOpen;
  measured.units = text.length + escapes;
  measured.unitsInParts = inParts + text.length - countedTo;
  return measured;
}

function unicodeParts(text: string): number {
  if (text.length === 0) return 0;
  if (text.length <= UNICODE_SINGLE) return 1;
  let parts = 0;
  for (let at = 0; at < text.length; parts += 1) {
    at += UNICODE_PART;
    // Never between the two halves of an emoji.
    if (at < text.length && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) at -= 1;
  }
  return parts;
}
