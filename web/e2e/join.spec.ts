import { expect, type Page } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { messagesOf, sandboxUrl, signIn } from './stack.ts';

const password = 'a-good-horse-7';
const phone = '14235550147';

interface Mail {
  Subject: string;
  Text: string;
}

async function lastMail(page: Page, to: string, subject: string): Promise<string> {
  let found = '';
  await expect(async () => {
    const answer = await page.request.get(`${sandboxUrl}/mails?to=${encodeURIComponent(to)}`);
    const { Items } = (await answer.json()) as { Items: Mail[] };
    found = Items.find(({ Subject }) => Subject === subject)?.Text ?? '';
    expect(found).not.toBe('');
  }).toPass();
  return found;
}

const addressIn = (text: string, page: string) =>
  new RegExp(`https?://\\S+(/${page}\\?token=[\\w-]+)`).exec(text)?.[1] ?? '';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('an organization signs up, completes onboarding, and sees its first text', async ({
  page,
  colleague: elsewhere,
}) => {
  const email = `ana${Date.now()}@maple.example`;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Start a free trial' }).click();
  await expect(heading(page, 'Start a free trial')).toBeVisible();
  await press(page, 'Start free trial');
  await expect(page.getByText('Enter an Account Name')).toBeVisible();
  await checkInAllLooks(page, '/signup');
  await page.getByLabel('Account name').fill('Maple Street Club');
  await page.getByLabel('First name').fill('Ana');
  await page.getByLabel('Last name').fill('Ruiz');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Start free trial');
  await expect(heading(page, 'Check your email')).toBeVisible();
  const welcome = await lastMail(page, email, 'Verify your email');
  expect(welcome).toContain(`Your username is ${email}.`);

  // Whatever page is asked for, onboarding comes first.
  await page.goto('/login');
  await page.getByLabel('Username').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
  await expect(heading(page, 'Welcome, Ana')).toBeVisible();
  await page.goto('/contacts');
  await expect(page).toHaveURL(/\/onboarding$/);
  await press(page, 'Continue');

  await expect(heading(page, 'Terms of use')).toBeVisible();
  await press(page, 'Agree and continue');
  await expect(page.getByText('Agree to the terms to continue.')).toBeVisible();
  await page.getByLabel('I agree to the terms of use').check();
  await press(page, 'Agree and continue');
  await expect(heading(page, 'Where are you?')).toBeVisible();
  await page.getByLabel('Time zone').selectOption('America/Chicago');
  await press(page, 'Continue');

  await expect(heading(page, 'Tell us about your organization')).toBeVisible();
  await press(page, 'Continue');
  await expect(page.getByText('Enter an Industry')).toBeVisible();
  await expect(page.getByText('Enter a Zip Code')).toBeVisible();
  await page.getByLabel('Industry').selectOption('EDUCATION');
  await page.getByLabel('Phone Number').fill('(423) 555-0147');
  await page.getByLabel('Address', { exact: true }).fill('410 Mill Street');
  await page.getByLabel('City').fill('Harlow Creek');
  await page.getByLabel('State').selectOption('TN');
  await page.getByLabel('Zip Code').fill('37341');
  await checkInAllLooks(page, '/onboarding, company');
  await press(page, 'Continue');
  await expect(heading(page, 'What brings you here?')).toBeVisible();
  // Back keeps what was entered.
  await press(page, 'Back');
  await expect(page.getByLabel('Zip Code')).toHaveValue('37341');
  await press(page, 'Continue');
  await page.getByText('Events and volunteers').click();
  await press(page, 'Continue');

  // The link is opened on another machine, and this page goes on.
  await expect(heading(page, 'Check your email')).toBeVisible();
  await elsewhere.goto(addressIn(welcome, 'verify-email'));
  await expect(heading(elsewhere, 'Your email is verified')).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere.getByText('This link was used already.', { exact: false })).toBeVisible();

  await expect(heading(page, 'Verify your phone')).toBeVisible();
  await press(page, 'Text me a code');
  await page.getByLabel('Code').fill('12');
  await press(page, 'Verify');
  await expect(page.getByText('The code is incorrect. Check it and try again.')).toBeVisible();
  let code = '';
  await expect(async () => {
    const texts = await messagesOf(phone);
    code = /^(\d{6}) is your Muster code/.exec(texts.at(-1)?.Text ?? '')?.[1] ?? '';
    expect(code).not.toBe('');
  }).toPass();
  await page.getByLabel('Code').fill(code);
  await press(page, 'Verify');
  // The trial's free number.
  await expect(heading(page, 'Get a local number')).toBeVisible();
  await press(page, 'Continue');
  await expect(page.getByText('Enter a 3 digit area code')).toBeVisible();
  await page.getByLabel('First digit').pressSequentially('4');
  await page.keyboard.type('23');
  await press(page, 'Continue');
  // A number that takes a while shows up by itself; whoever is told so goes on without waiting for it.
  const isComing = page.getByText('We’re still getting this number.', { exact: false });
  await expect(heading(page, 'You’re all set').or(isComing)).toBeVisible();
  if (await isComing.isVisible()) await press(page, 'Continue');
  await expect(heading(page, 'You’re all set')).toBeVisible();
  await press(page, 'Open Muster');
  // The page that they wanted to open before onboarding.
  await expect(page).toHaveURL(/\/contacts$/);
  // The help chat knows who looks at which page.
  await expect
    .poll(async () => (await (await page.request.get(`${sandboxUrl}/help-chat/visits`)).json()).Items)
    .toContainEqual(expect.objectContaining({ Name: 'Ana Ruiz', Email: email, Path: '/contacts' }));
  await page.goto('/home');

  await expect(page.getByRole('list', { name: 'Verified numbers' })).toContainText('(423) 555-0147');
  await press(page, 'Send a sample text');
  await press(page, 'Send sample');
  await expect(page.getByText('Sample sent to (423) 555-0147.')).toBeVisible();
  await expect
    .poll(async () => (await messagesOf(phone)).at(-1)?.Text)
    .toBe('Hello from Maple Street Club! This is a test of our new text messages. No reply needed.');
});

test('a forgotten password is reset by mail, and changing it ends other sessions', async ({
  page,
  colleague: elsewhere,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot it?' }).click();
  await expect(heading(page, 'Forgot your password?')).toBeVisible();
  await page.getByLabel('Username or email').fill('other-owner');
  await press(page, 'Send link');
  await expect(page.getByText('Check your email')).toBeVisible();
  await checkInAllLooks(page, '/forgot-password');
  const text = await lastMail(page, 'ruth@secondstreet.example', 'Choose a new password');
  await page.goto(addressIn(text, 'reset-password'));
  await page.getByLabel('New password', { exact: true }).fill('password1');
  await page.getByLabel('Confirm new password').fill('password1');
  await press(page, 'Save new password');
  await expect(page.getByText('Many people use this password', { exact: false })).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await press(page, 'Save new password');
  await expect(heading(page, 'Your password is changed')).toBeVisible();

  await signInWith(page, password);
  await signInWith(elsewhere, password);
  await elsewhere.goto('/home');
  await page.goto('/settings/profile');
  await press(page, 'Change password');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Existing password').fill('not-it-7');
  await dialog.getByLabel('New password', { exact: true }).fill('muster-demo-1');
  await dialog.getByLabel('Confirm new password').fill('muster-demo-1');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('This is not your existing Password.')).toBeVisible();
  await dialog.getByLabel('Existing password').fill(password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login\?error=loginmanually/);
  await page.goto('/home');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  // As the other journeys know it.
  await signIn(page, 'other-owner');
});

async function signInWith(page: Page, Password: string): Promise<void> {
  const answer = await page.request.post('/proxy/public/login', {
    data: { UserName: 'other-owner', Password },
  });
  expect(answer.status()).toBe(200);
}
