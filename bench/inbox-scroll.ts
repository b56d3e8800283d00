/**
 * A list of a hundred thousand conversations in Chromium: from the top to the last one while pages are fetched, and back
 * up with all of them loaded. Each frame is as long as the browser took until the next one; on an idle machine that is
 * 16.7 ms. Then one conversation changes: not all that was loaded is fetched again.
 *
 *   node bench/inbox-scroll.ts [conversations]
 */
import { chromium, type Page } from '@playwright/test';
import { findBrowsers } from '../scripts/browser.ts';
import { build, webBuild } from '../scripts/build.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { percentile, report, startBench } from './harness.ts';
import { addPeople } from './people.ts';
import { addTalks, numberCount } from './talks.ts';

const count = Number(process.argv[2] ?? 100_000);
const password = 'bench-horse-7';
/** Twenty rows a frame: as fast as a wheel goes. */
const pixelsPerFrame = 1_400;

const bench = await startBench({ port: 4751, numbers: {} });
try {
  await build(webBuild);
  const conversationId = await fill();
  await bench.startServer({ WEB_DIR: webBuild.outDir });
  const browser = await chromium.launch({
    executablePath: (await findBrowsers()).whole,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ baseURL: bench.serverUrl, viewport: { width: 1440, height: 900 } });
  await openInbox(page);
  const holds = [
    await measureScroll(page, 'down, fetching', pixelsPerFrame),
    await measureScroll(page, 'up, all loaded', -10 * pixelsPerFrame),
  ];
  console.log(`rows loaded: ${await page.evaluate(rowCount)}`);
  holds.push(
    report(
      'requests after one change',
      await requestsOfOneChange(page, conversationId),
      { most: 6 },
      'requests',
    ),
  );
  await browser.close();
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** An account whose conversations are all open; answers the one that was longest silent. */
async function fill(): Promise<number> {
  const { db } = bench;
  const ids = async (statement: string, values: unknown[]) =>
    (await db.query<{ id: string }>(statement, values)).rows.map(({ id }) => Number(id));
  const [accountId = 0] = await ids(
    "insert into accounts (company_name) values ('Bench') returning account_id as id",
    [],
  );
  const numberIds = await ids(
    `insert into text_numbers (account_id, phone, registration_status, aggregator_id)
     select $1, '1423555' || (1000 + i), 'Registered', 5 from generate_series(1, $2::integer) i
     returning text_number_id as id`,
    [accountId, numberCount],
  );
  const userIds = await ids(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role, can_see_all_roster)
     select $1, name, $2, 'Bench', name, 'bench@example.org', case name when 'bench-owner' then 'owner' else 'user' end, true
     from unnest('{bench-owner,bench-u2,bench-u3,bench-u4,bench-u5,bench-u6,bench-u7,bench-u8}'::text[]) with ordinality u(name, place) order by place
     returning user_id as id`,
    [accountId, await hashPassword(password)],
  );
  const tagIds = await ids(
    `insert into tags (account_id, name) select $1, 'Tag ' || i from generate_series(1, 3) i returning tag_id as id`,
    [accountId],
  );
  await addPeople(db, accountId, count);
  await addTalks(db, { accountId, numberIds, userIds, tagIds }, count, count * 2);
  const [conversationId = 0] = await ids(
    `with opened as (
       update conversations set is_done = false, snoozed_until = null, is_auto_opt_out = false where account_id = $1
       returning conversation_id, last_message_at)
     select conversation_id as id from opened order by last_message_at limit 1`,
    [accountId],
  );
  await db.query('vacuum analyze');
  return conversationId;
}

async function openInbox(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill('bench-owner');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/home$/);
  await page.goto('/inbox');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first().waitFor();
}

/** Runs in the page: how many rows the list is long. */
function rowCount(): number {
  const list = document.querySelector<HTMLElement>('ul[aria-label="Conversations"]');
  return Math.round((list?.offsetHeight ?? 0) / 70);
}

/** Scrolls to the end of the list, or back to its beginning; how long each frame took, in milliseconds. */
async function scroll(page: Page, by: number): Promise<number[]> {
  return page.evaluate(
    ([step, wanted]) =>
      new Promise<number[]>((resolve) => {
        const list = document.querySelector<HTMLElement>('ul[aria-label="Conversations"]');
        const scroller = list?.parentElement;
        if (!list || !scroller) throw new Error('there is no list');
        const frames: number[] = [];
        let last = performance.now();
        const frame = (now: number) => {
          frames.push(now - last);
          last = now;
          scroller.scrollBy(0, step);
          const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
          const isDone = step < 0 ? scroller.scrollTop === 0 : isAtEnd && list.offsetHeight / 70 >= wanted;
          if (isDone) resolve(frames);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    [by, count] as const,
  );
}

/** Beside the time on the clock the processor's time: on a machine with other work only that says something of ours. */
async function measureScroll(page: Page, name: string, by: number): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0);
  };
  const before = await busyMs();
  const frames = await scroll(page, by);
  const busy = ((await busyMs()) - before) / frames.length;
  await session.detach();
  const average = frames.reduce((sum, ms) => sum + ms, 0) / frames.length;
  const part = (share: number) => percentile(frames, share).toFixed(0);
  console.log(
    `${name}: ${frames.length} frames, p95 ${part(0.95)} ms, p99 ${part(0.99)} ms, longest ${Math.max(...frames).toFixed(0)} ms; ` +
      `${busy.toFixed(1)} ms of processor a frame`,
  );
  return report(`${name}, a frame on average`, average, { most: 50 }, 'ms');
}

/** Counts the list's requests when a conversation far below changes: never all that was loaded. */
async function requestsOfOneChange(page: Page, conversationId: number): Promise<number> {
  let requests = 0;
  page.on('request', (request) => {
    if (/\/conversations\?/.test(request.url()) && request.method() === 'GET') requests += 1;
  });
  const answer = await page.request.put('/proxy/api/conversations', {
    headers: { origin: bench.serverUrl },
    data: { Selection: { Type: 'Selected', Items: [conversationId] }, Update: { IsUnread: true } },
  });
  if (!answer.ok()) throw new Error(`the change was answered with ${answer.status()}`);
  await page.waitForTimeout(3_000);
  return requests;
}
