import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { dismissRepeatingFailures, listRepeatingFailures } from '../../contract/repeating-broadcasts.ts';
import { shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { countOf } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/now.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { spokenStart } from '../ui/start-words.ts';

/** As many as one reads; dismissing takes all of them. */
const SHOWN = 3;

/** Repeating broadcasts that could not start, until somebody has seen it. */
export function RepeatingFailures() {
  const client = useQueryClient();
  const now = useNow();
  const zone = useTimeZone();
  const { data } = useCallQuery(listRepeatingFailures, {});
  const { mutate, isPending } = useCall(dismissRepeatingFailures, {
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your broadcast.')),
    onSettled: () => void client.invalidateQueries({ queryKey: [listRepeatingFailures.path] }),
  });
  const failures = data?.Items ?? [];
  if (failures.length === 0) return null;
  return (
    <Notice
      kind="warning"
      title={`${countOf(failures.length, 'repeating broadcast', 'repeating broadcasts')} could not start`}
      actions={
        <Button
          size="small"
          disabled={isPending}
          onClick={() => mutate({ body: { Items: failures.map(({ FailureID }) => FailureID) } })}
        >
          Dismiss
        </Button>
      }
    >
      {failures.slice(0, SHOWN).map(({ FailureID, BroadcastName, Message, CreateTimestamp }) => (
        <div key={FailureID}>
          {BroadcastName}, {spokenStart(CreateTimestamp, now, zone)}: {Message}
        </div>
      ))}
      {failures.length > SHOWN && <div>And {countOf(failures.length - SHOWN, 'more', 'more')}.</div>}
    </Notice>
  );
}
