import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDictionary } from '../contract/dictionary.ts';
import { languageCode } from '../contract/reference/languages.ts';

/**
 * Mails and texts are written in English; whoever reads another language gets the sentences translated. Headings and
 * labels of files are single words, which would fit too much in a mail: they are in a catalog of their own.
 */
const dictionaries = new Map<string, (words: string) => string>();

export function inLanguage(languageId: number, what: 'messages' | 'files' = 'messages') {
  const code = languageCode(languageId);
  if (code === 'en') return (words: string) => words;
  const name = what === 'files' ? `${code}-files` : code;
  const known = dictionaries.get(name);
  if (known) return known;
  const file = join(import.meta.dirname, `languages/${name}.json`);
  const made = createDictionary(JSON.parse(readFileSync(file, 'utf8')));
  dictionaries.set(name, made);
  return made;
}
