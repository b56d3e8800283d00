import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { FileSpreadsheet, Trash2 } from 'lucide-react';
import { cancelFile, listFiles } from '../../../contract/addresses/imports.gen.ts';
import type { FileStage, FileUpload } from '../../../contract/imports.ts';
import { genericMessage, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { countOf } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { files } from '../file-queries.ts';
import { forgetDraft } from '../import-draft.ts';
import { useImportTarget } from '../import-target.ts';
import { progressCount } from '../import-words.ts';

/** The user's latest files: those that wait for somebody, and imported ones that can be undone. */
const shownStages: readonly FileStage[] = [
  'mapping',
  'processing',
  'review',
  'importing',
  'undoing',
  'imported',
];
/** Can be used for a broadcast. */
const waitingStages: readonly FileStage[] = ['mapping', 'processing', 'review'];

function stageSentence({ Stage, Progress, Summary }: FileUpload): string {
  switch (Stage) {
    case 'mapping':
      return 'Columns need matching';
    case 'processing':
      return `Reading: ${progressCount(Progress)}`;
    case 'review':
      return `${countOf(Summary?.GoodRecordCount ?? 0, 'row', 'rows')} ready to import`;
    case 'importing':
      return `Importing: ${progressCount(Progress)}`;
    case 'undoing':
      return `Undoing: ${progressCount(Progress)}`;
    default:
      return `Imported: ${countOf(Summary?.CreatedCount ?? 0, 'new contact', 'new contacts')}`;
  }
}

export function FilesUnderWay() {
  const { data } = useCallQuery(listFiles, {}, { staleTime: 0 });
  const { draftId } = useImportTarget();
  const stages = draftId === undefined ? shownStages : waitingStages;
  const shown = (data?.Items ?? []).filter(({ Stage }) => stages.includes(Stage)).slice(0, 8);
  if (shown.length === 0) return null;
  return (
    <Box sx={{ mt: 3 }}>
      <Card title="Recent files">
        <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
          {shown.map((file) => (
            <FileLine key={file.FileID} file={file} />
          ))}
        </Box>
      </Card>
    </Box>
  );
}

function FileLine({ file }: { file: FileUpload }) {
  const { draftId } = useImportTarget();
  const client = useQueryClient();
  const cancel = useCall(cancelFile, {
    onSuccess: () => {
      forgetDraft(file.FileID);
      void client.invalidateQueries({ queryKey: [listFiles.path] });
    },
    onError: (error) => showSnackbar(shownMessage(error, genericMessage('deleting', files))),
  });
  const isWaiting = file.Stage === 'mapping' || file.Stage === 'review';
  const look = {
    size: 'small',
    'aria-label': isWaiting ? `Continue with ${file.FileName}` : `See ${file.FileName}`,
    children: isWaiting ? say('Continue') : say('See'),
  } as const;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 60,
        pl: 2.5,
        pr: 1.5,
        py: 1,
        '& + li': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <Box
        component={FileSpreadsheet}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: 'ink.three', flex: 'none' }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap title={file.FileName} sx={{ fontWeight: 520 }}>
          {file.FileName}
        </Typography>
        <Typography variant="body2" component="p" sx={{ color: 'text.secondary' }}>
          {stageSentence(file)} · <RelativeTime at={file.CreateTimestamp} />
        </Typography>
      </Box>
      {draftId === undefined ? (
        <RouterButton to="/contacts/import/$fileId" params={{ fileId: file.FileID }} {...look} />
      ) : (
        <RouterButton
          to="/broadcasts/create/file/$fileId"
          params={{ fileId: file.FileID }}
          search={{ draft: draftId }}
          {...look}
        />
      )}
      {isWaiting && (
        <Tooltip title="Delete">
          <IconButton
            aria-label={`Delete ${file.FileName}`}
            disabled={cancel.isPending}
            onClick={() => cancel.mutate({ params: { FileID: file.FileID } })}
          >
            <Trash2 />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}
