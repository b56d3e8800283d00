import { expect, type Page } from '@playwright/test';
import { checkForEverybody } from './everybody.ts';
import { test } from './journey.ts';
import { messagesOf, sandboxUrl, signIn } from './stack.ts';

interface Item {
  RequestID: string;
  Name: string;
  State: string;
}

async function onDesk(page: Page, name: string): Promise<Item | undefined> {
  const answer = await page.request.get(`${sandboxUrl}/registry/requests`);
  const { Items } = (await answer.json()) as { Items: Item[] };
  return Items.find(({ Name }) => Name === name);
}

const registered = 'Maple Grove Library';
const next = (page: Page) => page.getByRole('button', { name: /^Next:/ }).click();

test('from an area code to a registered number that sends a text', async ({ page, context }) => {
  test.slow();
  await signIn(page, 'library-owner', '/settings/text');
  await page.getByRole('link', { name: 'Get a number' }).click();

  // Three boxes: digits move on, Backspace steps back, pasting spreads.
  const boxes = page.getByRole('textbox', { name: /digit$/ });
  await boxes.first().focus();
  await page.keyboard.type('99');
  await expect(boxes.nth(2)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.type('99');
  await expect(page.getByText('There are no numbers available in this area code.')).toBeVisible();
  await boxes.first().focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text', '(423) 555-0100');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true }),
    );
  });
  await expect(boxes.nth(2)).toHaveValue('3');
  await expect(page.getByText('Chattanooga and other towns')).toBeVisible();
  await checkForEverybody(page, 'get a number');
  await page.getByRole('radio').first().check();
  await page.getByLabel('Name', { exact: true }).fill('Events');
  await page.getByRole('button', { name: /^Get \(423\)/ }).click();
  await expect(page.getByRole('list', { name: 'Text numbers' }).getByText('Events')).toBeVisible();

  // The typed answers are still there; the organization becomes a public company.
  await page.getByRole('link', { name: 'Register', exact: true }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Message Details' })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Company Name')).toHaveValue('Maple Grove Public Library');
  await page.getByLabel('Organization Type').selectOption({ label: 'Publicly Traded Company' });
  await page.getByLabel('Website').fill('http://127.0.0.1/admin');
  await next(page);
  await expect(page.getByText('Enter a Stock Symbol')).toBeVisible();
  await page.getByLabel('Stock Symbol').fill('MGL');
  await page.getByLabel('Stock Exchange').selectOption('NYSE');
  await page.getByLabel('Business Contact Email').fill('info@maplegrove.example');
  await next(page);
  await expect(page.getByText(/Do not use shared email addresses/)).toBeVisible();
  await page.getByLabel('Business Contact Email').fill('helen@maplegrove.example');
  await next(page);
  await expect(page.getByText('Please enter a valid website.')).toBeVisible();
  await page.getByLabel('Website').fill('https://www.maplegrove.example');
  await checkForEverybody(page, 'organization details');
  await next(page);
  await expect(page.getByRole('heading', { name: 'Message Details' })).toBeVisible();
  // The steps above advance only when this one validates, like the button below.
  await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Review & Submit' }).click();
  await expect(page.getByText('Please select an option.')).toBeVisible();
  await page.getByLabel('Informational').check();
  await page.getByLabel('Not Yet').check();
  await next(page);
  await expect(page.getByRole('heading', { name: 'Review & Submit' })).toBeVisible();
  await page.getByRole('button', { name: 'Submit registration' }).click();

  // The registry mails the person at the company; the link in it is opened.
  await expect(page.getByRole('heading', { name: 'Email Verification' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send the email again in/ })).toBeDisabled();
  await checkForEverybody(page, 'email verification');
  const mails = await page.request.get(`${sandboxUrl}/mails?to=helen@maplegrove.example`);
  const text = JSON.stringify(await mails.json());
  const link = /http:[^"\s]+\/registry\/confirm\/\w+/.exec(text)?.[0] ?? '';
  expect((await page.request.get(link)).status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Application Under Review' })).toBeVisible();

  // Rejected at the desk, corrected without typing it again.
  const desk = await context.newPage();
  await desk.goto(`${sandboxUrl}/#registry`);
  const row = desk.getByRole('region', { name: registered });
  await row.getByLabel('Reason').fill('The EIN does not match the legal name.');
  await row.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText(/don’t match the IRS record/).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Register to Send Text Messages' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your registration needs a correction' })).toBeVisible();
  await page.getByRole('link', { name: 'Correct it' }).click();
  await page.getByRole('button', { name: 'Open the form' }).click();
  await expect(page.getByLabel('EIN', { exact: true })).toHaveValue('62-1998877');
  await page.getByLabel('EIN', { exact: true }).fill('621234567');
  await expect(page.getByText('We found you')).toBeVisible();
  await next(page);
  await expect(page.getByLabel('Company Name')).toHaveValue('Hamilton Corporation');
  await expect(page.getByLabel('Stock Symbol')).toHaveValue('MGL');
  await next(page);
  await next(page);
  await page.getByRole('button', { name: 'Submit registration' }).click();
  await expect(page.getByRole('heading', { name: 'Email Verification' })).toBeVisible();
  await expect.poll(async () => (await onDesk(page, registered))?.State).toBe('AwaitingEmail');
  await row.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Text Registration Complete' })).toBeVisible();
  await desk.close();

  // And it texts.
  const handset = '14235550143';
  await page.goto('/settings/text');
  await expect(page.getByText('Registered').first()).toBeVisible();
  const numbers = await page.request.get('/proxy/api/textnumbers');
  const { Items } = (await numbers.json()) as { Items: { TextNumberID: number; Name: string }[] };
  const TextNumberID = Items.find(({ Name }) => Name === 'Events')?.TextNumberID ?? 0;
  const words = `The library opens at nine ${Date.now()}`;
  const LastMessage = { Contact: { PrimaryPhone: handset.slice(1) }, Message: words };
  const sent = await page.request.post('/proxy/api/conversations', {
    data: { TextNumberID, LastMessage },
    headers: { 'Idempotency-Key': words },
  });
  expect(sent.status()).toBe(200);
  await expect
    .poll(async () => (await messagesOf(handset)).some((message) => message.Text.includes(words)))
    .toBe(true);
});
