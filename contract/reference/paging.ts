/** The first page of a list and its length. */
export const firstPage = 1;
export const defaultPageSize = 10;

export const pageSizes = {
  autoReplies: 5,
  billingContacts: 5,
  integrationContacts: 5,
  conversationBroadcasts: 5,
  recipientsTable: 5,
  textNumberSelector: 5,
  users: 5,
  conversations: 15,
  textMessages: 50,
  invoices: 100,
  integrations: 100,
  unlimitedTextNumbers: 100,
  unreadNotifications: 1000,
  merges: 1000,
  textNumbersInNotifications: 1000,
  groups: 2000,
} as const;

export function pageSizeOf(list: string): number {
  return Object.hasOwn(pageSizes, list) ? pageSizes[list as keyof typeof pageSizes] : defaultPageSize;
}

/** Contact add page size: 50 if none selected, 10 if under 10, 25 if under 25, else 50. */
export function contactAddPageSize(selectedCount: number): number {
  if (selectedCount === 0) return 50;
  if (selectedCount < 10) return 10;
  return selectedCount < 25 ? 25 : 50;
}

/** A contact preview shows the first rows. */
export const contactPreviewRows = 5;
