import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { getFile, undoFile } from '../../../contract/addresses/imports.gen.ts';
import type { FileUpload } from '../../../contract/imports.ts';
import { useCall } from '../../queries/calls.ts';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { StepHead } from '../../ui/wizard-frame.tsx';
import { Figure } from '../figure.tsx';
import { joinedSentence, resultFigures } from '../import-words.ts';
import { RejectedLink } from './issues.tsx';
import { SeeContacts } from './see-contacts.tsx';
import { TextThese } from './text-these.tsx';

/** IMPORT when it has ended: the result, and a way to undo it. */
export function DoneStep({ file }: { file: FileUpload }) {
  const { Summary, Stage } = file;
  const isUndone = Stage === 'undone';
  if (!Summary) return null;
  const { RowCount, CreatedCount, UpdatedCount, SkippedCount, RejectedCount } = Summary;
  const people = CreatedCount + UpdatedCount + SkippedCount;
  return (
    <Box sx={{ maxWidth: 640, mx: 'auto' }}>
      <StepHead
        title={isUndone ? 'The import was undone' : 'Your contacts were imported'}
        sentence={
          isUndone
            ? 'Your contacts are back to the way they were before it.'
            : `${countOf(people, 'contact', 'contacts')} from ${countOf(RowCount, 'row', 'rows')} of ${file.FileName}.`
        }
      />
      {!isUndone && (
        <MuiCard
          component="dl"
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '1fr', sm: 'repeat(5, 1fr)' },
            '& > div': { px: 2.5, py: 2 },
            '& > div + div': {
              borderLeft: { sm: '1px solid' },
              borderTop: { xs: '1px solid', sm: 0 },
              borderColor: { xs: 'line.hair', sm: 'line.hair' },
            },
          }}
        >
          {resultFigures(Summary).map((figure) => (
            <Figure key={figure.label} {...figure} />
          ))}
        </MuiCard>
      )}
      {!isUndone && file.Groups.length > 0 && (
        <Typography sx={{ mt: 2, color: 'text.secondary' }}>{joinedSentence(file.Groups)}</Typography>
      )}
      {!isUndone && RejectedCount > 0 && (
        <Box sx={{ mt: 2 }}>
          <Notice kind="warning" title={countOf(RejectedCount, 'row was left out', 'rows were left out')}>
            Fix the file and import it again. People who are already in your contacts won’t be duplicated.
            <Box sx={{ mt: 0.75 }}>
              <RejectedLink fileId={file.FileID} />
            </Box>
          </Notice>
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 3 }}>
        {!isUndone && people > 0 && <TextThese file={file} count={people} />}
        {!isUndone && <SeeContacts listId={file.ListID} isSecond={people > 0} />}
        <RouterButton
          to="/contacts/import"
          variant={isUndone ? 'contained' : 'outlined'}
          color={isUndone ? 'primary' : 'inherit'}
        >
          Import another file
        </RouterButton>
        {!isUndone && file.UndoID !== null && <UndoButton fileId={file.FileID} undoId={file.UndoID} />}
      </Box>
    </Box>
  );
}

function UndoButton({ fileId, undoId }: { fileId: number; undoId: number }) {
  const client = useQueryClient();
  const fail = () => showSnackbar('There was an error undoing the change to your contacts');
  const undo = useCall(undoFile, {
    onSuccess: async ({ UndoExecuted }) => {
      if (!UndoExecuted) fail();
      await client.invalidateQueries({ queryKey: [getFile.path, { FileID: fileId }] });
    },
    onError: fail,
  });
  return (
    <Button
      variant="text"
      startIcon={<Undo2 />}
      disabled={undo.isPending}
      onClick={() => undo.mutate({ params: { UndoID: undoId } })}
    >
      Undo import
    </Button>
  );
}
