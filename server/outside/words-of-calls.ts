import { type LanguageCode, languageCode } from '../../contract/reference/languages.ts';
import { inLanguage } from '../in-language.ts';
import type { CallStep } from './calls.ts';

/** Marks all words with their language. They stay English until a provider's voice reads them. */
export function saidIn(languageId: number, steps: CallStep[]): CallStep[] {
  if (languageCode(languageId) === 'en') return steps;
  return steps.map((step) => {
    if (step.do === 'say') return { ...step, languageId };
    return step.do === 'ask' ? { ...step, first: saidIn(languageId, step.first) } : step;
  });
}

/** A voice's words, and their language. */
export interface SaidWords {
  language: LanguageCode;
  words: string;
}

export function wordsOf({ text, languageId = 1 }: Extract<CallStep, { do: 'say' }>): SaidWords {
  return { language: languageCode(languageId), words: inLanguage(languageId)(text) };
}
