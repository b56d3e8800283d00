import { expect, type Page } from '@playwright/test';
import { checkInAllLooks, checkWidth } from './everybody.ts';
import { test } from './journey.ts';
import { sandboxUrl, signIn } from './stack.ts';

const tablet = { width: 768, height: 1024 };

async function check(page: Page, name: string): Promise<void> {
  await checkInAllLooks(page, name);
  await checkBesides(page, name);
}

/** Checks that a page has a title and one heading, and doesn't scroll sideways on a tablet. */
async function checkBesides(page: Page, name: string): Promise<void> {
  expect([name, await page.title()]).toEqual([name, expect.stringMatching(/Muster/)]);
  // Under a dialog the page is hidden from assistive technology, its heading with it.
  const hasDialog = await page.getByRole('dialog').isVisible();
  await expect(page.getByRole('heading', { level: 1, includeHidden: hasDialog }), name).toHaveCount(1);
  await page.setViewportSize(tablet);
  await checkWidth(page, `${name} at ${tablet.width}`);
}

test('pages before signing in', async ({ page }) => {
  for (const path of [
    ...['/login', '/login/too-many-attempts', '/expired-password', '/unsupported-browser'],
    ...['/reset-password', '/verify-email?token=none', '/terms', '/privacy'],
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await check(page, path);
  }
  // All calls are made of the same parts: some of them stand for the page.
  await page.goto('/api/docs?q=signature');
  await expect(page.getByRole('searchbox')).toHaveValue('signature');
  await page.getByRole('searchbox').fill('signaturesetting');
  await expect(page.getByRole('status')).toHaveText(/^\d+ of \d+ calls$/);
  await check(page, '/api/docs');
});

test('pages of a signed-in user', async ({ page }) => {
  await signIn(page, 'demo-owner', '/inbox');
  await page.getByLabel('Conversations').getByText('Tamika Boyd').first().click();
  await expect(page.getByLabel('Messages')).toBeVisible();
  const thread = new URL(page.url()).pathname;
  const found = await page.request.get('/proxy/api/lists/0/contacts?q=Renee%20Castellano');
  const person = `/contacts/contact/${(await found.json()).Items[0].PersonID}`;
  const pages: Record<string, () => Promise<void>> = {
    '/home': () => expect(page.getByText('Becky Stroud').first()).toBeVisible(),
    '/inbox': () => expect(page.getByLabel('Conversations').getByText('Tamika Boyd').first()).toBeVisible(),
    [thread]: () => expect(page.getByLabel('Messages')).toBeVisible(),
    '/inbox?compose=true': () => expect(page.getByRole('dialog')).toBeVisible(),
    '/contacts': () => expect(page.getByText('Caleb Abbott').first()).toBeVisible(),
    [person]: () =>
      expect(page.getByRole('region', { name: 'History' }).getByRole('listitem').first()).toBeVisible(),
    // Number of contacts that share a phone, or a note that none do.
    '/contacts/duplicates': () => expect(page.getByText(/ contacts$/i).first()).toBeVisible(),
    '/reports/opt-out-report': () => expect(page.getByText(/^\(\d{3}\) \d{3}-\d{4}$/).first()).toBeVisible(),
    '/settings/security': () =>
      expect(page.locator('#signed-in').getByRole('listitem').first()).toBeVisible(),
    '/reports/text-activity': () => expect(page.getByRole('table', { name: 'Text numbers' })).toBeVisible(),
    '/reports/phone-number-history?q=4235550143': () =>
      expect(page.getByText('Open conversation').first()).toBeVisible(),
    '/settings/text': () => expect(page.getByRole('button', { name: /^Settings for/ }).first()).toBeVisible(),
    '/no-such-page': async () => {
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    },
  };
  // Looked at in the journeys that are about them.
  const elsewhere = ['/inbox', thread, '/contacts'];
  for (const [path, isThere] of Object.entries(pages)) {
    await page.goto(path);
    await isThere();
    await (elsewhere.includes(path) ? checkBesides : check)(page, path);
  }

  await test.step('one key finds people, groups, pages and things to do', async () => {
    await page.goto('/home');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.fill('grade 5');
    const results = page.getByRole('listbox', { name: 'Results' });
    await expect(results.getByRole('option', { name: /^Grade 5 \d+ people/ })).toBeVisible();
    await expect(results.getByRole('option', { name: /^New broadcast to Grade 5/ })).toBeVisible();
    await check(page, 'search');
    await page.setViewportSize({ width: 1440, height: 900 });
    await search.fill('text to becky stroud');
    await expect(results.getByRole('option', { name: /^New text to Becky Stroud/ })).toBeVisible();
    // A recording is called "Late start, two hours", and a page is about quiet hours.
    await search.fill('quiet hours');
    await expect(results.getByRole('option')).toHaveText(['Account settings']);
    await search.fill('audit');
    await expect(results.getByRole('option')).toHaveText(['Audit log']);
    await search.press('Enter');
    await expect(page).toHaveURL(/audit-log$/);
  });

  await test.step('on a tablet nothing of a thread is cut off', async () => {
    await page.setViewportSize(tablet);
    await page.goto(thread);
    const reply = page.getByRole('form', { name: 'Reply' });
    const [frame, send] = await Promise.all([
      reply.boundingBox(),
      reply.getByRole('button', { name: 'Send', exact: true }).boundingBox(),
    ]);
    expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThan((frame?.x ?? 0) + (frame?.width ?? 0));
    const name = page.getByRole('region', { name: 'Conversation', exact: true }).getByRole('heading');
    expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  await test.step('on a phone the bar marks places behind More, and fields are not zoomed into', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    for (const path of ['/reports/opt-out-report', '/settings/text']) {
      await page.goto(path);
      const more = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' });
      await expect(more).toHaveAttribute('aria-current', 'page');
    }
    await page.goto('/inbox');
    const field = page.getByRole('textbox', { name: /^Search/ });
    expect(await field.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
  });
});

test('the sandbox’s phones page', async ({ page }) => {
  await page.goto(sandboxUrl);
  await expect(page.getByText('Renee Castellano')).toBeVisible();
  await check(page, 'telephones');
  const more = page.getByRole('button', { name: 'More for Renee Castellano' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Voicemail' }).click();
  await expect(page.getByRole('heading', { name: 'Voicemail' })).toBeVisible();
  await check(page, 'voicemail on a telephone');
  await more.click();
  await page.getByRole('menuitem', { name: 'Make a call' }).click();
  await expect(page.getByRole('textbox', { name: 'Number to call' })).toBeVisible();
  await check(page, 'a call from a telephone');
  await page.getByRole('navigation', { name: 'Sandbox' }).getByText('Carrier').click();
  await expect(page.getByText('messages accepted')).toBeVisible();
  await check(page, 'carrier');
});
