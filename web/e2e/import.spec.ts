import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { signIn } from './stack.ts';
import { workbook } from './workbook.ts';

/** Checks accessibility in all looks, and that there is one heading. */
async function check(page: Page, name: string): Promise<void> {
  await checkInAllLooks(page, name);
  await expect(page.getByRole('heading', { level: 1 }), name).toHaveCount(1);
}

/** Names and phones that no other run has: the journeys may be run again on the same data. */
function stamp() {
  // With a letter at its end: digits there would be read as the beginning of the phone that follows.
  const word = `${Date.now().toString(36)}x`;
  const exchange = 220 + (Date.now() % 90);
  return { word, number: (line: number) => `423${exchange}${String(line).padStart(4, '0')}` };
}

async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.goto('/contacts/import');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ]);
  await chooser.setFiles(file);
}

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Chooses what a column of the file is. */
async function setColumn(page: Page, column: string, target: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${column}, column`) }).click();
  await page.getByRole('option', { name: target }).click();
}

async function expectFound(page: Page, lastName: string): Promise<void> {
  await page.goto(`/contacts?q=${encodeURIComponent(lastName)}`);
  await expect(page.getByRole('main').getByText(lastName).filter({ visible: true }).first()).toBeVisible();
}

/** Asked of the server: a page that shows nobody may only not have got its list. */
async function expectNobody(page: Page, lastName: string): Promise<void> {
  await expect
    .poll(async () => {
      const answer = await page.request.get(
        `/proxy/api/lists/0/contacts?pagesize=25&q=${encodeURIComponent(lastName)}`,
      );
      if (!answer.ok()) return `answered ${answer.status()}`;
      const { Items } = (await answer.json()) as { Items: { LastName: string }[] };
      return Items.some((item) => item.LastName.includes(lastName)) ? 'there' : 'nobody';
    })
    .toBe('nobody');
}

test('a damaged CSV is matched, checked, fixed, imported, found and undone', async ({ page }) => {
  const { word, number } = stamp();
  const [first, second] = [number(1), number(2)];
  const lines = [
    `Spring roster ${word}`,
    'First;Last;Cell;Groups;Bus;Email',
    `Tamika;Boyd${word};${first[0]}.${first.slice(1)}E9;School ${word}|Band ${word};Bus 4;t@mail.example`,
    `Renée;Castellano${word};${second}.0;School ${word};;r@mail.example`,
    `Hector;Castellano${word};(${second.slice(0, 3)}) ${second.slice(3, 6)}-${second.slice(6)};;;`,
    `Carl;Dunham${word};423-555-01;;Bus 7;`,
    `Dale;McAllister${word};;School ${word};;`,
    `"Kim; Grace";Kim${word};${number(3)};;;g@mail.example`,
  ];

  await test.step('SELECT', async () => {
    await signIn(page, 'demo-owner', '/contacts/import');
    await expect(page.getByRole('heading', { name: 'Choose a file' })).toBeVisible();
    await check(page, 'choosing a file');
    await choose(page, csv(`families-${word}.csv`, `\ufeff${lines.join('\r\n')}\r\n`));
    await expect(page).toHaveURL(/\/contacts\/import\/\d+$/);
  });

  await test.step('METADATA: the guess, what is wrong with the first rows, and consent', async () => {
    await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible();
    const table = page.getByRole('region', { name: 'Columns of the file' });
    await expect(page.getByText('The row above the headings was skipped.', { exact: false })).toBeVisible();
    await expect(table.getByRole('combobox', { name: /^First, / })).toHaveText('First name');
    await expect(table.getByRole('combobox', { name: /^Cell, / })).toHaveText('Primary phone');
    await expect(table.getByLabel('Repaired')).toHaveCount(2);
    await expect(table.getByLabel('Duplicate in the file')).toHaveCount(1);
    await expect(table.getByLabel('Left out')).toHaveCount(2);
    await setColumn(page, 'Bus', 'New custom field…');
    await page.getByLabel('Name', { exact: true }).fill(`Route ${word}`);
    await page.getByRole('button', { name: 'Add field' }).click();
    await expect(table.getByRole('combobox', { name: /^Bus, / })).toHaveText(`Custom: Route ${word}`);
    await setColumn(page, 'Email', 'Skip');
    await page.getByRole('button', { name: /^Next: Check/ }).click();
    await expect(page.getByText('Please confirm you have collected proper consent.')).toBeVisible();
    await page.getByLabel('Also add everyone to').fill(`Spring ${word}`);
    await page.getByRole('option', { name: `New group “Spring ${word}”` }).click();
    await page.getByLabel('These people agreed').check();
    await check(page, 'matching columns');
    await page.getByRole('button', { name: /^Next: Check/ }).click();
  });

  await test.step('REVIEW and VIEW', async () => {
    await expect(page.getByRole('heading', { name: 'Check before you import' })).toBeVisible();
    await expect(page.getByText('of 6 rows are ready')).toBeVisible();
    await expect(page.getByText('2 rows left out')).toBeVisible();
    await expect(page.getByText('1 duplicate phone')).toBeVisible();
    await expect(page.getByText(`Band ${word} and School ${word} are new.`)).toBeVisible();
    await check(page, 'reviewing');
    await page.getByRole('button', { name: 'See the rows that are left out' }).click();
    await expect(page.getByRole('tab', { name: /Left out/ })).toHaveAttribute('aria-selected', 'true');
    const rows = page.getByRole('region', { name: 'Rows of the file' });
    await expect(rows.getByText(`Dunham${word}`)).toBeVisible();
    await expect(rows.getByText('Please add a phone number')).toBeVisible();
    await check(page, 'viewing rows');
    await page.getByRole('tab', { name: /Duplicate in the file/ }).click();
    await expect(rows.getByText('Already in row 4')).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
  });

  await test.step('the rejected rows come back as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as a file' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });

  await test.step('EDIT: one row is fixed, one is left out, one is still wrong at first', async () => {
    await page.getByRole('button', { name: 'Fix them here' }).click();
    await expect(page.getByRole('heading', { name: 'Fix the rows that were left out' })).toBeVisible();
    const cell = page.getByRole('textbox', { name: 'Primary phone, row 6' });
    await expect(cell).toHaveValue('423-555-01');
    await check(page, 'fixing rows');
    await cell.fill('12');
    // Looked at again on the way, what was typed is still there.
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Fix them here' }).click();
    await expect(cell).toHaveValue('12');
    await page.getByRole('button', { name: 'Save 1 row' }).click();
    await expect(page.getByText('1 row still has a problem.', { exact: false })).toBeVisible();
    await cell.fill(number(5));
    await page.getByRole('button', { name: 'Leave out row 7' }).click();
    await page.getByRole('button', { name: 'Save 2 rows' }).click();
    await expect(page.getByRole('heading', { name: 'Check before you import' })).toBeVisible();
    await expect(page.getByText(/rows? left out/)).toHaveCount(0);
    await expect(page.getByText('1 row removed')).toBeVisible();
    // Nor is what was saved lost on the way back over the columns.
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: /^Next: Check/ }).click();
    await expect(page.getByRole('button', { name: 'Import 4 contacts' })).toBeVisible();
  });

  await test.step('IMPORT', async () => {
    await page.getByRole('button', { name: 'Import 4 contacts' }).click();
    await expect(page.getByRole('heading', { name: 'Your contacts were imported' })).toBeVisible();
    await expect(page.getByRole('main').getByText('4 contacts from', { exact: false })).toBeVisible();
    await expect(
      page.getByText(`They were added to Band ${word} (new), School ${word} (new) and Spring ${word}.`),
    ).toBeVisible();
    const figures = await page.getByRole('definition').allTextContents();
    expect(figures.map(Number)).toEqual([4, 0, 0, 1, 1]);
    await check(page, 'imported');
  });
  const imported = page.url();

  await test.step('and texted: a broadcast to them waits for its words', async () => {
    await page.getByRole('button', { name: 'Text these 4' }).click();
    await expect(page.getByRole('heading', { name: 'What do you want to say?' })).toBeVisible();
    const draft = new URL(page.url()).searchParams.get('draft');
    const people = await page.request.get(`/proxy/api/draft-broadcasts/${draft}/contacts?problem=good`);
    expect(await people.json()).toMatchObject({ Size: 4 });
    await page.request.delete(`/proxy/api/draft-broadcasts/${draft}`);
    await page.goto(imported);
  });

  await test.step('everybody is there, in the groups, and found', async () => {
    await page.getByRole('link', { name: 'See the contacts' }).click();
    await expect(page).toHaveURL(/\/contacts\/group\/\d+/);
    await expect(page.getByRole('main').getByText(`Boyd${word}`).first()).toBeVisible();
    await expectFound(page, `Dunham${word}`);
    await expectNobody(page, `McAllister${word}`);
  });

  await test.step('and the whole import is undone', async () => {
    await page.goto(imported);
    await page.getByRole('button', { name: 'Undo import' }).click();
    await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible();
    await check(page, 'taken back');
    await expectNobody(page, `Dunham${word}`);
  });
});

test('the second sheet of a workbook is imported', async ({ page }) => {
  const { word, number } = stamp();
  await signIn(page, 'demo-owner');
  const buffer = await workbook({
    Notes: [['How to use this list'], ['Ask the office']],
    [`Staff ${word}`]: [
      ['First name', 'Last name', 'Phone'],
      ['Yolanda', `Price${word}`, number(11)],
      ['Priya', `Raman${word}`, number(12)],
    ],
  });
  await choose(page, {
    name: `staff-${word}.xlsx`,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer,
  });
  // The sheet with phones in it is shown first; the other one can be chosen.
  const sheet = page.getByRole('combobox', { name: 'Sheet' });
  await expect(sheet).toHaveText(`Sheet: Staff ${word}`);
  await sheet.click();
  await page.getByRole('option', { name: 'Notes' }).click();
  await expect(page.getByRole('region', { name: 'Columns of the file' })).toContainText('Ask the office');
  await page.getByRole('button', { name: /^Next: Check/ }).click();
  await expect(page.getByText('Choose the column that holds the primary phone.')).toBeVisible();
  await sheet.click();
  await page.getByRole('option', { name: `Staff ${word}` }).click();
  await page.getByLabel('These people agreed').check();
  await page.getByRole('button', { name: /^Next: Check/ }).click();
  await expect(page.getByText('of 2 rows are ready')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Your contacts were imported' })).toBeVisible();
  await expectFound(page, `Raman${word}`);
});

test('an import continues while the user is on another page', async ({ page }) => {
  const { word } = stamp();
  await signIn(page, 'demo-owner');
  const rows = Array.from({ length: 40_000 }, (_, at) => `Person ${at},423${2_000_000 + at}`);
  await choose(page, csv(`long-${word}.csv`, `Name,Phone\n${rows.join('\n')}\n`));
  await page.getByLabel('These people agreed').check();
  await page.getByRole('button', { name: /^Next: Check/ }).click();
  await expect(
    page
      .getByRole('heading', { name: 'Reading the file' })
      .or(page.getByRole('heading', { name: 'Check before you import' })),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/contacts/import');
  await page.getByRole('link', { name: new RegExp(`long-${word}\\.csv`) }).click();
  await expect(page.getByRole('heading', { name: 'Check before you import' })).toBeVisible({
    timeout: 120_000,
  });
  await expect(page.getByText('of 40,000 rows are ready')).toBeVisible();
  // The box ticked before is still ticked.
  await expect(page.getByLabel('These people agreed')).toBeChecked();
  await page.goto('/contacts/import');
  await page.getByRole('button', { name: `Delete long-${word}.csv` }).click();
  await expect(page.getByText(`long-${word}.csv`)).toHaveCount(0);
});

test('a picture is refused as a list of contacts, whatever its name', async ({ page }) => {
  await signIn(page, 'demo-owner');
  const buffer = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#0f766e' } })
    .png()
    .toBuffer();
  await choose(page, { name: 'families.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByRole('alert')).toContainText('This is not a CSV or Excel file.');
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
});

test('messy names and numbers are pasted, fixed, added and undone', async ({ page }) => {
  const { word, number } = stamp();
  const text = [
    `Renée Castellano${word}, ${number(21)}`,
    `Delgado${word} Hector\t(423) ${number(22).slice(3, 6)}-${number(22).slice(6)}`,
    `1-${number(21)} Somebody Else`,
    `${number(23)} | Price${word}`,
    `Carl Dunham${word} 423-555-01`,
    '',
    `Grace Kim${word}`,
  ].join('\n');

  await test.step('PASTE', async () => {
    await signIn(page, 'demo-owner', '/contacts/paste');
    await page.getByRole('button', { name: 'Next: Check' }).click();
    await expect(page.getByText('Paste at least one phone number.')).toBeVisible();
    await page.getByLabel('Names and phone numbers').fill(text);
    await expect(page.getByText('6 lines')).toBeVisible();
    await check(page, 'pasting');
    await page.getByRole('button', { name: 'Next: Check' }).click();
  });

  await test.step('REVIEW', async () => {
    await expect(page.getByText('contacts are ready')).toBeVisible();
    await expect(page.getByText('1 duplicate number')).toBeVisible();
    await expect(page.getByText('2 without a valid number')).toBeVisible();
    await expect(page.getByText('“é” in line 1', { exact: false })).toBeVisible();
    await check(page, 'reviewing a paste');
    await page.getByRole('button', { name: 'Fix them' }).click();
  });

  await test.step('EDIT', async () => {
    await page.getByLabel(`Phone for Grace Kim${word}`).fill(number(24));
    await check(page, 'fixing a paste');
    await page.getByRole('button', { name: 'Next: Add 4 contacts' }).click();
  });

  await test.step('IMPORT, VIEW, COMPLETE', async () => {
    await page.getByRole('button', { name: 'Add 4 contacts' }).click();
    await expect(page.getByText('Please confirm you have collected proper consent.')).toBeVisible();
    await page.getByLabel('These people agreed').check();
    await page.getByLabel('Also add everyone to').fill(`Pasted ${word}`);
    await page.getByRole('option', { name: `New group “Pasted ${word}”` }).click();
    await check(page, 'adding a paste');
    await page.getByRole('button', { name: 'Add 4 contacts' }).click();
    await expect(page.getByRole('heading', { name: 'Your contacts were imported' })).toBeVisible();
    await check(page, 'pasted');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(page.getByText('4 contacts added, 0 were already in your contacts.')).toBeVisible();
    await check(page, 'pasting complete');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: 'The paste was undone' })).toBeVisible();
    await expectNobody(page, `Kim${word}`);
  });
});
