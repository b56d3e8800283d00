import { useCallback } from 'react';
import { ApiError } from '../../api.ts';
import type { Begun, NewConversation } from '../../queries/new-conversation.ts';
import { useOutbox } from './stores.ts';

/** Longer, and the compose window closes: the conversation list shows the text until it is sent. */
const WINDOW_PATIENCE_MS = 5_000;

/** Sends a text to somebody new. Once `closed`, nobody is there to be shown a refusal, so the text is kept. */
export function useBegin(): (written: NewConversation, closed: AbortSignal) => Promise<Begun> {
  const { outbox } = useOutbox();
  return useCallback(
    async ({ textNumberId, recipients, ...text }, closed) => {
      const at = new Date().toISOString();
      const { key, posted } = outbox.begin({ ...text, begins: { textNumberId, recipients }, at });
      const outcome = await Promise.race([
        posted,
        new Promise<undefined>((resolve) => {
          setTimeout(resolve, WINDOW_PATIENCE_MS);
          closed.addEventListener('abort', () => resolve(undefined));
        }),
      ]);
      if (outcome?.result === 'sent' || outcome?.result === 'partly') {
        // The window says who didn't get it.
        outbox.remove(key);
        return outcome.reply ? { result: 'sent', reply: outcome.reply } : { result: 'kept' };
      }
      if (outcome?.result !== 'refused' || outcome.wasUnsure || isSignedOut(outcome.error))
        return { result: 'kept' };
      const isWithdrawn = await outbox.withdraw(key);
      return isWithdrawn ? { result: 'refused', error: outcome.error } : { result: 'kept' };
    },
    [outbox],
  );
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
