import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDictionary } from '../contract/dictionary.ts';
import { languageCode } from '../contract/reference/languages.ts';

/**
 * Mails and texts are written in English; for readers of other languages the sentences are translated.
 * Headings and labels of files are single words, which would match too much in a mail: they have a separate
 * catalog.
 */
const dictionaries = new Map<string, (words: string) => string>();

/** Event labels come from the contract: pages show them, and the audit log is searched by them. */
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
