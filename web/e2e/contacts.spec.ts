import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, setQuietHours, signIn, takeBack } from './stack.ts';

const search = (page: Page) => page.getByLabel('Search name, phone or note');
const rows = (page: Page) => page.getByRole('grid', { name: 'Contacts' }).locator('[role=row][data-id]');
const firstName = (page: Page) => rows(page).first().getByRole('link');
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected contacts' });
const groups = (page: Page) => page.getByRole('navigation', { name: 'Groups' });

/** Reads the total number of rows from the footer. */
async function sizeOf(page: Page): Promise<number> {
  const words = await page.getByText(/^\d[\d,]*–[\d,]+ of [\d,]+$/).textContent();
  return Number(words?.split(' of ')[1]?.replaceAll(',', ''));
}

async function openContacts(page: Page): Promise<void> {
  await signIn(page, 'demo-owner', '/contacts');
  await expect(rows(page).first()).toBeVisible();
}

test('a search with a typo shows close matches and says so', async ({ page }) => {
  await openContacts(page);
  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await search(page).fill('jonson');
  await expect(page.getByText('No exact match for “jonson”. Showing similar results.')).toBeVisible();
  await expect(firstName(page)).toContainText('Johnson');
  await expect(page).toHaveURL(/q=jonson/);
  await search(page).press('Escape');
  await expect(page.getByText(/1–25 of 2,0\d\d/)).toBeVisible();
});

test('all but two search results are put in a new group, then taken out again', async ({ page }) => {
  const name = `Bus 14 helpers ${Date.now()}`;
  await openContacts(page);
  await search(page).fill('ann');
  await expect(page).toHaveURL(/q=ann/);
  await expect(page.getByText(/of 2,0\d\d/)).toHaveCount(0);
  const found = await sizeOf(page);
  expect(found).toBeGreaterThan(3);

  await test.step('tick all of them, untick two', async () => {
    await rows(page).nth(0).getByRole('checkbox').click();
    await bar(page)
      .getByRole('button', { name: /^Select all/ })
      .click();
    await expect(bar(page)).toContainText(`${found} selected`);
    await rows(page).nth(0).getByRole('checkbox').click();
    await rows(page).nth(1).getByRole('checkbox').click();
    await expect(bar(page)).toContainText(`${found - 2} selected`);
  });

  await test.step('into a group that is made on the way', async () => {
    await bar(page).getByRole('button', { name: 'Add to group' }).click();
    await page.getByRole('combobox', { name: 'Add to group' }).fill(name);
    await page.getByRole('option', { name: `New group “${name}”` }).click();
    await expect(page.getByText(`${found - 2} people were added to ${name}.`)).toBeVisible();
    await expect(bar(page)).toHaveCount(0);
    await expect(groups(page).getByRole('link', { name })).toContainText(String(found - 2));
  });

  await test.step('undo', async () => {
    await takeBack(page, `were added to ${name}.`);
    await expect(page.getByText('Undone.')).toBeVisible();
    await expect(groups(page).getByRole('link', { name })).toHaveAccessibleName(`${name} 0`);
  });

  await test.step('the empty group is deleted, and comes back', async () => {
    await groups(page).getByRole('link', { name }).click();
    await expect(page.getByText(`Nobody is in ${name} yet`)).toBeVisible();
    await groups(page)
      .getByRole('button', { name: `Options for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Delete group' }).click();
    await expect(page).toHaveURL(/\/contacts$/);
    await expect(groups(page).getByRole('link', { name })).toHaveCount(0);
    await takeBack(page, `${name} was deleted.`);
    await expect(groups(page).getByRole('link', { name })).toBeVisible();
  });
});

test('sort, page, page size and filter are kept in the address', async ({ page }) => {
  await openContacts(page);
  const firstByName = await firstName(page).textContent();
  await page.getByRole('columnheader', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=-name/);
  await expect(firstName(page)).not.toHaveText(firstByName ?? '');
  const lastByName = await firstName(page).textContent();

  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText(/26–50 of 2,0\d\d/)).toBeVisible();
  await expect(firstName(page)).not.toHaveText(lastByName ?? '');
  await page.reload();
  await expect(page.getByText(/26–50 of 2,0\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(firstName(page)).toHaveText(lastByName ?? '');

  await page.getByRole('combobox', { name: /Rows/ }).click();
  await page.getByRole('option', { name: '50', exact: true }).click();
  await expect(page.getByText(/1–50 of 2,0\d\d/)).toBeVisible();

  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('menuitemradio', { name: 'Opted Out' }).click();
  await expect(page).toHaveURL(/filter=optedout/);
  await expect(rows(page).first()).toContainText('Opted Out');
  expect(await sizeOf(page)).toBeLessThan(50);
  await page.getByRole('button', { name: /^Remove filter/ }).click();
  await expect(page.getByText(/1–50 of 2,0\d\d/)).toBeVisible();
});

test('an export contains what the search shows', async ({ page }) => {
  await openContacts(page);
  await search(page).fill('johnson');
  await expect(page.getByText(/of 2,0\d\d/)).toHaveCount(0);
  const found = await sizeOf(page);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(found + 1);
  expect(lines.slice(1).every((line) => /johnson/i.test(line))).toBe(true);
});

test('a segment finds people by conditions and is listed with the groups', async ({ page }) => {
  const name = `Johnsons ${Date.now()}`;
  await openContacts(page);
  await groups(page).getByRole('button', { name: 'New group or segment' }).click();
  await page.getByRole('menuitem', { name: /New segment/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Segment name').fill(name);
  await dialog.getByRole('combobox', { name: 'Condition 1: field' }).click();
  await page.getByRole('option', { name: 'Last name' }).click();
  await dialog.getByRole('combobox', { name: 'Condition 1: comparison' }).click();
  await page.getByRole('option', { name: 'is', exact: true }).click();
  await dialog.getByLabel('Condition 1: value').fill('Johnson');
  await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'false');
  await expect(dialog.getByText(/^\d+ people match$/)).toBeVisible();
  const count = Number(/\d+/.exec((await dialog.getByText(/^\d+ people match$/).textContent()) ?? '')?.[0]);
  await dialog.getByRole('button', { name: 'Create segment' }).click();
  await expect(page).toHaveURL(/\/contacts\/group\/\d+$/);
  await expect(page.getByText(`1–${count} of ${count}`)).toBeVisible();
  await expect(firstName(page)).toContainText('Johnson');

  await groups(page)
    .getByRole('button', { name: `Options for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: 'Delete segment' }).click();
  await expect(page).toHaveURL(/\/contacts$/);
});

test('deleted contacts are restored from Deleted, with the keyboard alone', async ({ page }) => {
  await openContacts(page);
  await page.keyboard.press('j');
  const name = (await firstName(page).textContent()) ?? '';
  await expect(firstName(page)).toBeFocused();
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('1 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('x');
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('1 person was deleted.')).toBeVisible();
  await expect(firstName(page)).not.toHaveText(name);

  await groups(page)
    .getByRole('link', { name: /^Deleted/ })
    .click();
  await expect(firstName(page)).toHaveText(name);
  await rows(page).first().getByRole('checkbox').click();
  await bar(page).getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await bar(page).getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('1 person was restored.')).toBeVisible();
  await groups(page)
    .getByRole('link', { name: /^Everyone/ })
    .click();
  await expect(firstName(page)).toHaveText(name);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/contacts\/contact\/\d+$/);
});

test('a note is set for many contacts at once, and undone', async ({ page }) => {
  await openContacts(page);
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
  await expect(bar(page)).toContainText('25 selected');
  await bar(page).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New value').fill('Asked about the picnic');
  await dialog.getByRole('button', { name: 'Change 25 people' }).click();
  await expect(page.getByText('25 people were changed.')).toBeVisible();
  await expect(rows(page).first()).toContainText('Asked about the picnic');
  await takeBack(page, '25 people were changed.');
  await expect(rows(page).first()).not.toContainText('Asked about the picnic');
});

test('on a phone a long press selects, and the bar is at the bottom', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await signIn(page, 'demo-owner', '/contacts');
  const people = page.getByRole('list', { name: 'Contacts' }).getByRole('listitem');
  await expect(people.first()).toBeVisible();
  await people.first().getByRole('link').dispatchEvent('pointerdown', { pointerType: 'touch' });
  await expect(bar(page)).toContainText('1 selected');
  await people.nth(1).getByRole('checkbox').tap();
  await expect(bar(page)).toContainText('2 selected');
  await page.getByRole('button', { name: /^Group:/ }).tap();
  await page.getByRole('option', { name: /^Unfiled/ }).tap();
  await expect(page).toHaveURL(/\/contacts\/group\/-1$/);
  await expect(bar(page)).toHaveCount(0);
  await context.close();
});

/** Three people whom no other run has, with what they got so far. */
async function threePeople(page: Page) {
  const word = String(Date.now()).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
  const exchange = 220 + (Date.now() % 90);
  const phones = [1, 2, 3].map((line) => `865${exchange}${String(7000 + line)}`);
  for (const [index, PrimaryPhone] of phones.entries()) {
    const FirstName = ['Ann', 'Bo', 'Cy'][index];
    await call(page, 'POST', '/contacts', { FirstName, LastName: `Z${word}`, PrimaryPhone });
  }
  const got = (index: number) => async () => (await messagesOf(phones[index] ?? '')).map(({ Text }) => Text);
  return { word, got };
}

test('a broadcast starts from a selection, a group and a saved text', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await setQuietHours(page, false);
  const { word, got } = await threePeople(page);
  const name = `Field trip ${word}`;
  const saved = `Bus leaves ${word}`;
  const TemplateText = 'Hi {{FirstName}}, the bus leaves at 8.';
  await call(page, 'POST', '/templates', { TemplateName: saved, TemplateText });
  const text = page.getByLabel('Text Message');

  await test.step('all that a search finds but one get a broadcast, which begins at its text', async () => {
    await page.goto(`/contacts?q=${word}`);
    await expect(rows(page)).toHaveCount(3);
    const before = await rows(page).first().boundingBox();
    await rows(page).nth(0).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Clear selection' }).click();
    await rows(page).nth(0).getByRole('checkbox').click();
    await rows(page).nth(1).getByRole('checkbox').click();
    // Nothing moves under the pointer.
    expect(await rows(page).first().boundingBox()).toEqual(before);
    await bar(page).getByRole('button', { name: 'Send broadcast' }).click();
    await expect(page.getByRole('heading', { name: 'What do you want to say?' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Summary' }).getByText('2 people')).toBeVisible();
    await expect(text).toBeFocused();
    await text.pressSequentially('Picture day is on Thursday.');
    await page.getByRole('button', { name: 'Next: Review' }).click();
    await page.getByLabel('I have read the message').check();
    await page.getByRole('button', { name: 'Send now to 2 people' }).click();
    await expect(page).toHaveURL(/\/broadcast-details\/\d+/);
    await expect.poll(got(0)).toEqual(['Picture day is on Thursday.']);
    await expect.poll(got(1)).toEqual(['Picture day is on Thursday.']);
    expect(await got(2)()).toEqual([]);
  });

  await test.step('into a group, whose page bears its name', async () => {
    await page.goto(`/contacts?q=${word}`);
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
    await bar(page).getByRole('button', { name: 'Add to group' }).click();
    await page.getByRole('combobox', { name: 'Add to group' }).fill(name);
    await page.getByRole('option', { name: `New group “${name}”` }).click();
    const link = groups(page).getByRole('link', { name });
    await expect(link).toContainText('3');
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`${name} · Contacts`));
  });

  await test.step('the group gets a text in one step, each with their name', async () => {
    await page.getByRole('button', { name: 'Quick send' }).click();
    const dialog = page.getByRole('dialog', { name: 'Quick send' });
    await dialog.getByRole('button', { name: 'Send to 3 people' }).click();
    await expect(dialog.getByText('Enter a Text Message.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Saved texts' }).click();
    await page.getByRole('dialog', { name: 'Saved texts' }).getByText(saved).click();
    await expect(dialog.getByText('Hi Ann, the bus leaves at 8.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Next recipient' }).click();
    await expect(dialog.getByText('Hi Bo, the bus leaves at 8.')).toBeVisible();
    await expect(dialog.getByRole('status', { name: 'Cost and timing' })).toContainText('3 credits');
    await checkForEverybody(page, 'quick send');
    await dialog.getByRole('button', { name: 'Send to 3 people' }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('alert').filter({ hasText: 'Sending to 3 people.' }).getByText('View').click();
    await expect(page.getByRole('heading', { level: 1, name: `Quick Send: ${saved}` })).toBeVisible();
    await expect.poll(got(2)).toEqual(['Hi Cy, the bus leaves at 8.']);
    await expect.poll(async () => (await got(0)()).length).toBe(2);
  });

  await test.step('a saved text for a group that is too large goes on as a broadcast', async () => {
    await page.goto('/message-library/text');
    await page.getByRole('button', { name: `Quick send ${saved}` }).click();
    const dialog = page.getByRole('dialog', { name: `Quick send: ${saved}` });
    await expect(dialog.getByLabel('To')).toBeFocused();
    await page.keyboard.type('grice');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Send to 1 person' })).toBeEnabled();
    // One Enter too many sends nothing.
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Send to 1 person' })).toBeEnabled();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('bus 14');
    await page.getByRole('option', { name: /^Bus 14 riders/ }).click();
    await expect(dialog.getByText('Quick send can reach up to 15 people.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Continue as a broadcast' }).click();
    await expect(page.getByRole('heading', { name: 'What do you want to say?' })).toBeVisible();
    await expect(text).toHaveValue(TemplateText);
  });
  await setQuietHours(page, true);
});

test('the contacts page is accessible while people are selected', async ({ page }) => {
  await signIn(page, 'demo-owner', '/contacts');
  await expect(page.getByText('Caleb Abbott').first()).toBeVisible();
  await rows(page).first().getByRole('checkbox').click();
  await checkInAllLooks(page, 'contacts, one selected');
});
