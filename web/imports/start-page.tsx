import Box from '@mui/material/Box';
import { useNavigate } from '@tanstack/react-router';
import { RouterLink } from '../ui/router-link.tsx';
import { DropZone } from './drop-zone.tsx';
import { FilesUnderWay } from './files-under-way.tsx';
import { ImportFrame } from './import-frame.tsx';
import { StepHead } from './wizard-frame.tsx';

/** SELECT: a file is chosen, or one that was left is taken up again. */
export function StartPage() {
  const navigate = useNavigate();
  return (
    <ImportFrame at={0}>
      <Box sx={{ maxWidth: 720, mx: 'auto' }}>
        <StepHead
          title="Choose a file"
          sentence={
            <>
              A list from Excel, Google Sheets or any other program, one person a row. Or{' '}
              <RouterLink to="/contacts/paste">paste a list</RouterLink>.
            </>
          }
        />
        <DropZone
          onUploaded={({ FileID }) =>
            void navigate({ to: '/contacts/import/$fileId', params: { fileId: FileID } })
          }
        />
        <FilesUnderWay />
      </Box>
    </ImportFrame>
  );
}
