import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlainError, runMain } from './plain-error.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { generateSchema } from './schema.ts';

/**
 * `npm run generate` writes the files that are derived from others and committed:
 * server/schema.sql and server/schema.types.ts from the migrations, docs/openapi.json (with docs/webhooks.md), docs/rules.md, docs/permissions.md
 * and contract/addresses/ from the contract.
 * client/operations.gen.ts goes with docs/openapi.json, which it is made from.
 * With --check it writes nothing, names the files that are stale and exits with 1.
 * With the word `schema`, `openapi`, `rules`, `permissions` or `addresses` only those.
 */
const root = join(import.meta.dirname, '..');

await runMain(async () => {
  const words = process.argv.slice(2);
  const wanted = words.filter((word) => !word.startsWith('--'));
  const unknown = words.find(
    (word) => !['schema', 'openapi', 'rules', 'permissions', 'addresses', '--check'].includes(word),
  );
  if (unknown)
    throw new PlainError(
      `"${unknown}" is unknown here: say schema, openapi, rules, permissions, addresses, --check, or nothing.`,
    );
  const files: Record<string, string> = {};
  if (wanted.length === 0 || wanted.includes('schema')) Object.assign(files, await schemaFiles());
  if (wanted.length === 0 || wanted.includes('openapi')) {
    const { openapi } = await import('../contract/openapi.ts');
    const { webhooksPage } = await import('../contract/testing/webhooks-page.ts');
    files['docs/webhooks.md'] = webhooksPage();
    const { clientFile } = await import('./client-types.ts');
    const description = openapi();
    files['docs/openapi.json'] = `${JSON.stringify(description, null, 2)}\n`;
    // From the description as it reads after being written: without anything that JSON can't hold.
    files['client/operations.gen.ts'] = clientFile(JSON.parse(JSON.stringify(description)));
  }
  if (wanted.length === 0 || wanted.includes('rules')) {
    const { rulesPage } = await import('../contract/testing/rules-page.ts');
    files['docs/rules.md'] = await rulesPage();
  }
  if (wanted.length === 0 || wanted.includes('permissions')) {
    const { permissionsPage } = await import('../contract/testing/permissions-page.ts');
    files['docs/permissions.md'] = permissionsPage();
  }
  if (wanted.length === 0 || wanted.includes('addresses')) {
    const { addressFiles } = await import('../contract/testing/addresses.ts');
    Object.assign(files, addressFiles());
  }
  return words.includes('--check') ? check(files) : write(files);
});

async function schemaFiles(): Promise<Record<string, string>> {
  // Loaded when asked for: a contract under repair must not keep anybody from generating the schema.
  const { migrate } = await import('../server/migrate.ts');
  const postgres = await startTemporaryPostgres();
  try {
    await migrate(postgres.url);
    const { sql, types } = await generateSchema(postgres.url);
    return { 'server/schema.sql': sql, 'server/schema.types.ts': types };
  } finally {
    await postgres.stop();
  }
}

function check(files: Record<string, string>): number {
  const stale = Object.keys(files).filter((path) => current(path) !== files[path]);
  for (const path of stale) console.log(`${path} is stale: run "npm run generate" and commit it.`);
  return stale.length > 0 ? 1 : 0;
}

function write(files: Record<string, string>): number {
  for (const [path, text] of Object.entries(files)) {
    if (current(path) === text) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`${path} written.`);
  }
  return 0;
}

function current(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
