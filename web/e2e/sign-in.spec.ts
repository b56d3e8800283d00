import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { signIn } from './stack.ts';

test('a first visit doesn’t say that a session has ended', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
});

test('empty fields, a wrong password, then the right one', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter a Username')).toBeVisible();
  await page.getByLabel('Username').fill('demo-user');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('That username and password don’t match.', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('demo-user');
  await page.getByLabel('Password', { exact: true }).fill('muster-demo-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('too many attempts lead to a page that says how long to wait', async ({ page }) => {
  await page.goto('/login');
  for (let tries = 0; tries < 6; tries += 1) {
    await page.getByLabel('Username').fill('nobody-here');
    await page.getByLabel('Password', { exact: true }).fill('guess');
    const answered = page.waitForResponse('**/proxy/public/login');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answered;
  }
  await expect(page).toHaveURL(/\/login\/too-many-attempts/);
  await expect(page.getByRole('main')).toContainText(/\d/);
});

test('an expired session is mentioned, signing out is not', async ({ page, context }) => {
  await signIn(page, 'demo-owner', '/home');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await context.clearCookies();
  // The open page may notice first, and leave for the sign-in page by itself.
  await page.goto('/inbox').catch(() => undefined);
  await expect(page).toHaveURL(/\/login\?error=loginmanually/);
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
  await signIn(page, 'demo-owner', '/logout');
  await expect(page).toHaveURL(/\/login\?a=Logout/);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await page.goto('/inbox');
  await expect(page).toHaveURL(/\/login\?error=loginmanually/);
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
});

test('a session that was revoked elsewhere ends here', async ({ page, colleague: elsewhere }) => {
  await signIn(page, 'demo-user');
  await signIn(elsewhere, 'demo-user', '/home');
  await page.goto('/settings/security');
  const places = page.locator('#signed-in').getByRole('listitem');
  const here = page.getByText('This device', { exact: true });
  await expect(places.filter({ has: here })).toHaveCount(1);
  const before = await places.count();
  await places
    .filter({ hasNot: here })
    .first()
    .getByRole('button', { name: /Sign out/ })
    .click();
  await expect(places).toHaveCount(before - 1);
  // Its socket is closed with it, so that page notices by itself.
  await expect(elsewhere).toHaveURL(/\/login\?error=loginmanually/);
});

test('a user sees only the numbers given to them', async ({ page }) => {
  await signIn(page, 'demo-user', '/inbox');
  await page.getByLabel(/^Text number/).click();
  await expect(
    page.getByRole('menuitem', { name: /Main office/ }).or(page.getByRole('option', { name: /Main office/ })),
  ).toBeVisible();
  await expect(page.getByText('Attendance line')).toHaveCount(0);
});
