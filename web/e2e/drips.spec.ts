import { expect } from '@playwright/test';
import { checkForEverybody } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, setQuietHours, signIn, textFrom } from './stack.ts';

/** A phone that nobody in the demo has, another in every run. */
const phone = `646345${String(1000 + (Math.floor(Date.now() / 1000) % 9000))}`;
/** The demo's main office. */
const mainNumber = '14235550100';
const name = `State tests ${phone.slice(-4)}`;

test('a drip campaign is written, saved, started, edited, paused and canceled', async ({ page }) => {
  await signIn(page, 'demo-owner', '/drip-campaigns');
  await setQuietHours(page, false);
  await page.getByRole('link', { name: 'New drip campaign' }).first().click();

  await test.step('each empty field says what is missing', async () => {
    await page.getByRole('button', { name: 'Start drip campaign' }).click();
    await expect(page.getByText('Name must be at least 1 character.')).toBeVisible();
    await expect(page.getByText('Message cannot be empty.')).toBeVisible();
    await expect(
      page.getByText('Please add at least one valid recipient to your drip campaign.'),
    ).toBeVisible();
    await page.getByLabel('What starts it').selectOption({ label: 'When someone joins a group' });
    await expect(page.getByText('Choose the group whose new members get this campaign.')).toBeVisible();
    await page.getByLabel('What starts it').selectOption({ label: 'On dates you choose' });
  });

  await test.step('it is saved as it is written, and found again', async () => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Message').fill('Hi {{FirstName}}, tests start on Monday.');
    await page.getByRole('button', { name: 'Person', exact: true }).click();
    const person = page.getByRole('dialog');
    await person.getByLabel('First name').fill('Ottilie');
    await person.getByLabel('Phone number').fill(phone);
    await person.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(person).toHaveCount(0);
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByLabel('Message').fill('Tests start tomorrow.');
    await expect(page.getByText('Wait 5 minutes').or(page.getByText('Wait 4 minutes'))).toBeVisible();
    await expect(page.getByText('2 credits')).toBeVisible();
    await checkForEverybody(page, 'drip campaign');
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.getByRole('link', { name }).click();
    await expect(page.getByRole('button', { name: /^Step 2:.*Tests start tomorrow\.$/ })).toBeVisible();
    // The search finds it too, and opens it where it is written.
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await expect(page).toHaveURL(/\/drip-campaigns\/new\?sequence=\d+$/);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
  });

  await test.step('each recipient’s whole course is shown before it starts', async () => {
    await page.getByRole('button', { name: 'Preview one person’s steps' }).click();
    const preview = page.getByRole('dialog', { name: 'Ottilie' });
    await expect(preview.getByText('1 of 1')).toBeVisible();
    await expect(preview.getByText('Hi Ottilie, tests start on Monday.')).toBeVisible();
    await checkForEverybody(page, 'course before the start');
    await page.keyboard.press('Escape');
    await expect(preview).toHaveCount(0);
  });

  await test.step('the first step goes out right away', async () => {
    await page.getByRole('button', { name: 'Start drip campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect
      .poll(async () => (await messagesOf(phone)).map(({ Text }) => Text))
      .toEqual(['Hi Ottilie, tests start on Monday.']);
    await expect(page.getByText(/1 sent, 1 delivered/)).toBeVisible();
    await checkForEverybody(page, 'running drip campaign');
    // The way back doesn't lead to the draft that it was.
    const address = page.url();
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start drip campaign' })).toHaveCount(0);
  });

  await test.step('a step that hasn’t gone out can be changed; the campaign paused, resumed and canceled', async () => {
    await page.getByRole('button', { name: 'Edit step 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit step 2' });
    await checkForEverybody(page, 'editing a step');
    await dialog.getByLabel('Message').fill('');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByText('Message cannot be empty.')).toBeVisible();
    await dialog.getByLabel('Message').fill('Tests start tomorrow at 8:30.');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    // Not in the dialog, which may still be fading out.
    await expect(page.locator('#content').getByText('Tests start tomorrow at 8:30.')).toBeVisible();
    await page.getByRole('button', { name: 'Add a step' }).click();
    const added = page.getByRole('dialog', { name: 'Add a step' });
    await expect(added.getByText('Step 3 of 3. 1 person gets it.')).toBeVisible();
    await checkForEverybody(page, 'adding a step');
    await added.getByRole('button', { name: 'Add step', exact: true }).click();
    await expect(added.getByText('Message cannot be empty.')).toBeVisible();
    await added.getByLabel('Message').fill('How did the tests go?');
    await expect(added.getByText('It costs 1 credit.')).toBeVisible();
    await added.getByLabel('Day', { exact: true }).fill('2020-01-01');
    await added.getByRole('button', { name: 'Add step', exact: true }).click();
    await expect(added.getByText('must be in the future')).toBeVisible();
    const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
    await added.getByLabel('Day', { exact: true }).fill(day);
    await added.getByRole('button', { name: 'Add step', exact: true }).click();
    await expect(added).toHaveCount(0);
    await expect(page.locator('#content').getByText('How did the tests go?')).toBeVisible();
    await expect(page.getByText('1 person gets 3 texts.')).toBeVisible();
    // Somebody else adds a step while one is being edited: nothing is overwritten, and what was typed stays.
    await page.getByRole('button', { name: 'Edit step 3' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit step 3' });
    await edited.getByLabel('Message').fill('How did they go?');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await call(page, 'POST', `/sequences/${id}/steps`, { message: 'And now?', date: day, time: '11:59 PM' });
    await expect(page.getByText('1 person gets 4 texts.')).toBeVisible();
    await edited.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(edited.getByText('Somebody else changed the steps')).toBeVisible();
    await expect(edited.getByLabel('Message')).toHaveValue('How did they go?');
    await page.keyboard.press('Escape');
    await expect(edited).toHaveCount(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
    await expect(page.getByText('1 person. 1 of 4 steps sent.')).toBeVisible();
    await expect(page.getByText('Skipped')).toHaveCount(3);
    await expect(page.getByRole('button', { name: 'Add a step' })).toHaveCount(0);
  });

  await test.step('a campaign that begins when somebody texts a word goes out to them, until they say STOP', async () => {
    const joining = `646346${phone.slice(-4)}`;
    await page.goto('/drip-campaigns/new');
    await page.getByLabel('What starts it').selectOption({ label: 'When someone texts JOIN' });
    await page.getByLabel('Name', { exact: true }).fill(`${name} joined`);
    await page.getByLabel('Message').fill('Welcome! We text on school days.');
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByLabel('Days after joining').fill('0');
    await page.getByLabel('Message').fill('How was your first day?');
    await page.getByRole('button', { name: 'Start drip campaign' }).click();
    await expect(page.getByText('Days must be between 1 and 365.')).toBeVisible();
    await page.getByLabel('Days after joining').fill('3');
    await page.getByRole('button', { name: 'Preview one person’s steps' }).click();
    const preview = page.getByRole('dialog');
    await expect(preview.getByText('How was your first day?')).toBeVisible();
    await checkForEverybody(page, 'course of a drip campaign');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start drip campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: `${name} joined` })).toBeVisible();
    await textFrom(joining, mainNumber, 'JOIN');
    await expect
      .poll(async () => (await messagesOf(joining)).map(({ Text }) => Text))
      .toContain('Welcome! We text on school days.');
    await expect(page.getByText(/Step 1 of 2/)).toBeVisible();
    await textFrom(joining, mainNumber, 'STOP');
    await expect(page.getByText('Opted out', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  });
});
