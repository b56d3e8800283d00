/** Messages to try Muster with during the free trial (cannedPftMessages). Short enough for one segment with a name. */
export function cannedMessages(companyName: string): string[] {
  const name = companyName.trim() || 'us';
  return [
    `Hello from ${name}! This is a test of our new text messages. No reply needed.`,
    `${name}: We open two hours late tomorrow because of the weather. Stay safe.`,
    `${name}: Reminder, we meet on Thursday at 6:30 PM. Reply YES if you can come.`,
    `${name}: The office is closed on Monday. We're back on Tuesday at 8:00 AM.`,
  ];
}

/** The first thing an organization wants to do: the use-case step. */
export const useCases = {
  ANNOUNCEMENTS: 'Announcements and reminders',
  EMERGENCIES: 'Closings and emergencies',
  CONVERSATIONS: 'Conversations with the people we serve',
  EVENTS: 'Events and volunteers',
  PROMOTIONS: 'Offers and promotions',
  OTHER: 'Something else',
} as const;
export type UseCase = keyof typeof useCases;

export function isUseCase(text: string): text is UseCase {
  return Object.hasOwn(useCases, text);
}
