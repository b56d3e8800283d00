import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getUser } from '../contract/accounts.ts';
import { exportContacts } from '../contract/contacts.ts';
import { type BuiltAccount, buildAccount, buildUser } from './testing/builders.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { waitUntil } from './testing/wait-until.ts';

let app: TestApp;
let account: BuiltAccount;
const log: string[] = [];

beforeAll(async () => {
  app = await testApp({}, { PUBLIC_URL: 'http://muster.example.org' }, { logTo: log });
  account = await buildAccount(app);
});

function open(url: string, text: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function statusFor(host: string, path: string, url = app.url): Promise<number> {
  const socket = open(
    url,
    `GET ${path} HTTP/1.1\r\n${host === '' ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`,
  );
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return Number(bytes.toString('latin1').split(' ')[1]);
}

describe('the host that a request names', () => {
  const setup = '/proxy/public/setup';

  it('is the one of PUBLIC_URL, or this machine', async () => {
    const own = [
      'muster.example.org',
      'MUSTER.example.org',
      'muster.example.org:80',
      'localhost',
      'localhost:3000',
    ];
    for (const host of [...own, '127.0.0.1:4100', '[::1]:3000'])
      expect([host, await statusFor(host, setup)]).toEqual([host, 200]);
    for (const host of [
      'evil.example',
      'muster.example.org.evil.example',
      '192.0.2.7',
      'muster.example.org:8443',
      '@',
    ])
      for (const path of [setup, '/', '/inbox', '/media/x', '/api/openapi.json'])
        expect([host, path, await statusFor(host, path)]).toEqual([host, path, 421]);
  });

  it('is any for health, which load balancers ask for', async () => {
    for (const path of ['/healthz', '/readyz']) expect(await statusFor('192.0.2.7:3000', path)).toBe(200);
  });

  it('is any address in digits while there is no PUBLIC_URL', async () => {
    const local = await testApp();
    for (const host of ['192.0.2.7:3000', '[2001:db8::1]:3000', 'localhost'])
      expect([host, await statusFor(host, setup, local.url)]).toEqual([host, 200]);
    expect(await statusFor('evil.example', setup, local.url)).toBe(421);
  });
});

it('a client that disconnects before its reply is not an error', async () => {
  const body = JSON.stringify({ UserName: 'nobody', Password: 'nothing-1' });
  const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const signIn = `POST /proxy/public/login HTTP/1.1\r\n${head}\r\n\r\n`;
  for (let time = 0; time < 10; time += 1) {
    for (const text of [signIn + body, signIn + body.slice(0, 5)]) {
      const socket = open(app.url, '');
      await new Promise((resolve) => socket.write(text, resolve));
      socket.destroy();
    }
  }
  const failed = () => log.filter((line) => line.includes('call failed'));
  await waitUntil(async () => {
    const counted = await app.database.system.selectFrom('sign_in_attempts').select('failures').execute();
    return counted.length > 0 || failed().length > 0;
  });
  expect(failed()).toEqual([]);
});

describe('downloads that the client does not read', () => {
  it('hold no database connection, and are limited to five per user', async () => {
    const big = await buildAccount(app);
    await sql`
      insert into contacts (account_id, first_name, primary_phone, notes)
      select ${big.accountId}, 'P' || i, (14230000000 + i)::text, repeat('long ', 900) from generate_series(1, 1200) i`.execute(
      app.database.system,
    );
    const second = await buildUser(app, big.accountId, 'user', { canSeeAllRoster: true });
    const held: Socket[] = [];
    for (const user of [big.owner, second]) {
      for (let time = 0; time < 6; time += 1) {
        const body = { Selection: { Type: 'SelectedAll' as const } };
        const made = await app.call(exportContacts, { params: { ListID: 0 }, body }, user);
        const head = `Host: localhost\r\nCookie: ${user.cookie}`;
        const socket = open(app.url, `GET ${made.body.Uri} HTTP/1.1\r\n${head}\r\n\r\n`);
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        held.push(socket);
        expect(bytes.toString('latin1').split(' ')[1]).toBe(time < 5 ? '200' : '429');
      }
    }
    // As many as the test's server has connections for calls, plus two.
    for (let time = 0; time < 20; time += 1) {
      expect((await app.call(getUser, {}, account.owner)).status).toBe(200);
    }
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(app.database.system);
    expect(rows[0]?.open).toBe(0);
    for (const socket of held) socket.destroy();
  });
});

describe('replies', () => {
  const ask = (path: string, encoding: string, cookie = '') =>
    fetch(app.url + path, { headers: { 'accept-encoding': encoding, cookie } });

  it('are compressed for clients that accept it, if they are long enough to be worth it', async () => {
    const taken = await ask('/api/openapi.json', 'gzip, deflate, br');
    expect(taken.headers.get('content-encoding')).toBe('gzip');
    expect(taken.headers.get('vary')).toBe('Accept-Encoding');
    const plain = await ask('/api/openapi.json', 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await taken.text()).toBe(await plain.text());
    expect((await ask('/api/openapi.json', 'gzip;q=0, br')).headers.get('content-encoding')).toBeNull();
    const key = await ask('/proxy/api/websocket/key', 'gzip', account.owner.cookie);
    expect([key.status, key.headers.get('content-encoding')]).toEqual([200, null]);
  });
});

it('the log line of a call has the trace ID that its proxy gave, and ignores invalid ones', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const ask = (traceparent: string) =>
    fetch(`${app.url}/proxy/public/login`, {
      method: 'POST',
      headers: { traceparent, 'content-type': 'application/json' },
      body: '{}',
    });
  const from = log.length;
  await ask(`00-${trace}-b7ad6b7169203331-01`);
  await ask('14235550143');
  const traces = () =>
    log
      .slice(from)
      .map((line) => JSON.parse(line))
      .filter(({ call }) => call === 'login')
      .map((line) => line.trace);
  await waitUntil(async () => traces().length === 2);
  expect(traces()).toEqual([trace, undefined]);
});
