import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { sendTest } from '../../../../contract/addresses/drafts.gen.ts';
import { requiredMessage } from '../../../../contract/fields/basic-rules.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { errorCatalog } from '../../../../contract/reference/error-catalog.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../../../api.ts';
import { useCall } from '../../../queries/calls.ts';
import { useCan, useUser } from '../../../queries/current-user.ts';
import { TextField } from '../../../ui/field.tsx';
import { countOf } from '../../../ui/format.ts';
import { showSnackbar } from '../../../ui/snackbar.tsx';
import type { StepProps } from '../draft-state.ts';

interface MessageTestProps extends Pick<StepProps, 'draft' | 'flush'> {
  credits: number;
  /** The recipient whose copy it is; undefined: the first recipient. */
  recipientId: number | undefined;
  /** The second of two texts is shown, so that one is sent. */
  isSecond: boolean;
  isDisabled: boolean;
}

/** One copy to the user's own phone, as somebody on the list would get it. */
export function MessageTest(props: MessageTestProps) {
  const { draft, flush, credits, recipientId, isSecond, isDisabled } = props;
  const send = useCall(sendTest);
  const user = useUser();
  const mayTest = useCan('createTextBroadcast');
  const hasPhone = user === undefined || user.Phone !== '' || user.NotificationPhone !== '';
  const [problem, setProblem] = useState('');
  // Users without a phone in their profile are asked for it here; it is kept until the page is left.
  const [phone, setPhone] = useState('');
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // After a failure that may have sent it the same key is used again, so that it is sent once.
  const key = useRef<string | undefined>(undefined);
  const press = async () => {
    setProblem('');
    if (!hasPhone && phone.trim() === '') {
      if (isAsking) setProblem(requiredMessage('Mobile Number'));
      setAsking(true);
      requestAnimationFrame(() => field.current?.focus());
      return;
    }
    if (!(await flush())) return;
    key.current ??= newIdempotencyKey();
    try {
      const { PhoneNumber } = await send.mutateAsync({
        params: { DraftBroadcastID: draft.DraftBroadcastID },
        body: {
          ...(recipientId === undefined ? {} : { RecipientID: recipientId }),
          ...(hasPhone ? {} : { PhoneNumber: phone }),
          ...(isSecond ? { Text: 'Second' as const } : {}),
        },
        idempotencyKey: key.current,
      });
      key.current = undefined;
      showSnackbar(`A test is on its way to ${formatPhone(PhoneNumber)}.`);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = undefined;
      setProblem(Object.values(fieldMessages(error))[0] ?? shownMessage(error, errorCatalog.sendMessage));
      field.current?.focus();
    }
  };
  if (!mayTest) return null;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled && !send.isPending) void press();
      }}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: isAsking ? 'flex-start' : 'center', gap: 1.25 }}
    >
      {isAsking && (
        <Box sx={{ flex: '0 1 240px' }}>
          <TextField
            label="Your mobile number"
            type="tel"
            autoComplete="tel"
            ref={field}
            value={phone}
            error={problem || undefined}
            onChange={(event) => {
              setPhone(event.target.value);
              setProblem('');
            }}
          />
        </Box>
      )}
      <Button
        variant="outlined"
        startIcon={<Send aria-hidden />}
        type="submit"
        disabled={isDisabled || send.isPending}
        sx={isAsking ? { mt: '26px' } : {}}
      >
        Send a test to my phone
      </Button>
      <Typography
        variant="body2"
        role={problem && !isAsking ? 'alert' : undefined}
        sx={{
          color: problem && !isAsking ? 'error.main' : 'text.secondary',
          ...(isAsking ? { mt: '34px' } : {}),
        }}
      >
        {problem !== '' && !isAsking
          ? problem
          : credits === 0
            ? 'No credits used'
            : `Uses ${countOf(credits, 'credit', 'credits')}`}
      </Typography>
    </Box>
  );
}
