import Box from '@mui/material/Box';
import { RouterLink } from '../ui/router-link.tsx';
import { StepHead } from '../ui/wizard-frame.tsx';
import { DropZone } from './file/drop-zone.tsx';
import { FilesUnderWay } from './file/files-under-way.tsx';
import { ImportFrame } from './import-frame.tsx';
import { useImportTarget } from './import-target.ts';

/** SELECT: choose a file, or continue with an earlier one. */
export function StartPage() {
  const { draftId, toFile } = useImportTarget();
  return (
    <ImportFrame at={0}>
      <Box sx={{ maxWidth: 720, mx: 'auto' }}>
        <StepHead
          title="Choose a file"
          sentence={
            <>
              A list from Excel, Google Sheets or any other program, one person per row. Or{' '}
              {draftId === undefined ? (
                <RouterLink to="/contacts/paste">paste a list</RouterLink>
              ) : (
                <RouterLink to="/broadcasts/create/paste" search={{ draft: draftId }}>
                  paste a list
                </RouterLink>
              )}
              .
            </>
          }
        />
        <DropZone onUploaded={({ FileID }) => void toFile(FileID)} />
        <FilesUnderWay />
      </Box>
    </ImportFrame>
  );
}
