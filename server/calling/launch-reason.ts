import { languageCode } from '../../contract/reference/languages.ts';
import { inLanguage } from '../in-language.ts';

/**
 * The reason why a broadcast isn't sent, to be spoken in the caller's language. Empty if part of it has no
 * translation: a Spanish voice reads English by the rules of Spanish, which nobody understands.
 */
export function launchReason(note: string, languageId: number): string {
  const reason = /[.!?]$/.test(note) ? note : `${note}.`;
  if (languageCode(languageId) === 'en') return reason;
  const said = inLanguage(languageId)(reason);
  const sentences = reason.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return sentences.some((sentence) => said.includes(sentence)) ? '' : reason;
}
