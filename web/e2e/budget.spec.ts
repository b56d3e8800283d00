import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { signIn } from './stack.ts';

/** All JavaScript that the browser loads for a page from an empty cache, gzipped. */
async function loadedKb(page: Page, path: string, settled: () => Promise<void>): Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return;
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await page.goto(path);
  await settled();
  const all = await Promise.all(sizes.values());
  return all.reduce((sum, size) => sum + size, 0) / 1000;
}

test('JavaScript loaded by /login is at most 180 kB gzipped', async ({ browser }) => {
  const page = await browser.newPage();
  const kb = await loadedKb(page, '/login', async () => {
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
  });
  expect(kb).toBeLessThanOrEqual(180);
  expect(kb).toBeGreaterThan(50);
});

test('JavaScript loaded by /inbox is at most 335 kB gzipped', async ({ browser }) => {
  const first = await browser.newPage();
  await signIn(first, 'demo-owner');
  const page = await browser.newPage({ storageState: await first.context().storageState() });
  // Leaves out the requests that a page makes three seconds after it has come (QUIET_MS in shell.tsx), however late
  // the others are.
  await page.addInitScript((quietMs) => {
    const wait = window.setTimeout.bind(window);
    const most = (act: TimerHandler, ms?: number, ...given: unknown[]) =>
      ms === quietMs ? 0 : wait(act, ms, ...given);
    window.setTimeout = most as typeof window.setTimeout;
  }, 3_000);
  const kb = await loadedKb(page, '/inbox', async () => {
    await page.getByLabel('Conversations').getByText('Tamika Boyd').first().waitFor();
    await page.waitForLoadState('networkidle');
  });
  expect(kb).toBeLessThanOrEqual(335);
  expect(kb).toBeGreaterThan(100);
  // Named with the page, so that they come beside the first scripts.
  const { link } = (await page.request.get('/inbox')).headers();
  const named = [...(link ?? '').matchAll(/<(\/assets\/[^>]+\.js)>; rel=modulepreload/g)].map(
    ([, path]) => path,
  );
  expect(named.length).toBeGreaterThan(3);
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  expect(loaded).toEqual(expect.arrayContaining(named));
});

test('inbox and emergency have their shape, and the inbox its texts, before any script of the application', async ({
  page,
}) => {
  await page.goto('/inbox');
  const shape = page.locator('#first');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(shape).toBeHidden();
  await signIn(page, 'demo-owner', '/inbox');
  await expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible();
  await expect(shape).toBeHidden();
  // They come with the page, or the page asks for them where the server was slow. The application takes them over.
  const calls = ['account?include=currentuser', 'conversations?isDone=false&notags=true&pagesize=15'];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().replace(/^.*?(?=\/proxy)/, '')));
  await expect(async () => {
    asked.length = 0;
    const html = (await (await page.reload())?.text()) ?? '';
    for (const call of calls) expect(html).toContain(`"/proxy/api/${call}":`);
  }).toPass();
  await expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible();
  await expect(shape).toBeHidden();
  for (const call of calls) expect(asked).not.toContain(`/proxy/api/${call}`);
  // An earlier version's service worker would keep such a page, so it gets the plain one.
  await page.setExtraHTTPHeaders({ 'service-worker-navigation-preload': 'true' });
  asked.length = 0;
  await page.reload();
  await expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible();
  await expect(shape).toBeHidden();
  for (const call of calls) expect(asked.filter((each) => each === `/proxy/api/${call}`)).toHaveLength(1);
  await page.setExtraHTTPHeaders({});
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/inbox');
  await expect(shape.getByText('Tamika Boyd')).toBeVisible();
  for (const [path, part] of [
    ['/inbox', '.in-inbox'],
    ['/emergency', '.in-emergency'],
  ] as const) {
    await page.goto(path);
    await expect(shape.locator(part)).toBeVisible();
    await expect(shape).toHaveAttribute('aria-hidden', 'true');
  }
  await page.goto('/contacts');
  await expect(shape).toBeHidden();
});

test('the application starts after the first texts were drawn, and the service worker keeps none of them', async ({
  page,
}) => {
  await signIn(page, 'demo-owner', '/home');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  });
  await page.addInitScript(() => {
    new MutationObserver(() => performance.mark('rows')).observe(document, {
      attributeFilter: ['data-first-rows'],
      subtree: true,
    });
  });
  await expect(async () => {
    await page.evaluate(() => caches.delete('muster-shell'));
    const html = (await (await page.goto('/inbox'))?.text()) ?? '';
    expect(html).toContain('id="first-replies"');
  }).toPass();
  await expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible();
  const [drawn, begun] = await page.evaluate(() => [
    performance.getEntriesByName('rows')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    Math.min(
      ...performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/assets\/.*\.js$/.test(name))
        .map(({ startTime }) => startTime),
    ),
  ]);
  expect(drawn).toBeLessThan(begun);
  const kept = () => page.evaluate(async () => (await caches.match('/inbox'))?.text());
  await expect.poll(kept).toContain('<script type="module"');
  expect(await kept()).not.toContain('Tamika');
});

test('opening a dialog doesn’t restyle the page under it', async ({ page, context }) => {
  await signIn(page, 'demo-owner', '/contacts');
  await page.getByRole('row').nth(20).waitFor();
  const elements = await page.locator('*').count();
  expect(elements).toBeGreaterThan(800);
  const session = await context.newCDPSession(page);
  const counts: number[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as { name: string; args?: { elementCount?: number } }[])
      if (name === 'UpdateLayoutTree') counts.push(args?.elementCount ?? 0);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  await page.getByRole('button', { name: 'Add contact' }).first().click();
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await ended;
  expect(Math.max(...counts)).toBeGreaterThan(10);
  expect(Math.max(...counts)).toBeLessThan(elements / 3);
});

test('with reduced motion no element has a transition', async ({ page }) => {
  await signIn(page, 'demo-owner', '/contacts');
  await page.getByRole('row').nth(20).waitFor();
  const begun = await page.evaluateHandle(() => {
    const names: string[] = [];
    addEventListener('transitionrun', ({ propertyName }) => names.push(propertyName), true);
    return names;
  });
  // Rows that are selected have other colors, and so have their boxes.
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
  await expect(page.getByText(/ selected/).first()).toBeVisible();
  expect(await begun.jsonValue()).toEqual([]);
});
