/** Against an SMSC that others wrote: Debian's libnet-smpp-perl. Skipped where it isn't installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { closeAtEnd } from '../testing/closers.ts';
import { freePort } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';
import type { CarrierEar, CarrierId, InboundText, NamedReceipt } from './carrier.ts';
import { smppCarrier } from './carrier-smpp.ts';

const hasPerl = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0;
if (!hasPerl) console.info('libnet-smpp-perl is not installed: SMPP is only tried against the sandbox.');

it.skipIf(!hasPerl)('binds, sends texts in parts, and hears receipts and texts', async () => {
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

  const ids: CarrierId[] = [];
  const receipts: NamedReceipt[] = [];
  const texts: InboundText[] = [];
  const ear: CarrierEar = {
    keepIds: async (kept) => void ids.push(...kept),
    findIds: async () => new Map(),
    takeReceipts: async (taken) => void receipts.push(...taken),
    takeInbound: async (taken) => void texts.push(...taken),
    warn: () => undefined,
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
    idForm: 'hex',
    errorCodes: new Map(),
  });
  closeAtEnd(() => carrier.close());
  carrier.listen?.(ear);
  const long = `${'a'.repeat(160)}é€`;
  const handed = await carrier.hand([
    { key: 'mu-1-1-a', from: '14235550100', to: '16155550111', body: 'Hello @ 5 €', mediaUrls: [] },
    { key: 'mu-1-2-b', from: '14235550100', to: '16155550112', body: long, mediaUrls: [] },
    { key: 'mu-1-3-c', from: '14235550100', to: '16155550113', body: '“Zoë” 😀', mediaUrls: [] },
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

  // It answers in hexadecimal and reports in decimal, as some do.
  expect(receipts.map((receipt) => receipt.carrierMessageId).toSorted()).toEqual(
    ids.map((id) => id.carrierMessageId).toSorted(),
  );
  expect(receipts.every(({ status }) => status === 'delivered')).toBe(true);
  expect(texts).toMatchObject([{ from: '16155553344', to: '14235550100', body: 'Thanks 1 €' }]);
});
