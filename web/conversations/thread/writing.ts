import { useState } from 'react';
import type { Conversation, TextMessage } from '../../../contract/conversations.ts';
import { useUser } from '../../queries/current-user.ts';
import { type Draft, emptyDraft, useDraft } from '../../queries/drafts.ts';
import type { Outbox, OutboxEntry } from './outbox.ts';
import { answerSince } from './overtaken.ts';
import { type OwnSignature, useSignature } from './signature.ts';

interface WritingParts {
  conversation: Conversation;
  messages: readonly TextMessage[];
  /** The loaded range doesn't reach the present. */
  hasLater: boolean;
  outbox: Outbox;
}

export interface Writing {
  draft: Draft;
  change: (change: (before: Draft) => Draft) => void;
  /** Resolves to whether the server has it. */
  send: (draft: Draft, how?: { anyway?: boolean }) => Promise<boolean>;
  /** Puts an unsent text back into the composer, unless it has been sent meanwhile. */
  takeBack: (entry: OutboxEntry) => Promise<void>;
  signature: OwnSignature | undefined;
  /** The scheduled time, as a date and time field holds it; undefined means now. */
  startAt: string | undefined;
  setStartAt: (startAt: string | undefined) => void;
  /** A coworker's reply that came while this text was being written. */
  answer: TextMessage | undefined;
  /** The user has read it and keeps writing. */
  acceptAnswer: () => void;
}

/** The text being written, and whether a coworker has already replied. */
export function useWriting({ conversation, messages, hasLater, outbox }: WritingParts): Writing {
  const { ConversationID, LastMessage } = conversation;
  const userId = useUser()?.UserID ?? 0;
  const [draft, changeDraft] = useDraft(ConversationID);
  const signature = useSignature(ConversationID);
  const [startAt, setStartAt] = useState<string>();
  const shownIds = hasLater ? [] : messages.map(({ TextMessageID }) => TextMessageID);
  const newestId = Math.max(0, LastMessage?.TextMessageID ?? 0, ...shownIds);
  const seenNow = newestId > 0 ? newestId : undefined;
  const isEmpty = (one: Draft) => one.text === '' && one.pictures.length === 0;

  const change: Writing['change'] = (by) =>
    changeDraft((before) => {
      const after = by(before);
      // From the first letter on: the writer hasn't read anything that comes later.
      return isEmpty(before) && !isEmpty(after) ? { ...after, seenId: seenNow } : after;
    });

  return {
    draft,
    change,
    send: ({ text, pictures, seenId, keepsCharacters }, { anyway = false } = {}) => {
      const sending = outbox.send({
        conversationId: ConversationID,
        text,
        pictures,
        keepsCharacters,
        hasSignature: signature?.isOn ?? false,
        at: new Date().toISOString(),
        newestKnownId: newestId,
        seenId: anyway ? undefined : (seenId ?? seenNow),
      });
      changeDraft(() => emptyDraft);
      return sending;
    },
    takeBack: async (entry) => {
      if (!(await outbox.withdraw(entry.key))) return;
      change((before) => ({
        ...before,
        text: [entry.text, before.text].filter((part) => part !== '').join('\n'),
        pictures: [...entry.pictures, ...before.pictures],
        keepsCharacters: entry.keepsCharacters ?? before.keepsCharacters,
      }));
    },
    signature,
    startAt,
    setStartAt,
    answer: isEmpty(draft) ? undefined : answerSince(messages, draft.seenId, userId),
    acceptAnswer: () => changeDraft((before) => ({ ...before, seenId: seenNow })),
  };
}
