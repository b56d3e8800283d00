import { expect } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { baseUrl, signIn } from './stack.ts';

test('an API key is made, used, given a new secret and revoked', async ({ page }) => {
  await signIn(page, 'demo-owner', '/settings/developers');
  const keys = page.getByRole('region', { name: 'API keys' });
  /** As a program asks: without the browser's cookies. */
  const ask = async (key: string, method = 'GET') => {
    const answer = await fetch(`${baseUrl}/api/v1/lists`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ ListName: 'Made by a program' }) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const shownKey = async () => {
    const dialog = page.getByRole('dialog', { name: 'Copy your key now' });
    const text = await dialog.getByRole('group', { name: 'Key' }).innerText();
    await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
    return text;
  };
  let key = '';

  await test.step('the demo has keys to look at, without their secrets', async () => {
    await expect(keys.getByText('Student information system')).toBeVisible();
    await expect(keys.getByText('mk_live_9f3c…e21a')).toBeVisible();
    await checkInAllLooks(page, '/settings/developers');
  });

  await test.step('it is made with a scope, and shown once', async () => {
    await keys.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await expect(dialog.getByText('Enter a name')).toBeVisible();
    await expect(dialog.getByText('Choose at least one thing that the key can do')).toBeVisible();
    await dialog.getByLabel('Name', { exact: true }).fill('Field trips');
    await dialog.getByRole('combobox', { name: 'Contacts', exact: true }).selectOption('See');
    await dialog.getByLabel('Only from these addresses (optional)').fill('somewhere');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await expect(dialog.getByText(/^Use an address such as/)).toBeVisible();
    await dialog.getByLabel('Only from these addresses (optional)').fill('127.0.0.0/8');
    await checkInAllLooks(page, 'the dialog of a key');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    key = await shownKey();
    expect(key).toMatch(/^mk_live_[0-9a-f]{16}_\w{49}$/);
    await expect(keys.getByText('Field trips')).toBeVisible();
    await expect(page.getByText(key)).toHaveCount(0);
  });

  await test.step('a program uses it, as far as its scope reaches', async () => {
    const list = await ask(key);
    expect(list.status).toBe(200);
    expect(list.body.Items.length).toBeGreaterThan(3);
    expect((await ask(key, 'POST')).body.Message).toContain('it needs the scope contacts:write');
  });

  await test.step('the reference tries a call with it', async () => {
    await page.goto('/api/docs?q=listLists');
    await page.getByRole('button', { name: 'Try it' }).first().click();
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText(/^Reply 200, \d+ calls left this minute$/)).toBeVisible();
    await checkInAllLooks(page, 'trying a call');
  });

  await test.step('it gets a new secret, and is revoked', async () => {
    await page.goto('/settings/developers');
    await keys.getByRole('button', { name: 'Actions for Field trips' }).click();
    await page.getByRole('menuitem', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a new secret for Field trips' });
    await dialog.getByLabel('The old secret works').selectOption('Not at all: it stops now');
    await dialog.getByRole('button', { name: 'Make a new secret' }).click();
    const next = await shownKey();
    expect((await ask(key)).status).toBe(401);
    expect((await ask(next)).status).toBe(200);
    await keys.getByRole('button', { name: 'Actions for Field trips' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    // Under the open dialog the list counts as hidden, so its absence from the list can be checked only after
    // that.
    await expect(page.getByText('Field trips was revoked.')).toBeVisible();
    await expect(keys.getByText('Field trips')).toHaveCount(0);
    const refused = await ask(next);
    expect([refused.status, refused.body.ErrorCode]).toEqual([401, 1022]);
  });
});
