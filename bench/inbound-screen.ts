/**
 * Inbound texts on the screen: webhooks in Infobip's form, a hundred a second from two hundred telephones,
 * while somebody has the inbox open in a browser. Every fiftieth belongs to the open thread: measured from
 * its webhook until it is shown there. Then the same without the other texts, for comparison.
 *
 *   node bench/inbound-screen.ts [seconds] [texts a second]
 */
import type { Page } from '@playwright/test';
import { build, webBuild } from '../scripts/build.ts';
import { loadDemo } from '../server/demo/load-demo.ts';
import { credentials, percentile, report, startBench } from './harness.ts';
import { launchBrowser, openThread, phone, seenTexts } from './thread-page.ts';

const seconds = Number(process.argv[2] ?? 30);
const perSecond = Number(process.argv[3] ?? 100);
const number = '14235550100';
/** One in this many texts belongs to the open thread. */
const every = 50;
const others = 200;

const bench = await startBench({ port: 4230, numbers: { [number]: 'infobip' } });
const browser = await launchBrowser();
try {
  await loadDemo(bench.databaseUrl, bench.dataDir);
  await bench.sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false });
  await build(webBuild);
  await bench.startServer({ WEB_DIR: webBuild.outDir });
  const page = await openThread(browser, bench);
  // The first ones warm up the compilers on both sides.
  await send(page, { name: 'warm', seconds: 3, perSecond, every });
  const alone = await send(page, { name: 'alone', seconds, perSecond: perSecond / every, every: 1 });
  const among = await send(page, { name: 'among', seconds, perSecond, every });
  const line = (name: string, { shown }: Sent) =>
    console.log(
      `${name}: p50 ${percentile(shown, 0.5).toFixed(1)} ms, p95 ${percentile(shown, 0.95).toFixed(1)} ms`,
    );
  line(`${perSecond / every} a second, all in one thread`, alone);
  line(`${perSecond} a second, ${perSecond / every} of them in it`, among);
  const holds = [
    report(
      `webhook to another screen at ${perSecond} a second, p95`,
      percentile(among.shown, 0.95),
      { most: 200 },
      'ms',
    ),
    report('texts that never showed', among.missing, { most: 0 }, 'texts'),
    report('webhooks refused', among.refused, { most: 0 }, 'requests'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await bench.close();
}

interface Sent {
  /** Milliseconds from a text's webhook until it was shown in the thread. */
  shown: number[];
  missing: number;
  refused: number;
}

/** At the rate, whether the server keeps up or not. */
async function send(
  page: Page,
  how: { name: string; seconds: number; perSecond: number; every: number },
): Promise<Sent> {
  const url = `${bench.serverUrl}/hooks/infobip/inbound/${credentials.INFOBIP_WEBHOOK_SECRET}`;
  const sentAt = new Map<string, number>();
  const underWay: Promise<void>[] = [];
  let refused = 0;
  const post = async (from: string, text: string, key: string) => {
    const receivedAt = new Date().toISOString().replace('Z', '+0000');
    const results = [{ messageId: key, from, to: number, text, receivedAt }];
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ results, messageCount: 1, pendingMessageCount: 0 }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) refused += 1;
  };
  const start = performance.now();
  for (let i = 0; i < how.seconds * how.perSecond; i += 1) {
    const waitMs = start + (1000 * i) / how.perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const key = `${how.name}-${i}-end`;
    const isOurs = i % how.every === 0;
    if (isOurs) sentAt.set(key, Date.now());
    const from = isOurs ? phone : `1423556${2000 + (i % others)}`;
    underWay.push(post(from, isOurs ? key : `Thank you, got it (${i})`, key));
  }
  await Promise.all(underWay);
  await page.waitForTimeout(2_000);
  const seen = await seenTexts(page);
  const shown = [...sentAt].flatMap(([key, at]) => (seen[key] === undefined ? [] : [seen[key] - at]));
  return { shown, missing: sentAt.size - shown.length, refused };
}
