import { isGsm, septetsOf } from './gsm.ts';
import { findPersonalizedFields } from './personalized-fields.ts';

/**
 * "Fancy quotes, full-width and styled letters are normalized to plain equivalents", and with them the dashes,
 * spaces, bullets and invisible marks that word processors put in. What has no plain equivalent (emoji, other
 * scripts, accents) stays, and so does everything inside double braces. Line breaks become \n.
 */
export function normalizeText(text: string): string {
  if (isGsm(text) && !text.includes('\r')) return text;
  return outsideFields(text, normalizeStretch);
}

/** The text that goes out: plain, unless somebody wants it as it was written. */
export function textToSend(
  text: string,
  { keepCharacters }: { keepCharacters?: boolean | undefined },
): string {
  return keepCharacters ? text : normalizeText(text);
}

/**
 * normalizeText, and accents that the GSM alphabet lacks are dropped ("á" is "a", while "é" stays). For the
 * button "make it plain": it changes spelling, so it is never done unless requested.
 */
export function makePlain(text: string): string {
  return outsideFields(normalizeText(text), (stretch) => {
    let result = '';
    for (const character of stretch) result += isGsm(character) ? character : withoutAccents(character);
    return result;
  });
}

function outsideFields(text: string, change: (stretch: string) => string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of findPersonalizedFields(text)) {
    result += change(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return result + change(text.slice(at));
}

function normalizeStretch(stretch: string): string {
  // An e with a separate accent is the é that GSM has. Letter by letter: normalizing the whole text takes quadratic
  // time on a heap of accents (16 s for 100,000).
  const composed = stretch
    .replace(/\r\n?/g, '\n')
    .replace(/\p{L}\p{M}{1,8}/gu, (letter) => letter.normalize('NFC'));
  const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(composed);
  const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(composed);
  let result = '';
  let changed = false;
  for (const character of composed) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x2100 && septetsOf(code) > 0) {
      result += character;
      changed = false;
    } else if (eastAsian && isWideMark(character, code)) {
      // Ordinary punctuation there; the text is Unicode all the same.
      result += character;
    } else if (isVariationSelector(code)) {
      // Asks for the emoji form of the character before it, which is plain now.
      if (!changed) result += character;
    } else if (isDirectionMark(code)) {
      if (rightToLeft) result += character;
    } else {
      const plain = plainOf(character, code);
      changed = plain !== undefined;
      result += plain ?? character;
    }
  }
  return result;
}

function isVariationSelector(code: number): boolean {
  return code === 0xfe0e || code === 0xfe0f;
}

/** Full-width punctuation and the wide space, but not full-width letters and digits. */
function isWideMark(character: string, code: number): boolean {
  return code === 0x3000 || (code >= 0xff01 && code <= 0xff65 && !/[\p{L}\p{N}]/u.test(character));
}

/** Invisible; pasted telephone numbers often bring them. Arabic and Hebrew need them. */
function isDirectionMark(code: number): boolean {
  return (
    (code >= 0x200e && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

const replacements = new Map<string, string>();
for (const [plain, fancy] of [
  ["'", '‘’‚‛′‵ʹʻʼʽˈ´`＇❛❜‹›ꞌ'],
  ['"', '“”„‟″‶«»〝〞〟＂❝❞ˮ'],
  ['-', '‐‑‒–—―−⁃﹘﹣－•‣◦∙·●▪'],
  [
    ' ',
    '\t\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
  ],
  ['\n', '\u0085\u2028\u2029'],
  ['', '\u200b\u2060\ufeff\u00ad\u180e'],
  ['...', '…⋯'],
  ['/', '⁄∕'],
  ['1/4', '¼'],
  ['1/2', '½'],
  ['3/4', '¾'],
  ['*', '∗'],
  ['<', '≺'],
  ['~', '∼˜'],
  ['^', 'ˆ'],
] as const) {
  for (const character of fancy) replacements.set(character, plain);
}

/** Letters drawn as small capitals; the generators that make them start from small letters. */
const smallCapitals = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ';
for (const [index, character] of [...smallCapitals].entries()) {
  if (character !== 'x') replacements.set(character, String.fromCharCode(97 + index));
}

/** The plain equivalent of one character, or undefined when it has none in the GSM alphabet. */
function plainOf(character: string, code: number): string | undefined {
  const replacement = replacements.get(character);
  if (replacement !== undefined) return replacement;
  // White on black letters, round and square, which Unicode doesn't decompose.
  if (code >= 0x1f150 && code <= 0x1f169) return String.fromCharCode(65 + code - 0x1f150);
  if (code >= 0x1f170 && code <= 0x1f189) return String.fromCharCode(65 + code - 0x1f170);
  // Full-width, mathematical, circled, superscript letters and ligatures decompose to what they stand for.
  const decomposed = character.normalize('NFKC');
  return decomposed !== character && isGsm(decomposed) ? decomposed : undefined;
}

/** Letters that have no decomposition but a usual plain spelling. */
const spellings: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
  '©': '(c)',
  '®': '(R)',
  '°': ' deg',
  '×': 'x',
  '÷': '/',
  '¢': 'c',
};

function withoutAccents(character: string): string {
  const spelling = spellings[character];
  if (spelling !== undefined) return spelling;
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return base !== '' && isGsm(base) ? base : character;
}
