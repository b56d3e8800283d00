import { expect, type Locator, type Page } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, setQuietHours, signIn, takeBack } from './stack.ts';

/** Names and numbers that no other run uses, because journeys may run again on the same data. */
/** Only letters: digits at the end of a name would be read as the beginning of the phone after it. */
const word = String(Date.now()).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
const exchange = 220 + (Date.now() % 90);
const number = (line: number) => `423${exchange}${String(line).padStart(4, '0')}`;

const summaryOf = (page: Page): Locator => page.getByRole('region', { name: 'Summary' });
const tableOf = (page: Page): Locator => page.getByRole('table', { name: 'Recipients' });

async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ]);
  await chooser.setFiles(file);
}

test('a draft saves itself, and recipients are added in every way', async ({ page }) => {
  await signIn(page, 'demo-owner', '/broadcasts/create');

  await test.step('the first word creates the draft, and the address opens it', async () => {
    await page.getByRole('button', { name: 'Next: Recipients' }).click();
    await expect(page.getByText('Enter a Broadcast Name')).toBeVisible();
    expect(page.url()).not.toContain('draft=');
    await page.getByLabel('Name', { exact: true }).pressSequentially(`Picture day ${word}`, { delay: 60 });
    await expect(page).toHaveURL(/draft=\d+/);
    // It doesn't interrupt typing.
    const active = await page.evaluateHandle(() => document.activeElement);
    expect(await active.getProperty('value').then((value) => value.jsonValue())).toBe(`Picture day ${word}`);
    await expect(page.getByText(/^Draft, saved at/)).toBeVisible();
    await expect(summaryOf(page).getByText('Text from Main office')).toBeVisible();
  });

  await test.step('a failed save is reported and retried automatically', async () => {
    await page.route('**/draft-broadcasts/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Sending speed').selectOption('500 per minute');
    await expect(page.getByText('Your latest changes aren’t saved')).toBeVisible();
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('dialog').getByText('If you leave now, you’ll lose them.')).toBeVisible();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.unroute('**/draft-broadcasts/*');
    await expect(page.getByText('Your latest changes aren’t saved')).toHaveCount(0);
  });

  await test.step('the server describes a schedule and validates a start', async () => {
    await page.getByLabel('Repeating').check();
    await expect(page.getByText(/^Every day at \d+:\d\d [AP]M, until/).last()).toBeVisible();
    await page.getByLabel('Repeat', { exact: true }).selectOption('Custom');
    await page.getByLabel('Every', { exact: true }).fill('101');
    await expect(page.getByText('Must be less than or equal to 100')).toBeVisible();
    await page.getByLabel('Every', { exact: true }).fill('2');
    await page.getByLabel('Unit').selectOption('weeks');
    await page.getByLabel('Last day').fill('');
    await expect(page.getByRole('status').getByText(/^Every 2 weeks on \w+day at/)).toBeVisible();
    await checkInAllLooks(page, 'settings');
    await page.getByLabel('Later').check();
    await page.getByLabel('Start date').fill('2020-01-06');
    await expect(page.getByText('Your start date and time cannot be in the past.').first()).toBeVisible();
    const year = new Date().getFullYear() + 2;
    await page.getByLabel('Start date').fill(`${year}-01-06`);
    await expect(page.getByText('Your start date and time is too far in the future.').first()).toBeVisible();
    await page.getByLabel('Start time').fill('late');
    await page.getByRole('button', { name: 'Next: Recipients' }).click();
    await expect(page.getByText('Start Time must follow the format h:mm A (Ex: 5:00 PM).')).toBeVisible();
    await page.getByLabel('Now').check();
    await page.getByRole('button', { name: 'Next: Recipients' }).click();
    await expect(page.getByRole('heading', { name: 'Who gets it?' })).toBeVisible();
    await page.getByRole('button', { name: 'Next: Messages' }).click();
    await expect(page.getByText('Please add at least one recipient.')).toBeVisible();
  });

  await test.step('a group, and somebody by hand', async () => {
    await page.getByRole('button', { name: /^Groups/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Search groups' }).fill('bus 14');
    await page.getByRole('checkbox', { name: /^Bus 14 riders/ }).check();
    await page.getByRole('button', { name: 'Add 1 group' }).click();
    await expect(page.getByRole('list', { name: 'Where they come from' })).toContainText('Bus 14 riders');
    const first = await tableOf(page).getByRole('row').nth(1).getByRole('cell').nth(2).textContent();
    await page.getByRole('button', { name: /^One person/ }).click();
    await page.getByLabel('Phone number').fill(first ?? '');
    await expect(page.getByText('This number has already been added to your broadcast.')).toBeVisible();
    await page.getByLabel('Phone number').fill(number(1));
    await page.getByLabel('First name').fill(`Ada${word}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Where they come from' })).toContainText('Typed');
  });

  await test.step('contacts: found, ticked, all but one', async () => {
    await page.getByRole('button', { name: /^Contacts/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Search contacts' }).fill('abbott');
    await dialog.getByRole('button', { name: /^Select all \d+$/ }).click();
    await dialog.getByRole('checkbox').first().uncheck();
    await dialog.getByRole('button', { name: /^Add \d+ (person|people)$/ }).click();
    await expect(page.getByText(/added/).last()).toBeVisible();
  });

  await test.step('pasted: invalid numbers are listed and not lost', async () => {
    await page.getByRole('button', { name: /^Paste/ }).click();
    await page
      .getByLabel('Names and phone numbers')
      .fill(
        `Bea Pasted${word}, ${number(2)}\nCal Pasted${word} ${number(3)}\nNobody Pasted${word} 423-555-01`,
      );
    await page.getByRole('button', { name: 'Next: Check' }).click();
    await page.getByRole('button', { name: 'Add 2 recipients' }).click();
    await expect(page.getByRole('heading', { name: 'Who gets it?' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Reasons' })).toContainText('Invalid number');
  });

  await test.step('a file that is too long to wait for is added in the background', async () => {
    await page.getByRole('button', { name: /^File/ }).click();
    const rows = Array.from({ length: 5_200 }, (_, line) => `Row${line},File${word},${number(line + 100)}`);
    await choose(page, {
      name: `families-${word}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`First,Last,Cell\n${rows.join('\n')}\n`),
    });
    await page.getByLabel('These people agreed').check();
    await page.getByRole('button', { name: /^Next: Check/ }).click();
    await page.getByRole('button', { name: 'Add 5,200 recipients' }).click();
    await expect(page.getByRole('heading', { name: 'Who gets it?' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Where they come from' })).toContainText(
      `families-${word}.csv5,200`,
    );
    await expect(page.getByRole('region', { name: 'People are being added' })).toBeHidden();
  });

  await test.step('searched, fixed, and removed: some, and all but one', async () => {
    const search = page.getByRole('textbox', { name: 'Search recipients' });
    await search.fill(`pasted${word}`);
    await expect(tableOf(page).getByRole('row')).toHaveCount(4);
    await page.getByRole('combobox', { name: 'Filter recipients' }).click();
    await page.getByRole('option', { name: /^Invalid number/ }).click();
    await expect(tableOf(page).getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: `Edit Nobody Pasted${word}` }).click();
    await page.getByLabel('Phone number').fill(number(4));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Nobody found')).toBeVisible();
    await page.getByRole('combobox', { name: 'Filter recipients' }).click();
    await page.getByRole('option', { name: /^All recipients/ }).click();
    await search.fill(`file${word}`);
    await expect(page.getByText('1–5 of 5,200')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText('6–10 of 5,200')).toBeVisible();
    await checkInAllLooks(page, 'recipients');
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByRole('button', { name: 'Select all 5,200' }).click();
    await page
      .getByRole('checkbox', { name: /^Select Row/ })
      .first()
      .uncheck();
    await expect(page.getByText('5,199 selected')).toBeVisible();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('1–1 of 1')).toBeVisible();
    await search.fill('');
  });

  await test.step('a source is removed as a whole, restored, and removed again', async () => {
    const sources = page.getByRole('list', { name: 'Where they come from' });
    await expect(sources).toContainText('Bus 14 riders');
    const takeOut = sources.getByRole('button', { name: 'Remove everyone from Bus 14 riders' });
    await takeOut.click();
    await expect(sources).not.toContainText('Bus 14 riders');
    await takeBack(page, /^\d+ people were removed/);
    await expect(sources).toContainText('Bus 14 riders');
    await takeOut.click();
    await expect(sources).not.toContainText('Bus 14 riders');
    await expect(sources).toContainText('Typed');
    // The summary fetches its own data and may update a moment later: without the riders there are fewer than
    // a hundred.
    await expect(summaryOf(page)).toContainText(/Recipients\d{1,2} people/);
  });

  await test.step('opened again, everything is there', async () => {
    const people = await summaryOf(page)
      .getByText(/\d people$/)
      .textContent();
    await page.getByRole('button', { name: 'Next: Messages' }).click();
    await expect(page.getByRole('heading', { name: 'What do you want to say?' })).toBeVisible();
    const address = page.url();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await expect(page).toHaveURL(/\/broadcasts$/);
    await page.goto(address.replace(/&step=\d/, ''));
    await expect(page.getByRole('heading', { name: 'What do you want to say?' })).toBeVisible();
    await expect(summaryOf(page).getByText(people ?? '')).toBeVisible();
    await page.getByRole('button', { name: /^Settings/ }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(`Picture day ${word}`);
    await expect(page.getByLabel('Sending speed')).toHaveValue('500');
    // A draft that was left at the settings opens there, and no choice there leads to another step.
    await page.goto(address.replace(/&step=\d/, ''));
    await expect(page.getByRole('heading', { name: 'What are you sending, and when?' })).toBeVisible();
    await page.getByLabel('Later').check();
    await page.getByLabel('Start date').fill('2020-01-06');
    await page.getByLabel('Now').check();
    await expect(page.getByRole('heading', { name: 'What are you sending, and when?' })).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Next: Recipients' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  });
});

/** A draft with two people, at the step where the text is written. */
async function openDraft(page: Page): Promise<void> {
  const draft = await call<{ DraftBroadcastID: number }>(page, 'POST', '/draft-broadcasts', {
    BroadcastName: `Picture day ${word}`,
    TextNumberID: 1,
  });
  await call(page, 'POST', `/draft-broadcasts/${draft.DraftBroadcastID}/contactlists`, {
    Items: [
      { PrimaryPhone: number(9001), Name: 'Ann Bell' },
      { PrimaryPhone: number(9002), Name: 'Bo Cruz' },
      { PrimaryPhone: '12', Name: 'Nobody' },
    ],
  });
  await page.goto(`/broadcasts/create?draft=${draft.DraftBroadcastID}&step=3`);
}

test('a personalized text is written, reviewed and sent, and arrives on the phones', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await setQuietHours(page, false);
  try {
    await openDraft(page);
    const field = page.getByLabel('Text Message');
    await test.step('fields, costly characters, and the telephone of each', async () => {
      await field.fill('Hi ');
      await page.getByRole('button', { name: 'Insert First name' }).click();
      await expect(field).toHaveValue('Hi {{FirstName}}');
      await field.pressSequentially(', picture day is on Thursday. Photos run 7:40–11:30 in the gym.');
      await expect(page.getByText('– as -: 1 part at the carrier instead of 2.')).toBeVisible();
      await page.getByRole('button', { name: 'Keep as written' }).click();
      await expect(page.getByText('One character splits each text into two parts')).toBeVisible();
      await page.getByRole('button', { name: 'Use plain characters' }).click();
      await expect(page.getByText('Hi Ann, picture day is on Thursday. Photos run 7:40-11:30')).toBeVisible();
      await page.getByRole('button', { name: 'Next recipient' }).click();
      await expect(page.getByText('Hi Bo, picture day is on Thursday.')).toBeVisible();
      await expect(page.getByText('2 texts are ready.')).toBeVisible();
      await checkInAllLooks(page, 'messages');
    });
    await test.step('a field that nobody has is named, and its texts can’t go out', async () => {
      const text = await field.inputValue();
      await field.fill(`${text} {{Gate}}`);
      await expect(page.getByText(/2 can’t be sent\. There is no personalized field/)).toBeVisible();
      await field.fill(text);
      await expect(page.getByText('2 texts are ready.')).toBeVisible();
    });
    await test.step('shortened links are marked and refused', async () => {
      const text = await field.inputValue();
      await field.fill(`${text} bit.ly/photos`);
      await page.getByRole('button', { name: 'Next: Review' }).click();
      await expect(page.getByText('Text Message must not contain a shortened URL')).toBeVisible();
      await expect(page.getByText('Carriers block this link')).toBeVisible();
      await field.fill(text);
    });
    await test.step('the review says what will happen, and asks for the message to be read', async () => {
      await page.getByRole('button', { name: 'Next: Review' }).click();
      await expect(page.getByRole('heading', { name: 'Ready to send' })).toBeVisible();
      await expect(page.getByText('of 3 selected')).toBeVisible();
      await page.getByRole('button', { name: 'View Invalid number' }).click();
      await expect(page.getByRole('dialog').getByText('Nobody')).toBeVisible();
      await page.keyboard.press('Escape');
      await checkInAllLooks(page, 'review');
      await page.getByRole('button', { name: 'Send now to 2 people' }).click();
      await expect(
        page.getByText('Read the message again and check this box before you send.'),
      ).toBeVisible();
      await page.getByLabel('I have read the message').check();
    });
    await page.getByRole('button', { name: 'Send now to 2 people' }).click();
    await expect(page).toHaveURL(/\/broadcast-details\/\d+/);
    await expect
      .poll(async () => (await messagesOf(number(9001))).map(({ Text }) => Text))
      .toEqual(['Hi Ann, picture day is on Thursday. Photos run 7:40-11:30 in the gym.']);
    await expect.poll(async () => (await messagesOf(number(9002))).length).toBe(1);
    await expect(page.getByRole('tab', { name: /^Delivered.*2/ })).toBeVisible();
  } finally {
    await setQuietHours(page, true);
  }
});
