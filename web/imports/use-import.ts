import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addList, listLists } from '../../contract/addresses/contacts.gen.ts';
import { addDraftFile } from '../../contract/addresses/drafts.gen.ts';
import { importFile } from '../../contract/addresses/imports.gen.ts';
import { specialGroups } from '../../contract/contacts.ts';
import type { FileUpload } from '../../contract/imports.ts';
import { limits } from '../../contract/reference/limits.ts';
import { fileNotProcessed } from '../../contract/uploads/file-name.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../api.ts';
import { addedWords, freshenDraft } from '../queries/draft-recipients.ts';
import { isSameName } from '../ui/same-name.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { keepFile } from './file-queries.ts';
import type { ChosenGroup, ImportDraft } from './import-draft.ts';
import { useImportTarget } from './import-target.ts';

/** The id of the group to import into: an existing one, a new one that is made now, or Everyone. */
export async function groupIdOf(group: ChosenGroup | null, idempotencyKey: string): Promise<number> {
  if (group === null) return specialGroups.everyone;
  if (group.ListID !== null) return group.ListID;
  // Somebody may have created it meanwhile, or an earlier try created it and then failed at the import.
  const { Items } = await callApi(listLists, {}, { missing: 'refuse' });
  const known = Items.find(
    ({ ListName, ListType, Segment }) =>
      ListType === 'User' && Segment === null && isSameName(ListName, group.ListName),
  );
  if (known) return known.ListID;
  const made = await callApi(
    addList,
    { body: { ListName: group.ListName.slice(0, limits.groupName) } },
    { idempotencyKey, missing: 'refuse' },
  );
  return made.ListID;
}

/** Creates the group if it is new, then imports the file into it; or adds the file's rows to a broadcast. */
export function useImport(file: FileUpload, draft: ImportDraft) {
  const client = useQueryClient();
  const { draftId, leave } = useImportTarget();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Pressing again after a failure retries the same import.
  const keys = useRef({ list: newIdempotencyKey(), file: newIdempotencyKey() });
  const start = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { FileID: file.FileID, UserIndicatedConsentDeclared: draft.Consent };
      const key = { idempotencyKey: keys.current.file, missing: 'refuse' as const };
      if (draftId !== undefined) {
        const reply = await callApi(addDraftFile, { params: { DraftBroadcastID: draftId }, body }, key);
        await freshenDraft(client, draftId);
        showSnackbar(addedWords(reply));
        await leave();
        return;
      }
      const ListID = await groupIdOf(draft.Group, keys.current.list);
      await keepFile(client, await callApi(importFile, { params: { ListID }, body }, key));
    } catch (error) {
      // A refusal had no effect, so the next try is a new one; anything else may have arrived.
      if (error instanceof ApiError && error.status < 500)
        keys.current = { list: newIdempotencyKey(), file: newIdempotencyKey() };
      setProblem(Object.values(fieldMessages(error))[0] ?? shownMessage(error, fileNotProcessed));
    } finally {
      setBusy(false);
    }
  };
  return { start, isBusy, problem };
}
