import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { sendTest } from '../../contract/drafts.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { errorCatalogue } from '../../contract/reference/error-catalogue.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useUser } from '../queries/current-user.ts';
import { countOf } from '../ui/format.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import type { StepProps } from './draft-state.ts';

interface MessageTestProps extends Pick<StepProps, 'draft' | 'flush'> {
  credits: number;
  /** Whose copy it is; undefined: the first one's. */
  recipientId: number | undefined;
  isDisabled: boolean;
}

/** One copy to the user's own phone, as somebody on the list would get it. */
export function MessageTest({ draft, flush, credits, recipientId, isDisabled }: MessageTestProps) {
  const send = useCall(sendTest);
  const user = useUser();
  const hasPhone = user === undefined || user.Phone !== '' || user.NotificationPhone !== '';
  const [problem, setProblem] = useState('');
  // After a failure that may have sent it the same key is used again, so that it is sent once.
  const key = useRef<string | undefined>(undefined);
  const press = async () => {
    setProblem('');
    if (!(await flush())) return;
    key.current ??= newIdempotencyKey();
    try {
      const { PhoneNumber } = await send.mutateAsync({
        params: { DraftBroadcastID: draft.DraftBroadcastID },
        body: recipientId === undefined ? {} : { RecipientID: recipientId },
        idempotencyKey: key.current,
      });
      key.current = undefined;
      showSnackbar(`A test is on its way to ${formatPhone(PhoneNumber)}.`);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = undefined;
      setProblem(Object.values(fieldMessages(error))[0] ?? shownMessage(error, errorCatalogue.sendMessage));
    }
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.25 }}>
      <Button
        variant="outlined"
        startIcon={<Send aria-hidden />}
        disabled={isDisabled || send.isPending}
        onClick={() => void press()}
      >
        Send a test to my phone
      </Button>
      <Typography
        variant="body2"
        role={problem ? 'alert' : undefined}
        sx={{ color: problem ? 'error.main' : 'text.secondary' }}
      >
        {problem !== '' && !hasPhone && (
          <>
            {problem} <RouterLink to="/settings/profile">Open your profile</RouterLink>
          </>
        )}
        {problem !== '' && hasPhone && problem}
        {problem === '' &&
          (credits === 0 ? 'Uses no credits' : `Uses ${countOf(credits, 'credit', 'credits')}`)}
      </Typography>
    </Box>
  );
}
