import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDictionary } from '../contract/dictionary.ts';
import { type LanguageCode, languageCode } from '../contract/reference/languages.ts';

/** Mails and texts are written in English; whoever reads another language gets the sentences translated. */
const dictionaries = new Map<LanguageCode, (words: string) => string>();

export function inLanguage(languageId: number): (words: string) => string {
  const code = languageCode(languageId);
  if (code === 'en') return (words) => words;
  const known = dictionaries.get(code);
  if (known) return known;
  const file = join(import.meta.dirname, `languages/${code}.json`);
  const made = createDictionary(JSON.parse(readFileSync(file, 'utf8')));
  dictionaries.set(code, made);
  return made;
}
