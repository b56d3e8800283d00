/**
 * The send key travels to the carrier and comes back in its receipts: account, text and nonce. It
 * leads to the row by its primary key, and a key that was made up or comes from a restored backup
 * doesn't fit the nonce.
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

/** How long a worker may hold texts before others take them for lost with it. Longer than every time-out below. */
export const leaseSeconds = 12;

/**
 * With a carrier that can't refuse a repeat, a text in doubt is looked for there this long; then it is
 * Unknown for good and never sent again by itself.
 */
export const doubtSeconds = 120;

/** How long a text in doubt rests before it is looked for again. */
export const doubtPauseSeconds = 10;

/** How long a carrier that can't be reached is left alone: doubling, from a second to ten. */
export function carrierPauseMs(failuresInARow: number): number {
  return Math.min(10_000, 1_000 * 2 ** Math.min(failuresInARow - 1, 4));
}

/** Texts of a broadcast that were just made and that this worker holds, all of one number. */
export interface HeldSlice {
  accountId: number;
  broadcastId: number;
  sliceId: number;
  textNumberId: number;
  firstMessageId: number;
  lastMessageId: number;
  leaseId: string;
  from: string;
  mediaKeys: string[];
  texts: { messageId: number; nonce: number; phone: string; body: string }[];
}
