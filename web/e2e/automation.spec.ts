import { expect } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, sandboxUrl, signIn } from './stack.ts';

interface Person {
  first: string;
  last: string;
}

test('an address book is connected, synced, put into a broadcast and disconnected', async ({ page }) => {
  await signIn(page, 'demo-owner', '/automation');

  await test.step('the demo’s sheet is synced, and an address book is connected', async () => {
    const connected = page.getByRole('region', { name: 'Connected' });
    await expect(connected.getByText('1 group with 8 people kept in contacts')).toBeVisible();
    await checkInAllLooks(page, '/automation');
    await page.getByRole('button', { name: 'Connect CardDAV address book' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect CardDAV address book' });
    await dialog.getByLabel('Password', { exact: true }).fill('guess');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await expect(
      dialog.getByText('There was an error logging into your CardDAV address book account.'),
    ).toBeVisible();
    await dialog.getByLabel('Password', { exact: true }).fill('harlow-creek');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    const success = page.getByRole('dialog', { name: 'CardDAV address book is connected' });
    await success.getByRole('link', { name: 'Choose groups' }).click();
  });

  await test.step('its groups and people are shown, and one group is kept', async () => {
    await page.getByRole('button', { name: 'See people in Coaches' }).click();
    const dialog = page.getByRole('dialog', { name: 'Coaches' });
    await expect(dialog.getByText('Page 1 of 2')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('switch', { name: 'Keep Coaches in contacts' }).click();
    await expect(page.getByRole('region', { name: 'Syncs' }).getByText('8 added')).toBeVisible();
    await checkInAllLooks(page, '/automation/{x}');
  });

  await test.step('changes there are synced here, and undone', async () => {
    const address = `${sandboxUrl}/sources/people`;
    const { Items } = (await (await page.request.get(address)).json()) as { Items: Person[] };
    const changed = Items.map((one) => (one.first === 'Ben' ? { ...one, last: 'Okafor-Lane' } : one));
    await page.request.put(address, { data: { Items: changed } });
    await page.getByRole('button', { name: 'Sync now' }).click();
    const syncs = page.getByRole('region', { name: 'Syncs' });
    await expect(syncs.getByText('1 changed', { exact: true })).toBeVisible();
    await syncs.getByRole('button', { name: 'See changes' }).first().click();
    const dialog = page.getByRole('dialog', { name: '1 changed' });
    await expect(dialog.getByText('was Ben Okafor')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await syncs.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await expect(syncs.getByText('Undone: 1 changed')).toBeVisible();
    await expect(page.getByText('Not kept in step for now')).toBeVisible();
    await page.request.put(address, { data: { Items } });
  });

  await test.step('a group of it goes into a broadcast', async () => {
    const draft = await call<{ DraftBroadcastID: number }>(page, 'POST', '/draft-broadcasts', {
      BroadcastName: 'Practice is at six',
    });
    await page.goto(`/broadcasts/create?draft=${draft.DraftBroadcastID}&step=2`);
    await page.getByRole('button', { name: 'Integration' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add from an integration' });
    await dialog.getByRole('combobox', { name: 'Integration' }).selectOption('CardDAV address book');
    await dialog.getByRole('checkbox', { name: /^Volunteers/ }).check();
    await checkInAllLooks(page, 'the dialog of an integration');
    await dialog.getByRole('button', { name: 'Add 1 group' }).click();
    await expect(page.getByText('8 people were added.')).toBeVisible();
  });

  await test.step('it is disconnected, and its people stay', async () => {
    await page.goto('/automation/1');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('CardDAV address book is disconnected.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect CardDAV address book' })).toBeVisible();
  });
});

test('people sign in elsewhere, in a new window or the same one, and again', async ({ page }) => {
  await signIn(page, 'demo-owner', '/automation');

  const throughGoogle = async () => {
    const opened = page.waitForEvent('popup');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    const popup = await opened;
    await popup.getByRole('link', { name: /^Allow/ }).waitFor();
    await expect(page.getByText('Sign in using the window that has opened.')).toBeVisible();
    await popup.getByRole('link', { name: /^Allow/ }).click();
    await expect(page.getByRole('dialog', { name: 'Google Contacts is connected' })).toBeVisible();
  };

  await test.step('in a new window, which closes by itself', async () => {
    await page.getByRole('button', { name: 'Connect Google Contacts' }).click();
    await throughGoogle();
    await page.getByRole('link', { name: 'Choose groups' }).click();
    await expect(page.getByRole('heading', { name: 'Google Contacts', level: 1 })).toBeVisible();
  });

  await test.step('again: although connected already, it still waits for the other window', async () => {
    await page.getByRole('button', { name: 'Connect again' }).click();
    await throughGoogle();
    await page.getByRole('button', { name: 'Later' }).click();
  });

  const throughMicrosoft = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
    await page.getByRole('link', { name: /^Allow/ }).click();
    await expect(page.getByRole('heading', { name: 'Outlook contacts', level: 1 })).toBeVisible();
  };

  await test.step('in the same window, and again', async () => {
    await page.goto('/automation');
    await page.getByRole('button', { name: 'Connect Outlook contacts' }).click();
    await throughMicrosoft();
    await page.getByRole('button', { name: 'Connect again' }).click();
    await throughMicrosoft();
  });
});
