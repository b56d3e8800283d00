import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, signIn, takeBack, textFrom } from './stack.ts';

const office = '14235550100';
/** Phones that nobody in the demo has, others in every run: a journey can be made twice in the same system. */
const run = Math.floor(Date.now() / 1000) % 900;
const digitsOf = (n: number) => `646344${String(1000 + run * 10 + n)}`;
const shownAs = (n: number) => digitsOf(n).replace(/^(...)(...)(....)$/, '($1) $2-$3');
const instrument = `Instrument ${run}`;
const club = `Chess club ${run}`;

async function addContact(
  page: Page,
  FirstName: string,
  LastName: string,
  PrimaryPhone: string,
): Promise<void> {
  const body = { FirstName, LastName, PrimaryPhone };
  const { PersonID } = await call<{ PersonID: number }>(page, 'POST', '/contacts', body);
  await page.goto(`/contacts/contact/${PersonID}`);
  await expect(page.getByRole('heading', { level: 1, name: `${FirstName} ${LastName}` })).toBeVisible();
}

test('a contact is added, changed, opted out and deleted, and each step can be undone', async ({ page }) => {
  await signIn(page, 'demo-owner');
  const history = page.getByRole('region', { name: 'History' });
  const phones = page.getByRole('region', { name: 'Phones and consent' });

  await test.step('a wrong phone is reported at its field and nothing is lost', async () => {
    await page.goto('/contacts');
    await page.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add contact' });
    await dialog.getByLabel('First name').fill('Ottilie');
    await dialog.getByLabel('Last name').fill('Marsh');
    await dialog.getByLabel('Phone', { exact: true }).fill('12');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await expect(dialog.getByText('Must be 10 digits; use only numbers')).toBeVisible();
    await expect(dialog.getByLabel('First name')).toHaveValue('Ottilie');
    await dialog.getByLabel('Phone', { exact: true }).fill(shownAs(1));
    await dialog.getByRole('button', { name: 'Add another phone' }).click();
    await dialog.getByLabel('Second phone').fill(digitsOf(6));
    await dialog.getByLabel('Groups').fill(club);
    await page.getByRole('option', { name: `New group “${club}”` }).click();
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Ottilie Marsh' })).toBeVisible();
    await expect(phones.getByRole('heading', { name: shownAs(6) })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Groups' }).getByText(club)).toBeVisible();
    await expect(history.getByText(/^Added by /)).toBeVisible();
  });

  await test.step('a group that the contact is in is not created again', async () => {
    await page.getByRole('button', { name: 'Add to group' }).click();
    const box = page.getByRole('combobox', { name: 'Add to group' });
    await box.fill(club.toUpperCase());
    await expect(page.getByText(`Already in ${club}`)).toBeVisible();
    await expect(page.getByRole('option')).toHaveCount(0);
    await box.fill(`${club} two`);
    await expect(page.getByRole('option', { name: `New group “${club} two”` })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('a custom field, and a note', async () => {
    await page.getByRole('button', { name: 'Edit' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Edit contact' });
    await dialog.getByRole('button', { name: 'New field' }).click();
    await dialog.getByLabel('New field').fill(instrument);
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByLabel(instrument).fill('Oboe');
    await dialog.getByLabel('Notes').fill('Plays on Tuesdays');
    await expect(dialog.getByText('17/50')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Ottilie Marsh was saved.')).toBeVisible();
    const details = page.getByRole('region', { name: 'Details' });
    await expect(details.getByText('Oboe')).toBeVisible();
    await expect(details.getByText('Plays on Tuesdays')).toBeVisible();
    await takeBack(page, 'Ottilie Marsh was saved.');
    await expect(details.getByText('Plays on Tuesdays')).toHaveCount(0);
  });

  await test.step('opted out by hand, with words, and undone', async () => {
    const first = phones.getByRole('region', { name: shownAs(1) });
    await first.getByRole('button', { name: 'Opt out' }).click();
    const dialog = page.getByRole('dialog', { name: `Opt out ${shownAs(1)}` });
    await dialog.getByRole('button', { name: 'Texts' }).click();
    await dialog.getByLabel('How do you know?').fill('Told us at the desk');
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await expect(first.getByText('This number has opted out of receiving texts.')).toBeVisible();
    await expect(first.getByText('Told us at the desk')).toBeVisible();
    await expect(history.getByText('Opted out of texts')).toBeVisible();
    await takeBack(page, 'opted out of texts.');
    await expect(first.getByText('This number has opted out of receiving texts.')).toHaveCount(0);
    await expect(history.getByText('Undid the last change for texts')).toBeVisible();
  });

  await test.step('an opt-in has to be declared; the evidence is a file', async () => {
    const first = phones.getByRole('region', { name: shownAs(1) });
    await first.getByRole('button', { name: 'Opt in' }).click();
    const dialog = page.getByRole('dialog', { name: `Opt in ${shownAs(1)}` });
    await dialog.getByRole('button', { name: 'Opt in' }).click();
    await expect(dialog.getByText('Please confirm you have collected proper consent.')).toBeVisible();
    await dialog.getByLabel('How do you know?').fill('Membership form');
    await dialog.getByLabel('I have collected proper consent from this person.').check();
    await dialog.getByRole('button', { name: 'Opt in' }).click();
    await expect(first.getByText('“Membership form”')).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      first.getByRole('link', { name: /Download evidence/ }).click(),
    ]);
    const evidence = await readFile(await download.path(), 'utf8');
    expect(evidence).toContain('Told us at the desk');
    expect(evidence).toContain('Membership form');
  });

  await test.step('out of a group and back', async () => {
    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByRole('button', { name: `Remove from ${club}` }).click();
    await expect(groups.getByText('Not in any group yet.')).toBeVisible();
    await takeBack(page, `was removed from ${club}.`);
    await expect(groups.getByText(club)).toBeVisible();
  });

  await test.step('deleted, undone, deleted and restored', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('This contact was deleted')).toBeVisible();
    await takeBack(page, 'was deleted.');
    await expect(page.getByText('This contact was deleted')).toHaveCount(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByText('This contact was deleted')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Groups' }).getByText(club)).toBeVisible();
  });
});

test('a duplicate phone is pointed out, and two contacts are merged', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await addContact(page, 'Rosalind', 'Achebe', digitsOf(2));
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'Add contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add contact' });
  await dialog.getByLabel('First name').fill('Rosie');
  await dialog.getByLabel('Phone', { exact: true }).fill(digitsOf(2));
  await dialog.getByLabel('Notes').fill('The same person');
  await dialog.getByRole('button', { name: 'Add contact' }).click();
  await expect(dialog.getByText('Contact already exists in the Everyone group.')).toBeVisible();
  await expect(dialog.getByText('Rosalind Achebe')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Open existing contact' })).toBeVisible();
  await checkForEverybody(page, 'a phone that is there already');
  await dialog.getByRole('button', { name: 'Add anyway' }).click();
  await expect(page.getByText('Rosie was added.')).toBeVisible();

  await page.goto('/contacts/duplicates');
  const shared = page.getByRole('region', { name: shownAs(2) });
  await expect(shared.getByRole('link')).toHaveCount(2);
  await shared.getByRole('button', { name: /Merge/ }).click();
  const merge = page.getByRole('dialog', { name: 'Merge contacts' });
  await merge.getByRole('radio', { name: 'Keep Rosie' }).check();
  const after = merge.getByRole('region', { name: 'After merging' }).filter({ visible: true });
  // Her own first name, and the last name that only the other one had.
  await expect(after.getByText('Rosie Achebe')).toBeVisible();
  await expect(after.getByText('The same person')).toBeVisible();
  await checkForEverybody(page, 'merge');
  await merge.getByRole('button', { name: 'Merge 2 into one' }).click();
  await expect(shared).toHaveCount(0);
  await takeBack(page, '2 contacts were merged into');
  await expect(shared.getByRole('link')).toHaveCount(2);
});

test('a contact’s history shows texts both ways, and Text opens the conversation', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await addContact(page, 'Benedict', 'Oyelaran', digitsOf(3));
  const history = page.getByRole('region', { name: 'History' });
  const question = `Is there school tomorrow? (${Date.now()})`;
  await textFrom(digitsOf(3), office, question);
  await expect(async () => {
    await page.reload();
    await expect(history.getByText(question)).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(page.getByLabel('Messages').getByText(question)).toBeVisible();
  const answer = `Yes, from nine. (${Date.now()})`;
  await page.getByPlaceholder('Write a text').fill(answer);
  await page.getByPlaceholder('Write a text').press('Enter');
  await expect(page.getByLabel('Messages').getByText('Delivered').last()).toBeVisible();
  await page.goBack();
  await page.reload();
  await expect(history.getByText(answer)).toBeVisible();
  await expect(history.getByText('Delivered').first()).toBeVisible();
});

test('the opt-out report shows a STOP and can be searched, filtered and downloaded', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await addContact(page, 'Philippa', 'Quarry', digitsOf(4));
  await textFrom(digitsOf(4), office, 'STOP');
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('link', { name: 'Opt-outs' }).click();
  await expect(page).toHaveURL(/\/reports\/opt-out-report/);
  const row = page.getByRole('row', { name: new RegExp(`${digitsOf(4).slice(-4)}`) });
  await expect(row).toContainText('Philippa Quarry');
  await expect(row).toContainText('Replied “STOP”');
  await page.getByLabel('Search opt-outs').fill(shownAs(4));
  await expect(page.getByRole('row')).toHaveCount(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Philippa');
  await page.getByRole('tab', { name: 'Voice' }).click();
  await expect(page.getByText(`Nothing found for “${shownAs(4)}”`)).toBeVisible();
  await page.getByRole('tab', { name: 'All' }).click();
  await row.getByRole('link', { name: 'Philippa Quarry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Philippa Quarry' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Text', exact: true })).toBeDisabled();
});

test('fields are added, renamed and deleted', async ({ page }) => {
  await signIn(page, 'demo-owner');
  await addContact(page, 'Leopold', 'Finch', digitsOf(5));
  await page.getByRole('button', { name: 'Fields' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contact fields' });
  await dialog.getByLabel('New field').fill('First Name');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await expect(dialog.getByText('First Name is a field of every contact already.')).toBeVisible();
  await dialog.getByLabel('New field').fill('Locker');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await dialog.getByRole('button', { name: 'Rename Locker' }).click();
  await dialog.getByLabel('New name for Locker').fill('Locker number');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Delete Locker number' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete field' }).click();
  await expect(dialog.getByText('Locker number')).toHaveCount(0);
});

test('the dialogs of a contact are accessible', async ({ page }) => {
  await signIn(page, 'demo-owner');
  const { Items } = await (await page.request.get('/proxy/api/lists/0/contacts?q=Grace%20Kim')).json();
  await page.goto(`/contacts/contact/${Items[0].PersonID}`);
  const open: Record<string, () => Promise<void>> = {
    'Edit contact': () => page.getByRole('button', { name: 'Edit' }).first().click(),
    'Opt out (423) 555-0106': () => page.getByRole('button', { name: 'Opt out' }).first().click(),
    'Opt in (423) 555-0106': () => page.getByRole('button', { name: 'Opt in' }).first().click(),
    'Contact fields': () => page.getByRole('button', { name: 'Fields' }).click(),
    'Add to group': () => page.getByRole('button', { name: 'Add to group' }).click(),
  };
  for (const [name, show] of Object.entries(open)) {
    await show();
    const dialog = page.getByRole('dialog', { name, exact: true });
    await expect(dialog).toBeVisible();
    await checkInAllLooks(page, name);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});
