import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainError, runMain } from './plain-error.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The path of a Chromium for the journeys: the one in CHROMIUM_PATH, the system's, or Playwright's own; otherwise
 * one is installed (22 s with Debian's packages).
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (runs(given)) return given;
    throw new PlainError(`CHROMIUM_PATH names ${given}, which does not run: correct it, or unset it.`);
  }
  const found = (await findInstalled()) ?? (install() ? await findInstalled() : undefined);
  if (found) return found;
  throw new PlainError(
    'No Chromium was found for the journeys and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

async function findInstalled(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const ofMac = macApplications.map((path) => join('/Applications', path));
  const { chromium } = await import('@playwright/test');
  return [...onPath, ...ofMac, chromium.executablePath()].find((path) => existsSync(path) && runs(path));
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
    console.log(await findBrowser());
    return 0;
  });
}
