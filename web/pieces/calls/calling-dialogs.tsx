import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import {
  callingWindowForm,
  callingWindowPayload,
  callingWindowValues,
} from '../../../contract/forms/calling-window.ts';
import { type CallingWindow, isAllDay, switchAllDay } from '../../../contract/time/calling-window.ts';
import { parseClockTime } from '../../../contract/time/clock-time.ts';
import { shownMessage } from '../../api.ts';
import { DaysField } from '../../ui/days-field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';
import { TimeField } from '../../ui/time-field.tsx';

interface CallingDialogProps {
  isOpen: boolean;
  value: CallingWindow;
  /** Saves it. If it throws, the dialog shows why and stays open. */
  onSave: (window: CallingWindow) => Promise<void> | void;
  onClose: () => void;
}

/** The days on which calls are made. */
export function CallingDaysDialog({ isOpen, onClose, ...rest }: CallingDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <DaysForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function DaysForm({ value, onSave, onClose }: Omit<CallingDialogProps, 'isOpen'>) {
  const { control, submit, problem, isSubmitting } = useCallingForm({ value, onSave, onClose });
  return (
    <DialogForm
      title="Calling days"
      intro="Calls are made on these days only."
      problem={problem}
      action="Save"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Controller
        control={control}
        name="CallingWindowDays"
        render={({ field, fieldState }) => (
          <DaysField
            label="Days"
            value={field.value ?? []}
            error={fieldState.error?.message}
            onChange={field.onChange}
          />
        )}
      />
    </DialogForm>
  );
}

/** The hours in which calls are made, on the user's and on the recipients' clocks. */
export function CallingWindowDialog({ isOpen, onClose, ...rest }: CallingDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <WindowForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function WindowForm({ value, onSave, onClose }: Omit<CallingDialogProps, 'isOpen'>) {
  const form = useCallingForm({ value, onSave, onClose });
  const { control, submit, problem, isSubmitting, watch, reset, getValues } = form;
  const [startTimeText, stopTimeText] = watch(['startTimeText', 'stopTimeText']);
  const isWholeDay = isAllDayText(startTimeText, stopTimeText);
  const toggle = (isOn: boolean) => {
    const now = { ...value, CallingWindowDays: getValues('CallingWindowDays') ?? [] };
    reset(callingWindowValues(switchAllDay(now, isOn)));
  };
  return (
    <DialogForm
      title="Calling window"
      intro="Calls begin only inside these hours. Each recipient’s own time zone counts."
      problem={problem}
      action="Save"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <SwitchRow label="All day" isOn={isWholeDay} onChange={toggle} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {(['startTimeText', 'stopTimeText'] as const).map((name) => (
          <Controller
            key={name}
            control={control}
            name={name}
            render={({ field, fieldState }) => (
              <TimeField
                label={name === 'startTimeText' ? 'Start time' : 'Stop time'}
                value={field.value ?? ''}
                error={fieldState.error?.message}
                isDisabled={isWholeDay}
                onChange={field.onChange}
              />
            )}
          />
        ))}
      </Box>
      <Controller
        control={control}
        name="ContinueOnNextDay"
        render={({ field }) => (
          <SwitchRow
            label="Continue on the next calling day"
            help="If the window closes before everyone was called, calling goes on when it opens again. Otherwise the broadcast ends there."
            isOn={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
    </DialogForm>
  );
}

function isAllDayText(start: string | null | undefined, stop: string | null | undefined): boolean {
  const StartTimeOfDay = parseClockTime(start ?? '');
  const StopTimeOfDay = parseClockTime(stop ?? '');
  return (
    StartTimeOfDay !== undefined && StopTimeOfDay !== undefined && isAllDay({ StartTimeOfDay, StopTimeOfDay })
  );
}

function useCallingForm({ value, onSave, onClose }: Omit<CallingDialogProps, 'isOpen'>) {
  const [problem, setProblem] = useState('');
  const { handleSubmit, formState, ...form } = useForm({
    resolver: zodResolver(callingWindowForm),
    defaultValues: callingWindowValues(value),
  });
  const submit = handleSubmit(async (passed) => {
    setProblem('');
    try {
      await onSave(callingWindowPayload(passed));
      onClose();
    } catch (error) {
      setProblem(shownMessage(error, 'There was an error updating your calling window.'));
    }
  });
  return { ...form, submit: () => void submit(), problem, isSubmitting: formState.isSubmitting };
}
