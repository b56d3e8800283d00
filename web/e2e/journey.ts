import { type BrowserContext, test as base } from '@playwright/test';
import { baseUrl, sandboxUrl } from './stack.ts';

/**
 * The journeys' `test`. All journeys of a worker share one browser context, which keeps what it has fetched and compiled:
 * a page costs half as much as in a new one. Each begins without cookies, storage and permissions.
 */
export const test = base.extend<object, { kept: BrowserContext }>({
  kept: [
    async ({ browser }, use) => {
      const kept = await browser.newContext({ baseURL: baseUrl, reducedMotion: 'reduce' });
      await use(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ kept }, use) => {
    await use(kept);
    await kept.setOffline(false);
    const [last = await kept.newPage(), ...others] = kept.pages();
    await Promise.all(others.map((page) => page.close()));
    // Away from the page first, which might keep something as it goes.
    await last.goto('about:blank');
    const session = await kept.newCDPSession(last);
    const storageTypes = 'local_storage,indexeddb,service_workers';
    await Promise.all([
      kept.unrouteAll(),
      kept.clearPermissions(),
      kept.clearCookies(),
      ...[baseUrl, sandboxUrl].map((origin) =>
        session.send('Storage.clearDataForOrigin', { origin, storageTypes }),
      ),
    ]);
    await last.close();
  },
  page: async ({ context, viewport, colorScheme }, use) => {
    const page = await context.newPage();
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
    await use(page);
  },
});
