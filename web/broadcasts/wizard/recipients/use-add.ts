import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Added } from '../../../../contract/draft-recipients.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../../../api.ts';
import { addedWords, freshenDraft } from '../../../queries/draft-recipients.ts';
import { showSnackbar } from '../../../ui/snackbar.tsx';

/**
 * Adds people by a call and reports the result. Pressing again after a failure repeats the same addition,
 * whatever happened to the first try. A refusal had no effect, so pressing after it is a new addition.
 */
export function useAdd(draftId: number, onAdded: () => void) {
  const client = useQueryClient();
  const key = useRef(newIdempotencyKey());
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const add = async (call: (idempotencyKey: string) => Promise<Added>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const reply = await call(key.current);
      key.current = newIdempotencyKey();
      showSnackbar(addedWords(reply));
      onAdded();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = newIdempotencyKey();
      const first = Object.values(fieldMessages(error))[0];
      setProblem(first ?? shownMessage(error, 'There was an error adding your contacts.'));
    } finally {
      setBusy(false);
      await freshenDraft(client, draftId);
    }
  };
  return { add, isBusy, problem };
}
