import { expect, type Locator, type Page } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, sandboxUrl, signIn } from './stack.ts';

const billing = [
  ['First name', 'Dana'],
  ['Last name', 'Whitfield'],
  ['Billing address', '410 Mill Street'],
  ['City', 'Chattanooga'],
  ['State', 'TN'],
  ['ZIP code', '37402'],
] as const;

/** Types a card into the processor's frames, which the page around them can't read. */
async function typeCard(page: Page, number: string): Promise<void> {
  await page.frameLocator('iframe[title="Card number"]').getByLabel('Card number').fill(number);
  await page.frameLocator('iframe[title="Expiration date"]').getByLabel('Expiration date').fill('08 / 29');
  await typeCvn(page);
}

async function typeCvn(page: Page): Promise<void> {
  await page.frameLocator('iframe[title="CVN"]').getByLabel('CVN').fill('123');
}

async function balanceOf(page: Page): Promise<number> {
  return (await call<{ CallBalance: number }>(page, 'GET', '/account')).CallBalance;
}

/** Presses Pay, and closes the words of thanks. */
async function pay(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('dialog', { name: 'Thank you' })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
}

test('credits are bought with three cards, and an invoice is paid', async ({ page, colleague }) => {
  await signIn(page, 'demo-owner', '/settings/billing');
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Invoices' }).getByText('Partially Paid')).toBeVisible();
  await expect(page.getByText('ending in 4242')).toBeVisible();
  await checkInAllLooks(page, 'billing');

  await test.step('the card on file, with its CVN', async () => {
    const before = await balanceOf(page);
    await page.getByRole('main').getByRole('button', { name: 'Buy credits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy Credits' });
    await dialog.getByRole('slider', { name: 'Credits' }).press('ArrowRight');
    await expect(dialog.getByText('3,900 credits × 4.5¢')).toBeVisible();
    await expect(dialog.getByText('Sales tax, Tennessee 9.25%')).toBeVisible();
    await checkInAllLooks(page, 'buy credits');
    await dialog.getByRole('button', { name: 'Pay $191.73' }).click();
    await expect(dialog.getByText('Enter a CVN')).toBeVisible();
    await typeCvn(page);
    await pay(page, dialog);
    expect(await balanceOf(page)).toBe(before + 3_900);
  });

  await test.step('another card is declined; one that the bank asks about is not', async () => {
    const before = await balanceOf(page);
    await page.goto('/settings/billing?open=credits');
    const dialog = page.getByRole('dialog', { name: 'Buy Credits' });
    await dialog.getByLabel('Another card').check();
    for (const [label, value] of billing) await dialog.getByLabel(label, { exact: true }).fill(value);
    await typeCard(page, '4000 0000 0000 0002');
    await dialog.getByRole('button', { name: 'Pay $113.07' }).click();
    await expect(dialog.getByText('Your card was declined.')).toBeVisible();
    await typeCard(page, '4000 0025 0000 3155');
    await dialog.getByRole('button', { name: 'Pay $113.07' }).click();
    await page
      .frameLocator('iframe[title="Confirm your payment"]')
      .getByRole('button', { name: 'Complete' })
      .click();
    await expect(page.getByRole('dialog', { name: 'Thank you' })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await balanceOf(page)).toBe(before + 2_300);
    await expect(page.getByText('ending in 3155')).toBeVisible();
  });

  await test.step('an invoice is paid in part', async () => {
    await page.getByRole('link', { name: 'All invoices' }).click();
    // The page before has a heading of this name too, of a lower level.
    await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible();
    await checkInAllLooks(page, 'invoices');
    await page.getByLabel('Status').selectOption('outstanding');
    await page.getByRole('row').filter({ hasText: 'PO 4417' }).getByRole('link', { name: /^\d+$/ }).click();
    await expect(page.getByText('Check 20117', { exact: true })).toBeVisible();
    await checkInAllLooks(page, 'invoice');
    await page.getByRole('button', { name: 'Pay Invoice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay Invoice' });
    await dialog.getByLabel('Amount').fill('600');
    await expect(dialog.getByText('Amount is Too Big')).toBeVisible();
    await dialog.getByRole('button', { name: 'Half' }).click();
    await expect(dialog.getByRole('button', { name: 'Pay $294.91' })).toBeVisible();
    await checkInAllLooks(page, 'pay invoice');
    await typeCvn(page);
    await pay(page, dialog);
    await expect(page.getByText('$694.91 paid')).toBeVisible();
  });

  await test.step('the processor has taken exactly that', async () => {
    const { Items } = (await (await fetch(`${sandboxUrl}/processor/payments`)).json()) as {
      Items: { AmountCents: number; Status: string }[];
    };
    const taken = Items.filter(({ Status }) => Status === 'succeeded').map(({ AmountCents }) => AmountCents);
    expect(taken.slice(-3)).toEqual([19_173, 11_307, 29_491]);
  });

  await test.step('the pages of an upgrade', async () => {
    await page.goto('/upgrade');
    await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
    await checkInAllLooks(page, 'plans');
    await page.goto('/upgrade/monthly/v2');
    await page.getByLabel('Up to 500 people').check();
    await checkInAllLooks(page, 'monthly');
    await page.getByRole('link', { name: 'Start Subscription' }).click();
    await expect(page).toHaveURL(/\/upgrade\/payment\/v2\?people=500/);
    await typeCvn(page);
    await page.getByRole('button', { name: 'Pay $49.16' }).click();
    await expect(page.getByText('You must provide consent to proceed.')).toBeVisible();
    await checkInAllLooks(page, 'payment');
  });

  await test.step('an admin pays with the card and never changes it; a user sees nothing of it', async () => {
    await signIn(colleague, 'demo-admin', '/settings/billing');
    await expect(colleague.getByText('ending in 3155')).toBeVisible();
    await expect(colleague.getByText('Only account owners see and change its details.')).toBeVisible();
    await expect(colleague.getByRole('button', { name: 'Update card' })).toHaveCount(0);
    await signIn(colleague, 'demo-user', '/settings/billing');
    await expect(
      colleague.getByText('Access to this page is restricted to account owners and admin users'),
    ).toBeVisible();
  });
});
