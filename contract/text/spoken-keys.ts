import { surveyReplyKeys } from '../forms/transfer.ts';

type AnswerKey = (typeof surveyReplyKeys)[number];

/** What a typed message says about keys. For a recording this isn't known. */
export interface SpokenKeys {
  /** Keys that it tells people to press for an answer. 9 alone stops the calls, so only *9 is one. */
  answers: readonly AnswerKey[];
  /** Keys that people may have understood, such as those of "For yes, press one. For no, two." */
  named: readonly AnswerKey[];
  /** It tells people to press 0. */
  saysZero: boolean;
  /** It tells people to press 9 in a sentence that isn't about stopping these calls. */
  saysNine: boolean;
}

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Verbs before a key, in the languages that voices read. Without accents. */
const verbs = listOf(`press push punch dial touch tap
  presione presiona oprima oprime marque marca pulse pulsa
  appuyez tapez pressez drucken drucke wahlen prema premi premere digiti aperte pressione digite tecle`);
/** Verbs before other things too: a key after them has to look like one. */
const weakVerbs = listOf('hit enter type key select choose pick use ingrese elija seleccione');
const stars = listOf('* star asterisk estrella asterisco etoile stern sterntaste stella estrela');
/** Words that may come between a verb and its key. */
const fillers = listOf(`the a number key keys digit button either any from between in on then
  el la los las numero tecla boton entre del de en le les touche sur die den taste zahl il tasto o`);
const joiners = listOf(', / - or and to through thru o u y e ou et oder und bis al a hasta oppure');
const ranges = listOf('- – to through thru a al hasta bis');
/** Words that follow a key, but not a number of things. */
const followers =
  listOf(`, / - – . ! ? ; : ( ) for if to when or and now on in at as then again please yes no followed
  through thru para si cuando o u y e por en ahora pour fur um per se ou et oder und`);
/** "6 pm", "3 of them", "5 minutes": no key, whatever came before. */
const units =
  listOf(`am pm a.m p.m oclock o'clock of percent % dollars minutes minute hours hour seconds second days day weeks
  times years miles de minutos horas dias veces`);
const stopWords = listOf(`stop stopped opt unsubscribe remove removed cancel quit end off calls
  dejar parar detener cancelar baja llamadas`);

const numberWords: Readonly<Record<string, number>> = {
  ...{ zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 },
  ...{ cero: 0, uno: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, nueve: 9 },
};

interface Token {
  text: string;
  /** A single digit or its word. */
  digit: number | undefined;
  isNumber: boolean;
}

/**
 * Reads the keys that a typed message offers. "Survey messages must include the question and possible
 * answers", and "Transfer messages must tell recipients to press 0": a year, a time or a phone number is
 * neither.
 */
export function readSpokenKeys(words: string): SpokenKeys {
  const answers = new Set<number>();
  const named = new Set<number>();
  let saysZero = false;
  let saysNine = false;
  for (const sentence of sentencesOf(words)) {
    const tokens = withoutPhones(sentence);
    const pressed = keysIn(tokens);
    const isAboutStopping = tokens.some(({ text }) => stopWords.has(text));
    for (const { digit, isStarred } of pressed) {
      if (digit === 0) saysZero ||= !isStarred;
      else if (digit !== 9 || isStarred) answers.add(digit);
      else saysNine ||= !isAboutStopping;
    }
    for (const [index, { digit }] of tokens.entries()) {
      if (digit && !isUnit(tokens[index + 1]) && tokens[index - 1]?.text !== '$') named.add(digit);
    }
    for (const { digit } of pressed) if (digit !== 0) named.add(digit);
  }
  return { answers: keysOf(answers), named: keysOf(named), saysZero, saysNine };
}

const keysOf = (digits: ReadonlySet<number>) => surveyReplyKeys.filter((key) => digits.has(Number(key[1])));

/** Sentences as words, digits and marks. "1-5" are three of them, "555-0143" and "6:30" are one. */
function sentencesOf(words: string): Token[][] {
  const plain = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[’‘]/g, "'")
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
const isUnit = (token: Token | undefined) => token !== undefined && units.has(token.text);

interface Key {
  digit: number;
  isStarred: boolean;
}

/** The keys of one sentence: after a star, after a verb, and in the list that follows. */
function keysIn(tokens: readonly Token[]): Key[] {
  const keys: Key[] = [];
  let isList = false;
  for (const [index, { digit }] of tokens.entries()) {
    if (digit === undefined) continue;
    const before = tokens[index - 1];
    const isStarred = before !== undefined && stars.has(before.text);
    const led = leadOf(tokens, isStarred ? index - 2 : index - 1);
    const isKey =
      isStarred ||
      (!isUnit(tokens[index + 1]) &&
        (led === 'verb' ||
          (looksLikeKey(tokens[index + 1]) && (led === 'weak' || (isList && isJoined(before))))));
    if (!isKey) continue;
    const last = keys.at(-1);
    if (isList && last !== undefined && ranges.has(before?.text ?? '')) {
      for (let between = last.digit + 1; between < digit; between += 1)
        keys.push({ digit: between, isStarred });
    }
    keys.push({ digit, isStarred });
    isList = true;
  }
  return keys;
}

/** The verb that the words before a key lead back to, skipping "the number" and the like. */
function leadOf(tokens: readonly Token[], from: number): 'verb' | 'weak' | undefined {
  for (let at = from; at >= 0; at -= 1) {
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
