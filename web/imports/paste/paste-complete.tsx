import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CircleCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { undoFile } from '../../../contract/addresses/imports.gen.ts';
import { useCall } from '../../queries/calls.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { SeeContacts } from '../file/see-contacts.tsx';
import type { PasteResult } from './paste-page.tsx';

/** COMPLETE: where to go from here. */
export function PasteComplete({ result, onAgain }: { result: PasteResult; onAgain: () => void }) {
  const { CreatedCount, ExistingCount, ListID, UndoID } = result;
  const [isUndone, setUndone] = useState(false);
  const fail = () => showSnackbar('There was an error undoing the change to your contacts');
  const undo = useCall(undoFile, {
    onSuccess: ({ UndoExecuted }) => {
      if (!UndoExecuted) return fail();
      setUndone(true);
    },
    onError: fail,
  });
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', minHeight: 360 }}>
      <EmptyState
        icon={isUndone ? Undo2 : CircleCheck}
        titleComponent="h1"
        title={isUndone ? 'The paste was undone' : 'Done'}
        action={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'center' }}>
            {!isUndone && <SeeContacts listId={ListID} />}
            <Button onClick={onAgain} {...(isUndone ? { variant: 'contained', color: 'primary' } : {})}>
              Paste more
            </Button>
            {!isUndone && UndoID !== null && (
              <Button
                variant="text"
                startIcon={<Undo2 />}
                disabled={undo.isPending}
                onClick={() => undo.mutate({ params: { UndoID } })}
              >
                Undo
              </Button>
            )}
          </Box>
        }
      >
        {isUndone
          ? 'Your contacts are back to the way they were.'
          : `${countOf(CreatedCount, 'contact', 'contacts')} added, ${countOf(ExistingCount, 'was', 'were')} already in your contacts.`}
      </EmptyState>
    </Box>
  );
}
