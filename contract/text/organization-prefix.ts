import type { Account } from '../accounts.ts';

/**
 * Ours: the words that Profile.PrependOrganizationToText puts before the text of a broadcast. The sender
 * name, or the organization's where there is none; braces would read as personalized fields. A text without
 * words has none.
 */
export function organizationPrefix(
  account: { Profile: Pick<Account['Profile'], 'PrependOrganizationToText'> } & Pick<
    Account,
    'SenderName' | 'CompanyName'
  >,
  text: string,
): string {
  if (!account.Profile.PrependOrganizationToText || text.trim() === '') return '';
  const name = (account.SenderName.trim() || account.CompanyName.trim()).replace(/[{}]/g, '');
  return name === '' ? '' : `${name}: `;
}
