import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getSocketKey } from '../contract/auth.ts';
import { createConversation, listTextMessages } from '../contract/conversations.ts';
import { buildAccount } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { asOwner } from './testing/test-db.ts';
import { freePort, testCredentials } from './testing/test-sandbox.ts';
import { waitUntil } from './testing/wait-until.ts';

const main = join(import.meta.dirname, 'main.ts');
const number = '14235550100';
const isRoot = process.getuid?.() === 0;
let app: TestApp;
let dataDir: string;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  dataDir = await mkdtemp(join(tmpdir(), 'muster-main-'));
  return () => rm(dataDir, { recursive: true });
});

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** The program itself, in its own process. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      INFOBIP_BASE_URL: app.sandbox.url,
      TWILIO_BASE_URL: app.sandbox.url,
      ...testCredentials,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
}

/** True if it responds there with success. */
const answers = (port: number, path: string) => async () =>
  (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.ok === true;

describe('a problem that an operator has to fix ends the program with 78 and one sentence', () => {
  it.each([
    [{ PORT: 'eighty' }, /^PORT is wrong: .+\.\n$/],
    [{ DATABASE_URL: '' }, /^DATABASE_URL is missing\.\n$/],
    [{ TWILIO_AUTH_TOKEN: '' }, /^TWILIO_AUTH_TOKEN is missing: .+\.\n$/],
    [
      { DATABASE_URL: 'postgres://muster:hidden-1@127.0.0.1:1/muster' },
      /^The database at DATABASE_URL can’t be reached: .+\.\n$/,
    ],
    [
      { DATABASE_URL: 'postgres://muster:hidden-1@host:port:1/muster' },
      /^The database at DATABASE_URL can’t be reached: .+\.\n$/,
    ],
  ])('%j', async (env, sentence) => {
    const { code, said } = await start(env as Record<string, string>).ended;
    expect([code, said]).toEqual([78, expect.stringMatching(sentence)]);
    expect(said).not.toContain('hidden-1');
  });

  it('a database that is too new for the program', async () => {
    const { code, said } = await asOwner(app.databaseUrl, async (client) => {
      await client.query("insert into migrations (name, needs) values ('9999_later.sql', '9998_too.sql')");
      const program = await start({ PORT: String(await freePort()) }).ended;
      await client.query("delete from migrations where name = '9999_later.sql'");
      return program;
    });
    expect([code, said]).toEqual([
      78,
      expect.stringMatching(/^The database is newer than this program .+\n$/),
    ]);
  });

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { code, said } = await start({ PORT: String(port) }).ended;
    expect([code, said]).toEqual([
      78,
      `Port ${port} is in use by another program: set PORT to a free one.\n`,
    ]);
  });

  it('a data folder that is a file, or is below one', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    for (const DATA_DIR of [file, join(file, 'below')]) {
      const { code, said } = await start({ DATA_DIR, PORT: String(await freePort()) }).ended;
      expect([code, said]).toEqual([
        78,
        `The data folder ${DATA_DIR} can’t be written to: give this user the right, or set DATA_DIR.\n`,
      ]);
    }
  });

  // Root may write everywhere, so there is nothing to test as root.
  it.skipIf(isRoot)('a data folder without permissions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-no-rights-'));
    await chmod(folder, 0o555);
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const DATA_DIR of [folder, join(folder, 'below')]) {
      const { code, said } = await start({ DATA_DIR, PORT: String(await freePort()) }).ended;
      expect([code, said]).toEqual([
        78,
        expect.stringContaining(`The data folder ${DATA_DIR} can’t be written`),
      ]);
    }
  });
});

describe('SIGTERM', () => {
  // With 0: if it has not ended by itself after ten seconds, it ends with 1.
  it('ends it with 0, with sockets and connections open', async () => {
    const account = await buildAccount(app);
    const port = await freePort();
    const { child, ended } = start({ PORT: String(port) });
    await waitUntil(answers(port, '/readyz'));
    const { body } = await app.call(getSocketKey, {}, account.owner);
    const socket = io(`http://127.0.0.1:${port}`, { auth: { key: body.Key }, transports: ['websocket'] });
    onTestFinished(() => void socket.close());
    await once(socket as unknown as NodeJS.EventEmitter, 'connect');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, said: '' });
  });

  it('also while it is starting', async () => {
    const port = await freePort();
    const { child, ended } = start({ PORT: String(port) });
    // Listens, but the job engine has only just been asked to run.
    await waitUntil(answers(port, '/healthz'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

it('one process answers requests while another sends', async () => {
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const web = start({ ROLE: 'web', PORT: String(port), PUBLIC_URL: url });
  const as = account.owner;
  await waitUntil(answers(port, '/readyz'));
  const sent = await app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: '4235550143' }, Message: 'From two processes' },
      },
    },
    as,
  );
  const params = { ConversationID: sent.body.ConversationID };
  const worker = start({ ROLE: 'worker', PORT: String(port), PUBLIC_URL: url });
  await waitUntil(async () => {
    const { body } = await app.call(listTextMessages, { params }, as);
    return body.Items[0]?.Status === 'delivered';
  });
  expect(await app.sandbox.messages('4235550143')).toMatchObject([{ Text: 'From two processes' }]);

  // The worker serves no requests: without the web process nobody answers.
  web.child.kill('SIGTERM');
  expect((await web.ended).code).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toEqual({ code: 0, said: '' });
});
