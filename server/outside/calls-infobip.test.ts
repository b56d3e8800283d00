import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type TestSandbox, testCredentials } from '../testing/test-sandbox.ts';
import {
  type CallFlow,
  type CallNews,
  type CallProvider,
  type CallStep,
  mostTransferSeconds,
  type OutboundCall,
} from './calls.ts';
import { infobipCalls } from './calls-infobip.ts';
import { HookRefused } from './carrier.ts';
import { writeAnswer, writeScript } from './infobip-script.ts';
import { checkEveryRequest, expectPublished } from './testing/published.ts';

const from = '14235550100';
const flow: CallFlow = {
  kind: 'survey',
  liveUrl: null,
  voicemailUrl: null,
  mayOptOut: true,
  answerKeys: null,
  languageId: 1,
  transfer: null,
  isCallback: false,
  words: '',
};

/** A small model of Muster: replies to steps as the test defines, and records the events. */
let news: CallNews[];
let answer: (step: Extract<CallNews, { kind: 'step' }>) => CallStep[];
let waiting: Set<() => void>;
let server: Server;
let sandbox: TestSandbox;
let provider: CallProvider;

beforeEach(async () => {
  news = [];
  waiting = new Set();
  answer = () => [{ do: 'say', text: 'Hello' }, { do: 'hangUp' }];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = `${musterUrl}${request.url}`;
    const secret = decodeURIComponent(new URL(url).pathname.split('/')[4] ?? '');
    const hook = { url, secret, query: {}, headers: request.headers, body: Buffer.concat(chunks) };
    let said = provider.hookReply;
    for (const each of provider.readHook(hook)) {
      if (each.kind === 'step') said = provider.writeSteps(answer(each), each.key);
      news.push(each);
    }
    response.writeHead(200, { 'content-type': said.contentType }).end(said.body);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const musterUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await startSandbox(musterUrl, { [from]: 'infobip' });
  await sandbox.control('PUT', '/settings', { CallSpeed: 100, CallStartsPerSecond: 1000 });
  provider = infobipCalls({
    baseUrl: sandbox.url,
    apiKey: testCredentials.INFOBIP_API_KEY,
    webhookSecret: testCredentials.INFOBIP_WEBHOOK_SECRET,
    publicUrl: musterUrl,
  });
});

afterEach(async () => {
  await provider.close();
  await sandbox.kill();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
});

function call(to: string, over: Partial<OutboundCall> = {}): OutboundCall {
  return { key: `mu-${to}`, from, to: `1423555${to}`, ringSeconds: 25, detectMachine: true, flow, ...over };
}

/** The event of the call's end. */
function endOf(key: string): Promise<Extract<CallNews, { kind: 'ended' }>> {
  return new Promise((resolve) => {
    const look = () => {
      const found = news.find((each) => each.kind === 'ended' && each.key === key);
      if (found?.kind !== 'ended') return;
      waiting.delete(look);
      resolve(found);
    };
    waiting.add(look);
    look();
  });
}

async function heardBy(to: string): Promise<(string | undefined)[]> {
  const calls = await sandbox.control('GET', `/phones/423555${to}/calls`);
  const { Items } = (await calls.json()) as { Items: { Heard: { Text?: string }[] }[] };
  return Items.flatMap(({ Heard }) => Heard.map(({ Text }) => Text));
}

describe('a call by scenario', () => {
  it('asks for every step, reports the pressed keys, and is reported', async () => {
    answer = ({ at, keys }) =>
      at === 'keys'
        ? [{ do: 'say', text: `You pressed ${keys}.` }, { do: 'hangUp' }]
        : [
            {
              do: 'ask',
              first: [{ do: 'say', text: 'Will your child ride the bus?' }],
              mostKeys: 2,
              waitSeconds: 6,
              next: 'keys',
            },
          ];
    expect(await provider.place(call('0151'))).toEqual({ outcome: 'placed', sid: 'mu-0151' });
    expect(await endOf('mu-0151')).toMatchObject({ end: 'completed', answeredBy: 'human', sid: 'mu-0151' });
    expect(await heardBy('0151')).toEqual(['Will your child ride the bus?', 'You pressed *1.']);
    const steps = news.filter((each) => each.kind === 'step');
    expect(steps).toMatchObject([
      { at: 'answered', keys: '', key: 'mu-0151' },
      { at: 'keys', keys: '*1', key: 'mu-0151' },
    ]);
    expect(await provider.look('mu-0151', 'mu-0151')).toMatchObject({
      state: 'completed',
      answeredBy: 'human',
    });
  });

  it('asks for the voicemail message after the beep', async () => {
    answer = ({ at }) => [{ do: 'say', text: `For ${at}` }, { do: 'hangUp' }];
    await provider.place(call('0145'));
    expect(await endOf('mu-0145')).toMatchObject({ end: 'completed', answeredBy: 'machine' });
    expect(await heardBy('0145')).toEqual(['For voicemail']);
  });

  it('transfers, waits and asks again', async () => {
    answer = ({ at }) =>
      at === 'waited'
        ? [
            { do: 'say', text: 'Please hold.' },
            { do: 'dial', to: '14235550111', callerId: from, ringSeconds: 25, next: 'transferred' },
          ]
        : [
            { do: 'say', text: 'All lines are busy.' },
            { do: 'pause', seconds: 15 },
            { do: 'go', next: 'waited' },
          ];
    await provider.place(call('0133'));
    const { seconds } = await endOf('mu-0133');
    expect(seconds).toBeGreaterThan(30);
    expect(await heardBy('0133')).toEqual(['All lines are busy.', 'Please hold.']);
    const other = await sandbox.control('GET', '/phones/4235550111/calls');
    expect(await other.json()).toMatchObject({ Items: [{ From: from, Result: 'Answered' }] });
  });

  it('ends with our own status in every case', async () => {
    const ends = {
      '0146': 'busy',
      '0147': 'no_answer',
      '0148': 'invalid',
      '0149': 'message_rejected',
      '0158': 'call_failed',
    };
    const placed = await Promise.all(Object.keys(ends).map((to) => provider.place(call(to))));
    expect(placed.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'placed'));
    for (const [to, end] of Object.entries(ends)) {
      expect(await endOf(`mu-${to}`)).toMatchObject({ end, answeredBy: null });
    }
    // All of them went in one request, with one scenario.
    const logs = await fetch(`${sandbox.url}/tts/3/logs?limit=100`, {
      headers: { authorization: `App ${testCredentials.INFOBIP_API_KEY}` },
    });
    const { results } = (await logs.json()) as { results: { bulkId: string }[] };
    expect(new Set(results.map(({ bulkId }) => bulkId)).size).toBe(1);
  });
});

it('reads the network’s do-not-call list as Do Not Call', () => {
  const url = 'https://muster.example/hooks/infobip/call/x';
  const results = [{ messageId: 'mu-1', status: { id: 10, groupName: 'REJECTED', name: 'REJECTED_DND' } }];
  const hook = {
    ...{ url, query: {}, headers: {}, secret: testCredentials.INFOBIP_WEBHOOK_SECRET },
    body: Buffer.from(JSON.stringify({ results })),
  };
  expect(provider.readHook(hook)).toMatchObject([{ kind: 'ended', end: 'do_not_call' }]);
});

describe('refused, late or lost calls', () => {
  it('distinguishes a wrong number from a wrong sender', async () => {
    expect(await provider.place(call('1', { to: '1' }))).toMatchObject({
      outcome: 'refused',
      result: 'invalid',
    });
    expect(await provider.place(call('0133', { from: '14235550666' }))).toEqual({
      outcome: 'fault',
      reason: 'The provider doesn’t accept this caller ID.',
    });
    const recording = call('0133', { flow: { ...flow, kind: 'record' } });
    expect(await provider.place(recording)).toMatchObject({ outcome: 'refused', result: 'call_failed' });
    expect(await sandbox.stats()).toMatchObject({ CallsPlaced: 0 });
  });

  it('finds a call in doubt, and doesn’t find one that was never placed', async () => {
    // The scenario first, so that the fault affects the call.
    await provider.place(call('0146'));
    await sandbox.faults({ Channel: 'calls', ResetAfterAccept: 1 });
    expect(await provider.place(call('0147'))).toMatchObject({ outcome: 'doubt' });
    await sandbox.faults({ ResetAfterAccept: 0, ServerError: 1 });
    expect(await provider.place(call('0133'))).toMatchObject({ outcome: 'doubt' });
    await sandbox.faults({ ServerError: 0, TooManyRequests: 1, RetryAfterSeconds: 7 });
    expect(await provider.place(call('0134'))).toMatchObject({ outcome: 'later', afterMs: 7000 });
    await sandbox.faults({ TooManyRequests: 0 });
    const doubtful = (to: string) => ({ key: `mu-${to}`, from, to, since: new Date(), otherSids: [] });
    expect(await provider.find(doubtful('0147'))).toMatchObject({ sid: 'mu-0147' });
    expect(await provider.find(doubtful('0133'))).toBeUndefined();
    expect(await endOf('mu-0147')).toMatchObject({ end: 'no_answer' });
    expect(await sandbox.stats()).toMatchObject({ CallsPlaced: 2, CallsRepeated: 0 });
  });

  it('creates its scenario again when it was deleted there', async () => {
    await provider.place(call('0146'));
    const headers = { authorization: `App ${testCredentials.INFOBIP_API_KEY}` };
    const list = async () =>
      (await (await fetch(`${sandbox.url}/voice/ivr/1/scenarios`, { headers })).json()) as { id: string }[];
    const [scenario] = await list();
    await fetch(`${sandbox.url}/voice/ivr/1/scenarios/${scenario?.id}`, { method: 'DELETE', headers });
    await provider.place(call('0147'));
    expect(await provider.place(call('0148'))).toMatchObject({ outcome: 'placed' });
    expect(await list()).toHaveLength(1);
  });

  it('accepts no webhook without the secret', () => {
    const hook = {
      url: 'http://muster.example/hooks/infobip/call/x',
      query: {},
      headers: {},
      body: Buffer.from('{"results":[]}'),
    };
    expect(() => provider.readHook({ ...hook, secret: 'x' })).toThrow(HookRefused);
    const secret = testCredentials.INFOBIP_WEBHOOK_SECRET;
    expect(provider.readHook({ ...hook, secret })).toEqual([]);
    expect(() => provider.readHook({ ...hook, secret, body: Buffer.from('nonsense') })).toThrow(HookRefused);
    const odd = Buffer.from('{"results":[1,{"messageId":"k","status":{"id":26,"groupName":"PENDING"}}]}');
    expect(provider.readHook({ ...hook, secret, body: odd })).toMatchObject([{ kind: 'progress', key: 'k' }]);
  });
});

describe('the scenario', () => {
  it('is valid by Infobip’s description', () => {
    for (const detectMachine of [true, false]) {
      const script = writeScript('https://muster.example/hooks/infobip/voice/secret', detectMachine);
      expectPublished('infobip-voice.json', 'UpdateScenarioRequest', { name: 'Muster', script });
    }
  });

  it('lets no transfer hold its line without a limit', () => {
    const script = JSON.stringify(writeScript('https://muster.example/hooks/infobip/voice/secret', true));
    expect(script).toContain(`"maxCallDuration":${mostTransferSeconds}`);
  });
});

checkEveryRequest();

describe('steps as variables', () => {
  it('sets all of them, and does nothing after the end', () => {
    const written = writeAnswer([{ do: 'hangUp' }, { do: 'say', text: 'never' }]);
    expect(written).toMatchObject({ after: 'hangup', do1: 'none', what1: '', do8: 'none', keys: '' });
    const pause = writeAnswer([
      { do: 'pause', seconds: 7 },
      { do: 'play', url: 'https://x/a.wav' },
    ]);
    expect([pause.do1, pause.do2, pause.do3, pause.do4]).toEqual(['pause5', 'pause1', 'pause1', 'play']);
    const spanish = writeAnswer([{ do: 'say', text: 'To stop these calls, press 9.', languageId: 2 }]);
    expect([spanish.do1, spanish.what1]).toEqual([
      'say_es',
      'Para no recibir más estas llamadas, presione 9.',
    ]);
  });
});
