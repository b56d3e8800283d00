import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, setQuietHours, signIn, takeBack, textFrom } from './stack.ts';

const results = (page: Page) => page.getByRole('region', { name: 'Recipients by result' });
const rows = (page: Page) => results(page).getByRole('rowgroup').getByRole('row');
const tab = (page: Page, name: RegExp) => results(page).getByRole('tab', { name });
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Broadcasts' }).getByRole('listitem').filter({ hasText: name });

const onePixelGif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

interface Form {
  BroadcastName: string;
  TextMessage: string;
  PerMinute?: 5 | 50 | 500;
  StartDate?: string;
}

/**
 * Created by the same calls as the wizard's, to phones that belong to no contact and that no other journey
 * uses.
 */
async function send(page: Page, form: Form, phones: string[]): Promise<number> {
  const { Items: numbers } = await call<{ Items: { TextNumberID: number; Name: string }[] }>(
    page,
    'GET',
    '/textnumbers?pagesize=100',
  );
  const draft = await call<{ DraftBroadcastID: number }>(page, 'POST', '/draft-broadcasts', {
    ...form,
    TextNumberID: numbers.find(({ Name }) => Name === 'Main office')?.TextNumberID,
    startOption: form.StartDate ? 'START_LATER' : 'START_IMMEDIATELY',
  });
  await call(page, 'POST', `/draft-broadcasts/${draft.DraftBroadcastID}/contactlists`, {
    // Their names sort last, in case they become contacts: other journeys look at the first contacts.
    Items: phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: `Zora Zyx${PrimaryPhone}` })),
  });
  await call(page, 'POST', '/broadcasts', { DraftBroadcastID: draft.DraftBroadcastID });
  return draft.DraftBroadcastID;
}

test('an owner watches a broadcast, reads its results, answers a reply and sends it again', async ({
  page,
}) => {
  const name = `Snow day ${Date.now()}`;
  const phones = Array.from({ length: 24 }, (_, index) => `21255502${String(index + 10)}`);
  await signIn(page, 'demo-owner');
  await setQuietHours(page, false);
  const id = await send(page, { BroadcastName: name, TextMessage: 'No school today.' }, phones);

  await test.step('the list leads to it, and it is watched live', async () => {
    await page.goto('/broadcasts');
    await row(page, name).getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/broadcast-details/${id}`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(page.getByText('Completed', { exact: true })).toBeVisible();
    await expect(page.getByText(/Text to 24 people from Main office/)).toBeVisible();
    await expect(tab(page, /^Delivered/)).not.toHaveText('Delivered0');
    await expect
      .poll(async () => (await messagesOf('2125550210')).map(({ Text }) => Text))
      .toContain('No school today.');
  });

  await test.step('somebody answers, and the page updates by itself', async () => {
    await textFrom('2125550211', '14235550100', 'Are the buses running?');
    await tab(page, /^Replied/).click();
    await expect(page).toHaveURL(/\/replied$/);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('Are the buses running?');
    await expect(page.getByRole('link', { name: 'Answer 1 reply' })).toBeVisible();
  });

  await test.step('the reply opens the inbox’s own thread', async () => {
    await results(page).getByRole('link', { name: 'See the replies' }).click();
    await page.getByRole('region', { name: 'Replies' }).getByRole('link', { name: /buses/ }).click();
    await expect(page).toHaveURL(new RegExp(`/broadcast-details/${id}/text-replies/\\d+`));
    const thread = page.getByRole('region', { name: 'Conversation', exact: true });
    await expect(thread).toContainText('No school today.');
    await expect(thread.getByRole('link', { name })).toBeVisible();
    await page.getByRole('link', { name: 'Back to results' }).click();
    await page.getByRole('link', { name: 'Answer 1 reply' }).click();
    await expect(page).toHaveURL(new RegExp(`/broadcast-details/${id}/text-replies$`));
    await page.getByRole('link', { name: 'Back to results' }).click();
  });

  await test.step('somebody who answers with STOP is listed as opted out, not as a reply', async () => {
    await textFrom('2125550213', '14235550100', 'stop, wrong number');
    await tab(page, /^Opted Out.*1/).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('Answered STOP');
    await tab(page, /^All Texts/).click();
  });

  await test.step('a person is found, and the page says why they got it', async () => {
    await results(page)
      .getByRole('textbox', { name: /^Search/ })
      .fill('2125550212');
    await expect(rows(page)).toHaveCount(1);
    await rows(page).getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`/broadcast-details/${id}/recipients/\\d+`));
    await expect(page.getByRole('list', { name: 'What happened' }).getByRole('listitem')).not.toHaveCount(0);
    await checkForEverybody(page, 'timeline');
    await page.goBack();
  });

  await test.step('the view is downloaded, and those who are ticked become a group', async () => {
    await page.goto(`/broadcast-details/${id}/all`);
    await expect(rows(page).first()).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      results(page).getByRole('link', { name: /CSV/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await results(page).getByRole('checkbox', { name: 'Select everyone in this view' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected recipients' });
    await expect(bar).toContainText('24 selected');
    await bar.getByRole('button', { name: 'Add to group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to group' });
    await dialog.getByLabel('Group name').fill(`Snow ${id}`);
    await dialog.getByRole('button', { name: 'Add to group' }).click();
    await expect(page.getByText(`24 people were added to Snow ${id}.`)).toBeVisible();
  });

  await test.step('those who did not reply get it again, with its words', async () => {
    await tab(page, /^Not Replied/).click();
    await results(page)
      .getByRole('button', { name: /^Send again to these/ })
      .click();
    await expect(page).toHaveURL(/\/broadcasts\/create\?draft=\d+/);
    await expect(page.getByText('No school today.').first()).toBeVisible();
  });

  await test.step('those who replied get a new broadcast, starting with its words', async () => {
    await page.goto(`/broadcast-details/${id}/replied`);
    await results(page).getByRole('button', { name: 'Text everyone who replied' }).click();
    await expect(page).toHaveURL(/\/broadcasts\/create\?draft=\d+/);
    await expect(page.getByRole('textbox', { name: 'Text Message' })).toHaveValue('');
    await expect(page.getByText(`${name}, replies`).first()).toBeVisible();
  });

  await test.step('replies are answered by the group, and their conversations are done', async () => {
    await textFrom('2125550212', '14235550100', 'Will the buses be running today?');
    await textFrom('2125550214', '14235550100', 'Yes');
    await page.goto(`/broadcast-details/${id}/replied`);
    await expect(rows(page)).toHaveCount(3);
    await results(page).getByRole('link', { name: 'Answer in groups' }).click();
    const about = 'Questions about buses, running';
    await page.getByRole('list', { name: 'Groups of replies' }).getByRole('link', { name: about }).click();
    const pane = page.getByRole('region', { name: about });
    await expect(pane.getByText('Grouped by these words: buses, running.')).toBeVisible();
    const replies = pane.getByRole('list', { name: 'Replies' }).getByRole('listitem');
    await expect(replies).toHaveCount(2);
    await pane.getByRole('button', { name: 'Move the reply of Zora Zyx2125550212 to another group' }).click();
    await page.getByRole('menuitem', { name: 'Yes' }).click();
    await expect(page.getByText('Moved to “Yes”.')).toBeVisible();
    await expect(replies).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(replies).toHaveCount(2);
    await pane.getByRole('textbox', { name: 'Text' }).fill('{{FirstName}}, all buses run.');
    await pane.getByRole('checkbox', { name: 'Mark their conversations done' }).check();
    await pane.getByRole('button', { name: 'Send to 2 people and mark done' }).click();
    await expect(page.getByText('Answering 2 people.')).toBeVisible();
    await expect(pane.getByText('Everybody in this group has been answered or has opted out.')).toBeVisible();
    await expect(replies.getByText('Answered', { exact: true })).toHaveCount(2);
    for (const phone of ['2125550211', '2125550212']) {
      await expect
        .poll(
          async () =>
            (await messagesOf(phone)).filter(({ Text }) => Text.includes('Zora, all buses run.')).length,
        )
        .toBe(1);
    }
  });

  await test.step('everybody can read it, wide and narrow, light and dark', async () => {
    const groups = `/broadcast-details/${id}/reply-groups?group=yes`;
    for (const path of [`/broadcast-details/${id}`, groups, '/broadcasts', '/broadcasts?tab=repeating']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
      await checkInAllLooks(page, path);
    }
  });

  await test.step('on a phone the search doesn’t overlap the tabs', async () => {
    await page.goto(`/broadcast-details/${id}`);
    await page.setViewportSize({ width: 375, height: 740 });
    const search = results(page).getByRole('textbox', { name: /^Search/ });
    await expect
      .poll(async () => {
        const tabs = await results(page).getByRole('tablist').boundingBox();
        const field = await search.locator('..').boundingBox();
        return tabs && field ? field.y - tabs.y - tabs.height : 0;
      })
      .toBeGreaterThanOrEqual(8);
  });
});

test('a broadcast is paused, resumed, canceled, labeled, deleted and restored', async ({ page }) => {
  const name = `Picture retakes ${Date.now()}`;
  const phones = Array.from({ length: 40 }, (_, index) => `21255503${String(index + 10)}`);
  await signIn(page, 'demo-owner');
  await setQuietHours(page, false);
  const id = await send(
    page,
    { BroadcastName: name, TextMessage: 'Retakes on Monday.', PerMinute: 5 },
    phones,
  );

  await test.step('paused and resumed', async () => {
    await page.goto(`/broadcasts/${id}`);
    await expect(page).toHaveURL(new RegExp(`/broadcast-details/${id}$`));
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  });

  await test.step('somebody whom it hasn’t reached is taken out', async () => {
    await tab(page, /^Incomplete/).click();
    await results(page)
      .getByRole('textbox', { name: /^Search/ })
      .fill('2125550349');
    await expect(rows(page)).toHaveCount(1);
    await rows(page).getByRole('checkbox').click({ force: true });
    await page
      .getByRole('toolbar', { name: 'Selected recipients' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await expect(page.getByText('1 person was removed and won’t get it.')).toBeVisible();
  });

  await test.step('canceled after a confirmation', async () => {
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const ask = page.getByRole('dialog', { name: 'Cancel this broadcast?' });
    await ask.getByRole('button', { name: 'Cancel broadcast' }).click();
    await expect(page.getByText('Canceled', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
    expect(await messagesOf('2125550349')).toEqual([]);
  });

  await test.step('labeled, and found by the label', async () => {
    await page.goto('/broadcasts');
    await row(page, name).getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: 'Labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Labels' });
    await dialog.getByLabel('New label').fill(`Photos ${id}`);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByRole('checkbox', { name: `Photos ${id}` })).toBeChecked();
    await checkForEverybody(page, 'labels');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('combobox', { name: 'Label' }).click();
    await page.getByRole('option', { name: `Photos ${id}` }).click();
    await expect(page.getByRole('list', { name: 'Broadcasts' }).getByRole('listitem')).toHaveCount(1);
  });

  await test.step('deleted, brought back, archived', async () => {
    await row(page, name).getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(row(page, name)).toHaveCount(0);
    await takeBack(page, `${name} was deleted.`);
    await expect(row(page, name)).toBeVisible();
    await row(page, name).getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await expect(row(page, name)).toHaveCount(0);
    await page.getByRole('tab', { name: /^Archived/ }).click();
    await expect(row(page, name)).toBeVisible();
  });

  await test.step('text and time of one that is scheduled are changed', async () => {
    const later = `Book fair ${Date.now()}`;
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
      Date.now() + 3 * 86_400_000,
    );
    const scheduled = await send(
      page,
      { BroadcastName: later, TextMessage: 'The book fair opens.', StartDate: `${day}T09:00:00` },
      ['2125550390'],
    );
    await page.goto(`/broadcast-details/${scheduled}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit broadcast' });
    await form.getByLabel('Text message').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Enter a Text Message')).toBeVisible();
    await form.getByLabel('Text message').fill('The book fair opens at noon.');
    await form.getByLabel('Starts at').fill('2020-01-01T08:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Your start date and time cannot be in the past.')).toBeVisible();
    await form.getByLabel('Starts at').fill(`${day}T12:15`);
    await form.getByLabel('Sending speed').selectOption('50 per minute');
    await form
      .getByLabel('Picture', { exact: true })
      .last()
      .setInputFiles({
        name: 'books.gif',
        mimeType: 'image/gif',
        buffer: Buffer.from(onePixelGif, 'base64'),
      });
    await expect(form.getByText('books.gif')).toBeVisible();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/Starts .* at 12:15 PM by Dana Whitfield/)).toBeVisible();
    const planned = page.getByRole('region', { name: 'What will be sent' });
    for (const fact of ['at 12:15 PM', '1 person', '50 a minute', 'The book fair opens at noon.'])
      await expect(planned).toContainText(fact);
    await checkInAllLooks(page, 'a scheduled broadcast');
    expect(await call(page, 'GET', `/broadcasts/${scheduled}`)).toMatchObject({
      PerMinute: 50,
      Media: [{ fileName: 'books.gif' }],
    });
  });

  await test.step('days, end, picture and speed of one that repeats are changed', async () => {
    await page.goto('/broadcasts?tab=repeating');
    await page.getByRole('button', { name: 'Edit Lunch menu' }).click();
    const form = page.getByRole('dialog', { name: 'Edit repeating broadcast' });
    await form.getByLabel('Repeat', { exact: true }).selectOption('Custom');
    await form.getByLabel('Every').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Enter an Interval')).toBeVisible();
    await form.getByLabel('Every').fill('2');
    await expect(form.getByRole('status').getByText(/^Every 2 weeks on/)).toBeVisible();
    await form.getByLabel('Sending speed').selectOption('500 per minute');
    await form
      .getByLabel('Picture', { exact: true })
      .last()
      .setInputFiles({ name: 'menu.gif', mimeType: 'image/gif', buffer: Buffer.from(onePixelGif, 'base64') });
    await expect(form.getByText('menu.gif')).toBeVisible();
    await form.getByLabel('Last day').fill(`${new Date().getFullYear() + 1}-12-30`);
    await checkForEverybody(page, 'edit repeating');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(page.getByText(/^Every 2 weeks on .*, until/)).toBeVisible();
    expect(await call(page, 'GET', '/repeatingbroadcasts?q=Lunch')).toMatchObject({
      Items: [{ PerMinute: 500, Media: [{ fileName: 'menu.gif' }] }],
    });
  });

  await test.step('one that tried two texts shows both, and why one was chosen', async () => {
    const { Items } = await call<{ Items: { BroadcastID: number }[] }>(
      page,
      'GET',
      '/broadcasts?q=Parent%20survey%20reminder',
    );
    await page.goto(`/broadcast-details/${Items[0]?.BroadcastID}`);
    await expect(page.getByText(/^The second text did better: 5 of \d+ people replied/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Second text' })).toContainText('Chosen');
    await checkForEverybody(page, 'two texts');
  });

  await test.step('a broadcast that doesn’t exist says so', async () => {
    await page.goto('/broadcast-details/99999999');
    const missing = page.getByRole('dialog', { name: 'Broadcast not found' });
    await missing.getByRole('button', { name: 'Go to broadcasts' }).click();
    await expect(page).toHaveURL(/\/broadcasts$/);
  });
});
