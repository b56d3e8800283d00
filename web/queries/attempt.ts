import { useRef } from 'react';
import { ApiError, newIdempotencyKey } from '../api.ts';

/** One idempotency key per request, so that a retry can't do it twice. */
export function useAttempt() {
  const last = useRef({ body: '', key: '' });
  return async <T>(body: object, act: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const asText = JSON.stringify(body);
    if (last.current.body !== asText) last.current = { body: asText, key: newIdempotencyKey() };
    try {
      const done = await act(last.current.key);
      last.current = { body: '', key: '' };
      return done;
    } catch (error) {
      // A refusal had no effect, so the next try gets a new key. After any other error, it may have arrived.
      if (error instanceof ApiError && error.status < 500) last.current = { body: '', key: '' };
      throw error;
    }
  };
}
