import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { keepTextNumber, releaseTextNumber } from '../../contract/addresses/registration.gen.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { shownMessage } from '../api.ts';
import { textNumberLine, textNumberName } from '../pieces/numbers/text-number-names.ts';
import { useCall } from '../queries/calls.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { formatAbsolute } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

/** Gives a number up, or keeps one that was given up. Owners only. */
export function ReleaseButton({ number }: { number: TextNumber }) {
  const client = useQueryClient();
  const canRelease = useCan('releaseTextNumbers');
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const release = useCall(releaseTextNumber);
  const keep = useCall(keepTextNumber);
  if (!canRelease) return null;
  const params = { TextNumberID: number.TextNumberID };
  const refresh = () => client.invalidateQueries({ queryKey: [listTextNumbers.path] });
  const giveUp = async () => {
    setProblem(undefined);
    try {
      await release.mutateAsync({ params });
      setAsking(false);
      await refresh();
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error updating your text number.'));
    }
  };
  const keepIt = async () => {
    await keep.mutateAsync({ params }).catch(() => undefined);
    showSnackbar(`You keep ${textNumberName(number)}.`);
    await refresh();
  };
  if (number.ReleaseDate !== null)
    return (
      <Button size="small" onClick={() => void keepIt()} aria-label={`Keep ${textNumberName(number)}`}>
        Keep it
      </Button>
    );
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-label={`Give up ${textNumberName(number)}`}
        onClick={() => setAsking(true)}
      >
        Give up
      </Button>
      {isAsking && (
        <AskDialog
          title="Give up this number?"
          action="Give up"
          keep="Keep it"
          isBusy={release.isPending}
          onDo={() => void giveUp()}
          onClose={() => setAsking(false)}
        >
          {textNumberLine(number)} keeps working for seven days. You can change your mind until then. After
          that it may go to somebody else. Its conversations stay.
          {problem && <Notice kind="error">{problem}</Notice>}
        </AskDialog>
      )}
    </>
  );
}

export function ReleaseWords({ number }: { number: TextNumber }) {
  const zone = useTimeZone();
  if (number.ReleaseDate === null) return null;
  return (
    <Typography variant="body2" sx={{ mt: '2px', color: 'warning.main' }}>
      Given up. It works until {formatAbsolute(number.ReleaseDate, zone)}.
    </Typography>
  );
}
