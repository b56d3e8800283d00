import { expect, type Locator, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks, look, looks } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, sandboxUrl, signIn } from './stack.ts';

/** From opening the screen to the first handset, for somebody who has never seen it, with 2,000 people. */
const mostMs = 20_000;

const areaCodes = '205 228 229 225 251 256 318 334 337 404 478 479 501 504 601 662 769 870 985 214'.split(
  ' ',
);
/** A hundred phones of each: what no other journey texts. */
const families = areaCodes.flatMap((code) =>
  Array.from({ length: 100 }, (_, index) => `${code}5550${100 + index}`),
);
const usher = '3345550300';
const words = 'Second Street Church: The building is closed today because of a water leak.';

async function addGroup(page: Page, ListName: string, phones: string[]): Promise<number> {
  const { ListID } = await call<{ ListID: number }>(page, 'POST', '/lists', { ListName });
  const Items = phones.map((PrimaryPhone) => ({ Name: 'Sam Reyes', PrimaryPhone }));
  await call(page, 'POST', `/lists/${ListID}/contacts/paste`, { Items, UserIndicatedConsentDeclared: true });
  return ListID;
}

/** At night, somebody has to say that it goes out anyway. */
async function sendAnyway(page: Page, button: Locator): Promise<void> {
  const anyway = page.getByRole('switch', { name: 'Send now, whatever the hour' });
  await expect(button).toBeEnabled();
  if (await anyway.isVisible()) await anyway.click();
}

/** Texts that have reached a telephone. */
async function countDelivered(): Promise<number> {
  const { Delivered } = (await (await fetch(`${sandboxUrl}/stats`)).json()) as { Delivered: number };
  return Delivered;
}

const broadcastIdOf = (page: Page) => Number(/\/broadcast-details\/(\d+)/.exec(page.url())?.[1]);

test('an emergency is prepared, reaches the first handset in seconds, and goes out once', async ({
  page,
  colleague,
}) => {
  await signIn(page, 'other-owner');
  await addGroup(page, 'Families', families);
  await addGroup(page, 'Ushers', [usher]);

  await test.step('messages and groups are prepared', async () => {
    await page.goto('/settings/emergency');
    await page.getByRole('button', { name: 'New message' }).click();
    const dialog = page.getByRole('dialog', { name: 'New message' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Enter a Title')).toBeVisible();
    await dialog.getByLabel('Title').fill('Building closed');
    await dialog.getByLabel('Text', { exact: true }).fill(words);
    await dialog.getByLabel('What calls say').fill(`This is ${words}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Building closed');
    await page.getByRole('combobox', { name: 'Groups' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'Families' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Drills go to').selectOption('Ushers');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Emergency settings saved.')).toBeVisible();
    await checkInAllLooks(page, '/settings/emergency');
  });

  await test.step('a drill goes to staff only, and once though the connection drops', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emergency' }).click();
    await page.getByRole('button', { name: 'Drill' }).click();
    await expect(page.getByText('It goes only to Ushers, 1 person')).toBeVisible();
    await page.getByRole('radio', { name: 'Building closed' }).click();
    const send = page.getByRole('button', { name: 'Send the drill to 1 person' });
    await sendAnyway(page, send);
    // The server hears it, and the page hears nothing.
    await page.route(
      '**/proxy/api/emergency',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await send.click();
    await expect(page.getByRole('heading', { name: 'Drill: Building closed' })).toBeVisible();
    await expect(page.getByText('This is a drill', { exact: true })).toBeVisible();
    await expect
      .poll(async () => (await messagesOf(usher)).map(({ Text }) => Text))
      .toEqual([`This is a drill. ${words}`]);
  });

  const [phone] = looks;
  const send = (of: Page) => of.getByRole('button', { name: 'Send now to 2,000 people' });
  await signIn(colleague, 'other-owner', '/emergency');
  await colleague.getByRole('radio', { name: 'Building closed' }).click();
  await expect(colleague.getByRole('button', { name: / to 2,000 people$/ })).toBeEnabled();

  await test.step('from opening the screen to the first handset', async () => {
    await look(page, phone);
    const before = await countDelivered();
    const began = performance.now();
    await page.goto('/emergency');
    await page.getByRole('radio', { name: 'Building closed' }).click();
    await sendAnyway(page, page.getByRole('button', { name: / to 2,000 people$/ }));
    await send(page).click();
    await expect.poll(countDelivered, { intervals: [100] }).toBeGreaterThan(before);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeLessThan(mostMs);
    await expect.poll(() => messagesOf(families[42] ?? '')).toHaveLength(1);
    await expect(page.getByRole('heading', { name: 'Emergency: Building closed' })).toBeVisible();
  });

  await test.step('whoever starts the same one joins it', async () => {
    await expect(colleague.getByText('You started it just now, to 2,000 people.')).toBeVisible();
    await colleague.getByRole('button', { name: 'Join it' }).click();
    await expect(colleague.getByText('You started this already.', { exact: false })).toBeVisible();
    await expect(colleague.getByRole('heading', { name: 'Emergency: Building closed' })).toBeVisible();
    expect(broadcastIdOf(colleague)).toBe(broadcastIdOf(page));
    // Nobody waits for two thousand telephones to ring.
    await call(page, 'PUT', `/broadcasts/${broadcastIdOf(page)}`, { BroadcastStatus: 'Canceled' });
  });

  await test.step('the screen in every look, with its button within reach of a thumb', async () => {
    await page.goto('/emergency');
    await page.getByRole('radio', { name: 'Building closed' }).click();
    const button = page.getByRole('button', { name: / 2,000 people| to 0 people|Join it/ });
    await expect(button).toBeVisible();
    for (const each of looks) {
      await look(page, each);
      await checkForEverybody(page, `/emergency at ${each.size.width}, ${each.colorScheme}`);
      const box = await button.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(56);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(each.size.height - 40);
    }
    for (const tile of await page.getByRole('radio').all()) {
      expect((await tile.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    }
  });
});
