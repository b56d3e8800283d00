import { inLanguage } from '../in-language.ts';
import type { Actor } from '../serve.ts';

/** The label of an event in the words of this reader's pages. Programs, which use a key, read English. */
export function ownLabel({ sessionId, languageId }: Actor): (label: string) => string {
  return inLanguage(sessionId > 0 ? languageId : 1, 'events');
}
