import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlainError, runMain } from './plain-error.ts';

/** One of the pages that Vite builds, when what it is made of has changed. */
export type Build = {
  name: string;
  config: string;
  /** Folder of the result, and the variable that tells it to the configuration. */
  outDir: string;
  outDirVariable: string;
  sources: string[];
  /** Further variables that the configuration is told by. */
  env?: Record<string, string>;
};

const root = join(import.meta.dirname, '..');
// Tests build beside what a running Muster serves.
const buildDir = resolve(root, process.env.BUILD_DIR || '.build');

export const webBuild: Build = {
  name: 'web',
  config: 'web/vite.config.ts',
  outDir: join(buildDir, 'web'),
  outDirVariable: 'WEB_DIR',
  sources: ['web/**', 'contract/**', 'package-lock.json'],
};

/** The same pages in Spanish (web/vite-language.ts). */
const spanishBuild: Build = {
  ...webBuild,
  name: 'web in Spanish',
  outDir: join(buildDir, 'web-es'),
  env: { WEB_LANGUAGE: 'es' },
};

export const sandboxPageBuild: Build = {
  name: 'sandbox page',
  config: 'sandbox/page/vite.config.ts',
  outDir: join(buildDir, 'sandbox-page'),
  outDirVariable: 'SANDBOX_WEB_DIR',
  sources: ['sandbox/page/**', 'package-lock.json'],
};

/** Answers whether there was anything to do. `signal` ends it early. */
export async function build(target: Build, signal?: AbortSignal): Promise<boolean> {
  const hash = hashSources(target);
  const stampFile = `${target.outDir}.hash`;
  if (readIfThere(stampFile) === hash && readIfThere(join(target.outDir, 'index.html'))) return false;
  rmSync(stampFile, { force: true });
  await runVite(target, signal);
  mkdirSync(dirname(stampFile), { recursive: true });
  // The hash of the sources as they were before the build: a file saved meanwhile makes the next start build again.
  writeFileSync(stampFile, hash);
  return true;
}

/** The web application in all its languages, side by side. Answers whether there was anything to do. */
export async function buildWeb(signal?: AbortSignal): Promise<boolean> {
  const built = await Promise.all([build(webBuild, signal), build(spanishBuild, signal)]);
  const isNew = built.includes(true) || readIfThere(join(webBuild.outDir, 'index.es.html')) === undefined;
  if (isNew) addLanguage('es', spanishBuild.outDir);
  return isNew;
}

/** Scripts have names of their own in each language, so they lie in one folder; the first page lies beside the English one. */
function addLanguage(language: string, from: string): void {
  cpSync(join(from, 'assets'), join(webBuild.outDir, 'assets'), { recursive: true });
  for (const [file, as] of [
    ['index.html', `index.${language}.html`],
    ['.vite/manifest.json', `.vite/manifest.${language}.json`],
  ] as const) {
    for (const ending of ['', '.br', '.gz']) {
      const source = join(from, `${file}${ending}`);
      if (existsSync(source)) cpSync(source, join(webBuild.outDir, `${as}${ending}`));
    }
  }
}

export async function buildAll(): Promise<void> {
  await Promise.all([buildWeb(), build(sandboxPageBuild)]);
}

/** Tests, and what the build itself writes into the sources, do not change the result. */
function hashSources({ sources }: Build): string {
  const files = globSync(sources, {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'e2e' || /\.test\.tsx?$|^route-tree\.gen\.ts$/.test(entry.name),
  });
  const hash = createHash('sha256');
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** In a process of its own: two builds use two cores, and their memory is released when they end. */
function runVite(
  { name, config, outDir, outDirVariable, env = {} }: Build,
  signal?: AbortSignal,
): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', [outDirVariable]: outDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => {
      if (code === 0) done();
      else failed(new PlainError(`${output.trim()}\nThe ${name} could not be built (see above).`));
    });
  });
}

if (import.meta.main) {
  await runMain(async () => {
    // The image has no sandbox.
    await (process.argv[2] === 'web' ? buildWeb() : buildAll());
    return 0;
  });
}
