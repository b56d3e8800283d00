import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import OutlinedInput from '@mui/material/OutlinedInput';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { validateBroadcast } from '../../../contract/addresses/broadcasts.gen.ts';
import type { StartOption } from '../../../contract/states/broadcast-wizard.ts';
import { defaultSchedule } from '../../../contract/time/repeating-schedule.ts';
import { startDateMessage, startDateMessages } from '../../../contract/time/start-date.ts';
import { timeStepMinutes, timeSteps } from '../../../contract/time/time-steps.ts';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { callApi } from '../../api.ts';
import { RepeatFields } from '../../pieces/broadcasts/repeat-fields.tsx';
import { endDayOf, endOnDay } from '../../pieces/broadcasts/repeat-rules.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { RadioBoxes } from '../../ui/choices.tsx';
import { clockWords } from '../../ui/clock-words.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { dayKey, zoneName } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { BestHourHint } from './best-hour-hint.tsx';
import { clockChangeWords } from './clock-change-words.ts';
import type { StepProps } from './draft-state.ts';
import {
  type StartFields,
  startFieldsOf,
  suggestedEnd,
  suggestedWall,
  wallOfFields,
} from './start-fields.ts';

interface StartCardProps extends Pick<StepProps, 'draft' | 'save'> {
  fields: StartFields;
  onFields: (fields: StartFields) => void;
  errors: Record<string, string>;
  isTried: boolean;
}

const options: { value: StartOption; title: string; sentence: string }[] = [
  { value: 'START_IMMEDIATELY', title: 'Now', sentence: 'As soon as you press Send.' },
  { value: 'START_LATER', title: 'Later', sentence: 'At a date and time you choose.' },
  { value: 'REPEATING', title: 'Repeating', sentence: 'On a regular schedule.' },
];

/** Start now, later, or again and again. */
export function StartCard(props: StartCardProps) {
  const { draft, save, fields, onFields, errors, isTried } = props;
  const zone = useTimeZone();
  const now = useNow();
  const mayRepeat = useCan('createRepeatingBroadcast') || draft.startOption === 'REPEATING';
  const offered = options.filter(({ value }) => mayRepeat || value !== 'REPEATING');
  const choose = (startOption: StartOption) => {
    if (startOption === 'START_IMMEDIATELY') return save({ startOption });
    const StartDate = draft.StartDate ?? suggestedWall(Date.now(), zone);
    onFields(startFieldsOf(StartDate));
    const isFirst = startOption === 'REPEATING' && draft.RepeatingBroadcastSchedule === null;
    save({
      startOption,
      StartDate,
      ...(isFirst ? { RepeatingBroadcastSchedule: firstSchedule(StartDate) } : {}),
    });
  };
  const change = (by: Partial<StartFields>) => {
    const next = { ...fields, ...by };
    onFields(next);
    const StartDate = wallOfFields(next);
    const schedule = draft.RepeatingBroadcastSchedule;
    // The last broadcast falls on the day of the end: its time moves with the start.
    const moved =
      schedule?.EndDateTime && StartDate !== null
        ? {
            RepeatingBroadcastSchedule: { ...schedule, EndDateTime: endOnDay(endDayOf(schedule), StartDate) },
          }
        : {};
    save({ StartDate, ...moved });
  };
  return (
    <MuiCard sx={{ p: 2.5, display: 'grid', gap: 2.5 }}>
      <RadioBoxes label="Start" value={draft.startOption} choices={offered} columns={3} onChange={choose} />
      {draft.startOption !== 'START_IMMEDIATELY' && (
        <>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <TextField
              type="date"
              label={draft.startOption === 'REPEATING' ? 'First day' : 'Start date'}
              value={fields.day}
              error={isTried || fields.day !== '' ? errors.StartDate : undefined}
              onChange={(event) => change({ day: event.target.value })}
              slotProps={{ input: { min: dayKey(now, zone) } }}
            />
            <TimeField
              value={fields.time}
              error={isTried || fields.time !== '' ? errors.startTimeText : undefined}
              help={`In ${zoneName(zone)}.`}
              onChange={(time) => change({ time })}
            />
          </Box>
          <BestHourHint onChoose={(time) => change({ time })} />
          <StartVerdict
            draft={draft}
            startDate={errors.startTimeText || errors.StartDate ? null : draft.StartDate}
          />
        </>
      )}
      {draft.startOption === 'START_IMMEDIATELY' && errors.startTimeText !== undefined && (
        <Box tabIndex={-1} data-step-error={isTried ? '' : undefined} sx={{ '&:focus': { outline: 'none' } }}>
          <Notice kind={isTried ? 'error' : 'warning'} title="It’s outside your calling window now">
            {errors.startTimeText}. Start it later, or change the window above.
          </Notice>
        </Box>
      )}
      {draft.startOption === 'REPEATING' && draft.RepeatingBroadcastSchedule && (
        <RepeatFields
          schedule={draft.RepeatingBroadcastSchedule}
          startDate={draft.StartDate}
          isTried={isTried}
          onChange={(RepeatingBroadcastSchedule) => save({ RepeatingBroadcastSchedule })}
        />
      )}
    </MuiCard>
  );
}

/** "Repeating defaults to daily, interval 1. Default end is 7 days after the start." */
function firstSchedule(startDate: string) {
  const { Interval, IntervalFrequency } = defaultSchedule();
  return { Interval, IntervalFrequency, DaysOfWeek: [], EndDateTime: suggestedEnd(startDate) };
}

const steps = timeSteps(timeStepMinutes).map(clockWords);

interface TimeFieldProps {
  label?: string;
  value: string;
  error: string | undefined;
  help: string;
  onChange: (time: string) => void;
}

/** Typed, or one of the quarters of the day. */
export function TimeField({ label = 'Start time', value, error, help, onChange }: TimeFieldProps) {
  return (
    <Field label={label} error={error} help={help}>
      {({ id, ...aria }) => (
        <Autocomplete
          freeSolo
          id={id}
          options={steps}
          // Lists all times, unfiltered: whoever opens the list wants a time other than the current one.
          filterOptions={(all) => all}
          inputValue={clockWords(value)}
          onInputChange={(_, text, reason) => {
            if (reason !== 'reset' || text !== '') onChange(text);
          }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder="5:00 PM"
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}

/** The server's check of the start: its refusals, and changes of clocks near it. */
function StartVerdict({ draft, startDate }: Pick<StepProps, 'draft'> & { startDate: string | null }) {
  const zone = useTimeZone();
  const asked = useDeferredValue(startDate);
  const { CheckCallingWindow, StartTimeOfDay, StopTimeOfDay } = draft;
  const CallingWindowDays = dayNames.filter((day) => draft.CallingWindowDays.includes(day));
  const window = { CheckCallingWindow, CallingWindowDays, StartTimeOfDay, StopTimeOfDay };
  const { data, error } = useQuery({
    queryKey: [validateBroadcast.path, asked, draft.BroadcastType, window],
    queryFn: ({ signal }) =>
      callApi(
        validateBroadcast,
        {
          body: {
            StartDate: asked ?? '',
            BroadcastType: draft.BroadcastType,
            ...window,
          },
        },
        { signal, missing: 'refuse' },
      ),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  if (asked === null) return null;
  if (error) return <Notice kind="error">{startDateMessages.failed}</Notice>;
  if (!data) return null;
  const refusal = startDateMessage(data.StartDateValidation);
  if (refusal) return <Notice kind="error">{refusal}</Notice>;
  const change = clockChangeWords(data.StartDateValidation, zone);
  return change ? <Notice kind="warning">{change}</Notice> : null;
}
