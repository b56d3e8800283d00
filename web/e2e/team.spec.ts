import { expect } from '@playwright/test';
import { checkInAllLooks } from './everybody.ts';
import { test } from './journey.ts';
import { sandboxUrl, signIn } from './stack.ts';

interface Mail {
  To: string[];
  Subject: string;
  Text: string;
}

test('a user is invited, joins, sees what a user may see, and is deactivated', async ({
  page,
  colleague,
}) => {
  const name = `greta.olsen.${Date.now()}`;
  const email = `${name}@harlowcreek.example`;
  await signIn(page, 'demo-owner', '/settings/users');
  const table = page.getByRole('table', { name: 'Users' });
  await expect(table.getByText('Alicia Romero')).toBeVisible();
  await checkInAllLooks(page, 'users');

  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog');
  // A tab opens only when those before it are valid.
  await dialog.getByRole('tab', { name: 'Permissions' }).click();
  await expect(dialog.getByText('Enter a First Name')).toBeVisible();
  await expect(dialog.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await dialog.getByLabel('First name').fill('Greta');
  await dialog.getByLabel('Last name').fill('Olsen');
  await dialog.getByLabel('Email', { exact: true }).fill('dana@harlowcreek.example');
  await dialog.getByLabel('Phone number').fill('423 555 0177');
  await dialog.getByLabel('Username').fill('demo-owner');
  await expect(dialog.getByText('This username is already in use.')).toBeVisible();
  await expect(dialog.getByText('This email is already in use.')).toBeVisible();
  await checkInAllLooks(page, 'user dialog');
  await dialog.getByLabel('Email', { exact: true }).fill(email);
  await dialog.getByLabel('Username').fill(name);
  await expect(dialog.getByText('already in use')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Next: Calling' }).click();
  await dialog.getByLabel('Caller ID').fill('(423) 555-0100');
  await dialog.getByLabel('All day').check();
  await expect(dialog.getByLabel('Start time')).toHaveValue('12:00 AM');
  await dialog.getByLabel('All day').uncheck();
  await expect(dialog.getByLabel('Stop time')).toHaveValue('9:00 PM');
  await dialog.getByRole('button', { name: 'Next: Texting' }).click();
  await dialog.getByLabel('Main office').check();
  await dialog.getByRole('button', { name: 'Next: Permissions' }).click();
  await dialog.getByLabel('Create broadcasts').uncheck();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(`Invitation sent to ${email}.`)).toBeVisible();

  const link = await expect
    .poll(async () => linkTo(email), { message: 'the invitation arrives by mail' })
    .not.toBe('')
    .then(() => linkTo(email));
  await colleague.goto(new URL(link).pathname);
  await expect(colleague.getByRole('heading', { name: 'Join Harlow Creek Schools' })).toBeVisible();
  await checkInAllLooks(colleague, 'invitation');
  await colleague.getByLabel('Password', { exact: true }).fill('blue-horse-77');
  await colleague.getByLabel('Confirm password').fill('blue-horse-78');
  await colleague.getByRole('button', { name: 'Accept and sign in' }).click();
  await expect(colleague.getByText('Passwords should match.')).toBeVisible();
  await colleague.getByLabel('Confirm password').fill('blue-horse-77');
  await colleague.getByRole('button', { name: 'Accept and sign in' }).click();
  // The terms come before anything else.
  await colleague.getByLabel('I agree to the terms of use').check();
  await colleague.getByRole('button', { name: 'Continue' }).click();
  await expect(colleague).toHaveURL(/\/home/);

  await colleague.goto('/settings/users');
  await expect(colleague.getByRole('heading', { level: 1 })).toHaveText(
    'Access to this page is restricted to account owners and admin users',
  );
  await colleague.goto('/settings/profile');
  await expect(colleague.getByLabel('Username')).toHaveValue(name);
  const tabs = colleague.getByRole('navigation', { name: 'Settings' });
  await expect(tabs.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expect(tabs.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await checkInAllLooks(colleague, 'profile');
  const newEmail = `${name}@example.net`;
  await colleague.getByLabel('Email', { exact: true }).fill(newEmail);
  await colleague.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(colleague.getByText(`We sent an email to ${newEmail}. Open the link in it.`)).toBeVisible();
  await checkInAllLooks(colleague, 'profile with an email that isn’t verified');

  // The owner sees her arrive, and switches her off.
  await page.getByPlaceholder('Search name or email').fill(newEmail);
  const row = table.getByRole('row').filter({ hasText: newEmail });
  await expect(row).toContainText('Enabled');
  await row.getByRole('button', { name: 'More actions for Greta Olsen' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await expect(dialog).toContainText('Nothing is scheduled in their name.');
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('1 user deactivated.')).toBeVisible();
  await expect(row).toContainText('Disabled');
  // Her socket ends, and her page asks her to sign in.
  await expect(colleague).toHaveURL(/\/login/);

  await page.goto('/settings/account');
  await expect(page.getByLabel('Account name')).toHaveValue('Harlow Creek Schools');
  await checkInAllLooks(page, 'account');
});

/** The link in the last invitation to an address; empty before it came. */
async function linkTo(email: string): Promise<string> {
  const answer = await fetch(`${sandboxUrl}/mails?to=${encodeURIComponent(email)}`);
  const { Items = [] } = (await answer.json()) as { Items?: Mail[] };
  return /https?:\S+\/invitation\/[\w-]+/.exec(Items[0]?.Text ?? '')?.[0] ?? '';
}
