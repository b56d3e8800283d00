// The first thing that `npm start` and `npm test` run, on whatever Node the machine has (18 or later): installs
// the packages when they are missing or stale, then hands over to the Node 26 among them, which runs
// scripts/<name>.ts. Plain JavaScript without packages, because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.muster-installed');
const lockFolder = join(root, '.build', 'installing');
const nodeFile = join(modules, '.bin', 'node');

const [name = '', ...args] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name) || !existsSync(join(root, 'scripts', `${name}.ts`))) {
  fail(`There is no scripts/${name}.ts to run.`);
}
await installWhenNeeded();
handOver(join(root, 'scripts', `${name}.ts`));

async function installWhenNeeded() {
  if (isInstalled()) return;
  await takeInstallLock();
  try {
    // Whoever held the lock may have installed what we need.
    if (isInstalled()) return;
    if (isInstalledByHand() || (await install())) {
      writeFileSync(stampFile, stamp());
      return;
    }
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
  process.exit(1);
}

function stamp() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp() && existsSync(nodeFile);
}

/** A developer's own `npm install` counts: npm notes what it installed when it is through, not before. */
function isInstalledByHand() {
  try {
    const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
    const wanted = read(join(root, 'package-lock.json'));
    const present = read(join(modules, '.package-lock.json'));
    const fits = Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version);
    const complete = Object.entries(wanted).every(
      ([path, { optional, devOptional, peer }]) =>
        path === '' || optional || devOptional || peer || present[path],
    );
    return fits && complete && hasNode26();
  } catch {
    return false;
  }
}

function hasNode26() {
  return /^v26\./.test(String(spawnSync(nodeFile, ['--version'], { encoding: 'utf8' }).stdout));
}

/** `npm start` and `npm test` may be called at once on a fresh clone; one installs, the other waits. */
async function takeInstallLock() {
  mkdirSync(dirname(lockFolder), { recursive: true });
  const ownerFile = join(lockFolder, 'pid');
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(ownerFile, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The folder ${root} can't be written to (${error.code}).`);
    }
    const owner = existsSync(ownerFile) ? Number(readFileSync(ownerFile, 'utf8')) : 0;
    // A folder without an owner's number is being made at this moment, or was left so by a crash.
    if (owner ? !isAlive(owner) : waited > 10) rmSync(lockFolder, { recursive: true, force: true });
    else if (waited === 0) console.log('Packages are being installed by another command; waiting for it.');
    await new Promise((done) => setTimeout(done, 200));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** True when it worked; otherwise it has said why not. */
async function install() {
  rmSync(stampFile, { force: true });
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const say = process.stdout.isTTY ? (text) => process.stdout.write(`\r\u001b[K${text}`) : () => {};
  if (!process.stdout.isTTY) console.log('Installing packages (up to a minute or two on the first run).');
  const ticking = setInterval(() => say(`  Installing packages ${seconds()}`), 1000);
  say('  Installing packages');
  // A version in the lockfile never changes, so npm takes what it knows of a package from its cache.
  let { code, output } = await runNpmCi('--prefer-offline');
  if (code !== 0 && /ETARGET|E404/.test(output)) ({ code, output } = await runNpmCi());
  clearInterval(ticking);
  say('');
  if (code === 0 && hasNode26()) {
    console.log(`✓ Packages installed ${seconds()}`);
    return true;
  }
  const end = output.trim().split('\n').slice(-20).join('\n');
  if (end) console.error(end);
  console.error(code === 0 ? explainMissingNode() : explain(output));
  return false;
}

function runNpmCi(...more) {
  // Packages for tests too, also where NODE_ENV says production: what is installed must not depend on it.
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...more,
  ];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  return new Promise((done) => {
    let output = '';
    const child = spawn(command, [...first, ...options], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => done({ code: 1, output: `${output}\n${error.message}` }));
    child.on('close', (code, signal) => {
      // Ctrl-C during the install: npm got it too. The next run starts the install afresh.
      if (signal || interrupted) process.exit(130);
      done({ code, output });
    });
    let interrupted = false;
    for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(each, () => {
        interrupted = true;
        rmSync(lockFolder, { recursive: true, force: true });
        child.kill(each);
      });
    }
  });
}

function explain(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: make room, then run this again.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `npm may not write to ${root}: give the folder to this user, then run this again.`;
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
    return 'npm could not reach its package registry: check the network and the proxy, then run this again.';
  }
  if (/EUSAGE/.test(output)) {
    return 'package-lock.json does not fit package.json: run "npm install", then run this again.';
  }
  if (/spawn npm ENOENT/.test(output))
    return 'npm was not found: install Node.js with npm, then run this again.';
  return 'The packages could not be installed (see above): mend that, then run this again.';
}

function explainMissingNode() {
  return 'The packages are installed, but Node 26 did not come with them (an install script of the package "node" brings it): run "npm rebuild node --ignore-scripts=false", then run this again.';
}

function handOver(script) {
  // The channel tells the script when this process is killed, so that it ends too instead of holding the ports.
  const child = spawn(nodeFile, [script, ...args], {
    cwd: root,
    // Compiled code is kept: the server and whatever else is started begins in half the time.
    env: { NODE_COMPILE_CACHE: join(root, '.build', 'compiled'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the whole group, npm passes it on once more, and so do we: scripts/start.ts takes what comes
  // within a moment for one.
  for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(each, () => child.kill(each));
  const ancestors = npmAncestors();
  const watching = setInterval(() => {
    if (npmAncestors() !== ancestors) child.kill('SIGTERM');
  }, 1000);
  watching.unref();
  child.on('error', (error) =>
    fail(`Node 26 does not run (${error.message}): delete node_modules, then run this again.`),
  );
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0));
  });
}

/**
 * npm is one or two levels above (with a shell between); when it was killed, these change. Empty without npm.
 */
function npmAncestors() {
  if (!process.env.npm_lifecycle_event) return '';
  try {
    // After the name in brackets, which may hold anything, come the state and the parent.
    const parent = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, above] = parent.slice(parent.lastIndexOf(')') + 2).split(' ');
    const isShell = /\((ba|da|a|z)?sh\)/.test(parent);
    return `${process.ppid} ${isShell ? above : ''}`;
  } catch {
    return String(process.ppid);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
