/**
 * The send key goes to the carrier and comes back in its receipts: account, text and nonce. It names the row by its
 * primary key. A made-up key, or one from before a restored backup, doesn't match the nonce.
 */
export interface SendKey {
  accountId: number;
  messageId: number;
  nonce: number;
}

export function writeSendKey({ accountId, messageId, nonce }: SendKey): string {
  return `mu-${accountId}-${messageId}-${nonce.toString(36)}`;
}

export function readSendKey(text: string): SendKey | undefined {
  const found = /^mu-(\d{1,15})-(\d{1,15})-([0-9a-z]{1,7})$/.exec(text);
  if (found === null) return undefined;
  const nonce = Number.parseInt(found[3] ?? '', 36);
  if (!(nonce <= 2_147_483_647)) return undefined;
  return { accountId: Number(found[1]), messageId: Number(found[2]), nonce };
}

/** Seconds that a worker may hold texts before others assume that it died. Longer than every timeout below. */
export const leaseSeconds = 12;

/**
 * With a carrier that can't refuse a repeat, a text in doubt is searched for this long; then it is
 * permanently Unknown and never sent again automatically.
 */
export const doubtSeconds = 120;

/** As long as carriers keep a text: a carrier that was taken out of the settings could be set up again until then. */
export const unservedDays = 3;

/** Seconds that a text in doubt waits before the next search. */
export const doubtPauseSeconds = 10;

/** Time that an unreachable carrier is left alone: doubling, from a second to ten. */
export function carrierPauseMs(failuresInARow: number): number {
  return Math.min(10_000, 1_000 * 2 ** Math.min(failuresInARow - 1, 4));
}

/** Texts of a broadcast that were just created and that this worker holds, all of one number. */
export interface HeldSlice {
  accountId: number;
  broadcastId: number;
  sliceId: number;
  textNumberId: number;
  firstMessageId: number;
  lastMessageId: number;
  leaseId: string;
  from: string;
  rcsAgent: string | null;
  mediaKeys: string[];
  texts: { messageId: number; nonce: number; phone: string; body: string }[];
}
