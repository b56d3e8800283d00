/**
 * Tests with other SMSCs: Debian's libnet-smpp-perl, and Kannel's own fake SMSC (kannel-extras). Also the
 * sandbox's SMSC with Kannel itself. Each is skipped where it isn't installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { closeAtEnd } from '../testing/closers.ts';
import { freePort, smppCredentials, startSandbox } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';
import type { CarrierEar, CarrierId, InboundText, NamedReceipt, OutboundText } from './carrier.ts';
import { smppCarrier } from './carrier-smpp.ts';
import { hasKannel, hasStandIn, startKannel, startStandIn } from './testing/kannel.ts';

const hasPerl = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0;
const missing = Object.entries({
  'libnet-smpp-perl': hasPerl,
  'kannel-extras': hasStandIn,
  kannel: hasKannel,
});
for (const [name, isThere] of missing)
  if (!isThere) console.info(`${name} is not installed: SMPP is not tried against it.`);

/** Our side, bound to a port, with everything that it receives. */
function bindTo(port: number, settings: { idForm?: 'same' | 'hex'; connections?: 'one' | 'two' } = {}) {
  const heard = {
    ids: [] as CarrierId[],
    receipts: [] as NamedReceipt[],
    texts: [] as InboundText[],
    warnings: [] as string[],
  };
  const ear: CarrierEar = {
    keepIds: async (kept) => void heard.ids.push(...kept),
    findIds: async () => new Map(),
    takeReceipts: async (taken) => void heard.receipts.push(...taken),
    takeInbound: async (taken) => void heard.texts.push(...taken),
    trust: async () => false,
    warn: (_facts, sentence) => void heard.warnings.push(sentence),
  };
  const carrier = smppCarrier({
    url: `smpp://127.0.0.1:${port}`,
    systemId: 'muster',
    password: 'secret',
    systemType: '',
    window: 10,
    perSecond: undefined,
    enquireSeconds: 1,
    longTexts: 'parts',
    idForm: 'same',
    errorCodes: new Map(),
    ...settings,
  });
  closeAtEnd(() => carrier.close());
  carrier.listen?.(ear);
  return { carrier, ...heard };
}

let count = 0;
function text(to: string, body: string): OutboundText {
  count += 1;
  return { key: `mu-1-${count}-a`, from: '14235550100', to, body, mediaUrls: [] };
}

it.skipIf(!hasPerl)('binds, sends texts in parts, and receives receipts and texts', async () => {
  const port = await freePort();
  const child = spawn('perl', [join(import.meta.dirname, 'testing/smsc.pl'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closeAtEnd(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await waitUntil(async () => lines.includes('ready'));

  const { carrier, ids, receipts, texts, warnings } = bindTo(port, { idForm: 'hex' });
  const long = `${'a'.repeat(160)}é€`;
  const handed = await carrier.hand([
    text('16155550111', 'Hello @ 5 €'),
    text('16155550112', long),
    text('16155550113', '“Zoë” 😀'),
  ]);
  expect(handed.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
  await waitUntil(async () => receipts.length === 4 && texts.length === 1);

  await waitUntil(async () => lines.filter((line) => /^answered \d+ 0$/.test(line)).length === 5);
  expect(lines).toContain('bind muster secret');
  const submitted = lines.filter((line) => line.startsWith('submit '));
  expect(submitted).toContain(`submit 14235550100 16155550111 0 0 1 48656c6c6f20002035201b65`);
  expect(submitted).toContain(
    `submit 14235550100 16155550113 0 8 1 ${Buffer.from('“Zoë” 😀', 'utf16le').swap16().toString('hex')}`,
  );
  const parts = submitted.filter((line) => line.includes('16155550112'));
  expect(parts).toHaveLength(2);
  expect(parts[0]).toMatch(new RegExp(`16155550112 64 0 1 050003..0201${'61'.repeat(153)}$`));
  expect(parts[1]).toMatch(/16155550112 64 0 1 050003..0202(61){7}051b65$/);

  // It responds in hexadecimal and reports in decimal, as some do.
  expect(receipts.map((receipt) => receipt.carrierMessageId).toSorted()).toEqual(
    ids.map((id) => id.carrierMessageId).toSorted(),
  );
  expect(receipts.every(({ status }) => status === 'delivered')).toBe(true);
  expect(texts).toMatchObject([{ from: '16155553344', to: '14235550100', body: 'Thanks 1 €' }]);

  // No more in progress than the window allows, and no fewer.
  const many = Array.from({ length: 25 }, (_, index) => text(`161555502${10 + index}`, 'Many'));
  expect((await carrier.hand(many)).every(({ outcome }) => outcome === 'accepted')).toBe(true);
  const windows = lines.filter((line) => line.startsWith('window ')).map((line) => Number(line.slice(7)));
  expect(Math.max(...windows)).toBe(10);

  // It closes in the middle of a window: texts in progress are in doubt, and the next ones use a new
  // connection.
  const cut = await carrier.hand([text('16155550114', 'close'), text('16155550115', 'After')]);
  expect(cut.map(({ outcome }) => outcome)).toEqual(['doubt', 'doubt']);
  expect(warnings).toEqual(['the connection to the SMPP carrier is lost; it is opened again']);
  await waitUntil(
    async () => (await carrier.hand([text('16155550116', 'Again')]))[0]?.outcome === 'accepted',
  );
  expect(lines.filter((line) => line.startsWith('bind '))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('16155550114'))).toHaveLength(1);
  await waitUntil(async () => receipts.length === 30);
});

it.skipIf(!hasStandIn)('binds twice to Kannel’s SMSC, which doesn’t support transceivers', async () => {
  const port = await freePort();
  const { lines } = await startStandIn(port, 3);
  const { carrier, ids, texts } = bindTo(port, { connections: 'two' });
  await waitUntil(async () => texts.length === 3);
  expect(texts.map(({ from, to, body }) => [from, to, body])).toEqual([
    ['456', '123', '1'],
    ['456', '123', '2'],
    ['456', '123', '3'],
  ]);
  const handed = await carrier.hand([
    text('16155550111', 'Plain words'),
    text('16155550112', 'a'.repeat(200)),
  ]);
  expect(handed.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
  expect(ids.map(({ part, parts }) => [part, parts])).toEqual([
    [1, 1],
    [1, 2],
    [2, 2],
  ]);
  expect(carrier.problem?.()).toBeUndefined();
  await carrier.close();
  // It ends when both have unbound, and prints what it received.
  await waitUntil(async () => lines.some((line) => line.startsWith('Number of messages sent to SMSC')));
  expect(lines).toContain('submit_sm: short_message = <Plain words>');
  expect(lines).toContain('Number of messages sent to SMSC: 3');
  expect(lines.filter((line) => /type deliver_sm_resp$/.test(line))).toHaveLength(3);
  expect(lines.filter((line) => /garbage|Unhandled/.test(line))).toEqual([]);
});

it.skipIf(!hasKannel)('the sandbox’s SMSC serves Kannel', { timeout: 30_000 }, async () => {
  const number = '14235550100';
  const sandbox = await startSandbox('http://127.0.0.1:1', { [number]: 'smpp' });
  closeAtEnd(() => sandbox.kill());
  const { SMPP_SYSTEM_ID: systemId, SMPP_PASSWORD: password } = smppCredentials;
  const kannel = await startKannel(sandbox.smppUrl, { systemId, password });
  const long = `${'Snow day today, school begins at ten. '.repeat(6)}The end`;
  const phone = '16155550121';
  await kannel.send({ from: number, to: phone, body: long, name: 'long' });
  await kannel.send({ from: number, to: phone, body: 'Café “Zoë” 😀', name: 'wide' });
  await kannel.send({ from: number, to: '14235550186', body: 'Nobody is there', name: 'unreachable' });
  await waitUntil(async () => new Set(kannel.receipts.map(({ name }) => name)).size === 3);
  expect((await sandbox.messages(phone)).map((one) => one.Text).sort()).toEqual(['Café “Zoë” 😀', long]);
  expect(new Set(kannel.receipts.map(({ name, kind }) => `${name} ${kind}`))).toEqual(
    new Set(['long 1', 'wide 1', 'unreachable 2']),
  );
  await sandbox.text(phone, number, long);
  await waitUntil(async () => kannel.texts.length === 1);
  expect(kannel.texts).toEqual([{ from: `+${phone}`, to: `+${number}`, body: long }]);
});
