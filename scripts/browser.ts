import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainError, runMain } from './plain-error.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
];

interface Browsers {
  /** Chromium, or Chrome. */
  whole: string;
  /** Chromium without a window: pages need a fifth less of the machine. It shows no notices. Not everywhere to be had. */
  shell?: string;
}

/**
 * Finds a Chromium for the journeys: the one in CHROMIUM_PATH, the system's, or Playwright's own; otherwise one is
 * installed (25 s with Debian's packages).
 */
export async function findBrowsers(): Promise<Browsers> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (runs(given)) return { whole: given };
    throw new PlainError(`CHROMIUM_PATH names ${given}, which does not run: correct it, or unset it.`);
  }
  const whole = (await findInstalled()) ?? (install() ? await findInstalled() : undefined);
  const shell = whole && onPath(['chromium-headless-shell'])[0];
  if (whole) return shell ? { whole, shell } : { whole };
  throw new PlainError(
    'No Chromium was found for the journeys and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

async function findInstalled(): Promise<string | undefined> {
  const ofMac = macApplications.map((path) => join('/Applications', path));
  const { chromium } = await import('@playwright/test');
  return [...onPath(names), ...ofMac, chromium.executablePath()].find(
    (path) => existsSync(path) && runs(path),
  );
}

function onPath(programs: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
}

/** Ubuntu has a `chromium-browser` that only says where to get one. */
function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

function install(): boolean {
  if (process.getuid?.() === 0 && isDebianLike()) {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    spawnSync('apt-get', ['update'], options);
    const packages = ['install', '-y', '--no-install-recommends', 'chromium'];
    // Older releases have no shell of its own.
    if (spawnSync('apt-get', [...packages, 'chromium-headless-shell'], options).status === 0) return true;
    if (spawnSync('apt-get', packages, options).status === 0) return true;
  }
  const cli = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
  return spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore' }).status === 0;
}

function isDebianLike(): boolean {
  return (
    existsSync('/etc/os-release') &&
    /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

if (import.meta.main) {
  await runMain(async () => {
    console.log(Object.values(await findBrowsers()).join('\n'));
    return 0;
  });
}
