import Box from '@mui/material/Box';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { AlarmClock, AlarmClockOff, CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { useTimeZone } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { fieldTime, instantOfField } from '../../ui/field-time.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { zoneName } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { formatUntil, snoozeChoices } from './snooze-choices.ts';

interface SnoozeMenuProps {
  anchor: HTMLElement | null;
  /** Some are snoozed, so "Unsnooze now" is offered. */
  canUnsnooze: boolean;
  /** null unsnoozes. */
  onChoose: (until: string | null) => void;
  onClose: () => void;
}

/** Offers a few likely snooze times, or any other date and time. */
export function SnoozeMenu({ anchor, canUnsnooze, onChoose, onClose }: SnoozeMenuProps) {
  const now = useNow();
  const zone = useTimeZone();
  const [isPicking, setPicking] = useState(false);
  const choose = (until: string | null) => {
    onClose();
    onChoose(until);
  };
  return (
    <>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
        {canUnsnooze && (
          <MenuItem onClick={() => choose(null)}>
            <AlarmClockOff aria-hidden />
            Unsnooze now
          </MenuItem>
        )}
        {snoozeChoices(now, zone).map(({ label, at }) => (
          <MenuItem key={label} onClick={() => choose(new Date(at).toISOString())}>
            <AlarmClock aria-hidden />
            <Box sx={{ flex: 1, minWidth: 104 }}>{label}</Box>
            <Box component="span" sx={{ typography: 'body2', color: 'text.secondary', pl: 2 }}>
              {formatUntil(new Date(at).toISOString(), now, zone)}
            </Box>
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            onClose();
            setPicking(true);
          }}
        >
          <CalendarClock aria-hidden />
          Date and time…
        </MenuItem>
      </Menu>
      <FormDialog isOpen={isPicking} onClose={() => setPicking(false)} width={400}>
        <SnoozeForm onChoose={onChoose} onClose={() => setPicking(false)} />
      </FormDialog>
    </>
  );
}

function SnoozeForm({
  onChoose,
  onClose,
}: {
  onChoose: (until: string | null) => void;
  onClose: () => void;
}) {
  const now = useNow();
  const zone = useTimeZone();
  const [text, setText] = useState(() => fieldTime(snoozeChoices(now, zone).at(-1)?.at ?? now, zone));
  const [error, setError] = useState<string>();
  return (
    <DialogForm
      title="Snooze until"
      action="Snooze"
      onSubmit={() => {
        const at = instantOfField(text, zone);
        if (at === undefined) setError('Enter a date and time');
        else if (at <= Date.now()) setError('Choose a time in the future');
        else {
          onClose();
          onChoose(new Date(at).toISOString());
        }
      }}
      onClose={onClose}
    >
      <TextField
        autoFocus
        type="datetime-local"
        label="Date and time"
        help={`In ${zoneName(zone)}. The conversation comes back sooner if they text you.`}
        error={error}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
        slotProps={{ input: { min: fieldTime(now, zone) } }}
      />
    </DialogForm>
  );
}
