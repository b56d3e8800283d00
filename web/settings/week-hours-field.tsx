import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import {
  type AutoReplyScheduleType,
  type DayHours,
  defaultAutoReplyHours,
} from '../../contract/time/auto-reply-schedule.ts';
import { autoReplyStepMinutes } from '../../contract/time/time-steps.ts';
import { Choice } from '../ui/choices.tsx';
import { weekFromMonday } from '../ui/days-field.tsx';
import { Field } from '../ui/field.tsx';
import { said } from '../ui/said.ts';
import { say } from '../ui/say.ts';
import {
  type AutoReplyDraft,
  sharedHours,
  withDay,
  withScheduleType,
  withSharedHours,
} from './auto-reply-form.ts';
import { TimeChoice } from './form-parts.tsx';

interface WeekHoursFieldProps {
  draft: AutoReplyDraft;
  errors: Record<string, string>;
  onDraft: (draft: AutoReplyDraft) => void;
}

const types: { value: AutoReplyScheduleType; label: string }[] = [
  { value: 'Weekdays', label: 'Weekdays' },
  { value: 'EveryDay', label: 'Every day' },
  { value: 'Custom', label: 'Different hours each day' },
];

/** The days and hours of a custom auto reply. */
export function WeekHoursField({ draft, errors, onDraft }: WeekHoursFieldProps) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Field label={say('Schedule', 'hours')}>
        {({ id }) => (
          <Choice
            id={id}
            value={draft.scheduleType}
            choices={types}
            onChange={(type) => onDraft(withScheduleType(draft, type as AutoReplyScheduleType))}
          />
        )}
      </Field>
      {draft.scheduleType === 'Custom' ? (
        <Box sx={{ display: 'grid', gap: 1 }}>
          {weekFromMonday.map((day) => (
            <DayRow
              key={day}
              day={day}
              hours={draft.DaySchedules[day] ?? null}
              onChange={(hours) => onDraft(withDay(draft, day, hours))}
            />
          ))}
        </Box>
      ) : (
        <Hours
          of="every day"
          hours={sharedHours(draft.DaySchedules)}
          onChange={(hours) => onDraft(withSharedHours(draft, hours))}
        />
      )}
      {errors.DaySchedules && <FormHelperText error>{errors.DaySchedules}</FormHelperText>}
      <FormHelperText>
        Hours are in your organization’s time zone. An end before the start means the next day. The same start
        and end means all day.
      </FormHelperText>
    </Box>
  );
}

interface DayRowProps {
  day: string;
  hours: DayHours | null;
  onChange: (hours: DayHours | null) => void;
}

function DayRow({ day, hours, onChange }: DayRowProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '132px 1fr' },
        alignItems: 'center',
        gap: 1,
        minHeight: 36,
      }}
    >
      <FormControlLabel
        control={
          <Checkbox
            checked={hours !== null}
            onChange={(_, isOn) => onChange(isOn ? { ...defaultAutoReplyHours } : null)}
          />
        }
        label={said(day)}
        sx={{ m: 0, gap: '6px' }}
      />
      {hours ? (
        <Hours of={said(day)} hours={hours} onChange={onChange} />
      ) : (
        <Box sx={{ typography: 'body2', color: 'text.secondary' }}>No auto reply</Box>
      )}
    </Box>
  );
}

interface HoursProps {
  of: string;
  hours: DayHours;
  onChange: (hours: DayHours) => void;
}

function Hours({ of, hours, onChange }: HoursProps) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr auto 1fr', alignItems: 'center', gap: 1 }}>
      <TimeChoice
        label={`Start time, ${of}`}
        stepMinutes={autoReplyStepMinutes}
        value={hours.StartTime}
        onChange={(StartTime) => onChange({ ...hours, StartTime })}
      />
      to
      <TimeChoice
        label={`Stop time, ${of}`}
        stepMinutes={autoReplyStepMinutes}
        value={hours.StopTime}
        onChange={(StopTime) => onChange({ ...hours, StopTime })}
      />
    </Box>
  );
}
