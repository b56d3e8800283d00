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
    await Promise.all(kept.pages().map((page) => page.close()));
    await kept.setOffline(false);
    await kept.unrouteAll();
    await kept.clearPermissions();
    await kept.clearCookies();
    const page = await kept.newPage();
    const session = await kept.newCDPSession(page);
    for (const origin of [baseUrl, sandboxUrl]) {
      await session.send('Storage.clearDataForOrigin', {
        origin,
        storageTypes: 'local_storage,indexeddb,service_workers',
      });
    }
    await page.close();
  },
  page: async ({ context, viewport, colorScheme }, use) => {
    const page = await context.newPage();
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
    await use(page);
  },
});
