import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { canSafelyDeleteRepeating, deleteRepeating } from '../../../contract/addresses/broadcasts.gen.ts';
import { sendsTexts } from '../../../contract/money/units.ts';
import type { RepeatingBroadcast } from '../../../contract/repeating-broadcasts.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { wordlessSnippet } from '../../pieces/broadcasts/broadcast-type.ts';
import { withFieldsInWords, withShortDay } from '../../pieces/broadcasts/broadcast-words.ts';
import { spokenStart } from '../../pieces/broadcasts/start-words.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { countOf, formatAbsolute } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenBroadcasts } from '../broadcast-queries.ts';
import { Row } from './broadcast-row.tsx';

const EditRepeating = lazy(async () => ({ default: (await import('./edit-repeating.tsx')).EditRepeating }));

/** Broadcasts that go out again and again. */
export function RepeatingRows({ repeating }: { repeating: readonly RepeatingBroadcast[] }) {
  const [open, setOpen] = useState<{ what: 'edit' | 'end'; one: RepeatingBroadcast }>();
  const close = () => setOpen(undefined);
  return (
    <>
      {repeating.map((one) => (
        <RepeatingRow
          key={one.RepeatingBroadcastID}
          one={one}
          onEdit={() => setOpen({ what: 'edit', one })}
          onEnd={() => setOpen({ what: 'end', one })}
        />
      ))}
      {open?.what === 'end' && <EndRepeating one={open.one} onClose={close} />}
      {open?.what === 'edit' && (
        <Suspense>
          <EditRepeating one={open.one} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

interface RepeatingRowProps {
  one: RepeatingBroadcast;
  onEdit: () => void;
  onEnd: () => void;
}

function RepeatingRow({ one, onEdit, onEnd }: RepeatingRowProps) {
  const now = useNow();
  const zone = useTimeZone();
  const mayEdit = useCan('createRepeatingBroadcast');
  const mayChange = useCan('manageBroadcasts');
  const { BroadcastName, TextMessage, PhoneNumberCount, ScheduleDescription, NextStartDate } = one;
  return (
    <Row
      name={
        <Typography noWrap sx={{ fontWeight: 550 }}>
          {BroadcastName}
        </Typography>
      }
      snippet={(sendsTexts(one.BroadcastType) && withFieldsInWords(TextMessage)) || wordlessSnippet(one)}
      middle={
        <>
          {ScheduleDescription}
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {countOf(PhoneNumberCount, 'person', 'people')}
          </Typography>
        </>
      }
      when={
        <>
          <Box title={NextStartDate ? formatAbsolute(NextStartDate, zone) : undefined}>
            {NextStartDate ? `Next ${withShortDay(spokenStart(NextStartDate, now, zone))}` : 'Ended'}
          </Box>
          {one.LastBroadcastID === null ? (
            `by ${one.User.Name}`
          ) : (
            <RouterLink
              to="/broadcast-details/$broadcastId"
              params={{ broadcastId: one.LastBroadcastID }}
              search={{}}
            >
              See the last broadcast
            </RouterLink>
          )}
        </>
      }
      menu={
        mayChange && (
          <>
            {mayEdit && (
              <Tooltip title="Edit">
                <IconButton aria-label={`Edit ${BroadcastName}`} onClick={onEdit}>
                  <Pencil />
                </IconButton>
              </Tooltip>
            )}
            <Tooltip title="End series">
              <IconButton aria-label={`End series ${BroadcastName}`} onClick={onEnd}>
                <Trash2 />
              </IconButton>
            </Tooltip>
          </>
        )
      }
    />
  );
}

/** Warns first if a broadcast that is in progress, or about to start, would be stopped too. */
function EndRepeating({ one, onClose }: { one: RepeatingBroadcast; onClose: () => void }) {
  const client = useQueryClient();
  const params = { RepeatingBroadcastID: one.RepeatingBroadcastID };
  const { data } = useCallQuery(canSafelyDeleteRepeating, { params }, { staleTime: 0 });
  const { mutate, isPending } = useCall(deleteRepeating, {
    onSuccess: () => showSnackbar(`${one.BroadcastName} won’t be sent again.`),
    onError: (error) => {
      if (!isNotFound(error))
        showSnackbar(shownMessage(error, 'There was an error deleting your repeating broadcast.'));
    },
    onSettled: () => {
      freshenBroadcasts(client);
      onClose();
    },
  });
  return (
    <AskDialog
      title="End this repeating broadcast?"
      keep="Keep it"
      action="End series"
      isBusy={isPending || !data}
      onDo={() => mutate({ params })}
      onClose={onClose}
    >
      {data && !data.CanSafelyDelete ? `${data.Message} ` : ''}
      {one.BroadcastName} won’t be sent again. Broadcasts that were already sent stay in your list. This can’t
      be undone.
    </AskDialog>
  );
}
