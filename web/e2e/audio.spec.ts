import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { signIn, takeBack } from './stack.ts';

/** A wav file of bursts, as an office computer saves them: the browser has to convert it. */
function recording(seconds: number, rate: number): Buffer {
  const wav = Buffer.alloc(44 + seconds * rate * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 2],
    [40, wav.length - 44],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write('data', 36);
  for (let i = 0; i < seconds * rate; i += 1) {
    const isWord = i % (rate / 2) < rate * 0.4;
    wav.writeInt16LE(isWord ? Math.round(9000 * Math.sin((i * 2 * Math.PI * 300) / rate)) : 0, 44 + i * 2);
  }
  return wav;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function upload(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Audio files').setInputFiles({ name, mimeType: 'audio/mpeg', buffer });
}

test('audio messages are recorded, typed, uploaded, played, changed and deleted', { tag: '@whole' }, async ({
  page,
}) => {
  await signIn(page, 'demo-owner', '/message-library');
  await expect(page).toHaveURL(/\/message-library\/audio$/);
  await expect(row(page, 'Late start, two hours')).toContainText('14 times');
  await checkInAllLooks(page, 'audio library');

  // Without leave to use the microphone there is a sentence, and with it what is said is kept.
  await page.getByRole('button', { name: 'New recording' }).click();
  const dialog = page.getByRole('dialog', { name: 'New recording' });
  await dialog.getByRole('button', { name: 'Record', exact: true }).last().click();
  await expect(dialog.getByRole('alert')).toContainText('The microphone is blocked');
  await page.context().grantPermissions(['microphone']);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Record', exact: true }).last().click();
  await expect(dialog.getByText('Recording', { exact: true })).toBeVisible();
  await expect(dialog.getByText('0:03').first()).toBeVisible();
  await checkForEverybody(page, 'while it records');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('button', { name: 'Play your recording' }).click();
  await expect(dialog.getByRole('button', { name: 'Pause your recording' })).toBeVisible();
  await checkForEverybody(page, 'a recording before it is kept');
  // An unsaved message isn't lost by a slip.
  await page.keyboard.press('Escape');
  await page
    .getByRole('dialog', { name: 'Discard this message?' })
    .getByRole('button', { name: 'Keep it' })
    .click();
  await dialog.getByLabel('Name').fill('Spoken by me');
  await dialog.getByRole('button', { name: 'Save to library' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, 'Spoken by me')).toContainText(/0:0[3-9]/);

  // Typed words are listened to, and held to the length of a message.
  await page.getByRole('button', { name: 'New recording' }).click();
  await dialog.getByRole('button', { name: 'Type it' }).click();
  await dialog.getByLabel('Message', { exact: true }).fill('Hello.');
  await expect(dialog.getByLabel('Voice', { exact: true }).getByRole('option').first()).toContainText(
    'mechanical',
  );
  await dialog.getByRole('button', { name: 'Listen' }).click();
  await expect(dialog.getByText('Audio length must be at least 10 seconds')).toBeVisible();
  await dialog
    .getByLabel('Message', { exact: true })
    .fill('This is Harlow Creek Schools. The bus is late. '.repeat(5));
  await dialog.getByRole('button', { name: 'Listen' }).click();
  await expect(dialog.getByRole('button', { name: 'Play the message' })).toBeVisible();
  await checkForEverybody(page, 'a typed message');
  await dialog.getByLabel('Name').fill('Typed by me');
  await dialog.getByRole('button', { name: 'Save to library' }).click();
  await expect(row(page, 'Typed by me')).toBeVisible();

  // Files: what is none says so, what is too long says how long it is, what the server can't read the browser converts.
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const uploads = page.getByRole('dialog', { name: 'Upload recordings' });
  await upload(page, 'letter.mp3', Buffer.from('Dear parents, school is closed. '.repeat(200)));
  await expect(uploads.getByRole('alert')).toContainText(
    'Unsupported audio file. Use an mp3 file, or a wav file',
  );
  await upload(page, 'Board meeting.wav', recording(12, 44_100));
  await expect(uploads.getByText('It is in your library.')).toBeVisible();
  await upload(page, 'Whole speech.wav', recording(121, 8000));
  const tooLong = page.getByRole('dialog', { name: 'Message too long' });
  await expect(tooLong).toContainText(
    'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.',
  );
  await checkForEverybody(page, 'a message that is too long');
  await tooLong.getByRole('button', { name: 'Keep it' }).click();
  await uploads.getByRole('button', { name: 'Done' }).click();
  await expect(row(page, 'Whole speech').getByRole('img', { name: /cannot exceed 2 minutes/ })).toBeVisible();

  // One plays at a time, in the list too.
  await page.getByRole('button', { name: 'Play Board meeting', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause Board meeting', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Play Typed by me' }).click();
  await expect(page.getByRole('button', { name: 'Play Board meeting', exact: true })).toBeVisible();
  await page.getByRole('slider', { name: 'Position in Typed by me' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Play Typed by me' })).toBeVisible();

  // Starred, renamed, shared, downloaded.
  await page.getByRole('button', { name: 'Star Typed by me' }).click();
  await expect(page.getByRole('button', { name: 'Star Typed by me' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.getByRole('button', { name: 'More actions for Typed by me' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename recording' });
  await rename.getByLabel('Name').fill('Bus is late');
  await rename.getByLabel('Type').selectOption('survey');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, 'Bus is late')).toContainText('Survey');
  await page.getByRole('button', { name: 'More actions for Bus is late' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as mp3' }).click();
  expect((await downloading).suggestedFilename()).toBe('Bus is late.mp3');
  await page.getByRole('tab', { name: /Starred/ }).click();
  await expect(page).toHaveURL(/\/message-library\/audio\/starred/);
  await expect(row(page, 'Bus is late')).toBeVisible();
  await page.getByRole('tab', { name: /Unused/ }).click();
  await expect(page).toHaveURL(/\/never-used/);

  // Many at once, with a way back.
  for (const name of ['Spoken by me', 'Bus is late', 'Whole speech']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  const bar = page.getByRole('toolbar', { name: 'Selected recordings' });
  await checkForEverybody(page, 'selected recordings');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'Whole speech')).toHaveCount(0);
  await takeBack(page, '3 recordings were deleted.');
  await expect(row(page, 'Whole speech')).toBeVisible();

  // A browser without a microphone offers the other ways.
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = async () => [];
  });
  await page.goto('/message-library/audio?filter=survey');
  await expect(row(page, 'Bus count question')).toBeVisible();
  await expect(row(page, 'Late start, two hours')).toHaveCount(0);
  await page.getByRole('button', { name: 'New recording' }).click();
  await expect(dialog.getByText('No microphone found')).toBeVisible();
  await dialog.getByRole('button', { name: 'Upload a file' }).click();
  await expect(uploads).toBeVisible();
});
