import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { sendTextMessage } from '../../../contract/conversations.ts';
import { errorKinds } from '../../../contract/errors.ts';
import { ApiError, callApi, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useUser } from '../../queries/current-user.ts';
import { addToThread } from '../../queries/thread.ts';
import { freshenConversations } from '../inbox-queries.ts';
import { createOutbox, type Outbox, type OutboxEntry, type Posted } from './outbox.ts';

/** One a user: it outlives the screens, so that leaving a thread loses nothing under way. */
const outboxOf = new Map<number, Outbox>();

export function useOutbox(): { outbox: Outbox; entries: readonly OutboxEntry[] } {
  const client = useQueryClient();
  const userId = useUser()?.UserID ?? 0;
  let outbox = outboxOf.get(userId);
  if (!outbox) {
    outbox = createOutbox({
      storage: sessionStorage,
      storageKey: `muster-outbox-${userId}`,
      post: (entry) => postText(client, entry),
      newKey: newIdempotencyKey,
    });
    outboxOf.set(userId, outbox);
  }
  return { outbox, entries: useSyncExternalStore(outbox.subscribe, outbox.entries) };
}

const triesAfterFailure = 2;

/** A weak connection is tried twice more with the same key before somebody has to press. */
async function postText(client: QueryClient, entry: OutboxEntry): Promise<Posted> {
  for (let tries = 0; ; tries += 1) {
    try {
      const message = await callApi(
        sendTextMessage,
        {
          params: { ConversationID: entry.conversationId },
          body: {
            Message: entry.text,
            MmsOutboundMedia: entry.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
            IncludeSignature: entry.hasSignature,
            LastTextMessageID: entry.seenId,
          },
        },
        { idempotencyKey: entry.idempotencyKey, missing: 'refuse' },
      );
      addToThread(client, entry.conversationId, message);
      void freshenConversations(client, entry.conversationId);
      return { result: 'sent' };
    } catch (error) {
      const isUnreachable = !(error instanceof ApiError) || error.status === 502 || error.status === 503;
      if (isUnreachable && tries < triesAfterFailure && navigator.onLine) {
        await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
        continue;
      }
      if (isOvertaken(error)) {
        // What the other one wrote is shown beside it.
        void freshenConversations(client, entry.conversationId);
        return { result: 'overtaken', reason: shownMessage(error, '') };
      }
      const isRefusal = error instanceof ApiError && error.status < 500;
      return { result: isRefusal ? 'refused' : 'unsure', reason: sendFailure(error) };
    }
  }
}

/** Another key's conflict has a code of its own. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && error.body.ErrorCode === errorKinds.conflict.ErrorCode;
}

/** Why a text was not sent, in the specification's words where it gives them. */
export function sendFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  if (error.status === 500 && !error.isProductLevel) return 'Something went wrong when sending your message';
  const { ExtendedData } = error.body;
  const generic =
    typeof ExtendedData === 'string' && ExtendedData !== ''
      ? ExtendedData
      : 'There was an error sending your message.';
  return shownMessage(error, generic);
}
