import { expect, type Page } from '@playwright/test';
import { checkForEverybody, checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { call, sandboxUrl, setQuietHours, signIn } from './stack.ts';

interface PhoneCall {
  CallID: string;
  State: 'Ringing' | 'InCall' | 'Voicemail' | 'Ended';
  Keys: string;
  Heard: { Seconds: number }[];
}

async function callsOf(phone: string): Promise<PhoneCall[]> {
  const answer = await fetch(`${sandboxUrl}/phones/${phone}/calls`);
  return answer.ok ? ((await answer.json()) as { Items: PhoneCall[] }).Items : [];
}

/** Waits until the telephone is called once more than before, and does something with the call. */
async function onRinging(phone: string, before: number, Do: string): Promise<string> {
  await expect
    .poll(async () => (await callsOf(phone))[before]?.State, { timeout: 60_000, intervals: [300] })
    .toBe('Ringing');
  const id = (await callsOf(phone))[before]?.CallID ?? '';
  await act(phone, id, { Do });
  return id;
}

async function act(phone: string, id: string, body: { Do: string; Keys?: string }): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/phones/${phone}/calls/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([phone, body.Do, answer.status]).toEqual([phone, body.Do, 200]);
}

const renee = '4235550143';
const tamika = '4235550117';
const walter = '4235550109';
const words =
  'This is Harlow Creek Schools. All schools start two hours late tomorrow. Buses run two hours later than usual. ' +
  'If your road is not safe, keep your child at home and call the office. Thank you.';

const everybody = [
  ['Renee', 'Castellano', renee],
  ['Tamika', 'Boyd', tamika],
  ['Walter', 'Grice', walter],
] as const;

async function addPeople(page: Page, draftId: number, people: readonly (typeof everybody)[number][]) {
  for (const [FirstName, LastName, PrimaryPhone] of people)
    await call(page, 'POST', `/draft-broadcasts/${draftId}/contacts`, { FirstName, LastName, PrimaryPhone });
}

function draftOf(page: Page): number {
  return Number(new URL(page.url()).searchParams.get('draft'));
}

test('an announcement and a survey are called out, and their results come in', async ({ page }) => {
  const before = await Promise.all(
    [renee, tamika, walter].map(async (phone) => (await callsOf(phone)).length),
  );
  await signIn(page, 'demo-owner', '/settings/voice');
  // The journeys run at any hour: nobody's night may hold these calls.
  await setQuietHours(page, false);

  await test.step('the numbers that calls come from and connect to', async () => {
    const callers = page.getByRole('list', { name: 'Caller IDs' });
    await expect(callers.getByText('(423) 555-0100')).toBeVisible();
    await page.getByRole('button', { name: 'Add a number' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a caller ID' });
    await adding.getByLabel('Number').fill('(555) 555-5555');
    await adding.getByRole('button', { name: 'Call it now' }).click();
    await expect(adding.getByText('This number is not allowed')).toBeVisible();
    await checkForEverybody(page, 'a caller ID that is not allowed');
    await adding.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add a transfer number' }).click();
    const transfer = page.getByRole('dialog', { name: 'Add a transfer number' });
    await transfer.getByLabel('Transfer number').fill('(423) 555-0120');
    await transfer.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Transfer numbers' })).toContainText('Approved');
    await checkInAllLooks(page, 'voice settings');
  });

  await test.step('a broadcast can be started by phone: an ID, a PIN, and a list ID for a group', async () => {
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const launch = page.getByRole('dialog', { name: 'Start broadcasts by phone' });
    await launch.getByLabel('PIN', { exact: true }).fill('123456');
    await launch.getByRole('button', { name: 'Save' }).click();
    await expect(launch.getByText('Choose a PIN that’s harder to guess')).toBeVisible();
    await checkForEverybody(page, 'phone launch');
    await launch.getByLabel('PIN', { exact: true }).fill('846201');
    await launch.getByRole('button', { name: 'Save' }).click();
    await expect(launch).toHaveCount(0);
    await expect(page.getByText('Your phone launch ID is 4711', { exact: true })).toBeVisible();
    const { Items } = await call<{ Items: { ListID: number; ListName: string; PhoneListID: string }[] }>(
      page,
      'GET',
      '/lists?pagesize=100',
    );
    const other = Items.find(({ ListID, PhoneListID }) => ListID > 0 && PhoneListID === '');
    const taken = await page.request.put(`/proxy/api/lists/${other?.ListID}`, {
      data: { ListName: other?.ListName, PhoneListID: '14' },
    });
    expect(await taken.text()).toContain('This List ID is already being used');
  });

  await test.step('settings: a call has a name, a caller, a window, lines and a transfer number', async () => {
    await page.goto('/broadcasts/create');
    await page.getByRole('radio', { name: /^Call / }).check();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Untitled Voice Broadcast');
    await page.getByLabel('Name', { exact: true }).fill('Late start by phone');
    await expect(page.getByLabel('Caller ID')).not.toHaveValue('');
    await page.getByRole('button', { name: 'Edit calling window' }).click();
    const window = page.getByRole('dialog', { name: 'Calling window' });
    await window.getByLabel('All day').check();
    await checkForEverybody(page, 'calling window');
    await window.getByRole('button', { name: 'Save' }).click();
    await expect(window).toHaveCount(0);
    await expect(page.getByText('All day', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Edit calling days' }).click();
    const days = page.getByRole('dialog', { name: 'Calling days' });
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
      await days.getByRole('button', { name: day }).click();
    await days.getByRole('button', { name: 'Save' }).click();
    await expect(days.getByText('Select at least one Calling Day')).toBeVisible();
    await days.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Calls at a time').selectOption('10');
    await page.getByLabel('Retries').selectOption('0');
    await page.getByLabel('Transfer and connect').check();
    await page.getByLabel('Available lines').fill('5001');
    await expect(page.getByText('Available lines cannot be more than 5,000')).toBeVisible();
    await checkInAllLooks(page, 'settings of a call');
    await page.getByLabel('Transfer and connect').uncheck();
    await page.getByRole('button', { name: 'Next: Recipients' }).click();
  });

  await test.step('recipients are confirmed before anybody is called', async () => {
    await expect(page).toHaveURL(/step=2/);
    await addPeople(page, draftOf(page), everybody);
    await expect(page.getByText('3 people are called.')).toBeVisible();
    await page.getByRole('button', { name: 'Next: Messages' }).click();
    await expect(page.getByText('Confirm your recipients before you go on.')).toBeVisible();
    const box = page.getByLabel('These are the people I want to reach');
    const isSaved = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/draft-broadcasts/'),
    );
    await box.check();
    await isSaved;
    await page.reload();
    await expect(box).toBeChecked();
    // A landline can be called. With other recipients they are confirmed again.
    await page.getByRole('button', { name: /^One person/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Add one person' });
    const isLookedUp = page.waitForResponse((response) => response.url().includes('/phonenumbers/'));
    await dialog.getByLabel('Phone number').fill('(423) 555-0170');
    await dialog.getByLabel('First name').fill('Landline');
    await isLookedUp;
    await expect(dialog.getByText('Checking the number…')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('4 people are called.')).toBeVisible();
    await expect(box).not.toBeChecked();
    await page.getByRole('button', { name: 'Remove Landline' }).click();
    await expect(page.getByText('3 people are called.')).toBeVisible();
    await box.check();
    await page.getByRole('button', { name: 'Next: Messages' }).click();
  });

  await test.step('a typed message is kept by going on, and voicemail gets the same', async () => {
    await expect(page).toHaveURL(/step=3/);
    // On a phone one message is shown at a time: the one that is missing.
    await page.setViewportSize({ width: 375, height: 812 });
    await page.getByRole('button', { name: 'Voicemail' }).click();
    await page.getByRole('button', { name: 'Next: Review' }).click();
    await expect(page.getByText('Choose a message for live answers')).toBeFocused();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByText('Choose a message for voicemail')).toBeVisible();
    const live = page.getByRole('region', { name: 'Live answer' });
    await live.getByRole('button', { name: 'Type' }).click();
    await live.getByLabel('Message', { exact: true }).fill('Hello.');
    await live.getByRole('button', { name: 'Use this message' }).click();
    await expect(live.getByText('Audio length must be at least 10 seconds')).toBeVisible();
    await live.getByLabel('Message', { exact: true }).fill(words);
    await live.getByRole('button', { name: 'Use this message' }).click();
    await expect(live.getByRole('button', { name: 'Play Late start by phone' })).toBeVisible();
    await page.getByLabel('Same message as live answer').check();
    await expect(page.getByText('Up to 3 credits').first()).toBeVisible();
    await checkInAllLooks(page, 'messages of a call');
    // Changed and not used: going on uses it.
    await live.getByLabel('Message', { exact: true }).fill(`${words} Goodbye.`);
    await page.getByRole('button', { name: 'Next: Review' }).click();
  });

  await test.step('the review says who is called and when, and Send calls them', async () => {
    await expect(page.getByText('3 people are called', { exact: true })).toBeVisible();
    await expect(
      page.getByRole('heading', { name: 'When phones ring, in recipients’ local time' }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Call 3 people now' }).click();
    await expect(page.getByText('Check the messages again and tick this box before you send.')).toBeVisible();
    await checkInAllLooks(page, 'review of a call');
    await page.getByLabel('I have checked the messages').check();
    await page.getByRole('button', { name: 'Call 3 people now' }).click();
    await expect(page).toHaveURL(/\/broadcast-details\/\d+/);
  });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await test.step('one answers and opts out, one is a machine, one is busy', async () => {
    const [answered] = await Promise.all([
      onRinging(renee, before[0] ?? 0, 'Answer'),
      onRinging(tamika, before[1] ?? 0, 'Voicemail'),
      onRinging(walter, before[2] ?? 0, 'Busy'),
    ]);
    await act(renee, answered, { Do: 'Press', Keys: '9' });
    await expect(row('Renee Castellano')).toContainText('Live Answer', { timeout: 60_000 });
    await expect(row('Walter Grice')).toContainText('Busy', { timeout: 60_000 });
    await expect(row('Tamika Boyd')).toContainText('Voicemail', { timeout: 90_000 });
    await expect(page.getByText('Completed')).toBeVisible({ timeout: 60_000 });
    expect((await callsOf(renee)).at(-1)?.Keys).toBe('9');
    await page.getByRole('tab', { name: /^Busy \/ No Answer/ }).click();
    await expect(page).toHaveURL(/busy-no-answer/);
    await expect(row('Walter Grice')).toBeVisible();
    await expect(row('Renee Castellano')).toHaveCount(0);
    await checkInAllLooks(page, 'results of calls');
    await page.getByRole('tab', { name: /^Live Answer/ }).click();
    await page.getByRole('link', { name: 'Renee Castellano' }).click();
    await expect(page.getByRole('list', { name: 'What happened' })).toContainText(/9|stop/i);
    await checkForEverybody(page, 'the timeline of a call');
    await page.goBack();
  });

  await test.step('whoever didn’t answer is called again with the same message', async () => {
    await page.getByRole('button', { name: 'Call the 1 again' }).click();
    await expect(page).toHaveURL(/\/broadcasts\/create\?draft=\d+&step=3/);
    await expect(page.getByText('1 person').first()).toBeVisible();
  });

  await test.step('a survey: who opted out isn’t called, keys are counted', async () => {
    const { Items } = await call<{ Items: { AudioID: number }[] }>(
      page,
      'GET',
      '/audio?sort=newest&pagesize=1',
    );
    const AudioID = Items[0]?.AudioID;
    const { DraftBroadcastID } = await call<{ DraftBroadcastID: number }>(page, 'POST', '/draft-broadcasts', {
      BroadcastName: 'Bus count by phone',
      BroadcastType: 'Survey',
      CheckCallingWindow: true,
      CallerID: '4235550100',
      CallThrottle: 10,
      Retries: 0,
      StartTimeOfDay: { Hour: 0, Minute: 0 },
      StopTimeOfDay: { Hour: 23, Minute: 59 },
      Audio: { AudioID },
      AudioVM: { AudioID },
      Step: 4,
    });
    const refused = await page.request.post(`/proxy/api/draft-broadcasts/${DraftBroadcastID}/contacts`, {
      data: { PrimaryPhone: renee },
    });
    expect(await refused.text()).toContain('This number has opted out of receiving voice calls.');
    await addPeople(page, DraftBroadcastID, everybody.slice(1));
    await call(page, 'PUT', `/draft-broadcasts/${DraftBroadcastID}`, { RecipientsConfirmed: true });
    await page.goto(`/broadcasts/create?draft=${DraftBroadcastID}&step=3`);
    await expect(
      page.getByText('Survey messages must include the question and possible answers.'),
    ).toBeVisible();
    const live = page.getByRole('region', { name: 'Live answer' });
    await live
      .getByLabel('Message', { exact: true })
      .fill(
        'This is Harlow Creek Schools. Does your child take the bus on Thursday? Press star one for yes, press star two for no. You can press a key at any time, also while this message plays.',
      );
    await page.getByLabel('Same message as live answer').check();
    await page.getByRole('button', { name: 'Next: Review' }).click();
    await page.getByLabel('I have checked the messages').check();
    await page.getByRole('button', { name: 'Call 2 people now' }).click();
    await expect(page).toHaveURL(/\/broadcast-details\/\d+/);
    const answered = await onRinging(tamika, (before[1] ?? 0) + 1, 'Answer');
    await act(tamika, answered, { Do: 'Press', Keys: '*1' });
    await expect(page.getByRole('list', { name: 'Answers' })).toContainText('*1', { timeout: 60_000 });
    await page.getByRole('link', { name: 'All Survey Results' }).click();
    await expect(page).toHaveURL(/survey-results/);
    await expect(row('Tamika Boyd')).toContainText('*1');
    await checkInAllLooks(page, 'results of a survey');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel broadcast' }).click();
    await expect(page.getByText('Canceled').first()).toBeVisible();
    // Renee, who pressed 9, was not called again. She opts in again for the other journeys.
    expect(await callsOf(renee)).toHaveLength((before[0] ?? 0) + 1);
    await call(page, 'PUT', `/phonenumbers/${renee}/consent`, {
      Channel: 'voice',
      State: 'in',
      Wording: 'Asked to be called again',
      UserIndicatedConsentDeclared: true,
    });
  });

  await test.step('an announcement that repeats has people and no text, and its next start is moved', async () => {
    const { Items } = await call<{ Items: { AudioID: number }[] }>(
      page,
      'GET',
      '/audio?sort=newest&pagesize=1',
    );
    const AudioID = Items[0]?.AudioID;
    const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
    const draft = await call<{ DraftBroadcastID: number }>(page, 'POST', '/draft-broadcasts', {
      BroadcastName: 'Morning call',
      BroadcastType: 'Announcement',
      CheckCallingWindow: true,
      CallerID: '4235550100',
      StartTimeOfDay: { Hour: 0, Minute: 0 },
      StopTimeOfDay: { Hour: 23, Minute: 59 },
      Audio: { AudioID },
      AudioVM: { AudioID },
      startOption: 'REPEATING',
      StartDate: `${day}T10:00:00`,
      RepeatingBroadcastSchedule: {
        Interval: 1,
        IntervalFrequency: 'days',
        DaysOfWeek: [],
        EndDateTime: null,
      },
    });
    await addPeople(page, draft.DraftBroadcastID, everybody.slice(1));
    const { RepeatingBroadcastID } = await call<{ RepeatingBroadcastID: number }>(
      page,
      'POST',
      '/repeatingbroadcasts/create',
      { DraftBroadcastID: draft.DraftBroadcastID },
    );
    await page.goto('/broadcasts?tab=repeating');
    const series = page.getByRole('listitem').filter({ hasText: 'Morning call' });
    await expect(series).toContainText('Voice announcement');
    await expect(series).toContainText('2 people');
    await series.getByRole('button', { name: 'Edit Morning call' }).click();
    const form = page.getByRole('dialog', { name: 'Edit repeating broadcast' });
    await expect(form.getByLabel('Next start')).toBeVisible();
    await expect(form.getByLabel('Text message')).toHaveCount(0);
    await form.getByLabel('Next start').fill(`${day}T11:00`);
    await checkForEverybody(page, 'edit repeating calls');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(series).toContainText('Every day at 11:00 AM');
    await page.request.delete(`/proxy/api/repeatingbroadcasts/${RepeatingBroadcastID}`);
  });

  await page.goto('/broadcasts');
  await expect(page.getByText('Voice survey').first()).toBeVisible();
});
