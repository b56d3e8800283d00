import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { findSentences, type Sentence } from './find-sentences.ts';

/** The translations, by the English sentence as find-sentences.ts names it. */
export type Catalog = ReadonlyMap<string, string>;

const folder = join(import.meta.dirname, 'languages');
/** The audit log's words for each kind of event: the server searches them too. */
const eventWords = (language: string) =>
  join(import.meta.dirname, `../contract/languages/${language}/events.json`);

type Words = Record<string, string | null>;

function readJson(language: string, file: string): Words {
  return JSON.parse(readFileSync(join(folder, language, file), 'utf8'));
}

/**
 * The words of pages themselves. A sentence that isn't translated is null there; server.json is for replies,
 * calls.json for the reference.
 */
export function readTranslations(language: string): Map<string, string> {
  const files = globSync('*.json', {
    cwd: join(folder, language),
    exclude: ['server.json', 'index.json', 'calls.json'],
  }).sort();
  const events: Words = JSON.parse(readFileSync(eventWords(language), 'utf8'));
  const all = [events, ...files.map((file) => readJson(language, file))].flatMap((words) =>
    Object.entries(words),
  );
  return new Map(
    all.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/**
 * Builds the pages in another language. Sources are written in plain English; while they are compiled, each
 * sentence that people read is replaced by its translation. A page carries one language and no dictionary, so
 * English pays nothing. Words from the server are English and go through `said`, which gets its dictionary
 * here.
 */
export function inLanguage(language: string, sources: readonly string[]): Plugin {
  const catalog = readTranslations(language);
  const locale = `'${language}-US'`;
  const catalogId = 'virtual:muster-catalog';
  const callsId = 'virtual:muster-calls';
  return {
    name: 'muster-language',
    enforce: 'pre',
    resolveId(source) {
      if (source === catalogId || source === callsId) return `\0${source}`;
      const [, name] = /\/(said(?:-description)?\.ts)$/.exec(source) ?? [];
      return name === undefined ? null : join(folder, name);
    },
    load(id) {
      if (id === `\0${callsId}`)
        return `export default ${readFileSync(join(folder, language, 'calls.json'), 'utf8')};`;
      if (id !== `\0${catalogId}`) return null;
      const files = ['contract', 'server'].map((name) => join(folder, language, `${name}.json`));
      const words = [...files, eventWords(language)].map((file) => readFileSync(file, 'utf8'));
      return `export default { ...${words.join(', ...')} };`;
    },
    transform(code, id) {
      const file = id.split('?')[0] ?? id;
      if (!/\.tsx?$/.test(file) || !sources.some((source) => file.startsWith(source))) return null;
      if (file.endsWith('web/ui/locale.ts')) return code.replace("'en-US'", locale);
      return translateModule(code, file, catalog);
    },
    // index.json: what the page before the application says, and where it differs.
    transformIndexHtml: (html) =>
      Object.entries(readJson(language, 'index.json')).reduce(
        (text, [english, words]) => text.replace(english, words ?? english),
        html,
      ),
  };
}

/** The source of a module with its sentences in another language. Those that the catalog lacks stay English. */
export function translateModule(code: string, file: string, catalog: Catalog): string {
  const sentences = findSentences(code, file);

  /** A stretch of the source, with the sentences in it translated. */
  function write(from: number, to: number): string {
    let text = '';
    let at = from;
    for (const sentence of sentences) {
      const words = catalog.get(sentence.english);
      if (sentence.start < at || sentence.end > to || words === undefined) continue;
      text += code.slice(at, sentence.start) + writeSentence(sentence, words);
      at = sentence.end;
    }
    return text + code.slice(at, to);
  }

  function writeSentence({ kind, holes, isSpacedBefore, isSpacedAfter }: Sentence, words: string): string {
    if (kind === 'string') return JSON.stringify(words);
    if (kind === 'attribute') return `{${JSON.stringify(words)}}`;
    const parts = words.split(/(\{\w+\}|<\d+\/>)/).map((part) => {
      const hole = holes.get(/\w+/.exec(part)?.[0] ?? '');
      return /^(\{\w+\}|<\d+\/>)$/.test(part) && hole
        ? { code: write(hole.start, hole.end), part }
        : { text: part };
    });
    if (kind === 'template') {
      const quoted = parts.map(({ code: inner, text = '' }) =>
        inner === undefined ? text.replace(/[`\\]|\$\{/g, '\\$&') : `\${${inner}}`,
      );
      return `\`${quoted.join('')}\``;
    }
    const between = parts.map(({ code: inner, part = '', text = '' }) => {
      if (inner === undefined) return text === '' ? '' : `{${JSON.stringify(text)}}`;
      return part.startsWith('<') ? inner : `{${inner}}`;
    });
    return [isSpacedBefore ? '{" "}' : '', ...between, isSpacedAfter ? '{" "}' : ''].join('');
  }

  return write(0, code.length);
}
