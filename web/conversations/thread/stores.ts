import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { sendTextMessage } from '../../../contract/addresses/conversations.gen.ts';
import { pageCodes } from '../../../contract/page-codes.ts';
import { ApiError, callApi, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useUser } from '../../queries/current-user.ts';
import { addToThread } from '../../queries/thread.ts';
import { hearConnection, isReachable } from '../../realtime.ts';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenConversations } from '../inbox-queries.ts';
import { beginningBody, beginningFailure, isBeginning, postBeginning } from './begin-conversation.ts';
import { createOutbox, type Outbox, type OutboxEntry, type Posted } from './outbox.ts';
import { openTextStore } from './text-store.ts';

/** One per user. It outlives the screens, so that leaving a thread loses nothing in progress. */
const outboxOf = new Map<number, Outbox>();

export function useOutbox(): { outbox: Outbox; entries: readonly OutboxEntry[] } {
  const client = useQueryClient();
  const userId = useUser()?.UserID ?? 0;
  let outbox = outboxOf.get(userId);
  if (!outbox) {
    outbox = createOutbox({
      store: openTextStore(userId, (entry) =>
        isBeginning(entry) ? beginningBody(entry, userId) : bodyOf(entry, userId),
      ),
      post: (entry) => postText(client, entry, userId),
      newKey: newIdempotencyKey,
    });
    outboxOf.set(userId, outbox);
    resumeByItself(outbox);
  }
  return { outbox, entries: useSyncExternalStore(outbox.subscribe, outbox.entries) };
}

/** The latest waiting or failed text of each conversation. */
export function useUnsent(): ReadonlyMap<number, OutboxEntry> {
  const { entries } = useOutbox();
  return useMemo(
    () =>
      new Map(
        entries
          .filter((entry) => entry.state !== 'sending' && !isBeginning(entry))
          .map((entry) => [entry.conversationId, entry]),
      ),
    [entries],
  );
}

/** Interval at which waiting texts are retried while the connection seems fine. */
const AGAIN_MS = 10_000;

/** Sends waiting texts as soon as the server is reachable, and offers those that waited too long. */
function resumeByItself(outbox: Outbox): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isAnyWaiting = () => outbox.entries().some(({ state }) => state === 'waiting');
  const resume = () => {
    if (!isAnyWaiting() || !isReachable()) return;
    const late = outbox.resume(Date.now());
    if (late.length === 0) return;
    showSnackbar({
      message: `${countOf(late.length, 'text was', 'texts were')} not sent while you were offline.`,
      action: { label: 'Send now', onPress: () => late.forEach((key) => void outbox.tryAgain(key)) },
    });
  };
  const resumeLater = () => {
    if (timer !== undefined || !isAnyWaiting()) return;
    wakeServiceWorker();
    timer = setTimeout(() => {
      timer = undefined;
      resume();
      resumeLater();
    }, AGAIN_MS);
  };
  outbox.subscribe(resumeLater);
  hearConnection(resume);
  void outbox.ready.then(resume);
}

/** The browser wakes the service worker when the connection is back, also when this page is gone by then. */
function wakeServiceWorker(): void {
  void navigator.serviceWorker?.ready.then((worker) =>
    (worker as { sync?: { register: (tag: string) => Promise<void> } }).sync
      ?.register('muster-outbox')
      .catch(() => undefined),
  );
}

const triesAfterFailure = 2;
/** Longer, and the text is better off waiting: a weak connection can keep a request forever. */
const PATIENCE_MS = 20_000;

function bodyOf(entry: OutboxEntry, userId: number) {
  return {
    Message: entry.text,
    MmsOutboundMedia: entry.pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
    IncludeSignature: entry.hasSignature,
    KeepCharacters: entry.keepsCharacters ?? false,
    LastTextMessageID: entry.seenId,
    UserID: userId,
  };
}

/** On a weak connection, retries twice with the same key before the text waits. */
async function postText(client: QueryClient, entry: OutboxEntry, userId: number): Promise<Posted> {
  for (let tries = 0; ; tries += 1) {
    const options = {
      idempotencyKey: entry.idempotencyKey,
      missing: 'refuse',
      signal: AbortSignal.timeout(PATIENCE_MS),
    } as const;
    try {
      if (isBeginning(entry)) return await postBeginning(client, entry, userId, options);
      const message = await callApi(
        sendTextMessage,
        { params: { ConversationID: entry.conversationId }, body: bodyOf(entry, userId) },
        options,
      );
      addToThread(client, entry.conversationId, message);
      void freshenConversations(client, entry.conversationId);
      return { result: 'sent' };
    } catch (error) {
      // The server looks a key up only after the session: a refusal doesn't say that the try before had no effect.
      const wasUnsure = tries > 0;
      const isUnreachable = !(error instanceof ApiError) || error.status === 502 || error.status === 503;
      if (isUnreachable && tries < triesAfterFailure && navigator.onLine) {
        await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
        continue;
      }
      if (isUnreachable) return { result: 'unreachable', reason: '' };
      if (isOvertaken(error) && !isBeginning(entry)) {
        // The coworker's reply shows beside it.
        void freshenConversations(client, entry.conversationId);
        return { result: 'overtaken', reason: shownMessage(error, ''), wasUnsure };
      }
      const isRefusal = error instanceof ApiError && error.status < 500;
      const reason = (isBeginning(entry) && beginningFailure(error)) || sendFailure(error);
      return { result: isRefusal ? 'refused' : 'unsure', reason, wasUnsure, error };
    }
  }
}

/** A conflict over an idempotency key has a code of its own. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && error.body.ErrorCode === pageCodes.conflict;
}

/** The reason a text was not sent, in the spec's words where it has them. */
export function sendFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  if (error.status === 401) return 'Your session ended before this text was sent.';
  if (error.status === 500 && !error.isProductLevel) return 'Something went wrong when sending your message';
  const { ExtendedData } = error.body;
  const generic =
    typeof ExtendedData === 'string' && ExtendedData !== ''
      ? ExtendedData
      : 'There was an error sending your message.';
  return shownMessage(error, generic);
}
