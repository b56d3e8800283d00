import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDictionary } from '../contract/dictionary.ts';
import { scopeAreas } from '../contract/scopes.ts';
import { webhookEvents } from '../contract/webhook-events.ts';
import { findSentences } from '../web/find-sentences.ts';
import { readTranslations, translateModule } from '../web/vite-language.ts';
import { runMain } from './plain-error.ts';

/**
 * Checks that every sentence people read has a translation, with the same placeholders, and that none is left over.
 * `--fill` adds what is missing to web/languages/ as "" for a person to fill in, and takes out what is left over.
 * A word that stays as it is, or a value for the server that only looks like a sentence, is null there.
 * `--types` has the compiler look at the translated sources.
 */
const root = join(import.meta.dirname, '..');
const languages = ['es'];
const sources = ['web/**/*.{ts,tsx}', 'contract/**/*.ts'];

/** Every sentence, with the first file in which it was found. */
function collectSentences(): Map<string, string> {
  const files = globSync(sources, { cwd: root }).sort();
  const found = new Map<string, string>();
  for (const file of files)
    for (const { english } of findSentences(readFileSync(join(root, file), 'utf8'), file))
      if (!found.has(english)) found.set(english, file);
  return found;
}

/**
 * web/settings/users/x.tsx is translated in settings.json, contract/states/x.ts in contract.json. The kinds of events have
 * a catalog of their own, which the server reads as well.
 */
function catalogOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  if (file === 'contract/event-kinds.ts') return 'events';
  if (top === 'contract') return 'contract';
  return folder.includes('.') ? 'pages' : folder;
}

type Words = Record<string, string | null>;

function placeOf(language: string, catalog: string): string {
  const top = catalog === 'events' ? 'contract' : 'web';
  return `${top}/languages/${language}/${catalog}.json`;
}

function checkLanguage(language: string, sentences: Map<string, string>, isFilling: boolean): string[] {
  const folder = join(root, 'web/languages', language);
  const files = globSync('*.json', { cwd: folder, exclude: ['index.json', 'calls.json'] }).sort();
  const catalogs = new Map<string, Words>(
    [...files.map((file) => file.slice(0, -5)), 'events'].map((name) => [
      name,
      JSON.parse(readFileSync(join(root, placeOf(language, name)), 'utf8')),
    ]),
  );
  const known = new Map(
    [...catalogs]
      .filter(([name]) => name !== 'server')
      .flatMap(([name, words]) => Object.keys(words).map((english) => [english, name])),
  );
  const problems: string[] = [];
  for (const [english, file] of sentences) {
    const name = known.get(english);
    if (name === undefined && isFilling) {
      const catalog = catalogs.get(catalogOf(file)) ?? {};
      catalog[english] = '';
      catalogs.set(catalogOf(file), catalog);
    } else if (name === undefined) problems.push(`${file}: no ${language} for ${JSON.stringify(english)}`);
  }
  for (const [name, words] of catalogs) {
    for (const [english, translation] of Object.entries(words)) {
      const place = placeOf(language, name);
      // server.json is for replies of the server, in which sentences are put together in many ways.
      if (!sentences.has(english) && name !== 'server') {
        if (isFilling) delete words[english];
        else problems.push(`${place}: nothing says ${JSON.stringify(english)} any more`);
      } else if (name !== 'server' && known.get(english) !== name)
        problems.push(`${place}: ${JSON.stringify(english)} is in ${known.get(english)}.json as well`);
      else if (translation === '') problems.push(`${place}: no translation of ${JSON.stringify(english)}`);
      else if (translation !== null && holesOf(translation) !== holesOf(english))
        problems.push(`${place}: the placeholders differ in ${JSON.stringify(translation)}`);
    }
    if (isFilling) writeFileSync(join(root, placeOf(language, name)), `${JSON.stringify(words, null, 2)}\n`);
  }
  return problems;
}

function holesOf(sentence: string): string {
  return (sentence.match(/\{\w+\}|<\d+\/>/g) ?? []).toSorted().join(' ');
}

/** Mails and texts that the system itself sends: the server's own catalog (server/in-language.ts). */
function checkServer(language: string): string[] {
  const read = (name: string): Words =>
    JSON.parse(readFileSync(join(root, `server/languages/${name}.json`), 'utf8'));
  const words = { ...read(`${language}-files`), ...read(language) };
  const files = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] }).sort();
  return files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    if (
      !/\b(composeMail|inLanguage)\(|\b(callWords|launchWords) = /.test(code) ||
      /\/(compose-mail|in-language)\.ts$/.test(file)
    )
      return [];
    return findSentences(code, file).flatMap(({ english }) => {
      const translation = words[english];
      if (translation === undefined) return [`${file}: no ${language} for ${JSON.stringify(english)}`];
      const isRight = translation === null || holesOf(translation) === holesOf(english);
      return isRight ? [] : [`${file}: the placeholders differ in ${JSON.stringify(translation)}`];
    });
  });
}

/** Sentences for operators, carriers and providers only, in the log or on the command line. */
const forOperators =
  /^server\/(backups|privacy|assistants|demo|migrations)\/|\/testing\/|^server\/(app|db|files|operator|operations|migrate|migration-rules|metrics|readiness|replica|spread-database)\.ts|\/(verify-seals|reset-factors|change-carrier|change-rcs-agent|require-live-number|switch-number|set-account-status|give-up-unserved|registration-texts|s3-\w+|payment-differences|hold-charges|infobip-hooks|twilio-hooks)\.ts$|^server\/(inbound|sending)\/jobs\.ts$/;

/** Checks that the descriptions in the API reference, which come from the contract, have a translation. */
function checkReference(language: string): string[] {
  const { info, paths }: { info: { description: string }; paths: Record<string, Record<string, Described>> } =
    JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
  const place = `web/languages/${language}/calls.json`;
  const words: Words = JSON.parse(readFileSync(join(root, place), 'utf8'));
  const translate = createDictionary(words);
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const summaries = new Set([info.description, ...calls.map(({ summary }) => summary)]);
  const others = calls.flatMap(({ parameters = [], requestBody }) => [...parameters, requestBody ?? {}]);
  const said = new Set([...summaries, ...others.flatMap(({ description }) => description ?? [])]);
  const missing = [...said].filter((english) => translate(english) === english);
  const left = Object.keys(words).filter((english) => !said.has(english) && !/\{\w+\}/.test(english));
  return [
    ...missing.map((english) => `${place}: no translation of ${JSON.stringify(english)}`),
    ...left.map((english) => `${place}: nothing says ${JSON.stringify(english)} any more`),
  ];
}

interface Described {
  summary: string;
  parameters?: { description?: string }[];
  requestBody?: { description?: string };
}

/**
 * Whole sentences that a reply may have and a page may show: its dictionary has to know them, however they are put together.
 * The server says those of the contract too, so they can't be in the catalog of a page.
 */
function checkReplies(language: string): string[] {
  const read = (file: string): Words => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const folder = `web/languages/${language}`;
  const words = { ...read(`${folder}/contract.json`), ...read(`${folder}/server.json`) };
  const translate = createDictionary(words);
  const messages = `server/languages/${language}`;
  const elsewhere = { ...read(`${messages}-files.json`), ...read(`${messages}.json`) };
  const isKnown = (english: string) => {
    if (english in words || english in elsewhere) return true;
    const filled = english.replace(/\{\w+\}/g, '7');
    return translate(filled) !== filled;
  };
  const files = globSync(['server/**/*.ts', 'contract/**/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'contract/event-kinds.ts'],
  }).sort();
  return files
    .filter((file) => !forOperators.test(file))
    .flatMap((file) =>
      findSentences(readFileSync(join(root, file), 'utf8'), file)
        .filter(({ english }) => /^[A-Z“{].* .*[.!?]”?$/s.test(english) && !isKnown(english))
        .map(
          ({ english }) =>
            `${file}: no ${language} in ${catalogOfReply(file)}.json for ${JSON.stringify(english)}`,
        ),
    );
}

const catalogOfReply = (file: string) => (file.startsWith('contract/') ? 'contract' : 'server');

/** Names of events and scopes: pages show the contract's words, which are English for programs. */
function checkNames(language: string): string[] {
  const read = (name: string): Words =>
    JSON.parse(readFileSync(join(root, `web/languages/${language}/${name}.json`), 'utf8'));
  const words = { ...read('contract'), ...read('server') };
  const shown = [
    ...Object.values(webhookEvents).flatMap(({ about, area }) => [about, area]),
    ...Object.values(scopeAreas).map(({ about }) => about),
  ];
  return [...new Set(shown)]
    .filter((english) => !words[english])
    .map((english) => `contract/: no ${language} in server.json for ${JSON.stringify(english)}`);
}

/**
 * The sources as the build translates them, checked by the compiler: a value that only looked like a sentence no longer
 * fits where it is used.
 */
function checkTypes(language: string): number {
  const place = join(root, '.build/sentences', language);
  rmSync(place, { recursive: true, force: true });
  const catalog = readTranslations(language);
  for (const file of globSync(sources, { cwd: root })) {
    if (/\/e2e\/|\.test\.tsx?$|^web\/(vite|find-sentences)/.test(file)) continue;
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), translateModule(readFileSync(join(root, file), 'utf8'), file, catalog));
  }
  const settings = { extends: '../../../tsconfig.json', include: ['web', 'contract'] };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status } = spawnSync(tsc, ['--noEmit', '-p', place, '--checkers', '1'], { stdio: 'inherit' });
  return status ?? 1;
}

await runMain(async () => {
  if (process.argv.includes('--types')) return Math.max(...languages.map(checkTypes));
  const isFilling = process.argv.includes('--fill');
  const sentences = collectSentences();
  const problems = languages.flatMap((language) => [
    ...checkLanguage(language, sentences, isFilling),
    ...checkServer(language),
    ...checkReplies(language),
    ...checkReference(language),
    ...checkNames(language),
  ]);
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`${sentences.size} sentences in ${languages.join(', ')}`);
  return problems.length === 0 ? 0 : 1;
});
