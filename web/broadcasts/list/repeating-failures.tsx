import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  dismissRepeatingFailures,
  listRepeatingFailures,
} from '../../../contract/addresses/broadcasts.gen.ts';
import { shownMessage } from '../../api.ts';
import { spokenStart } from '../../pieces/broadcasts/start-words.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { bySeries, type FailedSeries } from './failed-series.ts';

/** Number shown on a wide screen, and on a phone; dismissing removes all of them. */
const SHOWN = 3;
const SHOWN_ON_PHONE = 1;

/** Repeating broadcasts that could not start, shown until somebody dismisses them. */
export function RepeatingFailures() {
  const client = useQueryClient();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [isAll, setAll] = useState(false);
  const mayDismiss = useCan('manageBroadcasts');
  const { data } = useCallQuery(listRepeatingFailures, {});
  const { mutate, isPending } = useCall(dismissRepeatingFailures, {
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your broadcast.')),
    onSettled: () => void client.invalidateQueries({ queryKey: [listRepeatingFailures.path] }),
  });
  const failures = data?.Items ?? [];
  const series = bySeries(failures);
  if (series.length === 0) return null;
  const shown = isAll ? series : series.slice(0, isPhone ? SHOWN_ON_PHONE : SHOWN);
  const dismiss = mayDismiss && (
    <Button
      size="small"
      disabled={isPending}
      onClick={() => mutate({ body: { Items: failures.map(({ FailureID }) => FailureID) } })}
    >
      Dismiss
    </Button>
  );
  return (
    <Notice
      kind="warning"
      title={`${countOf(series.length, 'repeating broadcast', 'repeating broadcasts')} couldn’t start`}
      actions={!isPhone && dismiss}
    >
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 0.5, mt: 0.5 }}>
        {shown.map((one) => (
          <FailureLine key={one.latest.FailureID} {...one} />
        ))}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: isPhone ? 1 : 0 }}>
        {isPhone && dismiss}
        {shown.length < series.length && (
          <Link component="button" type="button" onClick={() => setAll(true)} sx={{ minHeight: 24 }}>
            Show all {formatCount(series.length)}
          </Link>
        )}
      </Box>
    </Notice>
  );
}

function FailureLine({ latest: { BroadcastName, Message, CreateTimestamp }, times }: FailedSeries) {
  const now = useNow();
  const zone = useTimeZone();
  const when = spokenStart(CreateTimestamp, now, zone);
  return (
    <li>
      <Box component="span" sx={{ fontWeight: 550 }}>
        {BroadcastName}
      </Box>
      , {times === 1 ? when : `${formatCount(times)} times, last ${when}`}: {Message}
    </li>
  );
}
