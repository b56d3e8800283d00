/** Decides whether a new text rings on this page, and in which tab. */

export interface RingFacts {
  isDoNotDisturb: boolean;
  /** The user's settings for the text number. */
  number: { BrowserNotificationsEnabled: boolean; AudioNotificationsEnabled: boolean };
  /** The browser allows notifications and the user wants them here. */
  isOnInBrowser: boolean;
  /** The conversation is open and visible. */
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

/** Of texts that arrive together, keeps the last of each conversation, up to a maximum. */
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

/** True if the address belongs to the conversation. */
export function isConversationPath(pathname: string, conversationId: number): boolean {
  return new RegExp(`^/(inbox|conversations)/${conversationId}(/|$)`).test(pathname);
}

/** More than can arrive while a tab decides about one. */
const remembered = 50;

/** Claims a text for one tab. Returns the updated list, or undefined if another tab has claimed it. */
export function claimIn(kept: string | null, messageId: number): string | undefined {
  const ids = (kept ?? '').split(',').filter((id) => id !== '');
  const own = String(messageId);
  return ids.includes(own) ? undefined : [...ids, own].slice(-remembered).join(',');
}
