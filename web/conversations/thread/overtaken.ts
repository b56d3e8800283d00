import type { TextMessage } from '../../../contract/conversations.ts';

/** A colleague's answer that came after the text one had read last when one began to write. */
export function answerSince(
  messages: readonly TextMessage[],
  seenId: number | undefined,
  ownUserId: number,
): TextMessage | undefined {
  if (seenId === undefined) return undefined;
  return messages.find(
    ({ TextMessageID, IsInbound, Origin, SentBy }) =>
      TextMessageID > seenId &&
      !IsInbound &&
      Origin === 'conversation' &&
      SentBy !== null &&
      SentBy.UserID !== ownUserId,
  );
}
