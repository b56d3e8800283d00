import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { PhoneOutgoing } from 'lucide-react';
import { useRef, useState } from 'react';
import { testCall } from '../../../../contract/addresses/calling.gen.ts';
import { formatPhone, typedPhone } from '../../../../contract/phone/format-phone.ts';
import { ApiError, newIdempotencyKey } from '../../../api.ts';
import { refusalMessage } from '../../../pieces/calls/refusal-message.ts';
import { useCall } from '../../../queries/calls.ts';
import { useAccount, useCan, useUser } from '../../../queries/current-user.ts';
import { TextField } from '../../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../../ui/form-dialog.tsx';
import { showSnackbar } from '../../../ui/snackbar.tsx';
import type { StepProps } from '../draft-state.ts';
import type { VoicePart } from './voice-state.ts';

interface VoiceTestProps extends Pick<StepProps, 'draft' | 'flush'> {
  part: VoicePart;
}

/** "Call my phone with it": one call that plays the message. */
export function VoiceTest({ draft, flush, part }: VoiceTestProps) {
  const mayTest = useCan('createVoiceBroadcast');
  const [isOpen, setOpen] = useState(false);
  if (!mayTest) return null;
  return (
    <Box>
      <Button
        startIcon={<PhoneOutgoing aria-hidden />}
        disabled={draft[part] === null}
        onClick={() => setOpen(true)}
      >
        Call my phone with it
      </Button>
      <FormDialog isOpen={isOpen} onClose={() => setOpen(false)} width={440}>
        <TestForm draft={draft} flush={flush} part={part} onClose={() => setOpen(false)} />
      </FormDialog>
    </Box>
  );
}

function TestForm({ draft, flush, part, onClose }: VoiceTestProps & { onClose: () => void }) {
  const user = useUser();
  const call = useCall(testCall);
  const countryId = useAccount()?.CountryID ?? 1;
  const known = user?.Phone || user?.NotificationPhone || '';
  const [phone, setPhone] = useState(() => known && typedPhone(known, countryId));
  const [problem, setProblem] = useState<string>();
  // After a failure that may have begun a call, the same key is used again, so that it rings once.
  const key = useRef<string | undefined>(undefined);
  const start = async () => {
    setProblem(undefined);
    if (phone.trim() === '') return setProblem('Enter a Phone Number');
    if (!(await flush())) return;
    key.current ??= newIdempotencyKey();
    try {
      const { PhoneNumber } = await call.mutateAsync({
        params: { DraftBroadcastID: draft.DraftBroadcastID },
        body: { Part: part, PhoneNumber: phone },
        idempotencyKey: key.current,
      });
      key.current = undefined;
      showSnackbar(`We’re calling ${formatPhone(PhoneNumber)}.`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = undefined;
      setProblem(refusalMessage(error, 'There was an error calling your phone.'));
    }
  };
  return (
    <DialogForm
      title="Call my phone"
      intro={
        part === 'Audio'
          ? 'We call and play the message for live answers. It costs what a call costs.'
          : 'We call and play the message for voicemail. It costs what a call costs.'
      }
      action={call.isPending ? 'Calling…' : 'Call now'}
      isDisabled={call.isPending}
      onSubmit={() => void start()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Phone"
        type="tel"
        autoComplete="tel"
        value={phone}
        error={problem}
        onChange={(event) => {
          setPhone(event.target.value);
          setProblem(undefined);
        }}
      />
    </DialogForm>
  );
}
