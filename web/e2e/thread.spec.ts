import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { checkForEverybody, look, looks } from './everybody.ts';
import { test } from './journey.ts';
import { call, messagesOf, sandboxUrl, signIn, takeBack, textFrom } from './stack.ts';

const office = '14235550100';
/** Other people in every run, so that it can be repeated on the same system. */
const run = 1000 + (Date.now() % 8000);
const stranger = (index: number) => `212555${String(run + index)}`;

const thread = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true });
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });
const composer = (page: Page) => page.getByPlaceholder('Write a text');

/** Somebody nobody knows writes, so that no other journey has to do with them; their thread is opened. */
async function openStranger(page: Page, phone: string, text: string): Promise<string> {
  await textFrom(phone, office, text);
  await page.goto('/inbox');
  await page.getByLabel('Conversations').getByText(text).first().click();
  await expect(messages(page).getByText(text)).toBeVisible();
  return new URL(page.url()).pathname;
}

test('a thread gets a note, an assignee, a snooze and tags', async ({ page }) => {
  const tag = `Route ${Date.now()}`;
  await signIn(page, 'demo-owner');
  await openStranger(page, stranger(0), 'Which bus is it tomorrow?');
  const facts = page.getByRole('list', { name: 'About this conversation' });

  await test.step('a note is for the team alone', async () => {
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Note for the team' }).fill('Ask Joanne about route 14.');
    await page.keyboard.press('Enter');
    await expect(messages(page).getByText('Ask Joanne about route 14.')).toBeVisible();
    await expect(messages(page).getByText('Note by you')).toBeVisible();
    await messages(page).getByRole('button', { name: 'Edit note' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('Ask Joanne about route 15.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(messages(page).getByText('Ask Joanne about route 15.')).toBeVisible();
    await expect(composer(page)).toBeVisible();
  });

  await test.step('a colleague takes care, named before the names have come', async () => {
    const { promise: entered, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/account/users?*', async (route) => {
      await entered;
      await route.continue();
    });
    await thread(page).getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('combobox', { name: 'Assign to' }).fill('Marcus');
    await expect(page.getByText('Loading…')).toBeVisible();
    await page.keyboard.press('Enter');
    goOn();
    await expect(facts.getByText(/Assigned to Marcus/)).toBeVisible();
    await expect(messages(page).getByText(/You assigned this to Marcus/)).toBeVisible();
  });

  await test.step('a tag is made and put on', async () => {
    await thread(page).getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill(tag);
    await page.getByRole('option', { name: `New tag “${tag}”` }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(facts.getByText(tag)).toBeVisible();
  });

  await test.step('it sleeps until tomorrow, and is woken', async () => {
    await thread(page).getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).click();
    await expect(facts.getByText(/Snoozed until/)).toBeVisible();
    await facts.getByRole('button', { name: 'Unsnooze' }).click();
    await expect(facts.getByText(/Snoozed until/)).toHaveCount(0);
  });

  const said = (await messagesOf(stranger(0))).filter(({ Direction }) => Direction === 'in');
  expect(said.filter(({ Text }) => Text.includes('Joanne'))).toEqual([]);
});

test('a failed text says why and is sent again', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await openStranger(page, '4235550186', `Are you there? (${Date.now()})`);
  const text = `We are. (${Date.now()})`;
  await composer(page).fill(text);
  await composer(page).press('Enter');
  const sent = messages(page).locator('[data-item]').filter({ hasText: text });
  await expect(sent.getByText('Phone Unreachable')).toBeVisible();
  await sent.getByRole('button', { name: 'Try again' }).click();
  await expect(sent).toHaveCount(2);
  await expect(sent.first()).toContainText('Sent again');
});

test('a colleague viewing and typing is shown, and nobody is answered twice by mistake', async ({
  page,
  colleague,
}) => {
  await signIn(page, 'demo-owner');
  const path = await openStranger(page, stranger(1), 'Who has the key to the gym?');
  await signIn(colleague, 'demo-admin', path);
  await expect(messages(colleague).getByText('Who has the key to the gym?')).toBeVisible();
  await expect(thread(page).getByText(/ is viewing this conversation$/)).toBeVisible();

  await composer(page).fill('The office has');
  await expect(thread(colleague).getByText(/ is typing$/)).toBeVisible();
  await composer(colleague).fill('Mr Grice has it.');
  await composer(colleague).press('Enter');
  await expect(messages(page).getByText('Mr Grice has it.')).toBeVisible();
  await expect(thread(page).getByText(/ has already replied\.$/)).toBeVisible();

  await composer(page).press('Enter');
  const anyway = thread(page).getByRole('button', { name: 'Send anyway' });
  await expect(anyway).toBeFocused();
  await expect(composer(page)).toHaveValue('The office has');
  await anyway.click();
  await expect(messages(colleague).getByText('The office has')).toBeVisible();
  await expect(thread(page).getByText(/ has already replied\.$/)).toHaveCount(0);
});

test('the server refuses a second answer from a page that missed the first', async ({ page, colleague }) => {
  await signIn(page, 'demo-owner');
  const path = await openStranger(page, stranger(2), 'Is the pool open?');
  await signIn(colleague, 'demo-admin', path);
  await expect(messages(colleague).getByText('Is the pool open?')).toBeVisible();
  // The list of texts stays as it is: the page learns nothing of what the colleague sends.
  const kept = /\/proxy\/api\/conversations\/\d+(\/textmessages)?(\?.*)?$/;
  await page.route(kept, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await composer(page).fill('It opens at nine.');
  await composer(colleague).fill('Closed today.');
  await composer(colleague).press('Enter');
  await expect(
    messages(colleague).getByText('Sent To Carrier').or(messages(colleague).getByText('Delivered')).last(),
  ).toBeVisible();
  await composer(page).press('Enter');
  const refused = messages(page).getByRole('alert');
  await expect(refused).toContainText('has already replied');
  await page.unroute(kept);
  await refused.getByRole('button', { name: 'Send anyway' }).click();
  await expect(messages(page).getByText('Closed today.')).toBeVisible();
  await expect(messages(colleague).getByText('It opens at nine.')).toBeVisible();
  await expect
    .poll(
      async () => (await messagesOf(stranger(2))).filter((item) => item.Text === 'It opens at nine.').length,
    )
    .toBe(1);
});

test('a text is saved, found with "/", starred, personalized and scheduled', async ({ page }) => {
  const shortcut = `hours${Date.now()}`;
  await signIn(page, 'demo-owner');
  await openStranger(page, stranger(3), 'When do you open?');
  await composer(page).fill('We open at 7:30.');
  await thread(page).getByRole('button', { name: 'Save this text' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this text' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill(`Hours ${shortcut}`);
  await dialog.getByLabel('Shortcut').fill(shortcut);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);

  await composer(page).fill('');
  await composer(page).pressSequentially(`Hello! /${shortcut}`);
  await expect(page.getByRole('option', { name: new RegExp(shortcut) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Hello! We open at 7:30.');

  await composer(page).fill('');
  await thread(page).getByRole('button', { name: 'Saved texts' }).click();
  const picker = page.getByRole('dialog', { name: 'Saved texts' });
  await picker.getByRole('button', { name: `Star Hours ${shortcut}` }).click();
  await picker.getByRole('tab', { name: 'Starred' }).click();
  await picker.getByRole('button', { name: new RegExp(`^Hours ${shortcut}`) }).click();
  await expect(composer(page)).toHaveValue('We open at 7:30.');

  await page.reload();
  await expect(composer(page)).toHaveValue('We open at 7:30.');

  await test.step('a field is filled in for the contact, and previewed before it is sent', async () => {
    const digits = stranger(3);
    await composer(page).fill('We call you at');
    await thread(page).getByRole('button', { name: 'Personalize' }).click();
    await page.getByRole('menuitem', { name: 'Phone Number' }).click();
    await expect(composer(page)).toHaveValue('We call you at {{PhoneNumber}}');
    const preview = thread(page).getByRole('group', { name: 'Preview' });
    await expect(preview).toContainText(`We call you at ${digits}`);
    await composer(page).press('Enter');
    await expect(messages(page).getByText(`We call you at ${digits}`)).toBeVisible();
    await expect(composer(page)).toHaveValue('');
    await expect(preview).toHaveCount(0);
    await expect
      .poll(async () => (await messagesOf(digits)).map(({ Text }) => Text))
      .toContain(`We call you at ${digits}`);
  });

  await test.step('content that carriers block is reported while it is written', async () => {
    await composer(page).fill('Details at bit.ly/3xYz');
    await expect(thread(page).getByText(/^Your message is using a generic URL shortener/)).toBeVisible();
    await composer(page).fill('Details at example.org');
    await expect(thread(page).getByText(/generic URL shortener/)).toHaveCount(0);
  });

  await test.step('a text for later waits among the scheduled, and the thread says so', async () => {
    const text = `Doors open soon (${shortcut})`;
    await composer(page).fill(text);
    await thread(page).getByRole('button', { name: 'Send later' }).click();
    const start = thread(page).getByLabel('Start Time');
    await expect(start).toBeFocused();
    await expect(start).toHaveValue(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    const given = await start.inputValue();
    await start.fill('2020-01-01T08:00');
    await thread(page).getByRole('button', { name: 'Schedule' }).click();
    await expect(thread(page).getByText('Your start date and time cannot be in the past.')).toBeVisible();
    await expect(composer(page)).toHaveValue(text);
    await start.fill(given);
    await thread(page).getByRole('button', { name: 'Schedule' }).click();
    await expect(composer(page)).toHaveValue('');
    await expect(thread(page).getByRole('button', { name: 'Send', exact: true })).toBeVisible();
    const waiting = thread(page).getByText(/^A text goes out /);
    await expect(waiting).toBeVisible();
    await waiting.getByRole('link', { name: 'Show' }).click();
    await expect(page.getByRole('list', { name: 'Texts' })).toContainText(text);
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByRole('button', { name: 'Cancel the text' }).click();
    await page.goBack();
    await expect(messages(page)).toBeVisible();
    await expect(waiting).toHaveCount(0);
    expect((await messagesOf(stranger(3))).map(({ Text }) => Text)).not.toContain(text);
  });
});

test('a contact is opted out by hand, and back in with consent', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await openStranger(page, stranger(4), 'Could you write to my other number?');
  await thread(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Opt out' }).click();
  const out = thread(page).getByText('This number has opted out of receiving texts.');
  await expect(out).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
  await takeBack(page, 'won’t get any more texts.');
  await expect(out).toHaveCount(0);

  await thread(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Opt out' }).click();
  await thread(page).getByRole('button', { name: 'Opt in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Opt in' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please confirm you have collected proper consent.');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Opt in' }).click();
  await expect(composer(page)).toBeVisible();
});

test('a long thread scrolls up without jumping, and opens at an old text', async ({ page }) => {
  const phone = stranger(5);
  await signIn(page, 'demo-owner');
  // Two that are on their way at once may come in either order: the last one waits for the others.
  for (let index = 1; index <= 120; index += 1) {
    if (index === 120) await expect.poll(() => unreadOf(page, phone)).toBe(119);
    await textFrom(phone, office, `Line ${index} of a long story`);
  }
  await expect.poll(() => unreadOf(page, phone)).toBe(120);
  await page.goto('/inbox');
  await page.getByLabel('Conversations').getByText('Line 120 of a long story').first().click();
  const last = messages(page).getByText('Line 120 of a long story');
  await expect(last).toBeInViewport();

  await test.step('visible texts stay in place while older texts load above them', async () => {
    const held = messages(page).getByText('Line 74 of a long story');
    const older = /\/textmessages\?.*next=/;
    const release = Promise.withResolvers<void>();
    await page.route(older, async (route) => {
      await release.promise;
      await route.continue();
    });
    await held.scrollIntoViewIfNeeded();
    await expect(messages(page).getByLabel('Loading older messages')).toBeAttached();
    const before = await topOf(held);
    release.resolve();
    await expect(messages(page).getByText('Line 30 of a long story')).toHaveCount(1);
    expect(Math.abs((await topOf(held)) - before)).toBeLessThan(2);
    await page.unroute(older);
  });

  await test.step('around an old text, with the way back to the present', async () => {
    const path = new URL(page.url()).pathname;
    const id = Number(/\d+/.exec(path)?.[0]);
    const oldId = await idOfText(page, id, 'Line 20 of a long story');
    await page.goto(`${path}?textMessageId=${oldId}`);
    await expect(messages(page).getByText('Line 20 of a long story')).toBeInViewport();
    await expect(messages(page).getByText('Line 120 of a long story')).toHaveCount(0);
    await page.getByRole('button', { name: 'Latest messages' }).click();
    await expect(last).toBeInViewport();
  });
});

async function unreadOf(page: Page, phone: string): Promise<number | undefined> {
  const path = `/conversations?q=${phone}&pagesize=1`;
  const { Items } = await call<{ Items: { UnreadCount: number }[] }>(page, 'GET', path);
  return Items[0]?.UnreadCount;
}

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}

async function idOfText(page: Page, conversationId: number, text: string): Promise<number> {
  let next = '';
  for (let pages = 0; pages < 5; pages += 1) {
    const answer = await page.request.get(
      `/proxy/api/conversations/${conversationId}/textmessages?pagesize=100${next && `&next=${encodeURIComponent(next)}`}`,
    );
    const { Items, Next } = (await answer.json()) as {
      Items: { TextMessageID: number; Message: string }[];
      Next: string | null;
    };
    const found = Items.find(({ Message }) => Message === text);
    if (found) return found.TextMessageID;
    next = Next ?? '';
  }
  throw new Error(`There is no "${text}".`);
}

test('a picture opens in full, can be saved, and is blurred once marked explicit', async ({ page }) => {
  const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer();
  await signIn(page, 'demo-owner');
  const phone = stranger(6);
  await openStranger(page, phone, 'Here is the form');
  await fetch(`${sandboxUrl}/phones/${phone}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      To: office,
      Text: '',
      Media: [{ ContentType: 'image/jpeg', Data: picture.toString('base64') }],
    }),
  });
  const thumb = messages(page).getByRole('button', { name: /^Open picture/ });
  await thumb.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('link', { name: 'Open full size' })).toHaveAttribute('target', '_blank');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(await saved.failure()).toBeNull();
  await dialog.getByRole('button', { name: 'Mark as explicit' }).click();
  await expect(dialog.getByRole('button', { name: 'Show the picture' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(thumb).toContainText('May be explicit');
  await thumb.click();
  await dialog.getByRole('button', { name: 'Show the picture' }).click();
  await dialog.getByRole('button', { name: 'Not explicit' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(thumb).not.toContainText('May be explicit');
});

test('the thread is accessible, wide and narrow, light and dark', async ({ page }) => {
  await signIn(page, 'demo-owner');
  const path = await openStranger(page, stranger(7), 'Does the bus stop at Elm Street?');
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Note for the team' }).fill('It does from March on.');
  await page.keyboard.press('Enter');
  await expect(messages(page).getByText('It does from March on.')).toBeVisible();
  for (const each of looks) {
    await look(page, each);
    await page.goto(path);
    await expect(messages(page).getByText('It does from March on.')).toBeVisible();
    await checkForEverybody(page, `thread at ${each.size.width}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Write a note' }).click();
    await expect(page.getByRole('textbox', { name: 'Note for the team' })).toBeFocused();
    await checkForEverybody(page, `note at ${each.size.width}`);
  }
});
