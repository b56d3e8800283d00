import { randomBytes } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import sharp from 'sharp';
import { test } from './journey.ts';
import { messagesOf, sandboxUrl, signIn, takeBack, textFrom } from './stack.ts';

test('one text makes the round trip: compose, telephone, answer, and the colleague sees it', async ({
  page: owner,
  colleague,
  context,
}) => {
  const phones = await context.newPage();
  const text = `Picture day is Thursday. (${Date.now()})`;
  const answer = `We will be there! (${Date.now()})`;

  await test.step('the owner writes to a telephone', async () => {
    await signIn(owner, 'demo-owner', '/home');
    await owner
      .getByRole('link', { name: 'New conversation' })
      .or(owner.getByRole('button', { name: 'New conversation' }))
      .first()
      .click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('To').fill('Walter Grice');
    await owner.getByRole('option', { name: /Walter Grice/ }).click();
    await dialog.getByLabel('Text', { exact: true }).fill(text);
    await expect(dialog.getByText(/Characters: \d+\/320/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(owner).toHaveURL(/\/inbox\/\d+/);
    await expect(owner.getByLabel('Messages').getByText(text)).toBeVisible();
  });

  await test.step('the telephone gets it, on its screen, without a reload', async () => {
    await phones.goto(sandboxUrl);
    const handset = phones
      .getByRole('region', { name: /Walter Grice/ })
      .or(phones.getByLabel(/Walter Grice/))
      .first();
    await expect(handset.getByText(text).last()).toBeVisible();
    await expect(owner.getByLabel('Messages').getByText('Delivered').last()).toBeVisible();
  });

  await test.step('a colleague has the same thread open', async () => {
    await signIn(colleague, 'demo-admin');
    await colleague.goto(new URL(owner.url()).pathname);
    await expect(colleague.getByLabel('Messages').getByText(text)).toBeVisible();
  });

  await test.step('the answer typed on the telephone appears for both, untouched', async () => {
    const handset = phones
      .getByRole('region', { name: /Walter Grice/ })
      .or(phones.getByLabel(/Walter Grice/))
      .first();
    const field = handset.getByRole('textbox');
    if (!(await field.isVisible())) await handset.getByText(text).first().click();
    await field.fill(answer);
    await field.press('Enter');
    await expect(owner.getByLabel('Messages').getByText(answer)).toBeVisible();
    await expect(colleague.getByLabel('Messages').getByText(answer)).toBeVisible();
  });

  await test.step('the colleague answers, and it arrives once', async () => {
    const reply = `See you Thursday. (${Date.now()})`;
    await colleague.getByPlaceholder('Write a text').fill(reply);
    await colleague.getByPlaceholder('Write a text').press('Enter');
    await expect(owner.getByLabel('Messages').getByText(reply)).toBeVisible();
    await expect
      .poll(async () => (await messagesOf('4235550109')).filter((item) => item.Text === reply).length)
      .toBe(1);
    await expect(colleague.getByPlaceholder('Write a text')).toHaveValue('');
  });
});

test('a new text shows in the badge and the title until it is opened', async ({ page }) => {
  await signIn(page, 'demo-owner', '/home');
  const badge = page.getByRole('navigation').getByRole('link', { name: /Inbox/ });
  const unread = async () => Number(/\d+/.exec((await badge.textContent()) ?? '')?.[0] ?? 0);
  // The demo organization has unread texts; until they are counted the badge isn't there.
  await expect.poll(unread).toBeGreaterThan(0);
  const before = await unread();
  await textFrom('2125550199', '14235550100', 'Is this the school office?');
  await expect.poll(unread).toBe(before + 1);
  await expect(page).toHaveTitle(new RegExp(`^\\(${before + 1}\\)`));
  await badge.click();
  await page.getByLabel('Conversations').getByText('(212) 555-0199').first().click();
  await expect(page.getByLabel('Messages').getByText('Is this the school office?')).toBeVisible();
  await expect.poll(unread).toBe(before);
});

test('STOP moves a conversation to the opt-outs and nothing more can be sent', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await textFrom('2125550198', '14235550100', 'STOP');
  await page.goto('/inbox');
  await page.getByRole('tab', { name: 'Auto Opt-Outs' }).click();
  await page.getByLabel('Conversations').getByText('(212) 555-0198').first().click();
  await expect(page.getByText('This number has opted out of receiving texts.').first()).toBeVisible();
  await expect(page.getByPlaceholder('Write a text')).toHaveCount(0);
});

test('a picture arrives on the telephone', async ({ page }) => {
  await signIn(page, 'demo-owner', '/inbox?compose=true');
  // As large as those of a camera: the browser makes it small enough.
  const raw = { width: 1400, height: 1400, channels: 3 } as const;
  const picture = await sharp(randomBytes(1400 * 1400 * 3), { raw })
    .png()
    .toBuffer();
  expect(picture.length).toBeGreaterThan(5 * 1024 * 1024);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('To').fill('4235550106');
  await dialog.getByLabel('To').press('Enter');
  await dialog.getByLabel('Text', { exact: true }).fill('The new bus route');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByLabel('Add a picture').first().click(),
  ]);
  await chooser.setFiles({
    name: 'route.png',
    mimeType: 'image/png',
    buffer: picture,
  });
  await expect(dialog.getByLabel(/^Remove route/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page).toHaveURL(/\/inbox\/\d+/);
  await expect
    .poll(
      async () =>
        (await messagesOf('4235550106')).find((item) => item.Text === 'The new bus route')?.Media.length,
    )
    .toBe(1);
});

test('marking done opens the next conversation and can be undone', async ({ page }) => {
  // People who have just written come first, whatever other journeys have done.
  await textFrom('14235550773', '14235550100', 'And on Sunday?');
  await textFrom('14235550772', '14235550100', 'Is the gym open on Saturday?');
  await signIn(page, 'demo-owner', '/inbox');
  const open = page.getByRole('tab', { name: /^Open/ });
  await expect(open).toContainText(/\d/);
  const count = async () => Number(/\d+/.exec((await open.textContent()) ?? '')?.[0]);
  await page.getByLabel('Conversations').getByText('Is the gym open on Saturday?').first().click();
  await expect(page.getByLabel('Messages')).toBeVisible();
  const before = await count();
  const own = page.url();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect.poll(count).toBe(before - 1);
  await expect(page).not.toHaveURL(own);
  await expect(page.getByLabel('Conversations').locator('[aria-current]')).toBeFocused();
  await expect(page.getByPlaceholder('Write a text')).toBeVisible();
  await takeBack(page, 'is done.');
  await expect.poll(count).toBe(before);

  await test.step('Ctrl+Enter sends and marks done, Enter keeps the focus where one writes', async () => {
    await page.goto(own);
    const composer = page.getByPlaceholder('Write a text');
    const [first, last] = [`It is. (${Date.now()})`, `Until nine. (${Date.now()})`];
    await composer.fill(first);
    await composer.press('Enter');
    await expect(composer).toHaveValue('');
    await expect(composer).toBeFocused();
    await expect(page.getByLabel('Messages').getByText(first)).toBeVisible();
    await composer.fill(last);
    await composer.press('Control+Enter');
    await expect(page).not.toHaveURL(own);
    await expect(page.getByRole('alert').filter({ hasText: 'is done.' })).toBeVisible();
    await expect
      .poll(async () => (await messagesOf('14235550772')).filter(({ Text }) => Text === last).length)
      .toBe(1);
    await page.goto(own);
    await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
  });

  await test.step('on a phone the message about it covers neither the composer nor the bar', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    const said = page.getByRole('alert').filter({ hasText: 'is open again.' });
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    await expectApart(said, page.getByRole('form', { name: 'Reply' }));
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expectApart(said, page.getByRole('navigation', { name: 'Main' }));
  });

  await test.step('on a phone an emergency is one tap from a conversation, and Close leads back', async () => {
    await page.goto(own);
    await page.getByRole('link', { name: 'Emergency' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Emergency' })).toBeVisible();
    await page.getByRole('link', { name: 'Close' }).click();
    await expect(page).toHaveURL(own);
  });
});

/** One lies nowhere over the other. */
async function expectApart(one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible();
  await expect(other).toBeVisible();
  await expect
    .poll(async () => {
      const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
      return a && b ? a.y + a.height <= b.y || b.y + b.height <= a.y : false;
    })
    .toBe(true);
}

test.describe('without the service worker', () => {
  // It sends too, past what this journey does to the network.
  test.use({ serviceWorkers: 'block' });

  test('the page says when it is offline, and catches up afterward', async ({ page, context }) => {
    // So that she is at the top of the list, whatever came before.
    await textFrom('4235550111', '14235550100', 'One more thing about after-care');
    await signIn(page, 'demo-owner', '/inbox');
    await page.getByLabel('Conversations').getByText('Tamika Boyd').first().click();
    await expect(page.getByLabel('Messages')).toBeVisible();
    await expect(page.getByPlaceholder('Write a text')).toBeVisible();
    // Nothing that is still to be loaded comes any more: the page has to do without it.
    await page.route('**/assets/**', (route) => route.abort());
    await context.setOffline(true);
    await expect(page.getByText(/You.re offline/)).toBeVisible();
    await textFrom('2125550197', '14235550100', 'Sent while you were away');
    const words = `Written without a connection (${Date.now()})`;
    await page.getByPlaceholder('Write a text').fill(words);
    await page.getByPlaceholder('Write a text').press('Enter');
    await expect(
      page.getByLabel('Messages').getByText('Not sent yet. Waiting for a connection.'),
    ).toBeVisible();
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await expect(row.filter({ hasText: 'Not sent yet' })).toContainText('Tamika Boyd');
    await page.unroute('**/assets/**');
    await context.setOffline(false);
    // New texts come in at the top of the list, wherever one was in it.
    await row.first().hover();
    await page.mouse.wheel(0, -100_000);
    await expect(
      page.getByLabel('Conversations').getByText('Sent while you were away').first(),
    ).toBeVisible();
    await expect(page.getByText(/You.re offline/)).toHaveCount(0);
    await expect(row.filter({ hasText: 'Not sent yet' })).toHaveCount(0);
    const arrived = async (text: string) =>
      (await messagesOf('4235550111')).filter(({ Text }) => Text === text).length;
    await expect.poll(() => arrived(words)).toBe(1);

    const texts = '**/proxy/api/conversations/*/textmessages';
    const field = page.getByPlaceholder('Write a text');
    const lost = `The reply to this one was lost (${Date.now()})`;
    await test.step('a text whose reply is lost goes out once', async () => {
      const keys: (string | undefined)[] = [];
      await page.route(texts, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 1) return route.fallback();
        await route.fetch();
        await route.abort();
      });
      await field.fill(lost);
      await field.press('Enter');
      // Tried again with the same key.
      await expect.poll(() => keys.length).toBe(2);
      expect(new Set(keys).size).toBe(1);
      await expect.poll(() => arrived(lost)).toBe(1);
      await page.unrouteAll({ behavior: 'wait' });
    });

    await test.step('a text that waits is still there after a reload, and goes out', async () => {
      const kept = `Kept over a reload (${Date.now()})`;
      await page.route(texts, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      );
      await field.fill(kept);
      await field.press('Enter');
      await expect(row.filter({ hasText: 'Not sent yet' })).toContainText(kept);
      await page.reload();
      await expect(row.filter({ hasText: 'Not sent yet' })).toContainText(kept);
      await page.unroute(texts);
      await expect.poll(() => arrived(kept)).toBe(1);
      expect(await arrived(lost)).toBe(1);
    });

    await test.step('a text to somebody new waits over a reload, can be changed, and goes out once', async () => {
      const phone = `423${320 + (Date.now() % 90)}${String(Date.now()).slice(-4)}`;
      const starts = '**/proxy/api/conversations';
      const answers: ('lost' | 'none')[] = [];
      const keys = new Set<string | undefined>();
      await page.getByRole('button', { name: 'New conversation' }).click();
      const compose = page.getByRole('dialog');
      await compose.getByLabel('To').fill(phone);
      await compose.getByLabel('Text', { exact: true }).fill('Written in a tnnel');
      await page.route('**/assets/**', (route) => route.abort());
      await context.setOffline(true);
      await compose.getByRole('button', { name: 'Send' }).click();
      await expect(compose).toHaveCount(0);
      const waiting = page.getByRole('list', { name: 'Not sent yet' }).getByRole('button');
      await expect(waiting).toContainText('Waiting for a connection · Written in a tnnel');
      await waiting.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
      const corrected = `Written in a tunnel (${Date.now()})`;
      await compose.getByLabel('Text', { exact: true }).fill(corrected);
      await compose.getByRole('button', { name: 'Send' }).click();
      await expect(waiting).toContainText(corrected);
      await page.unroute('**/assets/**');

      // Back online: the first reply is lost, and the next tries reach nobody until the page is loaded again.
      answers.push('lost');
      await page.route(starts, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        keys.add(route.request().headers()['idempotency-key']);
        if (answers.pop() === 'lost') await route.fetch();
        await route.abort();
      });
      await context.setOffline(false);
      const arrivedThere = async () =>
        (await messagesOf(phone)).filter(({ Text }) => Text === corrected).length;
      await expect.poll(arrivedThere).toBe(1);
      await page.reload();
      await expect(waiting).toContainText(corrected);
      await page.unroute(starts);
      await page.route(starts, async (route) => {
        if (route.request().method() === 'POST') keys.add(route.request().headers()['idempotency-key']);
        return route.fallback();
      });
      await expect(waiting).toHaveCount(0);
      await expect(row.filter({ hasText: corrected })).toHaveCount(1);
      expect(keys.size).toBe(1);
      expect(await messagesOf(phone)).toHaveLength(1);
    });
  });
});
