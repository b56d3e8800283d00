import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { closeAtEnd } from '../../testing/closers.ts';
import { freePort } from '../../testing/test-sandbox.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** Kannel's own fake SMSC, which it uses for its own tests. It doesn't support transceivers. */
const standIn = '/usr/lib/kannel/test/drive_smpp';
const isThere = (program: string) => spawnSync('test', ['-x', program]).status === 0;

/** Debian's kannel-extras, and kannel. */
export const hasStandIn = isThere(standIn);
export const hasKannel = isThere('/usr/sbin/bearerbox') && isThere('/usr/sbin/smsbox');

function endAtEnd(child: ChildProcess): void {
  closeAtEnd(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
}

/** Kannel's SMSC, with this many inbound texts to deliver; `lines` is its log. */
export async function startStandIn(port: number, texts: number): Promise<{ lines: string[] }> {
  // It also simulates the other side of a gateway, and gives up if nobody connects.
  const gateway = createServer().listen(13_001, '127.0.0.1');
  gateway.on('error', () => undefined);
  closeAtEnd(async () => {
    gateway.closeAllConnections();
    gateway.close();
  });
  const child = spawn(standIn, ['-v', '0', '-p', String(port), '-m', String(texts)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  endAtEnd(child);
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line.replace(/^.*?\] [A-Z]+: /, '')));
  await waitUntil(async () => lines.some((line) => line.includes('accept_thread')));
  return { lines };
}

interface Kannel {
  /** Sends a text by Kannel; its receipts arrive in `receipts`, by the name. */
  send(text: { from: string; to: string; body: string; name: string }): Promise<void>;
  receipts: { name: string; kind: string }[];
  texts: { from: string; to: string; body: string }[];
}

/** Kannel as the sender of texts: its gateway and its HTTP side, bound to an SMSC. */
export async function startKannel(
  smppUrl: string,
  who: { systemId: string; password: string },
): Promise<Kannel> {
  const receipts: Kannel['receipts'] = [];
  const texts: Kannel['texts'] = [];
  const hears = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://kannel');
    const word = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/receipt') receipts.push({ name: word('name'), kind: word('kind') });
    else texts.push({ from: word('from'), to: word('to'), body: word('body') });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(hears, 'listening');
  closeAtEnd(async () => {
    hears.closeAllConnections();
    hears.close();
  });
  const here = `http://127.0.0.1:${(hears.address() as AddressInfo).port}`;
  const [admin, boxes, sends] = [await freePort(), await freePort(), await freePort()];
  const { hostname, port } = new URL(smppUrl);
  const folder = await mkdtemp(join(tmpdir(), 'muster-kannel-'));
  closeAtEnd(() => rm(folder, { recursive: true }));
  const file = join(folder, 'kannel.conf');
  await writeFile(file, configure({ admin, boxes, sends, hostname, port, here, ...who }));
  const start = async (program: string, waitPort: number) => {
    endAtEnd(spawn(program, ['-v', '4', file], { stdio: 'ignore', cwd: folder }));
    await waitUntil(() => isListening(waitPort));
  };
  await start('/usr/sbin/bearerbox', admin);
  await start('/usr/sbin/smsbox', sends);
  await waitUntil(async () => {
    const answer = await fetch(`http://127.0.0.1:${admin}/status.txt?password=muster`);
    return /\(online \d+s/.test(await answer.text());
  });
  return {
    receipts,
    texts,
    async send({ from, to, body, name }) {
      // 1: delivered, 2: not delivered.
      const receiptUrl = `${here}/receipt?name=${name}&kind=%d`;
      const query = new URLSearchParams({
        ...{ username: 'muster', password: 'muster', from: `+${from}`, to: `+${to}` },
        ...{ text: body, charset: 'UTF-8', coding: /^[\x20-\x7e]*$/.test(body) ? '0' : '2' },
        ...{ 'dlr-mask': '3', 'dlr-url': receiptUrl },
      });
      const answer = await fetch(`http://127.0.0.1:${sends}/cgi-bin/sendsms?${query}`);
      if (answer.status !== 202) throw new Error(`Kannel: ${answer.status} ${await answer.text()}`);
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function configure(given: {
  admin: number;
  boxes: number;
  sends: number;
  hostname: string;
  port: string;
  here: string;
  systemId: string;
  password: string;
}): string {
  const groups = [
    {
      group: 'core',
      'admin-port': given.admin,
      'admin-password': 'muster',
      'smsbox-port': given.boxes,
      'box-allow-ip': '127.0.0.1',
      'dlr-storage': 'internal',
    },
    {
      group: 'smsc',
      smsc: 'smpp',
      'smsc-id': 'peer',
      host: given.hostname,
      port: given.port,
      'transceiver-mode': 'true',
      'smsc-username': given.systemId,
      'smsc-password': given.password,
      'system-type': '""',
      'max-pending-submits': 10,
      'reconnect-delay': 1,
    },
    { group: 'smsbox', 'bearerbox-host': '127.0.0.1', 'sendsms-port': given.sends },
    {
      group: 'sendsms-user',
      username: 'muster',
      password: 'muster',
      'max-messages': 5,
      concatenation: 'true',
    },
    {
      group: 'sms-service',
      keyword: 'default',
      'get-url': `"${given.here}/text?from=%p&to=%P&body=%b"`,
      'max-messages': 0,
      'catch-all': 'true',
    },
  ];
  return groups
    .map((group) =>
      Object.entries(group)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    )
    .join('\n');
}
