import Button from '@mui/material/Button';
import type { FileUpload } from '../../contract/imports.ts';
import { WizardFrame, type WizardFrameProps } from '../ui/wizard-frame.tsx';
import { draftSteps, importSteps } from './import-steps.ts';
import { useImportTarget } from './import-target.ts';

type OwnProps = 'title' | 'subtitle' | 'steps' | 'onClose' | 'closing';
type ImportFrameProps = Omit<WizardFrameProps, OwnProps> & {
  file?: FileUpload;
  /** Says that the work is saved, where there is something to come back to. */
  isKept?: boolean;
};

/** The frame of every step on a file's way into the contacts, or into a broadcast. */
export function ImportFrame({ file, isKept = false, ...rest }: ImportFrameProps) {
  const { draftId, leave } = useImportTarget();
  const isForDraft = draftId !== undefined;
  return (
    <WizardFrame
      title={isForDraft ? 'Add recipients from a file' : 'Import contacts'}
      steps={isForDraft ? draftSteps : importSteps}
      onClose={() => void leave()}
      closing={
        isKept && (
          <Button variant="text" onClick={() => void leave()} sx={{ color: 'ink.one' }}>
            {isForDraft ? 'Back to the broadcast' : 'Save and close'}
          </Button>
        )
      }
      {...(file ? { subtitle: file.FileName } : {})}
      {...rest}
    />
  );
}
