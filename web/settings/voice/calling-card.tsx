import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getAccount, updateUser } from '../../../contract/addresses/accounts.gen.ts';
import type { CallInput } from '../../../contract/call.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { CallingWindow } from '../../../contract/time/calling-window.ts';
import { shownMessage } from '../../api.ts';
import { MessageLengthField, RetriesField, ThrottleField } from '../../pieces/calls/call-choices.tsx';
import { useCallerIds } from '../../pieces/calls/call-queries.ts';
import { CallingDaysDialog, CallingWindowDialog } from '../../pieces/calls/calling-dialogs.tsx';
import { closingWords, daysWords, hoursWords } from '../../pieces/calls/calling-words.ts';
import { useCall } from '../../queries/calls.ts';
import { useUser } from '../../queries/current-user.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

type UserChange = CallInput<typeof updateUser>['body'];

const failed = 'There was an error updating your user info.';

/** The calling options that this user's new broadcasts start with. A broadcast can have its own. */
export function CallingCard() {
  const user = useUser();
  const client = useQueryClient();
  const update = useCall(updateUser);
  const callers = useCallerIds().verified;
  const [open, setOpen] = useState<'days' | 'window'>();
  if (!user) return null;
  const keep = async (body: UserChange) => {
    await update.mutateAsync({ body });
    await client.invalidateQueries({ queryKey: [getAccount.path] });
  };
  /** Saves at once; the dialogs show their own errors. */
  const save = async (body: UserChange) => {
    try {
      await keep(body);
      showSnackbar('Your voice settings are saved.');
    } catch (error) {
      showSnackbar(shownMessage(error, failed));
    }
  };
  const window: CallingWindow = {
    CallingWindowDays: user.CallingWindowDays,
    StartTimeOfDay: user.StartTimeOfDay,
    StopTimeOfDay: user.StopTimeOfDay,
    ContinueOnNextDay: user.ContinueOnNextDay,
  };
  const dialog = {
    value: window,
    onSave: (next: CallingWindow) => keep({ ...next, CallingWindowDays: [...next.CallingWindowDays] }),
    onClose: () => setOpen(undefined),
  };
  return (
    <Card title="Your calls">
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2.5 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          New broadcasts start with these settings. You can change them for each broadcast.
        </Typography>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <Field label="Caller ID" help="The number people see when you call.">
            {({ id }) => (
              <Choice
                id={id}
                value={user.CallerID}
                choices={[
                  ...(callers.some(({ PhoneNumber }) => PhoneNumber === user.CallerID)
                    ? []
                    : [{ value: user.CallerID, label: formatPhone(user.CallerID) || 'Not set' }]),
                  ...callers.map(({ PhoneNumber, Name }) => ({
                    value: PhoneNumber,
                    label: [formatPhone(PhoneNumber), Name].filter(Boolean).join(' · '),
                  })),
                ]}
                onChange={(CallerID) => void save({ CallerID })}
              />
            )}
          </Field>
          <ThrottleField value={user.CallThrottle} onChange={(CallThrottle) => void save({ CallThrottle })} />
          <RetriesField value={user.Retries} onChange={(Retries) => void save({ Retries })} />
          <MessageLengthField
            value={user.MaxMessageLength}
            onChange={(MaxMessageLength) => void save({ MaxMessageLength })}
          />
        </Box>
        <Line
          name="Calling days"
          words={`${daysWords(window.CallingWindowDays)}. ${closingWords(window)}.`}
          onEdit={() => setOpen('days')}
        />
        <Line
          name="Calling window"
          words={`${hoursWords(window)} on your clock, and outside each recipient’s quiet hours.`}
          onEdit={() => setOpen('window')}
        />
      </Box>
      <CallingDaysDialog isOpen={open === 'days'} {...dialog} />
      <CallingWindowDialog isOpen={open === 'window'} {...dialog} />
    </Card>
  );
}

function Line({ name, words, onEdit }: { name: string; words: string; onEdit: () => void }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 550 }}>{name}</Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words}
        </Typography>
      </Box>
      <Button size="small" aria-label={`Edit ${name.toLowerCase()}`} onClick={onEdit}>
        Edit
      </Button>
    </Box>
  );
}
