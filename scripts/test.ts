import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowsers } from './browser.ts';
import { PlainError, runMain } from './plain-error.ts';
import { findPorts } from './ports.ts';
import { findTemporaryFolder } from './postgres-place.ts';
import { formatDuration } from './steps.ts';
import { type Counts, countPlaywright, countVitest } from './test-counts.ts';

/**
 * `npm test`: everything that CI runs, in order; a failure does not keep the rest from running. The last line is
 * `N passed, N failed`: tests and journeys, and each other check as one.
 *
 * `npm test -- types journeys` runs only the named checks. `npm test -- server` (a project of vitest.config.ts, or
 * part of a path) runs only those unit tests.
 *
 * It can be repeated, and run beside `npm start`: ports, data and builds are its own, and removed when it
 * ends (the build of the web is kept in .build/test and used again).
 */
const root = join(import.meta.dirname, '..');
const binary = (name: string) => join(root, 'node_modules/.bin', name);
const stepTimeoutMs = 30 * 60_000;
/** Beside what a running Muster serves. */
const testBuild = { BUILD_DIR: join(root, '.build/test') };

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Ctrl-C, or the process above was killed: what is under way is ended, what was made is removed. */
const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.on(name, () => interrupted.abort());
}
process.channel?.unref();

type Check = { name: string; title: string; run: (scratch: string) => Promise<Result> };
type Result = Counts & { output: string };

/** Each of these uses one core for some seconds: two of them run at a time. */
const quickChecks: Check[] = [
  {
    name: 'style',
    title: 'Format and lint',
    run: () => command(binary('biome'), ['ci', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`, '.']),
  },
  {
    name: 'types',
    title: 'Types',
    run: () => command(binary('tsc'), ['--noEmit', '-p', '.', '--checkers', '1']),
  },
  // Here, where a core is free beside the types: the journeys need it.
  {
    name: 'build',
    title: 'Web builds',
    run: () => command(process.execPath, [join(import.meta.dirname, 'build.ts')], testBuild),
  },
  { name: 'boundaries', title: 'Boundaries', run: () => script('boundaries.ts') },
  { name: 'words', title: 'Plain English', run: () => script('words.ts') },
  { name: 'sentences', title: 'Sentences in Spanish', run: () => script('sentences.ts') },
  { name: 'spanish', title: 'Types in Spanish', run: () => script('sentences.ts', '--types') },
  { name: 'unused', title: 'Unused code', run: () => command(binary('knip'), []) },
  { name: 'schema', title: 'Schema files fresh', run: () => script('generate.ts', 'schema', '--check') },
  { name: 'openapi', title: 'OpenAPI fresh', run: () => script('generate.ts', 'openapi', '--check') },
  { name: 'rules', title: 'Rules page fresh', run: () => script('generate.ts', 'rules', '--check') },
  {
    name: 'permissions',
    title: 'Permissions page fresh',
    run: () => script('generate.ts', 'permissions', '--check'),
  },
  {
    name: 'addresses',
    title: 'Addresses of calls fresh',
    run: () => script('generate.ts', 'addresses', '--check'),
  },
];

/** These use the whole machine, one after the other. */
const longChecks: Check[] = [
  { name: 'tests', title: 'Tests', run: (scratch) => runVitest(scratch, []) },
  { name: 'journeys', title: 'Journeys', run: runJourneys },
];

const checks = [...quickChecks, ...longChecks];

await runMain(async () => {
  const startedAt = performance.now();
  const chosen = chooseChecks(process.argv.slice(2));
  const scratch = mkdtempSync(join(findTemporaryFolder(), 'muster-test-'));
  // As root PostgreSQL runs as another user: where that one may go, its data stays in here and goes with it.
  chmodSync(scratch, 0o755);
  const total: Counts = { ...nothing };
  try {
    const begun = beginQuick(
      chosen.filter((check) => quickChecks.includes(check)),
      scratch,
    );
    for (const check of chosen) {
      const result = await tell(check, begun.get(check) ?? timed(check, scratch));
      if (interrupted.signal.aborted) return 130;
      total.passed += result.passed;
      total.failed += result.failed;
      total.skipped += result.skipped;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  console.log(`\n${formatDuration(performance.now() - startedAt)}, ${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

function chooseChecks(words: string[]): Check[] {
  const option = words.find((word) => word.startsWith('-'));
  if (option) {
    const known = checks.map(({ name }) => name).join(', ');
    throw new PlainError(`npm test takes names of checks (${known}) or parts of test paths, not ${option}.`);
  }
  if (words.length === 0) return checks;
  const named = checks.filter(({ name }) => words.includes(name));
  const filters = words.filter((word) => !checks.some(({ name }) => name === word));
  if (filters.length === 0) return named;
  const tests = { name: 'tests', title: 'Tests', run: (scratch: string) => runVitest(scratch, filters) };
  return [...named, tests];
}

type Timed = { result: Result; ms: number };

/** Begins all of them, never more than two at a time. */
function beginQuick(quick: Check[], scratch: string): Map<Check, Promise<Timed>> {
  const waiting = quick.map((check) => ({ check, ...Promise.withResolvers<Timed>() }));
  const begun = new Map(waiting.map(({ check, promise }) => [check, promise]));
  async function takeTurns(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      next.resolve(await timed(next.check, scratch));
    }
  }
  void takeTurns();
  void takeTurns();
  return begun;
}

async function timed({ run }: Check, scratch: string): Promise<Timed> {
  const startedAt = performance.now();
  const result = await run(scratch).catch((error: unknown): Result => {
    const output =
      error instanceof PlainError ? error.message : String(error instanceof Error ? error.stack : error);
    return { ...nothing, failed: 1, output };
  });
  return { result, ms: performance.now() - startedAt };
}

async function tell({ title }: Check, running: Promise<Timed>): Promise<Result> {
  if (process.stdout.isTTY) process.stdout.write(`  ${title} …`);
  const { result, ms } = await running;
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  const counted = result.passed + result.failed > 1 || result.skipped > 0;
  const counts = counted
    ? ` (${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped)`
    : '';
  console.log(`${result.failed > 0 ? '✗' : '✓'} ${title}${counts}  ${formatDuration(ms)}`);
  if (result.failed > 0) console.log(`\n${result.output.trimEnd()}\n`);
  return result;
}

/** A program that says with its exit code whether all is well. */
async function command(path: string, args: string[], env: Record<string, string> = {}): Promise<Result> {
  const { code, output } = await execute(path, args, env);
  return code === 0 ? { ...nothing, passed: 1, output } : { ...nothing, failed: 1, output };
}

function script(name: string, ...args: string[]): Promise<Result> {
  return command(process.execPath, [join(import.meta.dirname, name), ...args]);
}

async function runVitest(scratch: string, filters: string[]): Promise<Result> {
  const report = join(scratch, 'vitest.json');
  const projects = [
    ...readFileSync(join(root, 'vitest.config.ts'), 'utf8').matchAll(/name: '([\w-]+)'/g),
  ].map(([, name]) => name);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  for (const filter of filters) args.push(...(projects.includes(filter) ? ['--project', filter] : [filter]));
  const { code, output } = await execute(binary('vitest'), args, {});
  return readReport(report, code, output, countVitest);
}

async function runJourneys(scratch: string): Promise<Result> {
  const report = join(scratch, 'playwright.json');
  const dataDir = join(scratch, 'data');
  mkdirSync(dataDir);
  // Two systems (web/e2e/stack.ts), each with a port of its own and two for its sandbox.
  const port = await findPorts(6);
  const { whole, shell } = await findBrowsers();
  const { code, output } = await execute(
    binary('playwright'),
    ['test', '--config', 'web/e2e/playwright.config.ts', '--reporter=line,json'],
    {
      CHROMIUM_PATH: whole,
      CHROMIUM_SHELL_PATH: shell ?? whole,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...testBuild,
      DATABASE_URL: '',
    },
  );
  return readReport(report, code, output, countPlaywright);
}

function readReport<T>(file: string, code: number, output: string, count: (report: T) => Counts): Result {
  if (!existsSync(file)) return { ...nothing, failed: 1, output };
  const counts = count(JSON.parse(readFileSync(file, 'utf8')));
  // The runner may know of a failure that no test shows, such as an error after the last one.
  return { ...counts, failed: counts.failed === 0 && code !== 0 ? 1 : counts.failed, output };
}

function execute(path: string, args: string[], env: Record<string, string>) {
  return new Promise<{ code: number; output: string }>((done) => {
    let output = '';
    const child = spawn(path, args, {
      cwd: root,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        NO_COLOR: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([interrupted.signal, AbortSignal.timeout(stepTimeoutMs)]),
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    // It could not be started, or the signal ended it; `close` may or may not follow.
    child.once('error', (error) => {
      output += error.message;
      if (child.pid === undefined) done({ code: 1, output });
    });
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
}
