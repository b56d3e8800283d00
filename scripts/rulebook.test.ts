import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { listImports } from './imports.ts';

const root = join(import.meta.dirname, '..');
const isTest = (path: string) => /\.(test|cases)\.tsx?$|\/testing\/|^web\/e2e\//.test(path);

/** Files of ours that the product is made of: what only a test reads is not used. */
function usedFiles(): Set<string> {
  const used = new Set(
    globSync('{server,sandbox,web,bench}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !isTest(path)),
  );
  for (const path of used) {
    for (const { specifier } of listImports(readFileSync(join(root, path), 'utf8'))) {
      const target = posix.join(posix.dirname(path), specifier);
      if (specifier.startsWith('.') && target.startsWith('contract/')) used.add(target);
    }
  }
  return used;
}

it('the rules that nothing uses yet are named in knip.json, and no others', () => {
  const { entry } = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')) as { entry: string[] };
  const used = usedFiles();
  const unused = globSync('contract/**/*.ts', { cwd: root }).filter(
    // The addresses of calls that no page makes yet are generated all the same.
    (path) => !isTest(path) && !used.has(path) && !path.startsWith('contract/addresses/'),
  );
  expect(entry.filter((path) => path.startsWith('contract/')).sort()).toEqual(unused.sort());
});
