import { currentMessagingLimit, type MessagingLimit } from '../money/credit-check.ts';

/**
 * Texts a day that the carriers accept from an organization. The specification names both and gives no figures; these
 * are T-Mobile's for an organization that nobody has vetted and for one in the highest class, and the other carriers
 * of the United States allow more. An account for which something else was agreed has a figure of its own.
 */
const messagingLimits: readonly MessagingLimit[] = [
  { limitName: 'Standard', messagesPerDay: 6_000 },
  { limitName: 'Registered', messagesPerDay: 200_000 },
];

/** The limit of an account: its own, or that of its registration. */
export function messagesPerDayOf(account: { messagesPerDay: number | null; isRegistered: boolean }): number {
  const given = currentMessagingLimit(messagingLimits, account.isRegistered)?.messagesPerDay;
  return account.messagesPerDay ?? given ?? 0;
}

/** Both limits, with what the registry granted the account in place of the one that applies. */
export function messagingLimitsOf(account: {
  messagesPerDay: number | null;
  isRegistered: boolean;
}): MessagingLimit[] {
  const current = currentMessagingLimit(messagingLimits, account.isRegistered);
  return messagingLimits.map((each) =>
    each === current ? { ...each, messagesPerDay: messagesPerDayOf(account) } : each,
  );
}
