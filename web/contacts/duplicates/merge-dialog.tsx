import Box from '@mui/material/Box';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mergeContacts } from '../../../contract/addresses/contacts.gen.ts';
import { type Contact, contactLimits, type WholeContact } from '../../../contract/contacts.ts';
import { ApiError, callApi, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { DialogBody, DialogFoot, DialogHead, DialogSide } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { nameOfContact } from '../contact/contact-name.ts';
import { freshenContact, undoOfContact } from '../contact/contact-queries.ts';
import { MergeChoice } from './merge-choice.tsx';
import { MergePreview } from './merge-preview.tsx';

interface MergeDialogProps {
  open: boolean;
  /** Contacts who may be the same person; the first one stays unless another is chosen. */
  contacts: readonly Contact[];
  onClose: () => void;
  onMerged: (contact: WholeContact) => void;
}

/** Merges several contacts into one, and shows the result beforehand. */
export function MergeDialog({ open, onClose, ...rest }: MergeDialogProps) {
  return (
    <FormDialog isOpen={open} onClose={onClose} width={576} hasSide isFullOnPhone>
      <MergeForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function MergeForm({ contacts: given, onClose, onMerged }: Omit<MergeDialogProps, 'open'>) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  // The contacts at the time it was opened: a list that changes underneath must not change the effect of the
  // button.
  const [contacts] = useState(() => given.slice(0, contactLimits.mergedContacts));
  const [keptId, setKeptId] = useState(contacts[0]?.PersonID ?? 0);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const chosen = contacts.map(({ PersonID }) => PersonID).filter((id) => !leftOut.has(id));
  const ids = [keptId, ...chosen.filter((id) => id !== keptId)];
  const preview = useMergePreview(ids);
  const merge = useCall(mergeContacts);
  const problem = merge.error ?? preview.error;

  const save = async () => {
    try {
      const { Contact: merged, UndoID } = await merge.mutateAsync({ body: { PersonIDs: ids } });
      freshenContact(client);
      const message = `${countOf(ids.length, 'contact was', 'contacts were')} merged into ${nameOfContact(merged)}.`;
      offerUndo({ ...undoOfContact, message, undoId: UndoID });
      onMerged(merged);
    } catch {
      // The notice shows the error.
    }
  };

  return (
    <Box sx={{ display: 'flex', minHeight: 0, flex: 1, flexDirection: { xs: 'column', md: 'row' } }}>
      <Box sx={{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        <DialogHead title="Merge contacts" onClose={onClose} />
        <DialogBody
          gap={2}
          intro="The contact you keep keeps its details. Missing details are filled in from the others, and it’s added to all their groups."
          problem={problem ? problemWords(problem) : undefined}
        >
          <MergeChoice
            contacts={contacts}
            keptId={keptId}
            leftOut={leftOut}
            onKeep={setKeptId}
            onLeaveOut={(id, isLeftOut) =>
              setLeftOut((before) => {
                const after = new Set(before);
                if (isLeftOut) after.add(id);
                else after.delete(id);
                return after;
              })
            }
          />
          <Box sx={{ display: { xs: 'block', md: 'none' }, mt: 0.5 }}>
            <MergePreview preview={preview.data} count={ids.length} />
          </Box>
        </DialogBody>
        <DialogFoot
          action={merge.isPending ? 'Merging' : ids.length < 2 ? 'Merge' : `Merge ${ids.length} into one`}
          isDisabled={ids.length < 2 || merge.isPending}
          onAction={() => void save()}
          onClose={onClose}
        />
      </Box>
      <DialogSide sx={{ display: { xs: 'none', md: 'block' }, p: 3 }}>
        <MergePreview preview={preview.data} count={ids.length} />
      </DialogSide>
    </Box>
  );
}

/** The server's preview of the merge. The previous one stays shown while another choice is loading. */
function useMergePreview(ids: number[]) {
  return useQuery({
    queryKey: [mergeContacts.path, ids],
    enabled: ids.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      callApi(mergeContacts, { body: { PersonIDs: ids, IsPreview: true } }, { signal, missing: 'refuse' }),
  });
}

function problemWords(error: Error): string {
  if (error instanceof ApiError && error.status === 404)
    return 'One of these contacts was deleted. Close this dialog and try again.';
  return shownMessage(error, 'There was an error merging your contacts.');
}
