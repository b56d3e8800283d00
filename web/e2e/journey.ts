import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test';
import { SNACKBAR_MS } from '../theme/snackbar-ms.ts';
import { baseUrl, nowhere, sandboxUrl } from './stack.ts';

/** A tab that journeys share, alone in a browser context. */
interface Tab {
  context: BrowserContext;
  page: Page;
}

/**
 * The journeys' `test`. All journeys of a worker share one tab, which keeps what it has fetched and compiled: a page
 * costs a third less than in a new tab, and a fraction of what it costs in a new browser context. Each begins without
 * cookies, storage and permissions. `colleague` is a second such tab, for somebody else who looks at the same.
 */
export const test = base.extend<{ ending: undefined; colleague: Page }, { tab: Tab; colleagueTab: Tab }>({
  tab: [({ browser }, use) => useTab(browser, use), { scope: 'worker' }],
  colleagueTab: [({ browser }, use) => useTab(browser, use), { scope: 'worker' }],
  ending: [
    async ({ browser, tab }, use) => {
      await use(undefined);
      // Other tabs that a journey has opened would go on rendering during the next ones.
      const opened = browser.contexts().filter((context) => !kept.has(context));
      await Promise.all(opened.map((context) => context.close()));
      await clear(tab);
    },
    { auto: true },
  ],
  context: ({ tab }, use) => use(tab.context),
  page: async ({ tab, viewport, colorScheme, serviceWorkers }, use) => {
    if (viewport) await tab.page.setViewportSize(viewport);
    await tab.page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
    const block = serviceWorkers === 'block' ? await tab.page.addInitScript(blockServiceWorkers) : undefined;
    await use(tab.page);
    await block?.dispose();
  },
  colleague: async ({ colleagueTab }, use) => {
    await use(colleagueTab.page);
    await clear(colleagueTab);
  },
});

const kept = new Set<BrowserContext>();

/** In the page: a message with its Undo stays for two minutes. On a machine under load a journey may get there late. */
function keepSnackbars(snackbarMs: number): void {
  const wait = window.setTimeout.bind(window);
  const longer = (act: TimerHandler, ms?: number, ...given: unknown[]) =>
    wait(act, ms === snackbarMs ? 120_000 : ms, ...given);
  window.setTimeout = longer as typeof window.setTimeout;
}

/** In the page, as `serviceWorkers: 'block'` does it in a context of its own. */
function blockServiceWorkers(): void {
  navigator.serviceWorker.register = () => new Promise(() => undefined);
}

async function useTab(browser: Browser, use: (tab: Tab) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  kept.add(context);
  await context.addInitScript(keepSnackbars, SNACKBAR_MS);
  await use({ context, page: await context.newPage() });
  await context.close();
}

async function clear({ context, page }: Tab): Promise<void> {
  await context.setOffline(false);
  page.removeAllListeners();
  await Promise.all([context.unrouteAll(), page.unrouteAll()]);
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  // Away from the page first, which might keep something as it goes.
  await page.mouse.move(0, 0);
  await page.goto(nowhere);
  await page.evaluate(() => sessionStorage.clear());
  const session = await context.newCDPSession(page);
  const storageTypes = 'local_storage,indexeddb,service_workers';
  await Promise.all([
    context.clearPermissions(),
    context.clearCookies(),
    ...[baseUrl, sandboxUrl].map((origin) =>
      session.send('Storage.clearDataForOrigin', { origin, storageTypes }),
    ),
  ]);
  await session.detach();
}
