import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { everyCall } from '../contract/calls.ts';
import { blankComments, type Import, lineAt, listImports } from './imports.ts';
import { runMain } from './plain-error.ts';
import { tableOwners } from './table-owners.ts';

/**
 * Checks the source against the rules of ARCHITECTURE.md: who may import whom, who talks to other companies,
 * which files a slice holds, who writes which table. Each violation is a line `file:line: rule`.
 */
type Owners = Record<string, string | string[]>;

type File = {
  path: string;
  /** contract, server, web … */
  area: string;
  /** The folder below the area, empty for the files at its top. */
  folder: string;
  isTest: boolean;
  /** Without comments. */
  code: string;
  imports: Import[];
};

type Report = (line: number, rule: string) => void;
type Rule = (file: File, report: Report, owners: Owners) => void;

const areas = ['contract', 'server', 'web', 'sandbox', 'client', 'bench', 'scripts'];
const contractPackages = ['zod', 'libphonenumber-js'];
/**
 * The folders of server/ in one order: each may use those before it, never those after it. A new slice takes its place
 * here.
 */
const order = [
  'access',
  'mails',
  'auth',
  'accounts',
  'keys',
  'audit',
  'billing',
  'numbers',
  'outside',
  'registration',
  'sso',
  'consents',
  'texts',
  'calls',
  'contacts',
  'media',
  'audio',
  'conversations',
  'replies',
  'scheduled',
  'imports',
  'templates',
  'broadcasts',
  'home',
  'search',
  'reports',
  'notifications',
  'invoices',
  'onboarding',
  'purchases',
  'webhooks',
  'integrations',
  'inbound',
  'sending',
  'calling',
  'zapier',
  'assistants',
  'privacy',
  'backups',
];
/** Files at the top of server/ that put the slices together. The others are what slices are built on. */
const composers = ['app.ts', 'main.ts', 'operator.ts', 'realtime.ts', 'serve.ts', 'worker.ts'];
/** Folders of server/ that are not slices. */
const plumbing = ['', 'migrations', 'testing', 'outside', 'demo'];
/** Folders of web/ that the domains share, and those that put the domains together. */
const sharedWeb = ['ui', 'pieces', 'queries', 'theme', 'reference'];
const composingWeb = ['', 'routes', 'shell', 'e2e', 'public'];
/** Files at the top of contract/ that belong to no domain. */
const plainContract = [
  'say.ts',
  'call.ts',
  'call-address.ts',
  'error-body.ts',
  'errors.ts',
  'page-codes.ts',
  'list.ts',
  'selection.ts',
];
const mayImport: Record<string, string[]> = {
  contract: ['contract'],
  server: ['server', 'contract'],
  web: ['web', 'contract'],
  sandbox: ['sandbox'],
  client: ['client'],
};

const rules: Rule[] = [
  checkAreas,
  checkPackages,
  checkConnections,
  checkDefaultExports,
  checkNames,
  checkOrder,
  checkSliceFiles,
  checkTables,
  checkZones,
  checkWebFolders,
  checkUi,
  checkWebCalls,
];

export function checkBoundaries(root: string, owners: Owners = tableOwners): string[] {
  const patterns = areas.map((area) => `${area}/**/*.{ts,tsx}`);
  const violations: string[] = [];
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    const file = readSource(root, path);
    for (const rule of rules) rule(file, (line, text) => violations.push(`${path}:${line}: ${text}`), owners);
  }
  return violations;
}

function readSource(root: string, path: string): File {
  const text = readFileSync(join(root, path), 'utf8');
  const [area = '', ...rest] = path.split('/');
  return {
    path,
    area,
    folder: rest.length > 1 ? (rest[0] ?? '') : '',
    isTest: /\.test\.tsx?$|(^|\/)testing\//.test(path),
    code: blankComments(text),
    imports: listImports(text),
  };
}

/** The file of ours that an import names, from the root; undefined for packages. */
function target(file: File, { specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? posix.join(dirname(file.path), specifier) : undefined;
}

function checkAreas(file: File, report: Report): void {
  const allowed = mayImport[file.area];
  // The client's tests run it against the real server.
  if (!allowed || (file.area === 'client' && file.isTest)) return;
  for (const each of file.imports) {
    const area = target(file, each)?.split('/')[0];
    // Tests of the browser find their browser and their database by the scripts that everybody uses.
    const isTestTool = area === 'scripts' && (file.path.startsWith('web/e2e/') || file.isTest);
    if (area === undefined || isTestTool || allowed.includes(area)) continue;
    const ours = allowed.length > 1 ? allowed.join(' and ') : 'itself';
    report(each.line, `${file.area} imports only ${ours}, not ${area}`);
  }
}

function checkPackages(file: File, report: Report): void {
  if (file.area !== 'contract' || file.isTest) return;
  for (const { specifier, line } of file.imports) {
    if (specifier.startsWith('.') || contractPackages.includes(packageName(specifier))) continue;
    report(line, `contract imports only ${contractPackages.join(', ')} and itself, not ${specifier}`);
  }
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const clientPackages = /^(undici|axios|got|node-fetch|nodemailer|node:(https?|http2|net|tls|dgram))$/;

function checkConnections(file: File, report: Report): void {
  if (file.area !== 'server' || file.folder === 'outside' || file.isTest) return;
  const rule = 'only server/outside opens connections to other companies';
  for (const { specifier, line, isTypeOnly } of file.imports) {
    if (clientPackages.test(specifier) && !isTypeOnly) report(line, `${rule} (${specifier})`);
  }
  for (const match of file.code.matchAll(/(?<![\w.$])(?:globalThis\.)?fetch\s*\(|\bnew WebSocket\s*\(/g)) {
    // A method of that name is declared, not called.
    if (/^fetch\s*\([^)]*\)\s*(?::[^{;]*)?\{/.test(file.code.slice(match.index))) continue;
    report(lineAt(file.code, match.index), `${rule} (${match[0].replace(/\s*\($/, '')})`);
  }
}

function checkDefaultExports(file: File, report: Report): void {
  if (file.area !== 'contract' && file.area !== 'server') return;
  for (const match of file.code.matchAll(/^export\s+default\b|\bas\s+default\b/gm)) {
    report(lineAt(file.code, match.index), `no default exports in ${file.area}`);
  }
}

/** PostgreSQL's zone files are older than the runtime's: days and hours of people come from contract/time. */
function checkZones(file: File, report: Report): void {
  if (file.area !== 'server' || file.isTest) return;
  for (const match of file.code.matchAll(/\bat\s+time\s+zone\b(?!\s*'utc')|\btimezone\s*\(/gi)) {
    report(
      lineAt(file.code, match.index),
      "SQL is asked for no zone but 'utc': use contract/time/local-day.ts",
    );
  }
}

const layerName =
  /(^|[-.])(services?|repositor(y|ies)|controllers?|managers?|helpers?|utils?|dtos?|common)(?=[-.]|$)/;

function checkNames(file: File, report: Report): void {
  const name = basename(file.path);
  const isRoute = file.path.startsWith('web/routes/');
  if (/^index\.tsx?$/.test(name) && !isRoute) report(1, 'no index barrels: import the file itself');
  const layer = isRoute ? undefined : file.path.split('/').find((part) => layerName.test(part));
  if (layer) report(1, `no services, repositories, controllers, helpers, utils: "${layer}" says nothing`);
}

function checkOrder(file: File, report: Report): void {
  if (file.area !== 'server' || file.isTest || ['testing', 'demo', 'migrations'].includes(file.folder))
    return;
  const place = order.indexOf(file.folder);
  if (file.folder !== '' && place < 0) report(1, `${file.folder} has no place in the order of folders`);
  if (file.folder === '' && composers.includes(basename(file.path))) return;
  for (const each of file.imports) {
    const [area, folder = '', ...rest] = target(file, each)?.split('/') ?? [];
    if (area !== 'server' || rest.length === 0 || folder === file.folder) continue;
    if (file.folder === '') {
      if (!each.isTypeOnly && folder !== 'access') {
        report(each.line, `what slices are built on does not import ${folder}`);
      }
    } else if (order.indexOf(folder) > place) {
      report(each.line, `${file.folder} comes before ${folder} and does not import it`);
    }
  }
}

function checkSliceFiles(file: File, report: Report): void {
  if (file.area !== 'server' || plumbing.includes(file.folder) || file.isTest) return;
  // A large slice has subfolders by page or step.
  const name = file.path.slice(`server/${file.folder}/`.length).replace(/^[a-z]+(-[a-z]+)*\//, '');
  if (/^(routes|jobs|rules|queries)\.ts$|^[a-z]+(-[a-z0-9]+)+\.ts$/.test(name)) return;
  report(1, 'a slice holds only routes.ts, <verb>-<noun>.ts, jobs.ts, rules.ts, queries.ts and tests');
}

const writes = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`]([a-z_][a-z0-9_]*)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into)\s+(?:only\s+)?(?:public\.)?"?([a-z_][a-z0-9_]*)/gi,
  /\bupdate\s+(?:only\s+)?(?:public\.)?"?([a-z_][a-z0-9_]*)"?(?:\s+(?:as\s+)?[a-z_]\w*)?\s+set\b/gi,
];

function checkTables(file: File, report: Report, owners: Owners): void {
  const isLoader = file.folder === 'testing' || file.folder === 'demo';
  if (file.area !== 'server' || file.isTest || isLoader) return;
  const writer = file.folder || 'server';
  for (const pattern of writes) {
    for (const match of file.code.matchAll(pattern)) {
      const table = match[1] ?? '';
      const owner = Object.hasOwn(owners, table) ? owners[table] : undefined;
      if (owner !== undefined && [owner].flat().includes(writer)) continue;
      const line = lineAt(file.code, match.index);
      if (owner === undefined) report(line, `${table} has no owner in scripts/table-owners.ts`);
      else report(line, `${table} is written by ${[owner].flat().join(' and ')}, not by ${writer}`);
    }
  }
}

function checkWebFolders(file: File, report: Report): void {
  if (file.area !== 'web' || composingWeb.includes(file.folder)) return;
  for (const each of file.imports) {
    const [area, folder = '', ...rest] = target(file, each)?.split('/') ?? [];
    if (area !== 'web' || rest.length === 0) continue;
    if (folder === file.folder || sharedWeb.includes(folder) || composingWeb.includes(folder)) continue;
    report(each.line, `web/${file.folder} does not import web/${folder}: what they share belongs to web/ui`);
  }
}

/** The shared rules that aren't about a domain: countries, languages, limits, clocks, days and zones. */
const plainContractFolders = ['reference', 'time'];

/** web/ui draws; what it draws of a domain belongs to web/pieces. */
function checkUi(file: File, report: Report): void {
  if (file.area !== 'web' || file.folder !== 'ui') return;
  for (const each of file.imports) {
    const found = target(file, each) ?? '';
    const [area, folder = '', ...rest] = found.split('/');
    const isPlain = rest.length > 0 ? plainContractFolders.includes(folder) : plainContract.includes(folder);
    if ((area === 'contract' && !isPlain) || found.startsWith('web/pieces/')) {
      report(each.line, `web/ui knows no domain: what uses ${found} belongs to web/pieces`);
    }
  }
}

const contractNames = /\bimport\s*\{([^}]*)\}\s*from\s*['"]([^'"]*\/contract\/[^'"]*)['"]/g;
const callNames = new Set(everyCall.map(({ name }) => name));

/**
 * A page's calls come from contract/addresses/, without their schemas, which weigh more than the page: what it checks by, it
 * imports by name.
 */
function checkWebCalls(file: File, report: Report): void {
  if (file.area !== 'web' || file.isTest || file.folder === 'e2e') return;
  const names = new Set<string>();
  for (const { 1: list = '', 2: from = '', index } of file.code.matchAll(contractNames)) {
    for (const item of list.split(',')) {
      const [name = '', alias = name] = item.trim().split(/\s+as\s+/);
      names.add(alias);
      if (callNames.has(name) && !from.includes('/contract/addresses/'))
        report(lineAt(file.code, index), `${name}: a page imports its calls from contract/addresses/`);
    }
  }
  for (const match of file.code.matchAll(/(?<![\w.$])(\w+)\.(params|query|body|reply)\b/g)) {
    if (!names.has(match[1] ?? '')) continue;
    report(lineAt(file.code, match.index), `${match[0]}: a call has no schemas in a browser`);
  }
}

if (import.meta.main) {
  await runMain(async () => {
    const violations = checkBoundaries(join(import.meta.dirname, '..'));
    for (const violation of violations) console.log(violation);
    return violations.length > 0 ? 1 : 0;
  });
}
