/** What a new text does on this page: whether it is told, and by which of its tabs. */

export interface RingFacts {
  isDoNotDisturb: boolean;
  /** The user's own settings of the text number. */
  number: { BrowserNotificationsEnabled: boolean; AudioNotificationsEnabled: boolean };
  /** Notifications are allowed in this browser and the user wants them here. */
  isOnInBrowser: boolean;
  /** The conversation is open in front of the user. */
  isLookedAt: boolean;
}

export function ringOf({ isDoNotDisturb, number, isOnInBrowser, isLookedAt }: RingFacts): {
  notice: boolean;
  sound: boolean;
} {
  if (isDoNotDisturb || isLookedAt) return { notice: false, sound: false };
  return {
    notice: isOnInBrowser && number.BrowserNotificationsEnabled,
    sound: number.AudioNotificationsEnabled,
  };
}

/** Of texts that came at nearly the same time: the last of each conversation, and of no more than so many. */
export function lastOfEach<Text extends { ConversationID: number }>(
  texts: readonly Text[],
  most: number,
): Text[] {
  const last = new Map<number, Text>();
  for (const text of texts) {
    last.delete(text.ConversationID);
    last.set(text.ConversationID, text);
  }
  return [...last.values()].slice(-most);
}

/** Whether the address is that of the conversation. */
export function isConversationPath(pathname: string, conversationId: number): boolean {
  return new RegExp(`^/(inbox|conversations)/${conversationId}(/|$)`).test(pathname);
}

/** More than come while a tab thinks about one. */
const remembered = 50;

/** Takes a text for one tab: the list with it, or undefined when another tab has it. */
export function claimIn(kept: string | null, messageId: number): string | undefined {
  const ids = (kept ?? '').split(',').filter((id) => id !== '');
  const own = String(messageId);
  return ids.includes(own) ? undefined : [...ids, own].slice(-remembered).join(',');
}
