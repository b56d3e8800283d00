import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addDraftNumbers } from '../../../contract/addresses/drafts.gen.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { addedWords, freshenDraft } from '../../queries/draft-recipients.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useImportTarget } from '../import-target.ts';
import type { CheckedRow } from './paste-rows.ts';

/**
 * Adds the pasted rows to the broadcast; invalid numbers are listed there as left out, so that nobody is
 * lost.
 */
export function usePasteToDraft() {
  const client = useQueryClient();
  const { draftId, leave } = useImportTarget();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Pressing again after a failure retries the same paste.
  const key = useRef({ body: '', value: '' });
  const add = async (rows: readonly CheckedRow[]) => {
    if (draftId === undefined) return;
    const Items = rows.map(({ name, number }) => ({ Name: name.trim(), PrimaryPhone: number.trim() }));
    const asText = JSON.stringify(Items);
    if (key.current.body !== asText) key.current = { body: asText, value: newIdempotencyKey() };
    setBusy(true);
    setProblem(undefined);
    try {
      const reply = await callApi(
        addDraftNumbers,
        { params: { DraftBroadcastID: draftId }, body: { Items } },
        { idempotencyKey: key.current.value, missing: 'refuse' },
      );
      await freshenDraft(client, draftId);
      showSnackbar(addedWords(reply));
      await leave();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current.body = '';
      const first = Object.values(fieldMessages(error))[0];
      setProblem(first ?? shownMessage(error, 'There was an error pasting your contacts.'));
    } finally {
      setBusy(false);
    }
  };
  return { add, isBusy, problem };
}
