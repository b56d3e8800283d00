import { inLanguage } from '../in-language.ts';
import type { Actor } from '../serve.ts';

/** What happened, as this reader's pages say it. Programs, which come with a key, read English. */
export function ownLabel({ sessionId, languageId }: Actor): (label: string) => string {
  return inLanguage(sessionId > 0 ? languageId : 1, 'events');
}
