import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { changeConsent, undoConsent } from '../../../contract/addresses/consents.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { ApiError, fieldMessages, shownMessage } from '../../api.ts';
import { consentHeadline } from '../../pieces/consents/consent-words.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { freshenContact } from './contact-queries.ts';

type State = 'in' | 'out' | 'none';
type Channel = 'text' | 'voice' | 'both';

/** The new consent of a phone, and its current one. */
export interface ConsentQuestion {
  phone: string;
  state: 'in' | 'out';
  texts: State;
  calls: State;
}

/** Opts a phone in or out by hand: the channels, the source, and for an opt-in the declaration. */
export function ConsentDialog({
  question,
  onClose,
}: {
  question: ConsentQuestion | undefined;
  onClose: () => void;
}) {
  // Kept while the dialog fades out, or its words would disappear first.
  const [last, setLast] = useState(question);
  if (question && question !== last) setLast(question);
  return (
    <FormDialog isOpen={question !== undefined} onClose={onClose} width={480}>
      {last && <ConsentForm question={last} onClose={onClose} />}
    </FormDialog>
  );
}

/**
 * The channels that would change: if somebody may be called but not texted, an opt-out is meant for calls.
 */
function likelyChannel({ state, texts, calls }: ConsentQuestion): Channel {
  if (texts === state && calls !== state) return 'voice';
  return calls === state || state === 'in' ? 'text' : 'both';
}

function ConsentForm({ question, onClose }: { question: ConsentQuestion; onClose: () => void }) {
  const { phone, state } = question;
  const client = useQueryClient();
  const offerUndo = useUndo();
  const change = useCall(changeConsent);
  const labelId = useId();
  const [channel, setChannel] = useState(() => likelyChannel(question));
  const [wording, setWording] = useState('');
  const [isDeclared, setDeclared] = useState(false);
  const [errors, setErrors] = useState<{ wording?: string; declared?: string; form?: string }>({});
  const isOptIn = state === 'in';
  const action = isOptIn ? 'Opt in' : 'Opt out';

  const save = async () => {
    if (isOptIn && !isDeclared) {
      setErrors({ declared: confirmConsent });
      return;
    }
    setErrors({});
    try {
      const { UndoID } = await change.mutateAsync({
        params: { Number: phone },
        body: { Channel: channel, State: state, Wording: wording, UserIndicatedConsentDeclared: isDeclared },
      });
      freshenContact(client);
      offerUndo({
        message: `${formatPhone(phone)}: ${consentHeadline(state, channel).toLowerCase()}.`,
        undo: undoConsent,
        undoId: UndoID,
        thing: 'consent',
        onUndone: freshenContact,
      });
      onClose();
    } catch (error) {
      setErrors(errorsOf(error));
    }
  };

  return (
    <DialogForm
      title={`${action} ${formatPhone(phone)}`}
      intro={
        isOptIn
          ? 'Only opt in people who have agreed. We save your name and the time with the consent record.'
          : 'Muster stops texting or calling this phone immediately, in every group.'
      }
      problem={errors.form}
      action={action}
      isDisabled={change.isPending}
      gap={2.25}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div>
        <Typography variant="body2" id={labelId} sx={{ fontWeight: 550, mb: '6px' }}>
          {isOptIn ? 'They agreed to' : 'They no longer want'}
        </Typography>
        <ToggleButtonGroup
          exclusive
          aria-labelledby={labelId}
          value={channel}
          onChange={(_, chosen: Channel | null) => {
            if (chosen) setChannel(chosen);
          }}
        >
          <ToggleButton value="text">Texts</ToggleButton>
          <ToggleButton value="voice">Calls</ToggleButton>
          <ToggleButton value="both">Both</ToggleButton>
        </ToggleButtonGroup>
      </div>
      <TextField
        label="How do you know?"
        help={
          isOptIn
            ? 'How and where they agreed, such as “Enrollment form, signed August 21”.'
            : 'What they said, in a few words. Saved with the consent record.'
        }
        multiline
        minRows={2}
        maxRows={6}
        value={wording}
        error={errors.wording}
        onChange={(event) => setWording(event.target.value)}
      />
      {isOptIn && (
        <div>
          <FormControlLabel
            control={
              <Checkbox
                checked={isDeclared}
                onChange={(_, checked) => {
                  setDeclared(checked);
                  setErrors(({ declared: _gone, ...rest }) => rest);
                }}
                slotProps={{ input: { 'aria-describedby': `${labelId}-declared` } }}
              />
            }
            label="I have collected proper consent from this person."
            sx={{ alignItems: 'flex-start', '& .MuiFormControlLabel-label': { pt: '2px' } }}
          />
          {errors.declared && (
            <FormHelperText error id={`${labelId}-declared`} role="alert">
              {errors.declared}
            </FormHelperText>
          )}
        </div>
      )}
    </DialogForm>
  );
}

function errorsOf(error: unknown): { wording?: string; declared?: string; form?: string } {
  const { Wording, UserIndicatedConsentDeclared } = fieldMessages(error);
  if (Wording) return { wording: Wording };
  if (UserIndicatedConsentDeclared) return { declared: UserIndicatedConsentDeclared };
  // A refusal gives a reason that nobody could guess, such as that the carrier blocks the number.
  if (error instanceof ApiError && error.status === 422 && error.body.Message)
    return { form: error.body.Message };
  return { form: shownMessage(error, 'There was an error updating your consent.') };
}
