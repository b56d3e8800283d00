import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import { useState } from 'react';
import { listFileRows } from '../../../contract/addresses/imports.gen.ts';
import type { FileUpload } from '../../../contract/imports.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { genericMessage, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { BackButton, StepHead, StepProblem, TwoColumns } from '../../ui/wizard-frame.tsx';
import type { FileRowKind } from '../import-address.ts';
import type { ImportDraft } from '../import-draft.ts';
import { ImportFrame } from '../import-frame.tsx';
import { useImportTarget } from '../import-target.ts';
import { previewCount } from '../import-words.ts';
import { useImport } from '../use-import.ts';
import { Issues } from './issues.tsx';
import { RowsTable } from './rows-table.tsx';
import { WhereCard } from './where-card.tsx';

interface ReviewStepProps {
  file: FileUpload;
  draft: ImportDraft;
  onDraft: (by: Partial<ImportDraft>) => void;
  onSee: (kind: FileRowKind) => void;
  onEdit: () => void;
  onBack: () => void;
}

const shownRows = 15;

/** REVIEW: the rows that were read and their issues, before anything is written. */
export function ReviewStep({ file, draft, onDraft, onSee, onEdit, onBack }: ReviewStepProps) {
  const { draftId } = useImportTarget();
  const { start, isBusy, problem } = useImport(file, draft);
  const [isTried, setTried] = useState(false);
  const { Summary, FileID } = file;
  const ready = Summary?.GoodRecordCount ?? 0;
  return (
    <ImportFrame
      file={file}
      at={2}
      isKept
      back={<BackButton onPress={onBack} />}
      forward={
        <Button
          variant="contained"
          color="primary"
          disabled={isBusy || ready === 0}
          onClick={() => {
            setTried(true);
            if (draft.Consent) void start();
          }}
        >
          {draftId === undefined
            ? `Import ${countOf(ready, 'contact', 'contacts')}`
            : `Add ${countOf(ready, 'recipient', 'recipients')}`}
        </Button>
      }
    >
      <TwoColumns
        isSideFirst
        head={
          <StepHead
            title={draftId === undefined ? 'Check before you import' : 'Check before you add them'}
            sentence={
              ready === 0
                ? 'No rows can be imported yet. Fix them here, or go back and match the columns again.'
                : 'Nothing has been added yet.'
            }
          />
        }
        main={
          <>
            <StepProblem problem={problem} />
            <FirstRows fileId={FileID} rowCount={Summary?.RowCount ?? 0} />
          </>
        }
        side={
          <>
            {Summary && (
              <Issues
                fileId={FileID}
                summary={Summary}
                groups={file.Groups}
                duplicates={file.Choice?.Duplicates ?? draft.Duplicates}
                onSee={onSee}
                onEdit={onEdit}
              />
            )}
            <WhereCard
              draft={draft}
              onDraft={onDraft}
              consentError={isTried && !draft.Consent ? confirmConsent : undefined}
            />
          </>
        }
      />
    </ImportFrame>
  );
}

function FirstRows({ fileId, rowCount }: { fileId: number; rowCount: number }) {
  const { data, error } = useCallQuery(listFileRows, {
    params: { FileID: fileId },
    query: { pagesize: shownRows },
  });
  return (
    <>
      <MuiCard>
        {error ? (
          <Notice kind="error" isBand>
            {shownMessage(error, genericMessage('getting', { one: 'row', many: 'rows' }))}
          </Notice>
        ) : data ? (
          <RowsTable rows={data.Items} label="Rows of the file" />
        ) : (
          <SkeletonRows rows={shownRows} rowHeight={40} />
        )}
      </MuiCard>
      {data && (
        <Box sx={{ mt: 1.5, typography: 'body2', color: 'text.secondary' }}>
          {previewCount(data.Items.length, rowCount)}
        </Box>
      )}
    </>
  );
}
