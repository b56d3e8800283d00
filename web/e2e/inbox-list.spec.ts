import { expect, type Page, type Route } from '@playwright/test';
import { checkForEverybody, checkInAllLooks, look, looks } from './everybody.ts';
import { test } from './journey.ts';
import { signIn, takeBack, textFrom } from './stack.ts';

const office = '14235550100';
const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected conversations' });
const search = (page: Page) => page.getByRole('textbox', { name: /^Search/ });
const filters = (page: Page) => page.getByRole('group', { name: 'Filters' });

async function openInbox(page: Page, query = ''): Promise<void> {
  await signIn(page, 'demo-owner', `/inbox${query}`);
  await expect(list(page).getByRole('listitem').first()).toBeVisible();
}

async function openFilter(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Filter and sort/ }).click();
  await page
    .getByRole('menuitemradio', { name: item })
    .or(page.getByRole('menuitem', { name: item }))
    .click();
}

/** A stranger whom no other journey uses. */
let strangers = Date.now() % 8_000;
function stranger(): { phone: string; shown: string } {
  strangers += 1;
  const last = String(1_000 + strangers);
  return { phone: `212555${last}`, shown: `(212) 555-${last}` };
}

async function writes(
  page: Page,
  { phone, shown }: ReturnType<typeof stranger>,
  text: string,
): Promise<void> {
  await textFrom(phone, office, text);
  await expect(row(page, shown)).toBeVisible();
}

test('several conversations get a new tag, are found by it, and the tag is deleted', async ({ page }) => {
  const tag = `Bus ${Date.now()}`;
  await openInbox(page);

  await test.step('a tick moves no row from under the pointer', async () => {
    const second = list(page).getByRole('listitem').nth(1);
    const before = await second.boundingBox();
    await second.getByRole('checkbox').click();
    await expect(bar(page)).toBeVisible();
    expect(await second.boundingBox()).toEqual(before);
    await page.keyboard.press('/');
    await expect(bar(page)).toHaveCount(0);
    await expect(search(page)).toBeFocused();
    await search(page).press('Escape');
    await list(page).getByRole('listitem').first().getByRole('link').focus();
    await page.keyboard.press('k');
  });

  await test.step('tick three with the keys, and tag them', async () => {
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await expect(bar(page)).toContainText('3 selected');
    await page.keyboard.press('t');
    const picker = page.getByRole('combobox', { name: 'Tags' });
    await picker.fill(tag);
    await page.getByRole('option', { name: `New tag “${tag}”` }).click();
    await expect(page.getByRole('option', { name: tag })).toContainText('on');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('3 conversations are tagged.')).toBeVisible();
    await expect(row(page, tag)).toHaveCount(3);
    await page.keyboard.press('Escape');
    await expect(bar(page)).toHaveCount(0);
  });

  await test.step('the tag is a filter in the address', async () => {
    await openFilter(page, 'With a tag…');
    await page.getByRole('combobox', { name: 'With a tag' }).fill(tag);
    await page.getByRole('option', { name: tag }).click();
    await expect(page).toHaveURL(/tag=\d+/);
    await expect(list(page).getByRole('listitem')).toHaveCount(3);
    await page.reload();
    await expect(list(page).getByRole('listitem')).toHaveCount(3);
    await expect(filters(page)).toContainText(tag);
  });

  await test.step('it gets another name, and goes', async () => {
    await openFilter(page, 'Manage tags…');
    await page.getByRole('button', { name: `Edit ${tag}` }).click();
    await page.getByLabel('Tag name').fill(`${tag} 14`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Delete ${tag} 14` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByRole('button', { name: `Delete ${tag} 14` })).toHaveCount(0);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(page).not.toHaveURL(/tag=/);
    await expect(row(page, tag)).toHaveCount(0);
  });
});

test('a conversation is assigned, snoozed, woken and marked unread, with undo each time', async ({
  page,
}) => {
  const parent = stranger();
  const { shown } = parent;
  await openInbox(page);
  await writes(page, parent, 'Where do I find the calendar?');

  await test.step('assigned to oneself: it is among mine', async () => {
    await row(page, shown).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('option', { name: /\(you\)$/ }).click();
    await expect(page.getByText(/is assigned to Dana Whitfield\.$/)).toBeVisible();
    await expect(row(page, shown)).toContainText('Assigned to Dana Whitfield');
    await openFilter(page, /^Mine/);
    await expect(page).toHaveURL(/viewing=mine/);
    await expect(row(page, shown)).toBeVisible();
    await expect(page.getByRole('tab', { name: /^Open/ })).toContainText(/\d/);
    await filters(page)
      .getByRole('button', { name: /Remove filter: Mine/ })
      .click();
    await expect(page).not.toHaveURL(/viewing/);
  });

  await test.step('snoozed until tomorrow: out of the list, among the snoozed, and back', async () => {
    await row(page, shown).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'Date and time…' }).click();
    await page.getByLabel('Date and time').fill('2020-01-01T08:00');
    await page.getByRole('button', { name: 'Snooze', exact: true }).last().click();
    await expect(page.getByText('Choose a time in the future')).toBeVisible();
    await page.getByLabel('Date and time').fill('2099-01-01T08:00');
    await page.getByRole('button', { name: 'Snooze', exact: true }).last().click();
    await expect(row(page, shown)).toHaveCount(0);
    await takeBack(page, 'is snoozed until');
    await row(page, shown).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).click();
    await expect(row(page, shown)).toHaveCount(0);
    await openFilter(page, /^Snoozed/);
    await expect(row(page, shown).getByRole('img', { name: 'Snoozed until' })).toBeVisible();
    await row(page, shown).getByRole('checkbox').click();
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: 'Unsnooze now' }).click();
    await expect(row(page, shown)).toHaveCount(0);
    await takeBack(page, 'is no longer snoozed');
    await expect(row(page, shown)).toBeVisible();
    await page.getByRole('tab', { name: /^Open/ }).click();
    // An answer wakes what is asleep.
    await writes(page, parent, 'Never mind, I found it.');
  });

  await test.step('read, unread, read', async () => {
    await row(page, shown).getByRole('link').click();
    await expect(row(page, shown).getByRole('img', { name: /unread/ })).toHaveCount(0);
    await page.getByRole('tab', { name: /^Unread/ }).click();
    await expect(row(page, shown)).toHaveCount(0);
    await page.keyboard.press('u');
    await expect(row(page, shown)).toBeVisible();
    await expect(row(page, shown).getByRole('img', { name: '1 unread' })).toBeVisible();
    await takeBack(page, 'is unread again.');
    await expect(row(page, shown)).toHaveCount(0);
  });
});

test('all search results but one are marked done, then reopened', async ({ page }) => {
  const word = `picnic${Date.now()}`;
  await openInbox(page);
  const [first, second, third] = [stranger(), stranger(), stranger()];
  for (const parent of [first, second, third]) await writes(page, parent, `About the ${word}`);
  await page.keyboard.press('/');
  await search(page).fill(word);
  await expect(page).toHaveURL(new RegExp(`q=${word}`));
  await expect(list(page).getByRole('listitem')).toHaveCount(3);
  await expect(row(page, second.shown).locator('mark')).toHaveText(word);
  await row(page, first.shown).getByRole('checkbox').click();
  await bar(page)
    .getByRole('button', { name: /^Select all/ })
    .click();
  await row(page, second.shown).getByRole('checkbox').click();
  await expect(bar(page)).toContainText('2 selected');
  await bar(page).getByRole('button', { name: 'Done', exact: true }).click();
  await expect(page.getByText('2 conversations are done.')).toBeVisible();
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Done');
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
  await row(page, third.shown).getByRole('checkbox').click();
  await bar(page).getByRole('button', { name: 'Reopen' }).click();
  await expect(list(page).getByRole('listitem')).toHaveCount(1);

  await test.step('those that are still done are below the open ones, and one of them is reopened', async () => {
    await search(page).press('Escape');
    await page.getByRole('tab', { name: /^Open/ }).click();
    await page.getByRole('button', { name: /^Done today/ }).click();
    const done = page.getByRole('list', { name: 'Done today' });
    await done.getByRole('link', { name: first.shown }).focus();
    await page.keyboard.press('e');
    await expect(page.getByText(`${first.shown} is open again.`)).toBeVisible();
    await expect(done.getByText(first.shown)).toHaveCount(0);
  });

  await test.step('those who need no answer are closed and brought back together; the longest wait is listed', async () => {
    const polite = stranger();
    await textFrom(polite.phone, office, 'Thank you!');
    await page.goto('/inbox');
    await expect(page.getByRole('button', { name: /needs? no answer$/ })).toBeVisible();
    await page.keyboard.press('g');
    await expect(page).toHaveURL(/viewing=noanswer/);
    await expect(row(page, polite.shown)).toBeVisible();
    await expect(row(page, second.shown)).toHaveCount(0);
    await checkInAllLooks(page, 'what needs no answer');
    await page.getByRole('button', { name: 'Mark all done' }).click();
    await expect(page.getByText(/conversations? (is|are) done\.$|is done\.$/)).toBeVisible();
    await expect(row(page, polite.shown)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, polite.shown)).toBeVisible();
    await page.keyboard.press('w');
    await expect(filters(page)).toContainText('Waiting longest');
    await expect(row(page, second.shown)).toBeVisible();
    await page.keyboard.press('1');
    await expect(filters(page)).toHaveCount(0);
    // By the menu too the longest wait comes first, until somebody chooses otherwise.
    const choose = async (name: string) => {
      await page.keyboard.press('f');
      await page.getByRole('menuitemradio', { name }).click();
      // While it closes, a menu is hidden from getByRole and still takes every key.
      await expect(page.locator('[role=menu]')).toHaveCount(0);
    };
    await choose('Waiting for a reply');
    await expect(filters(page)).toContainText('Waiting longest');
    await choose('Newest first');
    await expect(filters(page)).toContainText('Waiting for a reply');
    await expect(page).toHaveURL(/sortby=latest/);
    await choose('Longest wait first');
    await expect(filters(page)).toContainText('Waiting longest');
    await page.keyboard.press('1');
    await expect(filters(page)).toHaveCount(0);
  });
});

test('a search finds older texts, and offers to look further when it finds few', async ({ page }) => {
  const word = `glockenspiel${Date.now()}`;
  const parent = stranger();
  const { shown } = parent;
  await openInbox(page);
  await writes(page, parent, `Is the ${word} still for sale?`);
  await writes(page, parent, 'Hello? Anybody?');
  await expect(row(page, shown)).toContainText('Anybody');
  await search(page).fill(word.toUpperCase());
  await expect(row(page, shown).locator('mark')).toHaveText(word);
  await page.getByRole('button', { name: 'People' }).click();
  await expect(page).toHaveURL(/searchin=people/);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.getByRole('button', { name: 'Texts' }).click();
  await expect(row(page, shown)).toBeVisible();
  await page.getByRole('button', { name: 'Search further back' }).click();
  await expect(page).toHaveURL(/further=true/);
  await expect(row(page, shown)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search further back' })).toHaveCount(0);
  await test.step('not before the year 2001', async () => {
    await openFilter(page, 'Between two dates…');
    const dialog = page.getByRole('dialog', { name: 'Between two dates' });
    await dialog.getByLabel('From').fill('2001-01-02');
    await dialog.getByLabel('To').fill('2001-01-01');
    await expect(dialog.getByRole('button', { name: 'Show' })).toBeDisabled();
    await dialog.getByLabel('From').fill('');
    await checkForEverybody(page, 'dates');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await expect(page).toHaveURL(/date-to=2001-01-01/);
    await expect(page.getByText('Nothing found')).toBeVisible();
    await filters(page)
      .getByRole('button', { name: /Remove filter: Until January 1, 2001/ })
      .click();
    await expect(row(page, shown)).toBeVisible();
  });
  await row(page, shown).getByRole('link').click();
  await expect(page).toHaveURL(/\/inbox\/\d+\?.*textMessageId=\d+/);
  await expect(page.getByLabel('Messages').getByText(`Is the ${word} still for sale?`)).toBeVisible();
  await search(page).press('Escape');
  await expect(page).not.toHaveURL(/[?&]q=/);
});

test('every address of the inbox opens the right list', async ({ page }) => {
  await openInbox(page);
  const reply = await page.request.get('/proxy/api/conversations?pagesize=1');
  const [first] = (await reply.json()).Items;
  const id: number = first.ConversationID;
  const text: number = first.LastMessage.TextMessageID;
  const numbers = (await (await page.request.get('/proxy/api/textnumbers')).json()).Items;
  const [number] = numbers;
  const thread = new RegExp(`/inbox/${id}(\\?|$)`);
  const led: [from: string, to: RegExp][] = [
    [`/inbox/${id}`, thread],
    [`/inbox/${id}/messages?isDone=true`, new RegExp(`/inbox/${id}\\?isDone=true$`)],
    [`/inbox/textMessages/${text}`, new RegExp(`/inbox/${id}\\?textMessageId=${text}$`)],
    ['/inbox/landing?textNumberId=1', /\/inbox\?textNumberId=1$/],
    ['/conversations?tag=autooptout', /\/inbox\?tag=autooptout$/],
    [`/conversations/${id}/messages`, thread],
  ];
  for (const [from, to] of led) {
    await page.goto(from);
    await expect(page, from).toHaveURL(to);
    await expect(page.getByRole('heading', { level: 1 }), from).toBeVisible();
  }
  const titles: [query: string, title: string][] = [
    ['?isDone=true&tag=autooptout&broadcastId=4', 'Done'],
    ['?tag=autooptout&broadcastId=4', 'Auto Opt-Outs'],
    [`?broadcastId=99999999&textNumberId=${number.TextNumberID}`, 'Broadcast'],
    [`?textNumberId=${number.TextNumberID}`, number.Name],
    ['', 'Inbox'],
  ];
  for (const [query, title] of titles) {
    await page.goto(`/inbox${query}`);
    await expect(page.getByRole('heading', { level: 1 }), query).toHaveText(title);
    await expect(page, query).toHaveTitle(new RegExp(`${title} · Muster$`));
  }
  await page.goto('/inbox/textMessages/999999999');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('rows stay in place while new ones arrive, and viewers are shown', async ({ page, colleague }) => {
  await openInbox(page);
  const scroller = list(page).locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, 700));
  // The first in sight, of those that are drawn: others below may be written in and go to the top at any time.
  const read = list(page).getByRole('listitem').and(page.locator('[style*="translateY(700px)"]'));
  // Not by its words: how long ago it was is one of them.
  const id = await read.getByRole('link').getAttribute('data-conversation');
  const top = async () => (await list(page).locator(`[data-conversation="${id}"]`).boundingBox())?.y;
  const before = await top();
  const { phone, shown } = stranger();
  await textFrom(phone, office, 'I am new here');
  await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(770);
  await expect.poll(top).toBe(before);

  await signIn(colleague, 'demo-admin', '/inbox');
  await row(colleague, shown).getByRole('link').click();
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await expect(row(page, shown).getByRole('img', { name: /is viewing/ })).toBeVisible();
});

test('a conversation moves to another text number and stays readable', async ({ page }) => {
  const parent = stranger();
  const { shown } = parent;
  await openInbox(page);
  await writes(page, parent, 'Please write to me from the bus desk');
  await row(page, shown).getByRole('link').click();
  await expect(page.getByLabel('Messages').getByText('from the bus desk')).toBeVisible();
  await test.step('whoever nobody knows can be written down', async () => {
    await page
      .getByRole('complementary', { name: 'Contact' })
      .getByRole('button', { name: 'Add to contacts' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Add contact' });
    await expect(dialog.getByLabel('Phone', { exact: true })).toHaveValue(shown);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  });
  const before = page.url();
  await page.keyboard.press('m');
  await page.getByRole('radio', { name: /Transportation/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText('1 conversation was moved.')).toBeVisible();
  await expect(page).not.toHaveURL(before);
  await expect(page.getByLabel('Messages').getByText('from the bus desk')).toBeVisible();
  await page.getByRole('button', { name: /^Text number:/ }).click();
  await page.getByRole('menuitem', { name: /Transportation/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transportation');
  await expect(row(page, shown)).toBeVisible();
});

test('each error is shown once, in its place', async ({ page }) => {
  const parent = stranger();
  await openInbox(page);
  await writes(page, parent, 'Is the library open?');
  const fails = (route: Route) => route.fulfill({ status: 500, json: {} });
  const lists = '**/proxy/api/conversations?*';

  await test.step('tags', async () => {
    await page.route('**/proxy/api/conversations/tags', fails);
    await row(page, parent.shown).getByRole('link').focus();
    await page.keyboard.press('t');
    await expect(page.getByText('There was an error getting the tags assigned to the user.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.unroute('**/proxy/api/conversations/tags');
  });

  await test.step('a list that can’t be refreshed, and one that can’t be shown', async () => {
    await page.route(lists, fails);
    await textFrom(parent.phone, office, 'Hello?');
    const failed = page.getByText('There was an error getting your conversations.');
    await expect(page.getByText('There was an error receiving your new conversation.')).toBeVisible();
    await expect(failed).toHaveCount(0);
    await row(page, parent.shown).getByRole('link').click();
    await expect(page.getByLabel('Messages').getByText('Hello?')).toBeVisible();
    await page.reload();
    await expect(failed).toHaveCount(1);
  });

  await test.step('no next conversation', async () => {
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(page.getByText('There was an error getting your next conversation.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
    await page.unroute(lists);
  });

  await test.step('the people of a new conversation', async () => {
    await page.route('**/proxy/api/contacts/*', fails);
    await page.goto('/inbox?compose=true&people=3');
    await expect(page.getByText('There was an error starting your conversation.')).toBeVisible();
    await page.unroute('**/proxy/api/contacts/*');
  });

  await test.step('a server that doesn’t answer', async () => {
    await page.goto('/inbox');
    await expect(list(page).getByRole('listitem').first()).toBeVisible();
    await page.route('**/proxy/**', (route) => route.abort());
    // The browser has a network: only what it asks fails.
    const notice = page.getByText(/^We can’t be reached at the moment\./);
    const status = page.getByRole('link', { name: 'Status page' });
    // The socket is still open and soon takes the notice away again.
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await expect(notice).toBeVisible({ timeout: 2_000 });
      await expect(status).toHaveAttribute('href', '/readyz', { timeout: 1_000 });
    }).toPass();
  });
});

test('on a tablet the strip of keys leaves out what has no room', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openInbox(page);
  const isWhole = await page.getByRole('button', { name: /all shortcuts/ }).evaluate((button) => {
    const strip = button.parentElement?.getBoundingClientRect();
    return strip !== undefined && button.getBoundingClientRect().right <= strip.right;
  });
  expect(isWhole).toBe(true);
});

test('the inbox list and its menus are accessible', async ({ page }) => {
  await signIn(page, 'demo-owner');
  for (const each of looks) {
    await look(page, each);
    const { width } = each.size;
    await page.goto('/inbox?viewing=unassigned');
    await list(page).getByRole('listitem').first().getByRole('checkbox').click();
    // Off the bar, which has come to lie under the pointer: its tooltip is nothing of the page.
    await page.mouse.move(1, 1);
    await checkForEverybody(page, `selection at ${width}`);
    await bar(page).getByRole('button', { name: 'Tags' }).click();
    await expect(page.getByRole('combobox', { name: 'Tags' })).toBeVisible();
    await checkForEverybody(page, `tags at ${width}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Filter and sort/ }).click();
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    await checkForEverybody(page, `filters at ${width}`);
    await page.getByRole('menuitem', { name: 'Manage tags…' }).click();
    await expect(page.getByRole('dialog', { name: 'Tags' })).toBeVisible();
    await checkForEverybody(page, `tags dialog at ${width}`);
  }
  await page.goto('/inbox?q=the&viewing=snoozed');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await checkInAllLooks(page, 'nothing found');
});
