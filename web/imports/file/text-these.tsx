import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import { useRef, useState } from 'react';
import { addDraftFile, createDraft, listDrafts } from '../../../contract/addresses/drafts.gen.ts';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import type { FileUpload } from '../../../contract/imports.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { callApi, newIdempotencyKey, shownMessage } from '../../api.ts';
import { freshenDraft } from '../../queries/draft-recipients.ts';
import { formatCount } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

const messageStep = 3;

/** Creates a broadcast to everybody who came with the file, and opens its message step. */
export function TextThese({ file, count }: { file: FileUpload; count: number }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  // Pressing again after a failure retries the same broadcast.
  const keys = useRef({ draft: newIdempotencyKey(), file: newIdempotencyKey() });
  const start = async () => {
    setBusy(true);
    try {
      const form = {
        BroadcastName: broadcastName(file.FileName),
        TextNumberID: await findUsualNumber(),
        Step: messageStep,
      };
      const { DraftBroadcastID } = await callApi(
        createDraft,
        { body: form },
        { idempotencyKey: keys.current.draft, missing: 'refuse' },
      );
      const body = { FileID: file.FileID, UserIndicatedConsentDeclared: file.UserIndicatedConsentDeclared };
      await callApi(
        addDraftFile,
        { params: { DraftBroadcastID }, body },
        { idempotencyKey: keys.current.file, missing: 'refuse' },
      );
      await freshenDraft(client, DraftBroadcastID);
      void client.invalidateQueries({ queryKey: [listDrafts.path] });
      await navigate({ to: '/broadcasts/create', search: { draft: DraftBroadcastID, step: messageStep } });
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error starting your broadcast.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="contained"
      color="primary"
      startIcon={<MessageSquareText />}
      disabled={isBusy}
      onClick={() => void start()}
    >
      Text {count === 1 ? 'this person' : `these ${formatCount(count)}`}
    </Button>
  );
}

/** The file's name without its ending, as long as a name may be. */
export function broadcastName(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim() || fileName;
  return [...name].length <= limits.broadcastName
    ? name
    : `${[...name].slice(0, limits.broadcastName - 1).join('')}…`;
}

/** The default number if broadcasts can go out from it, otherwise the first number from which they can. */
async function findUsualNumber(): Promise<number | null> {
  const { Items } = await callApi(
    listTextNumbers,
    { query: { pagesize: pageSizes.textNumbersInNotifications } },
    { missing: 'refuse' },
  );
  const usable = Items.filter(
    ({ CanText, CanCreateBroadcast, IsBlocked }) => CanText && CanCreateBroadcast && !IsBlocked,
  );
  return (usable.find(({ IsDefault }) => IsDefault) ?? usable[0])?.TextNumberID ?? null;
}
