import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useId, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { nameOf } from '../names.ts';
import { refusalOf, useChangeConversation } from './change-conversation.ts';

interface OptInDialogProps {
  conversation: Conversation;
  isOpen: boolean;
  onClose: () => void;
}

/** Opts a phone back in by hand. The user must confirm that the person agreed. */
export function OptInDialog({ conversation, isOpen, onClose }: OptInDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={460}>
      <OptInForm conversation={conversation} onClose={onClose} />
    </FormDialog>
  );
}

function OptInForm({ conversation, onClose }: Omit<OptInDialogProps, 'isOpen'>) {
  const { changeOrThrow, isBusy } = useChangeConversation(conversation);
  const noteId = useId();
  const [isDeclared, setDeclared] = useState(false);
  const [error, setError] = useState('');
  const [problem, setProblem] = useState<string>();
  const name = nameOf(conversation);
  const optIn = async () => {
    if (!isDeclared) {
      setError(confirmConsent);
      return;
    }
    setProblem(undefined);
    try {
      const body = { IsAutoOptOut: false, UserIndicatedConsentDeclared: true };
      await changeOrThrow(body, `${name} will get texts again.`);
      onClose();
    } catch (refusal) {
      setProblem(refusalOf(refusal));
    }
  };
  return (
    <DialogForm
      title={`Opt in ${name}`}
      intro="Opt someone in only if they agreed to it. Muster records the opt-in with your name and the time."
      problem={problem}
      action="Opt in"
      isDisabled={isBusy}
      onSubmit={() => void optIn()}
      onClose={onClose}
    >
      <div>
        <FormControlLabel
          control={
            <Checkbox
              autoFocus
              checked={isDeclared}
              onChange={(_, checked) => {
                setDeclared(checked);
                setError('');
              }}
              slotProps={{ input: { 'aria-describedby': noteId, 'aria-invalid': error !== '' } }}
            />
          }
          label="I have collected proper consent from this person."
          sx={{ alignItems: 'flex-start', '& .MuiFormControlLabel-label': { pt: '2px' } }}
        />
        <FormHelperText error id={noteId} role={error ? 'alert' : undefined}>
          {error}
        </FormHelperText>
      </div>
    </DialogForm>
  );
}
