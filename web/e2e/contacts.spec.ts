import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { signIn, takeBack } from './stack.ts';

const search = (page: Page) => page.getByLabel('Search name, phone or note');
const rows = (page: Page) => page.getByRole('grid', { name: 'Contacts' }).locator('[role=row][data-id]');
const firstName = (page: Page) => rows(page).first().getByRole('link');
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected contacts' });
const groups = (page: Page) => page.getByRole('navigation', { name: 'Groups' });

/** How many the footer says there are. */
async function sizeOf(page: Page): Promise<number> {
  const words = await page.getByText(/^\d[\d,]*–[\d,]+ of [\d,]+$/).textContent();
  return Number(words?.split(' of ')[1]?.replaceAll(',', ''));
}

async function openContacts(page: Page): Promise<void> {
  await signIn(page, 'demo-owner', '/contacts');
  await expect(rows(page).first()).toBeVisible();
}

test('a search with a typo finds those who are close, and says so', async ({ page }) => {
  await openContacts(page);
  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await search(page).fill('jonson');
  await expect(page.getByText('Nothing holds “jonson”; these are close.')).toBeVisible();
  await expect(firstName(page)).toContainText('Johnson');
  await expect(page).toHaveURL(/q=jonson/);
  await search(page).press('Escape');
  await expect(page.getByText(/1–25 of 2,0\d\d/)).toBeVisible();
});

test('all of a search but two go into a new group, and back out of it', async ({ page }) => {
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
      .getByRole('button', { name: `Change ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Delete group' }).click();
    await expect(page).toHaveURL(/\/contacts$/);
    await expect(groups(page).getByRole('link', { name })).toHaveCount(0);
    await takeBack(page, `${name} was deleted.`);
    await expect(groups(page).getByRole('link', { name })).toBeVisible();
  });
});

test('sort, page, rows and filter stand in the address', async ({ page }) => {
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
  await page.getByRole('button', { name: /take this filter off/ }).click();
  await expect(page.getByText(/1–50 of 2,0\d\d/)).toBeVisible();
});

test('an export holds what the search shows', async ({ page }) => {
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

test('a segment finds people by its conditions and stands among the groups', async ({ page }) => {
  const name = `Johnsons ${Date.now()}`;
  await openContacts(page);
  await groups(page).getByRole('button', { name: 'New group or segment' }).click();
  await page.getByRole('menuitem', { name: /New segment/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Segment name').fill(name);
  await dialog.getByRole('combobox', { name: 'Condition 1: about' }).click();
  await page.getByRole('option', { name: 'Last name' }).click();
  await dialog.getByRole('combobox', { name: 'Condition 1: compared' }).click();
  await page.getByRole('option', { name: 'is', exact: true }).click();
  await dialog.getByLabel('Condition 1: with').fill('Johnson');
  await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'false');
  await expect(dialog.getByText(/^\d+ people fit$/)).toBeVisible();
  const count = Number(/\d+/.exec((await dialog.getByText(/^\d+ people fit$/).textContent()) ?? '')?.[0]);
  await dialog.getByRole('button', { name: 'Create segment' }).click();
  await expect(page).toHaveURL(/\/contacts\/group\/\d+$/);
  await expect(page.getByText(`1–${count} of ${count}`)).toBeVisible();
  await expect(firstName(page)).toContainText('Johnson');

  await groups(page)
    .getByRole('button', { name: `Change ${name}` })
    .click();
  await page.getByRole('menuitem', { name: 'Delete segment' }).click();
  await expect(page).toHaveURL(/\/contacts$/);
});

test('the deleted wait in Deleted and are restored; the keys do it all', async ({ page }) => {
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
  await bar(page).getByRole('button', { name: 'Delete for good' }).click();
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

test('many get the same note at once, and have their own again afterwards', async ({ page }) => {
  await openContacts(page);
  await page.getByRole('checkbox', { name: 'Select the rows of this page' }).click();
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

test('on a phone a long press selects, and the bar lies at the bottom', async ({ browser }) => {
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

test('axe finds nothing while people are selected', async ({ page }) => {
  await signIn(page, 'demo-owner', '/contacts');
  await expect(page.getByText('Caleb Abbott').first()).toBeVisible();
  await rows(page).first().getByRole('checkbox').click();
  await checkInAllLooks(page, 'contacts, one selected');
});
