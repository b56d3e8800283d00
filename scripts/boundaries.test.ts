import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkBoundaries } from './boundaries.ts';
import { listImports } from './imports.ts';

const roots: string[] = [];

function check(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'boundaries-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkBoundaries(root, { messages: 'texts', sessions: ['auth', 'server'] });
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

describe('checkBoundaries', () => {
  it('finds nothing in a tree that keeps the rules', () => {
    const violations = check({
      'contract/phone.ts': "import { parse } from 'libphonenumber-js/min';\nimport { z } from 'zod';",
      'contract/phone.test.ts': "import { it } from 'vitest';\nimport { readFileSync } from 'node:fs';",
      'server/app.ts': "import Fastify from 'fastify';\nimport { phone } from '../contract/phone.ts';",
      'server/realtime.ts': "import type { Server } from 'node:http';",
      'server/sweep-old-rows.ts': 'await sql`delete from sessions where expires_at < now()`;',
      'server/texts/routes.ts': "import { createTexts } from './create-texts.ts';",
      'server/texts/create-texts.ts': "await trx.insertInto('messages').execute();",
      'server/sending/send-messages.ts': "import { createTexts } from '../texts/create-texts.ts';",
      'server/broadcasts/feed/next-feed.ts': "import { createTexts } from '../../texts/create-texts.ts';",
      'server/jobs.ts': "import type { Carrier } from './outside/carrier.ts';",
      'server/texts/create-texts.test.ts': "await db.deleteFrom('sessions').execute();",
      'server/texts/queries.ts': 'const text = sql`select * from sessions for update`;',
      'server/texts/list-texts.ts': "sql`select to_char(at at time zone 'utc', 'YYYY')`;",
      'server/outside/carrier.ts': "import { Pool } from 'undici';\nawait fetch('https://carrier.example');",
      'server/demo/load-demo.ts': "await trx.insertInto('sessions').execute();",
      'server/testing/test-db.ts': "import { startTemporaryPostgres } from '../../scripts/postgres.ts';",
      'web/routes/index.tsx': "import { HomePage } from '../home/home-page.tsx';\nexport default 1;",
      'web/home/home-page.tsx':
        "import { Button } from '../ui/button.tsx';\nimport { api } from '../api.ts';",
      'web/e2e/playwright.config.ts': "import { findBrowsers } from '../../scripts/browser.ts';",
      'sandbox/main.ts': "import { createServer } from 'node:http';\nimport { rules } from './rules.ts';",
      'bench/run.ts': "import { app } from '../server/app.ts';",
    });
    expect(violations).toEqual([]);
  });

  it.each([
    [
      'a page that reads the schema of a call',
      {
        'web/home/a.tsx':
          "import {\n  type B,\n  login,\n} from '../../contract/addresses/auth.gen.ts';\nresolve(login.body);",
      },
      'web/home/a.tsx:5: login.body: a call has no schemas in a browser',
    ],
    [
      'a page that takes a call with its schemas',
      { 'web/home/a.tsx': "import { type B, login } from '../../contract/auth.ts';" },
      'web/home/a.tsx:1: login: a page imports its calls from contract/addresses/',
    ],
    [
      'a statement that asks PostgreSQL for a zone',
      { 'server/texts/count-days.ts': 'await sql`select now()\n  at time zone zone`;' },
      "server/texts/count-days.ts:2: SQL is asked for no zone but 'utc': use contract/time/local-day.ts",
    ],
    [
      'a contract that imports the server',
      { 'contract/a.ts': "import { b } from '../server/b.ts';" },
      'contract/a.ts:1: contract imports only itself, not server',
    ],
    [
      'a contract that imports another package',
      { 'contract/a.ts': "\nimport pg from 'pg';" },
      'contract/a.ts:2: contract imports only zod, libphonenumber-js and itself, not pg',
    ],
    [
      'a contract that reads files',
      { 'contract/a.ts': "import { readFileSync } from 'node:fs';" },
      'contract/a.ts:1: contract imports only zod, libphonenumber-js and itself, not node:fs',
    ],
    [
      'a server that imports the sandbox',
      { 'server/a.ts': "export { b } from '../sandbox/b.ts';" },
      'server/a.ts:1: server imports only server and contract, not sandbox',
    ],
    [
      'a server that imports the web when it needs it',
      { 'server/a.ts': "\n\nconst b = await import('../web/b.ts');" },
      'server/a.ts:3: server imports only server and contract, not web',
    ],
    [
      'a web that imports the server',
      { 'web/a.tsx': "import type { B } from '../server/b.ts';" },
      'web/a.tsx:1: web imports only web and contract, not server',
    ],
    [
      'a sandbox that imports the contract',
      { 'sandbox/a.ts': "import {\n  b,\n} from '../contract/b.ts';" },
      'sandbox/a.ts:3: sandbox imports only itself, not contract',
    ],
    [
      'a slice that connects by a package',
      { 'server/sending/send-messages.ts': "import { Pool } from 'undici';" },
      'server/sending/send-messages.ts:1: only server/outside opens connections to other companies (undici)',
    ],
    [
      'a slice that fetches',
      { 'server/sending/send-messages.ts': "// fetch(\nawait fetch('https://carrier.example');" },
      'server/sending/send-messages.ts:2: only server/outside opens connections to other companies (fetch)',
    ],
    [
      'a default export',
      { 'server/a.ts': 'const a = 1;\nexport default a;' },
      'server/a.ts:2: no default exports in server',
    ],
    ['a barrel', { 'web/ui/index.ts': '' }, 'web/ui/index.ts:1: no index barrels: import the file itself'],
    [
      'a file named after a layer',
      { 'server/auth/session-service.ts': '' },
      'server/auth/session-service.ts:1: no services, repositories, controllers, helpers, utils: "session-service.ts" says nothing',
    ],
    [
      'a file that is no verb',
      { 'server/auth/passwords.ts': '' },
      'server/auth/passwords.ts:1: a slice holds only routes.ts, <verb>-<noun>.ts, jobs.ts, rules.ts, queries.ts and tests',
    ],
    [
      'a slice that imports one after it',
      { 'server/texts/create-texts.ts': "import { send } from '../sending/send-messages.ts';" },
      'server/texts/create-texts.ts:1: texts comes before sending and does not import it',
    ],
    [
      'a slice without a place',
      { 'server/magic/routes.ts': '' },
      'server/magic/routes.ts:1: magic has no place in the order of folders',
    ],
    [
      'a file that slices are built on and that imports one',
      { 'server/notify.ts': "import { createTexts } from './texts/create-texts.ts';" },
      'server/notify.ts:1: what slices are built on does not import texts',
    ],
    [
      'a shared component that knows a domain',
      { 'web/ui/tag.tsx': "import type { Tag } from '../../contract/tags.ts';" },
      'web/ui/tag.tsx:1: web/ui knows no domain: what uses contract/tags.ts belongs to web/pieces',
    ],
    [
      'a shared component that knows the rules of a domain',
      { 'web/ui/mark.tsx': "import { textStatuses } from '../../contract/delivery/text-status.ts';" },
      'web/ui/mark.tsx:1: web/ui knows no domain: what uses contract/delivery/text-status.ts belongs to web/pieces',
    ],
    [
      'a folder inside a folder of a slice',
      { 'server/auth/mfa/codes/routes.ts': '' },
      'server/auth/mfa/codes/routes.ts:1: a slice holds only routes.ts, <verb>-<noun>.ts, jobs.ts, rules.ts, queries.ts and tests',
    ],
    [
      "a slice that inserts into another's table",
      { 'server/billing/move-credits.ts': "trx\n  .insertInto('messages')" },
      'server/billing/move-credits.ts:2: messages is written by texts, not by billing',
    ],
    [
      "a slice that updates another's table in SQL",
      { 'server/billing/move-credits.ts': 'sql`with a as (\n update messages m\n set state = 1)`' },
      'server/billing/move-credits.ts:2: messages is written by texts, not by billing',
    ],
    [
      "a slice that deletes from another's table in SQL",
      { 'server/billing/move-credits.ts': 'sql`DELETE FROM sessions`' },
      'server/billing/move-credits.ts:1: sessions is written by auth and server, not by billing',
    ],
    [
      'a table without an owner',
      {
        'server/billing/move-credits.ts':
          'sql`insert into credits (a) values (1) on conflict do update set a = 2`',
      },
      'server/billing/move-credits.ts:1: credits has no owner in scripts/table-owners.ts',
    ],
    [
      'web domains that import each other',
      { 'web/home/page.tsx': "import { b } from '../contacts/b.tsx';" },
      'web/home/page.tsx:1: web/home does not import web/contacts: what they share belongs to web/ui',
    ],
    [
      'a shared component that imports a domain',
      { 'web/ui/avatar.tsx': "import { b } from '../contacts/b.tsx';" },
      'web/ui/avatar.tsx:1: web/ui does not import web/contacts: what they share belongs to web/ui',
    ],
  ])('finds %s', (_, files, violation) => {
    expect(check(files)).toEqual([violation]);
  });
});

describe('listImports', () => {
  it('reads every way to import, and nothing from comments and strings', () => {
    const text = `
import a from 'a';
import type { B } from "b";
import {
  c,
} from './c.ts';
import 'd';
export * from './e.ts';
export type { F } from './f.ts';
const g = await import('./g.ts');
// import x from 'commented';
/* import x from 'commented too'; */
const text = "say: import y from nowhere";
const url = 'http://example.com'; const quote = /['"]/;
import * as h from 'h';
export const notAnImport = 'k';
`;
    expect(listImports(text)).toEqual([
      { specifier: 'a', line: 2, isTypeOnly: false },
      { specifier: 'b', line: 3, isTypeOnly: true },
      { specifier: './c.ts', line: 6, isTypeOnly: false },
      { specifier: 'd', line: 7, isTypeOnly: false },
      { specifier: './e.ts', line: 8, isTypeOnly: false },
      { specifier: './f.ts', line: 9, isTypeOnly: true },
      { specifier: './g.ts', line: 10, isTypeOnly: false },
      { specifier: 'h', line: 15, isTypeOnly: false },
    ]);
  });
});
