/** The not-enough-credits dialog states the minimum needed and the additional amount. */
export interface CreditCheck {
  isEnough: boolean;
  needed: number;
  missing: number;
}

/** Free broadcasts need none; monthly accounts pay by group size, not by credit. */
export function checkCredits(needed: number, available: number): CreditCheck {
  const missing = Math.max(0, needed - available);
  return { isEnough: missing === 0, needed, missing };
}

/** Sending blocked when estimated credits plus allocated credits exceed the messages-per-day limit. */
export function exceedsMessagesPerDay(
  estimatedCredits: number,
  allocatedCredits: number,
  messagesPerDay: number | undefined,
): boolean {
  return messagesPerDay !== undefined && estimatedCredits + allocatedCredits > messagesPerDay;
}

/**
 * Messaging limits: Standard and Registered; the registered one applies as soon as a number is registered.
 */
type LimitName = 'Standard' | 'Registered';
export interface MessagingLimit {
  limitName: LimitName;
  messagesPerDay: number;
}

export function currentMessagingLimit(
  limits: readonly MessagingLimit[],
  isRegistered: boolean,
): MessagingLimit | undefined {
  const name: LimitName = isRegistered ? 'Registered' : 'Standard';
  return limits.find((limit) => limit.limitName === name) ?? limits[0];
}
