import { lettersOf } from './letters-of.ts';
import { helpWords, joinWords, optOutWords, surveyWords, unstopWords } from './reserved-words.ts';

export interface ReservedOptions {
  /** True to refuse a keyword that only begins with JOIN too. */
  joinAsPrefix?: boolean;
}

/** Longer than any reserved word with the widest spacing somebody would type. */
const LONGEST = 100;

const optOut = lettersSet(optOutWords);
const help = lettersSet(helpWords);
const unstop = lettersSet(unstopWords);
const join = lettersSet(joinWords);
const survey = lettersSet(surveyWords);

/**
 * Reason why a word can't be a keyword, or undefined when it can. Every word that recognizeInbound handles is
 * reserved, because such a keyword would never be answered.
 */
export function reservedKeywordError(keyword: string, options: ReservedOptions = {}): string | undefined {
  const word = keyword.trim().toUpperCase();
  if (word.length > LONGEST) return undefined;
  const letters = lettersOf(word);
  if (optOut.has(letters)) return `${word} is reserved for explicit opt outs. Please use a different word.`;
  if (help.has(letters) || unstop.has(letters)) return `${word} is a reserved word`;
  if (join.has(letters) || (options.joinAsPrefix && letters.startsWith('join'))) {
    return `${word} is reserved for our Join Reply feature`;
  }
  if (survey.has(letters)) return `${word} is reserved for text surveys`;
  return undefined;
}

function lettersSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(lettersOf));
}
