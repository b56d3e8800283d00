/**
 * Free mail providers, whose addresses say nothing about the company that registers: the eleven most used in
 * the United States and Canada.
 */
export const freeMailDomains = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'aol.com',
  'icloud.com',
  'live.com',
  'msn.com',
  'comcast.net',
  'protonmail.com',
  'mail.com',
] as const;

/** Mailboxes that nobody in particular reads. */
export const sharedMailPrefixes = ['help@', 'support@', 'info@', 'admin@', 'sales@'] as const;

/** An address of one of these domains or of a name under it ("uk.yahoo.com"). */
export function isFreeMail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return freeMailDomains.some((free) => domain === free || domain.endsWith(`.${free}`));
}

export function isSharedMailbox(email: string): boolean {
  const text = email.toLowerCase();
  return sharedMailPrefixes.some((prefix) => text.startsWith(prefix));
}
