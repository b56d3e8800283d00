import { expect, type Page } from '@playwright/test';
import { checkForEverybody } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, signIn } from './stack.ts';

/** Numbers that no other run has: the journeys may be run again on the same data. */
const exchange = 220 + (Date.now() % 90);
const number = (line: number) => `423${exchange}${String(line).padStart(4, '0')}`;

async function open(page: Page) {
  await signIn(page, 'demo-owner', '/inbox?compose=true');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('To')).toBeFocused();
  return dialog;
}

test('a text to several people has each person’s name, with a preview', async ({ page }) => {
  const dialog = await open(page);
  const to = dialog.getByLabel('To');
  await test.step('a contact, a typed number and a pasted list', async () => {
    // Enter is pressed before the name is found: the option listed until then must not be chosen.
    const entered = Promise.withResolvers<void>();
    await page.route('**/lists/0/contacts?*q=*', async (route) => {
      await entered.promise;
      await route.continue();
    });
    await to.press('ArrowDown');
    await expect(page.getByRole('option').first()).toBeVisible();
    await to.fill('Walter Grice');
    await to.press('Enter');
    entered.resolve();
    await expect(dialog.getByRole('button', { name: /^Walter Grice/ })).toBeVisible();
    await to.fill('Tamika Boyd');
    await expect(page.getByRole('option')).toHaveText([/Tamika Boyd/]);
    await to.fill(number(1));
    await to.press('Enter');
    await to.press('ArrowDown');
    await expect(page.getByRole('listbox')).toBeVisible();
    await to.evaluate(
      (field, text) => {
        const data = new DataTransfer();
        data.setData('text', text);
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      `Ann Bell, ${number(2)}\nBo Cruz\t${number(3)}\nnobody at all`,
    );
    const review = dialog.getByRole('group', { name: 'Pasted numbers' });
    await expect(review.getByText('nobody at all')).toBeVisible();
    await review.getByRole('button', { name: 'Add 2 numbers' }).click();
    await expect(dialog.getByText('4 of 15')).toBeVisible();
  });
  await test.step('the same number again is said to be there', async () => {
    await to.fill(number(1));
    await to.press('Enter');
    await expect(dialog.getByText("You've already added this number.")).toBeVisible();
    await expect(dialog.getByText('4 of 15')).toBeVisible();
  });
  await test.step('a field is put in, and the telephone shows it filled in for each', async () => {
    const text = dialog.getByLabel('Text', { exact: true });
    await text.fill('Hello ');
    await dialog.getByRole('button', { name: 'Personalize' }).click();
    await page.getByRole('menuitem', { name: 'First Name' }).click();
    await expect(text).toHaveValue('Hello {{FirstName}}');
    await text.pressSequentially(', the bus is late.');
    await expect(dialog.getByText('Hello Walter, the bus is late.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Next recipient' }).click();
    await dialog.getByRole('button', { name: 'Next recipient' }).click();
    await expect(dialog.getByText('Hello Ann, the bus is late.')).toBeVisible();
    await checkForEverybody(page, 'compose with several');
  });
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Sent to 4 people.')).toBeVisible();
  await expect
    .poll(async () => (await messagesOf(number(2))).map(({ Text }) => Text))
    .toEqual(['Hello Ann, the bus is late.']);
  await expect
    .poll(async () =>
      (await messagesOf('4235550109')).some(({ Text }) => Text === 'Hello Walter, the bus is late.'),
    )
    .toBe(true);
});

test('a missing message, number or recipient is an error at its field', async ({ page }) => {
  const dialog = await open(page);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog.getByText('Please add a phone number')).toBeVisible();
  await expect(dialog.getByText('Enter a Text Message.')).toBeVisible();
  await dialog.getByLabel('To').fill('12');
  await dialog.getByLabel('Text', { exact: true }).fill('Hello {{}}');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog.getByText('Must be 10 digits; use only numbers')).toBeVisible();
  await expect(dialog.getByText('Personalized fields should not be empty.')).toBeVisible();
  await expect(dialog.locator('mark')).toHaveText('{{}}');
});

test('composing says who can’t be texted before anything is written', async ({ page }) => {
  const dialog = await open(page);
  await dialog.getByLabel('To').fill('bus 14');
  const large = page.getByRole('option', { name: /^Bus 14 riders/ });
  await expect(large).toContainText('use a broadcast for more than 15');
  await dialog.getByLabel('To').fill('');
  await call(page, 'PUT', '/account', { RequireTextOptIn: true });
  try {
    await dialog.getByLabel('To').fill('2125550195');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('list', { name: 'Remarks' })).toHaveText(
      "(212) 555-0195: This number hasn't opted-in to receiving texts.",
    );
  } finally {
    await call(page, 'PUT', '/account', { RequireTextOptIn: false });
  }
});

test('too many people for a conversation become a broadcast with the same text', async ({ page }) => {
  const words = `Everybody to the gym (${Date.now()})`;
  const dialog = await open(page);
  const to = dialog.getByLabel('To');
  await to.fill('Walter Grice');
  await page
    .getByRole('option', { name: /Walter Grice/ })
    .first()
    .click();
  await to.evaluate(
    (field, text) => {
      const data = new DataTransfer();
      data.setData('text', text);
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    Array.from({ length: 16 }, (_, line) => `Parent ${line}, ${number(100 + line)}`).join('\n'),
  );
  await dialog.getByRole('button', { name: 'Add 16 numbers' }).click();
  await expect(dialog.getByText('For 17 people, use a broadcast')).toBeVisible();
  await dialog.getByLabel('Text', { exact: true }).fill(words);
  await to.fill('bus 14');
  await page.getByRole('option', { name: /^Bus 14 riders/ }).click();
  await checkForEverybody(page, 'compose with too many');
  await dialog.getByRole('button', { name: 'Start a broadcast' }).click();
  await expect(page).toHaveURL(/\/broadcasts\/create\?draft=\d+&step=3/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(words).first()).toBeVisible();
  const draftId = Number(new URL(page.url()).searchParams.get('draft'));
  const summary = await call<{ Total: number }>(page, 'GET', `/draft-broadcasts/${draftId}/contactsummary`);
  const groups = await call<{ Items: { ListName: string; RosterCount: number }[] }>(
    page,
    'GET',
    '/lists?q=bus',
  );
  const riders = groups.Items.find(({ ListName }) => ListName === 'Bus 14 riders')?.RosterCount ?? 0;
  expect(summary.Total).toBeGreaterThanOrEqual(riders + 16);
  await page.goto('/inbox?compose=true');
  await expect(page.getByRole('dialog').getByLabel('Text', { exact: true })).toHaveValue('');
});

test('a scheduled text is listed as scheduled and isn’t sent yet', async ({ page }) => {
  const words = `See you at eight (${Date.now()})`;
  const dialog = await open(page);
  await dialog.getByLabel('To').fill(number(9));
  await dialog.getByLabel('Text', { exact: true }).fill(words);
  await dialog.getByLabel('Schedule for later').check();
  const start = dialog.getByLabel('Start Time');
  await expect(start).toHaveValue(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  await start.fill('');
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(dialog.getByText('Enter a Start Time')).toBeVisible();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await start.fill(`${day}T08:00`);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(page.getByText(/^It will be sent /)).toBeVisible();
  const list = await page.request.get('/proxy/api/scheduledConversations?pagesize=100');
  const { Items } = (await list.json()) as { Items: { TextMessage: string; Status: string }[] };
  expect(Items.filter(({ TextMessage }) => TextMessage === words).map(({ Status }) => Status)).toEqual([
    'Scheduled',
  ]);
  expect(await messagesOf(number(9))).toEqual([]);
});

test('a text is scheduled first and written later, and the page says what it lacks', async ({ page }) => {
  const dialog = await open(page);
  await dialog.getByLabel('To').fill(number(10));
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog.getByText('Enter a Text Message.')).toBeVisible();
  await dialog.getByLabel('Schedule for later').check();
  const day = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Start Time').fill(`${day}T08:00`);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(
    page.getByText(/^Scheduled without a text\. Write it before .+, or nothing is sent\.$/),
  ).toBeVisible();
  const list = await page.request.get('/proxy/api/scheduledConversations?pagesize=100');
  const { Items } = (await list.json()) as {
    Items: { TextMessage: string; Status: string; Contacts: { PhoneNumber: string }[] }[];
  };
  const ours = Items.filter(({ Contacts }) => Contacts[0]?.PhoneNumber === number(10));
  expect(ours).toMatchObject([{ TextMessage: '', Status: 'Scheduled' }]);
});
