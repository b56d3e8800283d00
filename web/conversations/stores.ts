import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { sendTextMessage } from '../../contract/conversations.ts';
import { ApiError, callApi, newIdempotencyKey, shownMessage } from '../api.ts';
import { useUser } from '../queries/current-user.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { addToThread, freshenConversations } from './inbox-queries.ts';
import { createOutbox, type Outbox, type OutboxEntry, type Posted } from './outbox.ts';

/** One of each a user: they outlive the screens, so that leaving a thread loses nothing under way. */
const draftsOf = new Map<number, Drafts>();
const outboxOf = new Map<number, Outbox>();

function kept<Store>(stores: Map<number, Store>, userId: number, make: () => Store): Store {
  let store = stores.get(userId);
  if (!store) {
    store = make();
    stores.set(userId, store);
  }
  return store;
}

export function useDraftStore(): Drafts {
  const userId = useUser()?.UserID ?? 0;
  return kept(draftsOf, userId, () => createDrafts(sessionStorage, `muster-drafts-${userId}`));
}

/** Every draft by conversation, for the list's "Draft: …". */
export function useDrafts() {
  const store = useDraftStore();
  return useSyncExternalStore(store.subscribe, store.all);
}

export function useOutbox(): { outbox: Outbox; entries: readonly OutboxEntry[] } {
  const client = useQueryClient();
  const userId = useUser()?.UserID ?? 0;
  const outbox = kept(outboxOf, userId, () =>
    createOutbox({
      storage: sessionStorage,
      storageKey: `muster-outbox-${userId}`,
      post: (entry) => postText(client, entry),
      newKey: newIdempotencyKey,
    }),
  );
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
      const isRefusal = error instanceof ApiError && error.status < 500;
      return { result: isRefusal ? 'refused' : 'unsure', reason: sendFailure(error) };
    }
  }
}

/** Why a text was not sent, in the specification's words where it gives them. */
function sendFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  if (error.status === 500 && !error.isProductLevel) return 'Something went wrong when sending your message';
  const { ExtendedData } = error.body;
  const generic =
    typeof ExtendedData === 'string' && ExtendedData !== ''
      ? ExtendedData
      : 'There was an error sending your message.';
  return shownMessage(error, generic);
}
