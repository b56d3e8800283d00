import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteDraft } from '../../../contract/addresses/drafts.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import type { listDrafts } from '../../../contract/drafts.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { typeName } from '../../pieces/broadcasts/broadcast-type.ts';
import { withFieldsInWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { useCall } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenBroadcasts } from '../broadcast-queries.ts';
import { Row, RowName } from './broadcast-row.tsx';

type Draft = Reply<typeof listDrafts>['Items'][number];

const nameOf = ({ BroadcastName }: Draft) => BroadcastName || 'Untitled broadcast';
const steps = [say('Settings'), say('Recipients'), say('Messages'), say('Review')];

/** Broadcasts that were begun and not sent. */
export function DraftRows({ drafts }: { drafts: readonly Draft[] }) {
  const [deleted, setDeleted] = useState<Draft>();
  return (
    <>
      {drafts.map((draft) => (
        <DraftRow key={draft.DraftBroadcastID} draft={draft} onDelete={() => setDeleted(draft)} />
      ))}
      {deleted && <DeleteDraft draft={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function DraftRow({ draft, onDelete }: { draft: Draft; onDelete: () => void }) {
  const { DraftBroadcastID, TextMessage, TotalTextNumberCount, Step, User, UpdateTimestamp } = draft;
  const step = steps[Step - 1];
  const mayChange = useCan('manageBroadcasts');
  return (
    <Row
      name={
        <RowName
          to="/broadcasts/create"
          search={{ draft: DraftBroadcastID, step: Math.min(4, Math.max(1, Step)) as 1 | 2 | 3 | 4 }}
        >
          {nameOf(draft)}
        </RowName>
      }
      snippet={
        withFieldsInWords(TextMessage) ||
        (placesCalls(draft.BroadcastType)
          ? typeName({ BroadcastType: draft.BroadcastType, IsTextSurvey: false })
          : 'No text yet')
      }
      middle={
        TotalTextNumberCount === 0
          ? 'No recipients yet'
          : countOf(TotalTextNumberCount, 'recipient', 'recipients')
      }
      when={
        <>
          Edited <RelativeTime at={UpdateTimestamp} />
          {step && `, step: ${step}`}
          <br />
          by {User.Name}
        </>
      }
      menu={
        mayChange && (
          <Tooltip title="Delete">
            <IconButton aria-label={`Delete draft ${nameOf(draft)}`} onClick={onDelete}>
              <Trash2 />
            </IconButton>
          </Tooltip>
        )
      }
    />
  );
}

function DeleteDraft({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending } = useCall(deleteDraft, {
    onSuccess: () => showSnackbar(`${nameOf(draft)} was deleted.`),
    onError: (error) => {
      // Somebody else deleted it meanwhile, so the goal is reached.
      if (!isNotFound(error))
        showSnackbar(shownMessage(error, 'There was an error deleting your draft broadcast.'));
    },
    onSettled: () => {
      freshenBroadcasts(client);
      onClose();
    },
  });
  return (
    <AskDialog
      title="Delete this draft?"
      keep="Keep it"
      action="Delete draft"
      isBusy={isPending}
      onDo={() => mutate({ params: { DraftBroadcastID: draft.DraftBroadcastID } })}
      onClose={onClose}
    >
      {nameOf(draft)} and its recipient list will be deleted. This can’t be undone.
    </AskDialog>
  );
}
