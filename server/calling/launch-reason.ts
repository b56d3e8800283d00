import { languageCode } from '../../contract/reference/languages.ts';
import { inLanguage } from '../in-language.ts';

/**
 * Why a broadcast isn't sent, as a sentence that can be said in the caller's language. Empty where a sentence of it has no
 * translation: a Spanish voice would read English by the rules of Spanish, which nobody understands.
 */
export function launchReason(note: string, languageId: number): string {
  const reason = /[.!?]$/.test(note) ? note : `${note}.`;
  if (languageCode(languageId) === 'en') return reason;
  const said = inLanguage(languageId)(reason);
  const sentences = reason.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return sentences.some((sentence) => said.includes(sentence)) ? '' : reason;
}
