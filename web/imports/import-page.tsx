import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { FileX } from 'lucide-react';
import { useEffect } from 'react';
import type { FileUpload } from '../../contract/imports.ts';
import { genericMessage, isNotFound, shownMessage } from '../api.ts';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { DoneStep } from './file/done-step.tsx';
import { EditStep } from './file/edit-step.tsx';
import { MatchStep } from './file/match-step.tsx';
import { ProgressStep } from './file/progress-step.tsx';
import { ReviewStep } from './file/review-step.tsx';
import { ViewStep } from './file/view-step.tsx';
import { files, useFile } from './file-queries.ts';
import type { ImportSearch } from './import-address.ts';
import { forgetDraft, useImportDraft } from './import-draft.ts';
import { ImportFrame } from './import-frame.tsx';
import { stepIndexAt, stepOf } from './import-steps.ts';
import { useImportTarget } from './import-target.ts';
import { forgetEdits } from './kept-edits.ts';

/**
 * A file on its way into the contacts. Its stage determines the step that is shown; the address only chooses
 * among views of that step.
 */
export function ImportPage({ fileId, search }: { fileId: number; search: ImportSearch }) {
  const { data: file, error, refetch } = useFile(fileId);
  if (isNotFound(error)) return <NotFoundPage />;
  if (file) return <FileSteps key={fileId} file={file} search={search} />;
  return (
    <ImportFrame at={1}>
      {error ? (
        <RetryNotice onRetry={() => void refetch()}>
          {shownMessage(error, genericMessage('getting', files))}
        </RetryNotice>
      ) : (
        <SkeletonRows rows={10} rowHeight={40} />
      )}
    </ImportFrame>
  );
}

const ended: readonly FileUpload['Stage'][] = ['imported', 'canceled', 'undone'];

function FileSteps({ file, search }: { file: FileUpload; search: ImportSearch }) {
  const { toFile } = useImportTarget();
  const { draft, change } = useImportDraft(file);
  const { FileID, Stage } = file;
  const isEnded = ended.includes(Stage);
  useEffect(() => {
    if (!isEnded) return;
    forgetDraft(FileID);
    forgetEdits(FileID);
  }, [isEnded, FileID]);
  const go = (next: ImportSearch, replace = false) => void toFile(FileID, next, replace);
  const review = () => go({});
  const step = stepOf(Stage, search);
  switch (step) {
    case 'METADATA':
      return <MatchStep file={file} draft={draft} onDraft={change} onChecked={() => go({}, true)} />;
    case 'REVIEW':
      return (
        <ReviewStep
          file={file}
          draft={draft}
          onDraft={change}
          onSee={(kind) => go({ step: 'rows', kind })}
          onEdit={() => go({ step: 'edit' })}
          onBack={() => go({ step: 'columns' })}
        />
      );
    case 'EDIT':
    case 'SAVING':
      return <EditStep file={file} onDone={review} />;
    case 'VIEW':
      return (
        <ViewStep
          file={file}
          kind={search.kind ?? 'good'}
          onKind={(kind) => go({ step: 'rows', kind }, true)}
          onEdit={() => go({ step: 'edit' })}
          onBack={review}
        />
      );
    default:
      return (
        <ImportFrame file={file} at={stepIndexAt(step, Stage)} isKept={file.Status === 'InProgress'}>
          <Underway file={file} />
        </ImportFrame>
      );
  }
}

/** PROCESS and IMPORT, and a file that was abandoned. */
function Underway({ file }: { file: FileUpload }) {
  switch (file.Stage) {
    case 'processing':
      return (
        <ProgressStep
          file={file}
          title="Reading the file"
          sentence="We’re checking every phone number. You can leave this page and come back to it here."
          cancel={say('Cancel')}
        />
      );
    case 'importing':
      return (
        <ProgressStep
          file={file}
          title="Importing"
          sentence="You can leave this page. The import continues, and you can come back to it here."
          cancel="Cancel and undo"
        />
      );
    case 'undoing':
      return (
        <ProgressStep
          file={file}
          title="Undoing the import"
          sentence="Your contacts will go back to the way they were before it."
        />
      );
    case 'canceled':
      return <Canceled />;
    default:
      return <DoneStep file={file} />;
  }
}

function Canceled() {
  const { toStart } = useImportTarget();
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', minHeight: 320 }}>
      <EmptyState
        icon={FileX}
        titleComponent="h1"
        title="This import was canceled"
        action={
          <Button variant="contained" color="primary" onClick={() => void toStart()}>
            Choose a file
          </Button>
        }
      >
        None of it was added to your contacts.
      </EmptyState>
    </Box>
  );
}
