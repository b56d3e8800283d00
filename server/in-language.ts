import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDictionary } from '../contract/dictionary.ts';
import { languageCode } from '../contract/reference/languages.ts';

/**
 * Mails and texts are written in English; whoever reads another language gets the sentences translated. Headings and
 * labels of files are single words, which would fit too much in a mail: they are in a catalog of their own.
 */
const dictionaries = new Map<string, (words: string) => string>();

/** Of events, the labels are the contract's: pages show them, and the audit log is searched by them. */
const places = {
  messages: (code: string) => `languages/${code}.json`,
  files: (code: string) => `languages/${code}-files.json`,
  events: (code: string) => `../contract/languages/${code}/events.json`,
} as const;

export function inLanguage(languageId: number, what: keyof typeof places = 'messages') {
  const code = languageCode(languageId);
  if (code === 'en') return (words: string) => words;
  const name = places[what](code);
  const known = dictionaries.get(name);
  if (known) return known;
  const file = join(import.meta.dirname, name);
  const made = createDictionary(JSON.parse(readFileSync(file, 'utf8')));
  dictionaries.set(name, made);
  return made;
}
