/**
 * One text makes the round trip: a POST by one user, the text on the handset, the answer typed there,
 * and the answer on the screen of another user's browser. Beside it, the same answer seen by a bare
 * socket: what the page itself adds.
 *
 *   node bench/round-trip.ts [trips]
 */
import type { Page } from '@playwright/test';
import { io } from 'socket.io-client';
import { eventName } from '../contract/socket.ts';
import { build, webBuild } from '../scripts/build.ts';
import { loadDemo } from '../server/demo/load-demo.ts';
import { type Bench, percentile, report, startBench } from './harness.ts';
import { launchBrowser, openThread, phone } from './thread-page.ts';

const trips = Number(process.argv[2] ?? 500);
const number = '14235550100';

const bench = await startBench({ port: 4220, numbers: { [number]: 'infobip' } });
const browser = await launchBrowser();
try {
  await loadDemo(bench.databaseUrl, bench.dataDir);
  await bench.sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false });
  await build(webBuild);
  await bench.startServer({ WEB_DIR: webBuild.outDir });
  const owner = await signIn('demo-owner');
  const conversationId = await findConversation(owner);
  const page = await openThread(browser, bench);
  const socketSaw = await openSocket(owner);

  const there: number[] = [];
  const whole: number[] = [];
  const bare: number[] = [];
  // The first ones warm up the compilers on both sides.
  for (let trip = -10; trip < trips; trip += 1) {
    const { out, back, heard } = await roundTrip(page, owner, { conversationId, trip: trip + 10, socketSaw });
    if (trip < 0) continue;
    there.push(out);
    whole.push(out + back);
    bare.push(out + heard);
  }
  const line = (name: string, values: number[]) =>
    console.log(
      `${name}: p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`,
    );
  line('POST to handset', there);
  line('POST to handset and back to a bare socket', bare);
  line('POST to handset and back to the other screen', whole);
  process.exitCode = report('round trip, p95', percentile(whole, 0.95), { most: 250 }, 'ms') ? 0 : 1;
} finally {
  await browser.close();
  await bench.close();
}

async function signIn(UserName: string): Promise<string> {
  const answer = await post('/proxy/public/login', { UserName, Password: 'muster-demo-1' });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

function post(path: string, body: object, cookie = ''): Promise<Response> {
  return fetch(bench.serverUrl + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie },
  });
}

async function findConversation(cookie: string): Promise<number> {
  const answer = await fetch(`${bench.serverUrl}/proxy/api/conversations?q=${phone.slice(1)}`, {
    headers: { cookie },
  });
  const { Items } = (await answer.json()) as { Items: { ConversationID: number }[] };
  return Items[0]?.ConversationID ?? 0;
}

/** A socket without a page: resolves at the next event after it was asked. */
async function openSocket(cookie: string): Promise<() => Promise<number>> {
  const answer = await fetch(`${bench.serverUrl}/proxy/api/websocket/key`, { headers: { cookie } });
  const { Key } = (await answer.json()) as { Key: string };
  // Without reconnection: it would look for the server forever when all is over.
  const socket = io(bench.serverUrl, { auth: { key: Key }, transports: ['websocket'], reconnection: false });
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
  return () =>
    new Promise((resolve) => {
      const hear = (events: { type: string }[]) => {
        if (!events.some(({ type }) => type === 'conversation.changed')) return;
        socket.off(eventName, hear);
        resolve(Date.now());
      };
      socket.on(eventName, hear);
    });
}

async function roundTrip(
  page: Page,
  cookie: string,
  {
    conversationId,
    trip,
    socketSaw,
  }: { conversationId: number; trip: number; socketSaw: () => Promise<number> },
): Promise<{ out: number; back: number; heard: number }> {
  const Message = `question-${trip}`;
  const start = Date.now();
  await post(`/proxy/api/conversations/${conversationId}/textmessages`, { Message }, cookie);
  const arrived = await untilOnHandset(bench, Message);
  // Nobody types an answer in less than half a second; by then the page has shown the question's own states.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answerText = `answer-${trip}-end`;
  const heardAt = socketSaw();
  const answered = Date.now();
  await bench.sandbox('POST', `/phones/${phone}/messages`, { To: number, Text: answerText });
  const seen = await page.waitForFunction(
    (text) => (window as unknown as { seen: Record<string, number> }).seen[text],
    answerText,
    { polling: 20, timeout: 20_000 },
  );
  return {
    out: arrived - start,
    back: ((await seen.jsonValue()) ?? 0) - answered,
    heard: (await heardAt) - answered,
  };
}

async function untilOnHandset({ sandbox }: Bench, text: string): Promise<number> {
  for (;;) {
    const { Items } = (await sandbox('GET', `/phones/${phone}/messages`)) as {
      Items: { Text: string; At: string }[];
    };
    const found = Items.findLast((item) => item.Text === text);
    if (found) return Date.parse(found.At);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
