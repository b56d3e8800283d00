import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { baseUrl, password, signIn } from './stack.ts';

/** The code that an authenticator app shows, so many steps of 30 seconds from now. */
function codeOf(secret: string, ahead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function enterPassword(page: Page, origin = ''): Promise<void> {
  await page.goto(`${origin}/logout`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await page.getByLabel('Username').fill('other-owner');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
}

async function enterRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/home$/);
}

async function remove(page: Page, label: string, said: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('alert').filter({ hasText: said })).toBeVisible();
}

test('signing in with a second step: app, recovery code and passkey, all in the audit log', async ({
  page,
  context,
}) => {
  await signIn(page, 'other-owner', '/settings/security');
  const steps = page.getByRole('list', { name: 'Second steps' });
  let secret = '';
  let codes: string[] = [];

  await test.step('an app is set up with its first code', async () => {
    await expect(steps).toContainText('A second step keeps others out');
    // Passkeys belong to a name, and this page was reached by an address.
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
    await steps.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible();
    secret = (await dialog.getByTestId('totp-secret').innerText()).replaceAll(/\s/g, '');
    await dialog.getByLabel('Code from your app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog).toContainText('That code isn’t right.');
    await dialog.getByLabel('Code from your app').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const given = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect(given).toHaveCount(10);
    codes = await given.allInnerTexts();
    await page.getByRole('button', { name: 'I saved them' }).click();
    await expect(steps).toContainText('10 codes left.');
  });

  await test.step('a sensitive change asks again', async () => {
    // As the server answers ten minutes after the sign-in.
    await page.route(
      '**/proxy/api/user/secondfactors/recoverycodes',
      (route) =>
        route.fulfill({
          status: 403,
          json: { ErrorCode: 1014, ErrorType: 'Informational', Message: 'Confirm' },
        }),
      { times: 1 },
    );
    await steps.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await confirm.getByLabel('Password', { exact: true }).fill('not-my-password-1');
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await expect(confirm).toContainText('That isn’t your password.');
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    const given = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect(given).toHaveCount(10);
    codes = await given.allInnerTexts();
    await page.getByRole('button', { name: 'I saved them' }).click();
  });

  await test.step('sign-in asks for a code, and a recovery code opens too, once', async () => {
    await enterPassword(page);
    await page.getByLabel('Code from your app').fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/home$/);
    await enterPassword(page);
    await enterRecoveryCode(page, codes[0] ?? '');
    await page.goto('/settings/security');
    await expect(steps).toContainText('9 codes left.');
    await expect(page.locator('#signed-in')).toContainText('with a recovery code');
  });

  await test.step('a passkey is made and used where the installation has a name', async () => {
    const named = baseUrl.replace('127.0.0.1', 'localhost');
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.goto(`${named}/login`);
    await page.getByLabel('Username').fill('other-owner');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await enterRecoveryCode(page, codes[1] ?? '');
    await page.goto(`${named}/settings/security`);
    await steps.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(steps).toContainText('Passkey: Chrome on Linux');
    await enterPassword(page, named);
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await expect(page).toHaveURL(/\/home$/);
    await page.goto(`${named}/settings/security`);
    await remove(page, 'Remove the passkey Chrome on Linux', 'Passkey removed.');
    await remove(page, 'Remove the authenticator app', 'Authenticator app removed.');
    await expect(steps).toContainText('A second step keeps others out');
    await session.detach();
  });

  await test.step('the audit log has it', async () => {
    await signIn(page, 'other-owner', '/settings/audit-log');
    const entries = page.getByRole('list', { name: 'Entries' });
    await expect(entries.getByText('Removed a second factor')).toHaveCount(2);
    await page.getByLabel('What').selectOption({ label: 'Sign-in and security' });
    await expect(entries.getByText('Made new recovery codes')).toHaveCount(1);
    // Each day says how many entries it has.
    await expect(entries.getByRole('listitem').first()).toHaveText(/^Today, .*\d entries$/);
    const added = entries.getByRole('button').filter({ hasText: 'Added a second factor' }).first();
    await added.click();
    await expect(entries).toContainText('From 127.0.0.1');
    await expect(entries.getByRole('row').filter({ hasText: 'Method' })).toContainText('passkey');
    await page.getByLabel('Search the log').fill('nothing like it');
    await expect(page.getByText('Nothing happened that fits these filters.')).toBeVisible();
  });
});

test('single sign-on leads to the organization’s directory and back', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await page.getByLabel('Email').fill('somebody@nowhere.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No organization here uses single sign-on for that email.')).toBeVisible();
  await page.getByLabel('Email').fill('dana@harlowcreek.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Harlow Creek directory' })).toBeVisible();
  await page.getByRole('link', { name: /^Dana Whitfield/ }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/settings/security');
  await expect(page.locator('#signed-in')).toContainText('with single sign-on');
  // The answer that came back works only once.
  await page.goto('/sso/callback?code=made-up&state=made-up');
  await expect(page.getByText('This sign-in is over.')).toBeVisible();
  // The church's directory speaks SAML: it posts its answer, without our cookies.
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login\?a=Logout$/);
  await page.goto('/login/sso');
  await page.getByLabel('Email').fill('ruth@secondstreet.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Second Street directory' })).toBeVisible();
  await page.getByRole('link', { name: /^Ruth Abernathy/ }).click();
  await expect(page).toHaveURL(/\/home$/);
  // One that nobody asked for, as from a tile on the directory's own page.
  await page.goto('/sso/callback?problem=unasked');
  await expect(page.getByText('This sign-in didn’t begin in Muster.')).toBeVisible();
});
