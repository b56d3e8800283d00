import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Repeat } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { validateSchedule } from '../../../contract/addresses/broadcasts.gen.ts';
import {
  chooseFrequency,
  deriveFrequency,
  type IntervalFrequency,
  intervalFrequencies,
  intervalLabels,
  maxInterval,
  type ScheduleFrequency,
  scheduleFrequencies,
} from '../../../contract/time/repeating-schedule.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';
import { callApi, fieldMessages, shownMessage } from '../../api.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { Choice } from '../../ui/choices.tsx';
import { DaysField } from '../../ui/days-field.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { formatDay, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { endDayOf, endOnDay, repeatErrors, type Schedule } from './repeat-rules.ts';

const frequencyWords: Record<ScheduleFrequency, string> = {
  Daily: say('Daily', 'schedule'),
  Weekly: say('Weekly', 'schedule'),
  Weekdays: say('Weekdays', 'schedule'),
  Monthly: say('Monthly', 'schedule'),
  Custom: say('Custom', 'schedule'),
};
const frequencyChoices = scheduleFrequencies.map((value) => ({ value, label: frequencyWords[value] }));
const unitChoices = intervalFrequencies.map((value) => ({ value, label: intervalLabels[value] }));

interface RepeatFieldsProps {
  schedule: Schedule;
  /** First date and time, as the clock reads it; null while that isn't known. */
  startDate: string | null;
  isTried: boolean;
  onChange: (schedule: Schedule) => void;
  /** The input of the interval field, valid or not. */
  onInterval?: (text: string) => void;
}

/** Interval, days and end of a repeating broadcast, with the server's description of the schedule. */
export function RepeatFields({ schedule, startDate, isTried, onChange, onInterval }: RepeatFieldsProps) {
  const zone = useTimeZone();
  // As typed: an empty field is no interval, and the schedule keeps the last one that was.
  const [interval, setInterval] = useState(() => String(schedule.Interval));
  // Custom stays custom while it happens to be like another one.
  const [isCustom, setCustom] = useState(() => deriveFrequency(schedule) === 'Custom');
  const errors = repeatErrors(schedule, startDate, { interval, zone });
  const frequency = isCustom ? 'Custom' : deriveFrequency(schedule);
  const change = (by: Partial<Schedule>) => onChange({ ...schedule, ...by });
  const startWallMs = (startDate === null ? undefined : parseWall(startDate)) ?? 0;
  const choose = (chosen: ScheduleFrequency) => {
    setCustom(chosen === 'Custom');
    const { Interval, IntervalFrequency, DaysOfWeek } = chooseFrequency(schedule, chosen, startWallMs);
    setInterval(String(Interval));
    onInterval?.(String(Interval));
    change({ Interval, IntervalFrequency, DaysOfWeek: [...DaysOfWeek] });
  };
  const chooseUnit = (IntervalFrequency: IntervalFrequency) => {
    const isFirst = IntervalFrequency === 'weeks' && schedule.DaysOfWeek.length === 0;
    // A week begins with the day of the start, until somebody says otherwise.
    const weekly = isFirst
      ? chooseFrequency(schedule, 'Weekly', startWallMs).DaysOfWeek
      : schedule.DaysOfWeek;
    change({ IntervalFrequency, DaysOfWeek: [...weekly] });
  };
  const typeInterval = (text: string) => {
    setInterval(text);
    onInterval?.(text);
    const count = Number(text);
    if (/^\d{1,3}$/.test(text.trim()) && count >= 1) change({ Interval: count });
  };
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <Field label="Repeat">
          {({ id }) => (
            <Choice
              id={id}
              value={frequency}
              choices={frequencyChoices}
              onChange={(value) => choose(value as ScheduleFrequency)}
            />
          )}
        </Field>
        <TextField
          type="date"
          label="Last day"
          help="Leave empty to repeat until you end it."
          value={endDayOf(schedule)}
          error={errors.EndDateTime}
          onChange={(event) => change({ EndDateTime: endOnDay(event.target.value, startDate) })}
        />
      </Box>
      {frequency === 'Custom' && (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <TextField
            label="Every"
            value={interval}
            error={errors.Interval}
            onChange={(event) => typeInterval(event.target.value)}
            slotProps={{
              input: { inputMode: 'numeric', max: maxInterval[schedule.IntervalFrequency] },
            }}
          />
          <Field label="Unit">
            {({ id }) => (
              <Choice
                id={id}
                value={schedule.IntervalFrequency}
                choices={unitChoices}
                onChange={(value) => chooseUnit(value as IntervalFrequency)}
              />
            )}
          </Field>
        </Box>
      )}
      {schedule.IntervalFrequency === 'weeks' && (
        <DaysField
          label={say('On', 'days')}
          value={schedule.DaysOfWeek}
          error={errors.DaysOfWeek}
          onChange={(DaysOfWeek) => change({ DaysOfWeek })}
        />
      )}
      <ScheduleVerdict
        schedule={schedule}
        startDate={startDate}
        ownProblem={isTried ? errors.schedule : undefined}
        isWhole={Object.keys(errors).length === 0}
      />
    </>
  );
}

interface ScheduleVerdictProps {
  schedule: Schedule;
  startDate: string | null;
  /** Errors that the page itself finds. */
  ownProblem: string | undefined;
  isWhole: boolean;
}

/** "Every 2 weeks on Monday and Friday at 9:00 AM", and the first few times; or why it can't be. */
function ScheduleVerdict({ schedule, startDate, ownProblem, isWhole }: ScheduleVerdictProps) {
  const zone = useTimeZone();
  const now = useNow();
  const asked = useDeferredValue(JSON.stringify({ ...schedule, StartDateTime: startDate }));
  const { data, error } = useQuery({
    queryKey: [validateSchedule.path, asked],
    queryFn: ({ signal }) =>
      callApi(validateSchedule, { body: JSON.parse(asked) }, { signal, missing: 'refuse' }),
    enabled: startDate !== null && isWhole,
    placeholderData: keepPreviousData,
  });
  if (startDate === null) return null;
  const refusal =
    error && (Object.values(fieldMessages(error))[0] ?? shownMessage(error, 'This schedule isn’t valid.'));
  const problem = ownProblem ?? (isWhole ? refusal : undefined);
  if (problem) return <Notice kind="error">{problem}</Notice>;
  if (!data || !isWhole) return null;
  const times = data.Occurrences.slice(0, 3).map(
    (at) => `${formatDay(at, now, zone)} at ${formatTime(at, zone)}`,
  );
  return (
    <Notice icon={Repeat} title={data.ScheduleDescription}>
      {times.length > 0 && `First: ${times.join('; ')}${data.Occurrences.length > 3 ? ' …' : ''}`}
    </Notice>
  );
}
