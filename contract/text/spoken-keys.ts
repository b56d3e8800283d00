import { surveyReplyKeys } from '../forms/transfer.ts';
import {
  afterDe,
  ands,
  anyWords,
  beforeOne,
  betweens,
  comparisons,
  doubtfulWords,
  fillers,
  followers,
  joiners,
  keyDoes,
  keyNouns,
  months,
  nearKeys,
  numberNouns,
  numberWords,
  partsOfDay,
  ranges,
  stars,
  stopWords,
  tens,
  units,
  verbs,
  weakVerbs,
} from './spoken-keys-words.ts';

type AnswerKey = (typeof surveyReplyKeys)[number];

/** Keys that a typed message mentions. Nobody knows those of a recording. */
export interface SpokenKeys {
  /** Keys that it tells people to press for an answer. 9 alone stops the calls, so only *9 is one. */
  answers: readonly AnswerKey[];
  /** Keys that people may have understood, such as those of "For yes, press one. For no, two." */
  named: readonly AnswerKey[];
  /** "Press any other key": every key is an answer. */
  takesAny: boolean;
  /** It tells people to press 0. */
  saysZero: boolean;
  /** It has a 0 that people may have understood as a key. */
  maySayZero: boolean;
  /** It tells people to press 9, and not in a sentence about stopping these calls. */
  saysNine: boolean;
}

interface Token {
  text: string;
  /** A single digit or its word. */
  digit: number | undefined;
  isNumber: boolean;
}

/**
 * Reads the keys that a typed message offers. "Survey messages must include the question and possible answers", and
 * "Transfer messages must tell recipients to press 0": a year, a time or a phone number is none of both.
 */
export function readSpokenKeys(words: string): SpokenKeys {
  const answers = new Set<number>();
  const named = new Set<number>();
  let [takesAny, saysZero, maySayZero, saysNine] = [false, false, false, false];
  for (const sentence of sentencesOf(words)) {
    const tokens = withPressedWords(withoutPhones(sentence));
    const pressed = keysIn(tokens);
    const isAboutStopping = tokens.some(({ text }) => stopWords.has(text));
    for (const { digit, isStarred } of pressed) {
      if (digit === 0) saysZero ||= !isStarred;
      else if (digit !== 9 || isStarred) answers.add(digit);
      else saysNine ||= !isAboutStopping;
      if (digit !== 0 && (digit !== 9 || isStarred || !isAboutStopping)) named.add(digit);
    }
    for (const digit of possibleKeys(tokens)) {
      if (digit === 0) maySayZero = true;
      else if (digit !== 9 || !isAboutStopping) named.add(digit);
    }
    takesAny ||= offersAnyKey(tokens);
  }
  maySayZero ||= saysZero;
  return { answers: keysOf(answers), named: keysOf(named), takesAny, saysZero, maySayZero, saysNine };
}

const keysOf = (digits: ReadonlySet<number>) => surveyReplyKeys.filter((key) => digits.has(Number(key[1])));

/** Sentences as words, digits and marks. "1-5" are three of them, "555-0143" and "6:30" are one. */
function sentencesOf(words: string): Token[][] {
  const plain = words
    .normalize('NFKD')
    // "Press... 1" is one sentence, "Thank you... Press 1" is two.
    .replace(/\.{2,}\s*(?=[\p{Ll}\d])/gu, ' ')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[’‘]/g, "'")
    .replace(/(?<!\p{L})'|'(?!\p{L})/gu, ' ')
    .replace(/\b(\d)\s?[-–]\s?(\d)\b(?![-–.:\d])/g, '$1 - $2');
  const sentences: Token[][] = [[]];
  for (const [text] of plain.matchAll(/\d+(?:[-.,:/]\d+)*|[\p{L}']+(?:\.\p{L}\b)*|[*,/\-–.!?;:()$%\n]/gu)) {
    if (/^[.!?;\n]$/.test(text)) sentences.push([]);
    else sentences.at(-1)?.push(toToken(text));
  }
  return sentences;
}

function toToken(text: string): Token {
  const isNumber = /^\d/.test(text);
  const digit = isNumber ? (text.length === 1 ? Number(text) : undefined) : numberWords[text];
  return { text, digit, isNumber };
}

/** A telephone number that is spelled out ("4 2 3, 5 5 5 …", "1 800 …") holds no keys. */
function withoutPhones(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    let end = at;
    while (end < tokens.length && (isNumeral(tokens[end]) || (end > at && isGap(tokens, end)))) end += 1;
    const run = tokens.slice(at, end);
    if (run.length === 0) {
      const token = tokens[at];
      if (token !== undefined) kept.push(token);
      at += 1;
      continue;
    }
    kept.push(...(isPhone(run) ? [{ text: '0000', digit: undefined, isNumber: true }] : run));
    at = end;
  }
  return kept;
}

const isNumeral = (token: Token | undefined) =>
  token !== undefined && (token.isNumber || token.digit !== undefined);

/** A mark between two numbers. */
function isGap(tokens: readonly Token[], at: number): boolean {
  return /^[,\-–()/]$/.test(tokens[at]?.text ?? '') && isNumeral(tokens[at + 1]);
}

function isPhone(run: readonly Token[]): boolean {
  const numbers = run.filter(isNumeral);
  const isBeside = run.some((token, index) => token.digit !== undefined && isLong(run[index + 1]));
  if (isBeside) return true;
  const digits = numbers.map(({ digit }) => digit ?? 99);
  const isCounting = digits.every((digit, index) => index === 0 || digit > (digits[index - 1] ?? 0));
  return (
    numbers.reduce((sum, { text, digit }) => sum + (digit === undefined ? text.length : 1), 0) >= 7 &&
    !isCounting
  );
}

const isLong = (token: Token | undefined) => token?.isNumber === true && token.digit === undefined;

/** True if the words here make a measure or a date of the number before them. */
function isUnit(tokens: readonly Token[], at: number): boolean {
  const [text, next, last] = [tokens[at]?.text ?? '', tokens[at + 1]?.text, tokens[at + 2]?.text];
  // "6 a. m.": the point ends the sentence.
  if (text === 'a') return next === undefined;
  // "Those who press 1 may leave early."
  if (text === 'may') return next === undefined || tokens[at + 1]?.isNumber === true;
  if (text !== 'de') return units.has(text) || months.has(text);
  if (next === undefined) return false;
  return afterDe.has(next) || months.has(next) || (next === 'la' && partsOfDay.has(last ?? ''));
}

/** "Appuyez sur un" and "press oh": words that are digits only where they are pressed. */
function withPressedWords(tokens: Token[]): Token[] {
  let isPressing = false;
  return tokens.map((token, at) => {
    isPressing ||= verbs.has(token.text);
    const digit = doubtfulWords[token.text];
    if (digit === undefined || !isPressing || !looksLikeKey(tokens[at + 1])) return token;
    const before = tokens[at - 1]?.text ?? '';
    const isKey =
      token.text === 'o' ? verbs.has(before) : joiners.has(before) || leadOf(tokens, at - 1) === 'verb';
    return isKey ? { ...token, digit } : token;
  });
}

interface Key {
  digit: number;
  isStarred: boolean;
}

/** The keys of one sentence: after a star, after a verb, and in the list that follows. */
function keysIn(tokens: readonly Token[]): Key[] {
  const keys = new Map<number, Key>();
  for (const [index, { digit }] of tokens.entries()) {
    if (digit === undefined) continue;
    const before = tokens[index - 1];
    const isStarred = before !== undefined && stars.has(before.text);
    const led = leadOf(tokens, isStarred ? index - 2 : index - 1);
    const isKey =
      isStarred ||
      (!isUnit(tokens, index + 1) &&
        (led === 'verb' ||
          (looksLikeKey(tokens[index + 1]) && (led === 'weak' || (keys.size > 0 && isJoined(before))))));
    if (isKey) keys.set(index, { digit, isStarred });
  }
  const between = rangesIn(tokens).flatMap(({ begin, end, digits }) => {
    const first = keys.get(begin);
    const isPressed = first !== undefined && (keys.has(end) || tokens[end]?.digit === undefined);
    return isPressed ? digits.map((digit) => ({ digit, isStarred: first.isStarred })) : [];
  });
  return [...keys.values(), ...between];
}

interface Range {
  /** Positions of its two ends. */
  begin: number;
  end: number;
  /** Digits between them, and 9 where it ends at 10. */
  digits: number[];
}

/** "1 to 5", "from 1 (very bad) to 5", "between 1 and 5", and "1 to 10", which has no key for its end. */
function rangesIn(tokens: readonly Token[]): Range[] {
  const found: Range[] = [];
  let begin = -1;
  let isBetween = false;
  for (const [end, token] of tokens.entries()) {
    isBetween ||= betweens.has(token.text);
    const last = tens.has(token.text) ? 10 : token.digit;
    if (last === undefined && !token.isNumber) continue;
    const first = tokens[begin]?.digit;
    const joint = jointBefore(tokens, end);
    if (first !== undefined && last !== undefined && (ranges.has(joint) || (isBetween && ands.has(joint)))) {
      const digits = Array.from({ length: Math.max(0, last - first - 1) }, (_, step) => first + step + 1);
      found.push({ begin, end, digits });
    }
    begin = end;
  }
  return found;
}

/** The word before a key and what belongs to it: "to" of "to the number 5". */
function jointBefore(tokens: readonly Token[], at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - 4); before -= 1) {
    const text = tokens[before]?.text ?? '';
    if (ranges.has(text) || ands.has(text)) return text;
    if (!fillers.has(text) && !stars.has(text)) return '';
  }
  return '';
}

/** Every digit that may be meant as a key: all but those of dates, times, prices and amounts. */
function possibleKeys(tokens: readonly Token[]): number[] {
  const isPossible = (at: number) => {
    const digit = tokens[at]?.digit;
    return digit !== undefined && !isMeasure(tokens, at) && (digit !== 0 || isPossibleZero(tokens, at));
  };
  const single = tokens.flatMap(({ digit }, at) => (digit !== undefined && isPossible(at) ? [digit] : []));
  const between = rangesIn(tokens).flatMap(({ begin, end, digits }) =>
    isMeasure(tokens, begin) || isMeasure(tokens, end) ? [] : digits,
  );
  return [...single, ...between];
}

function isMeasure(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  if (isUnit(tokens, at + 1) || before === '$' || months.has(before)) return true;
  if (/^(one|uno)$/.test(tokens[at]?.text ?? '') && beforeOne.has(before)) return true;
  const isClock = before === 'at' || (/^las?$/.test(before) && tokens[at - 2]?.text === 'a');
  // "6 or 7 pm": what comes next says it of both.
  const isBeside = joiners.has(tokens[at + 1]?.text ?? '') && isNumeral(tokens[at + 2]);
  return isClock || (isBeside && isUnit(tokens, at + 3));
}

function isPossibleZero(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  if (comparisons.has(before) || stars.has(before)) return false;
  const next = tokens[at + 1];
  return (
    tokens[at]?.text === '0' ||
    looksLikeKey(next) ||
    keyNouns.has(next?.text ?? '') ||
    keyDoes.has(next?.text ?? '')
  );
}

/** "Press any other key", and not "any key from 1 to 5". */
function offersAnyKey(tokens: readonly Token[]): boolean {
  const isPressing = tokens.some(({ text }) => verbs.has(text) || weakVerbs.has(text));
  return tokens.some(({ text }, at) => {
    if (!anyWords.has(text)) return false;
    let noun = at + 1;
    while (noun < at + 5 && nearKeys.has(tokens[noun]?.text ?? '')) noun += 1;
    const isKey = keyNouns.has(tokens[noun]?.text ?? '');
    const isNumber = isPressing && numberNouns.has(tokens[noun]?.text ?? '');
    if (!isKey && !isNumber) return false;
    let after = noun + 1;
    while (after < noun + 4 && fillers.has(tokens[after]?.text ?? '')) after += 1;
    return tokens[after]?.digit === undefined;
  });
}

/** "Press the number on any of the keys" is as much as anybody says before a key. */
const mostFillers = 8;

/** The kind of verb that the words before a key lead back to, over "the number" and the like. */
function leadOf(tokens: readonly Token[], from: number): 'verb' | 'weak' | undefined {
  for (let at = from; at >= Math.max(0, from - mostFillers); at -= 1) {
    const text = tokens[at]?.text ?? '';
    if (verbs.has(text)) return 'verb';
    if (weakVerbs.has(text)) return 'weak';
    if (!fillers.has(text) && !stars.has(text)) return undefined;
  }
  return undefined;
}

const looksLikeKey = (next: Token | undefined) => next === undefined || followers.has(next.text);
const isJoined = (before: Token | undefined) =>
  joiners.has(before?.text ?? '') || fillers.has(before?.text ?? '');
