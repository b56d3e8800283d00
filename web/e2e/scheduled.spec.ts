import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks, checkWidth } from './everybody.ts';
import { test } from './journey.ts';
import { messagesOf, signIn, textFrom } from './stack.ts';

const texts = (page: Page) => page.getByRole('list', { name: 'Texts' });
const row = (page: Page, text: string) => texts(page).locator('> li').filter({ hasText: text });
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
const act = (page: Page, text: string, name: RegExp) => row(page, text).getByRole('button', { name }).click();

/** Written for later by the call that the compose dialog makes, to phones of nobody that no other journey knows. */
async function schedule(page: Page, text: string, phones: string[]): Promise<void> {
  const numbers = await page.request.get('/proxy/api/textnumbers?pagesize=1000');
  const { Items } = (await numbers.json()) as { Items: { TextNumberID: number; CanText: boolean }[] };
  const answer = await page.request.post('/proxy/api/conversations/schedule', {
    headers: { 'Idempotency-Key': `${text} ${Date.now()}` },
    data: {
      TextNumberID: Items.find(({ CanText }) => CanText)?.TextNumberID,
      TextMessage: text,
      Contacts: phones.map((PrimaryPhone) => ({ PrimaryPhone })),
      StartDate: new Date(Date.now() + 60 * 60_000).toISOString(),
    },
  });
  expect([answer.status(), await answer.text()]).toEqual([200, expect.any(String)]);
}

/** Through the inbox, where the view is found. */
async function openScheduled(page: Page): Promise<void> {
  await page.goto('/inbox');
  await page
    .getByRole('region', { name: 'Conversations' })
    .getByRole('link', { name: /^Scheduled/ })
    .click();
  await expect(page).toHaveURL(/\/inbox\/scheduled-conversations$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scheduled conversations');
}

test('a scheduled text is changed and sent now, and opens its conversation', async ({ page }) => {
  const text = `Picture day ${Date.now()}`;
  await signIn(page, 'demo-owner');
  await openScheduled(page);
  await expect(row(page, text)).toHaveCount(0);

  await test.step('it appears by itself, with who gets it', async () => {
    await schedule(page, text, ['2125550181', '2125550182']);
    await expect(row(page, text)).toContainText('Scheduled');
    await expect(row(page, text)).toContainText('(212) 555-0181');
    await expect(row(page, text)).toContainText('(212) 555-0182');
    await expect(row(page, text)).toContainText('by Dana Whitfield');
  });

  await test.step('its words, its time and its recipients are changed', async () => {
    await act(page, text, /^Edit/);
    const form = page.getByRole('dialog', { name: 'Edit scheduled text' });
    await form.getByLabel('Text', { exact: true }).fill(`${text}: bring a smile`);
    await form.getByRole('button', { name: 'Remove (212) 555-0182' }).click();
    await form.getByRole('button', { name: 'Remove (212) 555-0181' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Please add a phone number')).toBeVisible();
    await form.getByRole('button', { name: 'Cancel' }).click();

    await act(page, text, /^Edit/);
    await form.getByLabel('Text', { exact: true }).fill(`${text}: bring a smile`);
    await form.getByRole('button', { name: 'Remove (212) 555-0182' }).click();
    const time = form.getByLabel('Send at');
    await time.fill('2020-01-01T08:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Your start date and time cannot be in the past.')).toBeVisible();
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(tomorrow);
    await time.fill(`${day}T08:15`);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The text is scheduled for tomorrow at 8:15 AM.')).toBeVisible();
    await expect(row(page, text)).toContainText('bring a smile');
    await expect(row(page, text)).toContainText('Tomorrow at 8:15 AM');
    await expect(row(page, text)).not.toContainText('(212) 555-0182');
  });

  await test.step('it is found by its words and by who gets it', async () => {
    const search = page.getByRole('textbox', { name: /^Search/ });
    await page.keyboard.press('/');
    await search.fill('nothing like it');
    await expect(page.getByText('Nothing found')).toBeVisible();
    await search.fill('(212) 555-0181');
    await expect(page).toHaveURL(/q=/);
    await expect(row(page, text)).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
  });

  await test.step('it is sent once, before its time', async () => {
    await act(page, text, /^Send now/);
    const ask = page.getByRole('dialog', { name: 'Send this text now?' });
    await expect(ask).toContainText('(212) 555-0181');
    await ask.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByText('The text was sent to (212) 555-0181.')).toBeVisible();
    await expect(row(page, text)).toHaveCount(0);
    await expect
      .poll(async () => (await messagesOf('2125550181')).map(({ Text }) => Text))
      .toContain(`${text}: bring a smile`);
    expect(await messagesOf('2125550182')).toEqual([]);
  });

  await test.step('among those that ended it leads to the conversation', async () => {
    await tab(page, /^Ended/).click();
    await expect(page).toHaveURL(/ended=true/);
    await expect(row(page, text)).toContainText('Sent');
    await row(page, text).getByRole('link', { name: '(212) 555-0181' }).click();
    await expect(page).toHaveURL(/\/inbox\/\d+/);
    await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText(
      'bring a smile',
    );
  });
});

test('a scheduled text is canceled after a confirmation, on other screens too', async ({
  page,
  colleague: other,
}) => {
  const text = `Bake sale ${Date.now()}`;
  await signIn(page, 'demo-owner');
  await schedule(page, text, ['2125550183']);
  await openScheduled(page);
  await signIn(other, 'demo-admin', '/inbox/scheduled-conversations');
  await expect(row(other, text)).toBeVisible();

  await act(page, text, /^Cancel/);
  const ask = page.getByRole('dialog', { name: 'Cancel this text?' });
  await ask.getByRole('button', { name: 'Keep it' }).click();
  await expect(row(page, text)).toBeVisible();
  await act(page, text, /^Cancel/);
  await ask.getByRole('button', { name: 'Cancel the text' }).click();
  await expect(page.getByText('The text was canceled.')).toBeVisible();
  await expect(row(page, text)).toHaveCount(0);
  await expect(row(other, text)).toHaveCount(0);

  await tab(other, /^Ended/).click();
  await expect(row(other, text)).toContainText('Canceled');
  await expect(row(other, text).getByRole('button')).toHaveCount(0);
  expect(await messagesOf('2125550183')).toEqual([]);
});

test('a scheduled text to somebody who opted out isn’t sent, and the list says so', async ({ page }) => {
  const text = `Early dismissal ${Date.now()}`;
  await signIn(page, 'demo-owner');
  await openScheduled(page);
  await schedule(page, text, ['2125550184', '2125550185']);
  await textFrom('2125550185', '14235550100', 'STOP');
  await expect
    .poll(async () => {
      const found = await page.request.get('/proxy/api/conversations?q=2125550185&tag=autooptout');
      return (await found.json()).Items.length;
    })
    .toBe(1);
  await act(page, text, /^Send now/);
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('The text was sent to 1 of 2 people.')).toBeVisible();
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/ended=true/);
  const problems = row(page, text).getByRole('list', { name: 'Not sent to' }).getByRole('listitem');
  await expect(problems).toHaveCount(1);
  await expect(problems).toContainText(/^\(212\) 555-0185: .*opted out/i);
  await checkForEverybody(page, 'scheduled, one opted out');
});

test('the scheduled list is accessible, wide and narrow, light and dark', async ({ page }) => {
  const text = `Long words ${Date.now()} ${'https://example.org/a/'.repeat(4)}`;
  await signIn(page, 'demo-owner');
  const phones = Array.from({ length: 15 }, (_, index) => `21255501${String(index + 10)}`);
  await schedule(page, text, phones);
  await page.goto('/inbox/scheduled-conversations');
  await expect(row(page, text)).toBeVisible();
  await checkInAllLooks(page, 'scheduled');
  await tab(page, /^Ended/).click();
  await expect(tab(page, /^Ended/)).toHaveAttribute('aria-selected', 'true');
  await checkInAllLooks(page, 'scheduled, ended');
  await page.goto('/inbox/scheduled-conversations');
  await act(page, text, /^Edit/);
  await expect(page.getByRole('dialog', { name: 'Edit scheduled text' })).toBeVisible();
  await checkInAllLooks(page, 'edit a scheduled text');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 320, height: 800 });
  await checkWidth(page, 'scheduled 320');
});

test('up to fifteen selected contacts are texted together', async ({ page }) => {
  await signIn(page, 'demo-owner', '/contacts');
  const bar = page.getByRole('toolbar', { name: 'Selected contacts' });
  const boxes = page.getByRole('row').getByRole('checkbox');
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: /^Select all/ }).click();
  await expect(bar.getByRole('button', { name: 'Text' })).toHaveAttribute('aria-disabled', 'true');
  await bar.getByRole('button', { name: 'Text' }).click({ force: true });
  await expect(page).toHaveURL(/\/contacts/);
  await bar.getByRole('button', { name: 'Text' }).hover();
  await expect(page.getByRole('tooltip')).toHaveText('You can text at most 15 people at a time.');
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await bar.getByRole('button', { name: 'Text' }).click();
  await expect(page).toHaveURL(/\/inbox\?.*people=/);
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible();
});
