import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asteriskCredentials, startSandbox, type TestSandbox } from '../testing/test-sandbox.ts';
import { endOfChannel, readVerdict } from './asterisk-words.ts';
import type { CallNews, CallProvider, CallStep, OutboundCall } from './calls.ts';
import { asteriskCalls, readWords } from './calls-asterisk.ts';
import { anyFlow, listenToAsterisk, type Step } from './testing/asterisk-ear.ts';

const from = '14235550100';
const password = asteriskCredentials.ASTERISK_PASSWORD;

type Ended = Extract<CallNews, { kind: 'ended' }>;

/** Muster's replies, the events it gets, and the server of the sounds. */
let answer: (step: Step) => CallStep[];
let listening: ReturnType<typeof listenToAsterisk>;
let server: Server;
let musterUrl: string;
let sandbox: TestSandbox;
let provider: CallProvider;

beforeEach(async () => {
  answer = () => [{ do: 'say', text: 'Hello' }, { do: 'hangUp' }];
  server = createServer((request, response) => {
    const [, , kind, first = '', second = ''] = (request.url ?? '').split('/');
    if (kind === 'words') {
      const said = readWords(password, first, second.replace(/\.ulaw\?pass=.*$/, ''));
      if (said === undefined) return response.writeHead(404).end();
      const words = said.language === 'en' ? said.words : `${said.language}: ${said.words}`;
      const name = `inline; filename*=UTF-8''${encodeURIComponent(words)}.ulaw`;
      response.writeHead(200, { 'content-type': 'audio/basic', 'content-disposition': name });
      return response.end(Buffer.alloc(16_000, 0x55));
    }
    if (kind !== 'silence') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'audio/basic' });
    return response.end(Buffer.alloc(Number.parseInt(first, 10) * 8000, 0xff));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  musterUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await startSandbox(musterUrl, { [from]: 'infobip' });
  await sandbox.control('PUT', '/settings', { CallSpeed: 100, CallStartsPerSecond: 1000 });
  listening = listenToAsterisk(
    { url: sandbox.url, user: asteriskCredentials.ASTERISK_USER, password, publicUrl: musterUrl },
    (step) => answer(step),
  );
  provider = listening.start();
});

afterEach(async () => {
  await listening.close();
  await sandbox.kill();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
});

const endOf = (key: string) =>
  listening.until(() =>
    listening.news.find((each): each is Ended => each.kind === 'ended' && each.key === key),
  );
const stepAt = (at: string) =>
  listening.until(() => listening.news.find((each): each is Step => each.kind === 'step' && each.at === at));

function call(to: string, over: Partial<OutboundCall> = {}): OutboundCall {
  return {
    key: `mu-${to}`,
    from,
    to: `1423555${to}`,
    ringSeconds: 25,
    detectMachine: true,
    flow: anyFlow,
    ...over,
  };
}

/** Placed as the engine does it: repeated until the connection is open. */
async function place(made: CallProvider, order: OutboundCall) {
  for (;;) {
    const placed = await made.place(order);
    if (placed.outcome !== 'later') return placed;
    await new Promise(setImmediate);
  }
}

async function heardBy(to: string): Promise<(string | undefined)[]> {
  const calls = await sandbox.control('GET', `/phones/423555${to}/calls`);
  const { Items } = (await calls.json()) as { Items: { Heard: { Text?: string }[] }[] };
  return Items.flatMap(({ Heard }) => Heard.map(({ Text }) => Text));
}

async function hears(to: string): Promise<void> {
  while ((await heardBy(to)).length === 0) await new Promise(setImmediate);
}

const question: CallStep = {
  do: 'ask',
  first: [{ do: 'say', text: 'Will your child ride the bus?' }],
  mostKeys: 2,
  waitSeconds: 6,
  next: 'keys',
};

describe('a call over your own trunk', () => {
  it('distinguishes people from machines, asks, hears keys and leaves messages', async () => {
    answer = ({ at, keys }) =>
      at === 'keys'
        ? [{ do: 'say', text: `You pressed ${keys}.` }, { do: 'hangUp' }]
        : at === 'voicemail'
          ? [
              { do: 'say', text: 'A message' },
              { do: 'go', next: 'left' },
            ]
          : at === 'left'
            ? [{ do: 'hangUp' }]
            : [question];
    expect(await place(provider, call('0151'))).toEqual({ outcome: 'placed', sid: 'mu-0151' });
    await provider.place(call('0145'));
    await provider.place(call('0133', { detectMachine: false }));
    expect(await endOf('mu-0151')).toMatchObject({ end: 'completed', sid: 'mu-0151' });
    expect(await heardBy('0151')).toEqual(['Will your child ride the bus?', 'You pressed *1.']);
    expect(
      listening.news
        .filter((each) => each.key === 'mu-0151')
        .map((each) => [each.kind, 'at' in each && each.at]),
    ).toEqual([
      ['machine', false],
      ['step', 'answered'],
      ['step', 'keys'],
      ['ended', expect.any(Date)],
    ]);
    await endOf('mu-0145');
    expect(await heardBy('0145')).toEqual(['A message']);
    expect(await endOf('mu-0133')).toMatchObject({ end: 'completed' });
    // Nobody pressed anything there.
    expect(await heardBy('0133')).toEqual(['Will your child ride the bus?', 'You pressed .']);
    expect(listening.warnings).toEqual([]);
  });

  it('speaks the language of the message', async () => {
    const optOut: CallStep = { do: 'say', text: 'To stop these calls, press 9.', languageId: 2 };
    answer = ({ at }) =>
      at === 'keys' ? [{ do: 'say', text: 'Goodbye.', languageId: 2 }] : [{ ...question, first: [optOut] }];
    await place(provider, call('0133', { detectMachine: false }));
    expect(await endOf('mu-0133')).toMatchObject({ end: 'completed' });
    expect(await heardBy('0133')).toEqual([
      'es: Para no recibir más estas llamadas, presione 9.',
      'es: Adiós.',
    ]);
  });

  it('transfers a call, and records', async () => {
    answer = ({ at, key }) => {
      if (at === 'answered' && key === 'mu-0101')
        return [
          { do: 'say', text: 'Please hold.' },
          { do: 'dial', to: '14235550111', callerId: from, ringSeconds: 25, next: 'transferred' },
        ];
      if (at === 'answered') return [{ do: 'record', mostSeconds: 120, next: 'recorded' }];
      return [{ do: 'hangUp' }];
    };
    await place(provider, call('0101', { detectMachine: false }));
    await provider.place(call('0102', { detectMachine: false }));
    expect((await stepAt('transferred')).dial).toMatchObject({ isBridged: true, status: 'completed' });
    await endOf('mu-0101');
    const other = await sandbox.control('GET', '/phones/4235550111/calls');
    expect(await other.json()).toMatchObject({ Items: [{ From: from, Result: 'Answered' }] });
    const { recording } = await stepAt('recorded');
    expect(recording?.seconds).toBeGreaterThan(1);
    const url = recording?.url ?? '';
    expect((await provider.fetchRecording(url, 1_000_000)).subarray(0, 4).toString()).toBe('RIFF');
    await expect(provider.fetchRecording('http://elsewhere.example/a', 1000)).rejects.toThrow('own host');
    await provider.deleteRecording(url);
    await expect(provider.fetchRecording(url, 1_000_000)).rejects.toThrow('404');
  });

  it('ends with our own status in every case, and is found by its key while it exists', async () => {
    const ends = {
      '0146': 'busy',
      '0147': 'no_answer',
      '0148': 'invalid',
      '0149': 'message_rejected',
      '0158': 'call_failed',
    };
    // Slow enough that it is still ringing when it is looked up.
    await sandbox.control('PUT', '/settings', { CallSpeed: 10 });
    for (const to of Object.keys(ends)) await place(provider, call(to));
    // The same key again is refused there: it already exists.
    expect(await provider.place(call('0147'))).toEqual({ outcome: 'placed', sid: 'mu-0147' });
    expect(await provider.look('mu-0147', '')).toMatchObject({ sid: 'mu-0147', state: 'ringing' });
    for (const [to, end] of Object.entries(ends)) expect(await endOf(`mu-${to}`)).toMatchObject({ end });
    expect(await provider.look('mu-0147', '')).toBeUndefined();
    expect(await sandbox.stats()).toMatchObject({ CallsPlaced: 5, CallsRepeated: 0 });
    expect(readVerdict('MACHINE', 'LONGGREETING-1500-1500')).toBe('machine');
    expect(readVerdict('MACHINE', 'INITIALSILENCE-2500-2500')).toBe('unknown');
    const told = { cause: 28, techCause: null, isUp: false, wasHungUp: false, failure: null };
    expect(endOfChannel(told)).toEqual({ end: 'invalid', error: 'cause 28' });
    expect(endOfChannel({ ...told, wasHungUp: true }).end).toBe('canceled');
  });

  it('starts no call without its events, and doubts only calls that may have been placed', async () => {
    await place(provider, call('0146'));
    await sandbox.faults({ Channel: 'calls', ResetAfterAccept: 1 });
    expect(await provider.place(call('0147'))).toMatchObject({ outcome: 'doubt' });
    await sandbox.faults({ ResetAfterAccept: 0, TooManyRequests: 1 });
    expect(await provider.place(call('0133'))).toMatchObject({ outcome: 'later' });
    await sandbox.faults({ TooManyRequests: 0 });
    const since = new Date();
    expect(await provider.find({ key: 'mu-0147', from, to: '', since, otherSids: [] })).toBeDefined();
    expect(await provider.find({ key: 'mu-0133', from, to: '', since, otherSids: [] })).toBeUndefined();
    expect(await provider.place(call('0134', { to: '1' }))).toMatchObject({ outcome: 'later' });
    const web = asteriskCalls({
      url: sandbox.url,
      user: 'x',
      password: 'y',
      app: 'muster',
      endpoint: '{number}',
      publicUrl: musterUrl,
    });
    expect(await web.place(call('0135'))).toMatchObject({ outcome: 'later' });
    await web.close();
    expect(await endOf('mu-0147')).toMatchObject({ end: 'no_answer' });
  });

  it('continues calls after the connection broke, and in another process', async () => {
    answer = ({ at, keys }) =>
      at === 'keys' ? [{ do: 'say', text: `Key ${keys}` }, { do: 'hangUp' }] : [question];
    await sandbox.control('PUT', '/settings', { CallSpeed: 20 });
    await place(provider, call('0133', { detectMachine: false }));
    await hears('0133');
    // The connection is cut during the question; the first process reopens it.
    await sandbox.faults({ Channel: 'calls', Outage: true });
    await provider.look('mu-0133', '').catch(() => undefined);
    await sandbox.faults({ Outage: false });
    expect(await endOf('mu-0133')).toMatchObject({ end: 'completed' });
    expect(await heardBy('0133')).toEqual(['Will your child ride the bus?', 'Key ']);
    listening.news.length = 0;
    await place(provider, call('0134', { detectMachine: false }));
    await hears('0134');
    await provider.close();
    const next = listening.start();
    expect(await endOf('mu-0134')).toMatchObject({ end: 'completed', sid: 'mu-0134' });
    expect(listening.news.filter(({ kind }) => kind === 'step')).toHaveLength(2);
    expect(await heardBy('0134')).toEqual(['Will your child ride the bus?', 'Key ']);
    expect(await next.look('mu-0134', '')).toBeUndefined();
  });

  it('counts as failed when the sound is unavailable', async () => {
    answer = () => [{ do: 'play', url: `${musterUrl}/media/audio/1/none.wav` }, { do: 'hangUp' }];
    await place(provider, call('0133', { detectMachine: false }));
    expect(await endOf('mu-0133')).toMatchObject({
      end: 'call_failed',
      error: 'Asterisk could not fetch the sound.',
    });
  });
});
