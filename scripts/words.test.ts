import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkWords } from './words.ts';

const roots: string[] = [];

function check(path: string, text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'words-'));
  roots.push(root);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return checkWords(root);
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

describe('checkWords', () => {
  it.each([
    ['web/contacts/page.tsx', 'const page = <p>The people you add\n  stand here.</p>;', 'stand'],
    ['web/contacts/page.tsx', 'const page = <Button title="Mend them here" />;', 'Mend'],
    ['web/contacts/page.tsx', 'const done = `The rows were taken back.`;', 'taken back'],
    ['contract/contacts.ts', "const summary = 'The organisation of the user.';", 'organisation'],
    [
      'contract/contacts.ts',
      "const summary = 'What is in Deleted is removed.';",
      'What is in Deleted is removed.',
    ],
    ['contract/contacts.ts', "const said = { message: 'The broadcast was cancelled.' };", 'cancelled'],
    ['sandbox/page/desk.tsx', 'const page = <p>Your answer stands here.</p>;', 'stands'],
    ['CHANGELOG.md', 'An import is mended.', 'mended'],
    ['docs/decisions/0001-names.md', 'One of which is new.', 'of which'],
    ['web/contacts/page.tsx', '/** Stands at the head of the page. */ const page = 1;', 'Stands'],
    ['web/contacts/page.tsx', 'const page = <p>{/* Told of\n  it anew. */}</p>;', 'anew'],
    ['server/contacts/list.ts', '// Lists the rows, one\n// of which is new.\nconst list = 1;', 'of which'],
    ['server/contacts/list.test.ts', '/**\n * The neighbour\n * of a row.\n */\nconst row = 1;', 'neighbour'],
    ['scripts/build.mjs', 'const build = 1; // Mends what was built.', 'Mends'],
    ['server/files.ts', "const said = `The folder can't be written to.`;", "n't"],
    ['web/contacts/page.tsx', '/** How many were changed. */ const size = 1;', 'How many were changed'],
    ['contract/contacts.ts', '/** What is sent of a form. */ const body = 1;', 'What is sent of a form'],
    [
      'contract/contacts.ts',
      '/** Whether users edit their own settings: then it is short. */ const isOwn = true;',
      'Whether users edit their own settings',
    ],
    [
      'server/files.ts',
      '/** Whether somebody has one that is still theirs. */ const has = true;',
      'Whether somebody has one that is still theirs',
    ],
    [
      'scripts/build.ts',
      'const folder = 1; // Where the result goes, and its name.',
      'Where the result goes',
    ],
    ['server/files.test.ts', '// When it is sent: now, or later.\nconst at = 1;', 'When it is sent'],
    ['server/files.ts', '/** Until when it works. */ const until = 1;', 'Until when it works'],
    ['sandbox/files.ts', '/**\n * Why it failed,\n * or what to do.\n */\nconst note = 1;', 'Why it failed'],
  ])('finds a banned turn in %s: %s', (path, text, turn) => {
    expect(check(path, text)).toEqual([expect.stringMatching(`^${path}:1: “${turn}” in “.*: use `)]);
  });

  it.each([
    ['a name', 'web/contacts/page.tsx', 'const colour = mend(organisation);'],
    ['code in a comment', 'web/contacts/page.tsx', '/** Sets `colour` and `stands`. */ const page = 1;'],
    [
      'a question in a comment',
      'web/contacts/page.tsx',
      '// How many are there, and where?\nconst size = 1;',
    ],
    [
      'a clause in front of a sentence',
      'web/contacts/page.tsx',
      '// When a carrier refuses, the text waits.\nconst wait = 1;\n\n// Where none fits, add one.\nconst add = 1;',
    ],
    [
      'a clause that is the subject of a sentence',
      'web/contacts/page.tsx',
      "/** What can't be read is given back as it is. */ const body = 1;",
    ],
    [
      'a clause within a comment',
      'web/contacts/page.tsx',
      '/** Counts how many there are, and says whether one is new. */ const count = 1;',
    ],
    ['a noun clause in a page', 'docs/decisions/0001-names.md', 'How it works.'],
    ['a comment of a generated file', 'web/contacts/page.gen.ts', '/** Stands here. */ const page = 1;'],
    ['a string of a script', 'scripts/build.ts', "const said = 'The build stands here.';"],
    ['the apostrophe of a comment', 'server/files.ts', "// It can't be read.\nconst one = 1;"],
    ['the apostrophe of the specification', 'contract/files.ts', 'const said = "It can\'t be read.";'],
    ['a single word', 'web/contacts/page.tsx', "const key = 'colour';"],
    ['a column', 'contract/contacts.ts', "const column = 'colour as Colour';"],
    ['SQL', 'contract/contacts.ts', 'const query = sql`select colour from tags of which`;'],
    ['an import', 'contract/contacts.ts', "import { fields } from './personalised fields.ts';"],
    ['a question', 'web/contacts/page.tsx', 'const page = <h1>What is it, and when?</h1>;'],
    ['a test', 'web/contacts/page.test.ts', "it('stands where it stood', () => {});"],
    ['to stand out', 'web/contacts/page.tsx', '/** Problems stand out. */ const page = 1;'],
    ['plain English', 'web/contacts/page.tsx', 'const page = <p>3 duplicate numbers.</p>;'],
  ])('leaves %s alone', (_, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
