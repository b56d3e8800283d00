import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkWidth } from './everybody.ts';
import { test } from './journey.ts';
import { sandboxUrl, signIn } from './stack.ts';

const desk = { width: 1440, height: 900 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 375, height: 812 };

/** What every page owes besides: a title and one heading. */
async function check(page: Page, name: string): Promise<void> {
  await checkForEverybody(page, name);
  expect([name, await page.title()]).toEqual([name, expect.stringMatching(/Muster/)]);
  // Under a dialog the page is hidden from assistive technology, its heading with it.
  const hasDialog = await page.getByRole('dialog').isVisible();
  await expect(page.getByRole('heading', { level: 1, includeHidden: hasDialog }), name).toHaveCount(1);
}

for (const { colorScheme, sizes } of [
  { colorScheme: 'light', sizes: [desk, phone] },
  { colorScheme: 'dark', sizes: [desk] },
] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('pages before signing in', async ({ page }) => {
      test.setTimeout(180_000);
      const paths = [
        '/login',
        '/login/too-many-attempts',
        '/expired-password',
        '/unsupported-browser',
        '/api/docs',
      ];
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const path of paths) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await check(page, `${path} at ${size.width}`);
        }
      }
    });

    test('pages of a signed-in user', async ({ page }) => {
      test.setTimeout(360_000);
      await signIn(page, 'demo-owner', '/inbox');
      await page.getByLabel('Conversations').getByText('Tamika Boyd').first().click();
      await expect(page.getByLabel('Messages')).toBeVisible();
      const thread = new URL(page.url()).pathname;
      const found = await page.request.get('/proxy/api/lists/0/contacts?q=Renee%20Castellano');
      const person = `/contacts/contact/${(await found.json()).Items[0].PersonID}`;
      const pages: Record<string, () => Promise<void>> = {
        '/home': () => expect(page.getByText('Becky Stroud').first()).toBeVisible(),
        '/inbox': () =>
          expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible(),
        [thread]: () => expect(page.getByLabel('Messages')).toBeVisible(),
        '/inbox?compose=true': () => expect(page.getByRole('dialog')).toBeVisible(),
        '/contacts': () => expect(page.getByText('Caleb Abbott').first()).toBeVisible(),
        [person]: () =>
          expect(page.getByRole('region', { name: 'History' }).getByRole('listitem').first()).toBeVisible(),
        // How many share a phone, or that none is shared.
        '/contacts/duplicates': () => expect(page.getByText(/ contacts$/).first()).toBeVisible(),
        '/reports/opt-out-report': () =>
          expect(page.getByText(/^\(\d{3}\) \d{3}-\d{4}$/).first()).toBeVisible(),
        '/settings/profile': () =>
          expect(page.locator('#signed-in').getByRole('listitem').first()).toBeVisible(),
        '/settings/text': () =>
          expect(page.getByRole('button', { name: /^Settings of/ }).first()).toBeVisible(),
        '/no-such-page': () => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
      };
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const [path, isThere] of Object.entries(pages)) {
          await page.goto(path);
          await isThere();
          await check(page, `${path} at ${size.width}`);
          if (size !== desk) continue;
          await page.setViewportSize(tablet);
          await checkWidth(page, `${path} at ${tablet.width}`);
          await page.setViewportSize(desk);
        }
      }
    });

    test('the telephones', async ({ page }) => {
      test.setTimeout(120_000);
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.goto(sandboxUrl);
        await expect(page.getByText('Renee Castellano')).toBeVisible();
        await check(page, `telephones at ${size.width}`);
        await page.getByRole('navigation', { name: 'Sandbox' }).getByText('Carrier').click();
        await expect(page.getByText('messages accepted')).toBeVisible();
        await check(page, `carrier at ${size.width}`);
      }
    });
  });
}
