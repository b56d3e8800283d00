import type { TextMessage } from '../../../contract/conversations.ts';

/** A coworker's reply that came after the last text the user had read when starting to write. */
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
