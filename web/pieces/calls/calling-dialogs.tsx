import Box from '@mui/material/Box';
import {
  callingWindowForm,
  callingWindowPayload,
  callingWindowValues,
} from '../../../contract/forms/calling-window.ts';
import { type CallingWindow, isAllDay, switchAllDay } from '../../../contract/time/calling-window.ts';
import { parseClockTime } from '../../../contract/time/clock-time.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormDays, FormSwitch, FormTime } from '../../ui/form-fields.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';

interface CallingDialogProps {
  isOpen: boolean;
  value: CallingWindow;
  /** Saves it. If it throws, the dialog shows why and stays open. */
  onSave: (window: CallingWindow) => Promise<unknown> | unknown;
  onClose: () => void;
}

type CallingFormProps = Omit<CallingDialogProps, 'isOpen'>;

/** The days on which calls are made. */
export function CallingDaysDialog({ isOpen, onClose, ...rest }: CallingDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <DaysForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function DaysForm(props: CallingFormProps) {
  const { control, submit, problem, isSubmitting } = useCallingForm(props);
  return (
    <DialogForm
      title="Calling days"
      intro="Calls are made on these days only."
      problem={problem}
      action="Save"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <FormDays control={control} name="CallingWindowDays" label="Days" />
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

function WindowForm(props: CallingFormProps) {
  const { form, control, submit, problem, isSubmitting } = useCallingForm(props);
  const [start, stop] = form.watch(['startTimeText', 'stopTimeText']);
  const isWholeDay = isAllDayText(start, stop);
  const toggle = (isOn: boolean) => {
    const next = callingWindowValues(switchAllDay(props.value, isOn));
    for (const name of ['startTimeText', 'stopTimeText'] as const)
      form.setValue(name, next[name], { shouldDirty: true });
    // "Switching off all-day resets to 9:00 AM to 9:00 PM with ContinueOnNextDay off."
    if (!isOn) form.setValue('ContinueOnNextDay', next.ContinueOnNextDay, { shouldDirty: true });
  };
  return (
    <DialogForm
      title="Calling window"
      intro="Calls begin only inside these hours on your clock, and outside each recipient’s quiet hours."
      problem={problem}
      action="Save"
      isDisabled={isSubmitting}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <SwitchRow label="All day" isOn={isWholeDay} onChange={toggle} />
      {!isWholeDay && (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <FormTime control={control} name="startTimeText" label="Start time" />
          <FormTime control={control} name="stopTimeText" label="Stop time" />
        </Box>
      )}
      <FormSwitch
        control={control}
        name="ContinueOnNextDay"
        label="Continue on the next calling day"
        help="If the window closes before everyone was called, calling goes on when it opens again. Otherwise the broadcast ends there."
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

function useCallingForm({ value, onSave, onClose }: CallingFormProps) {
  return useContractForm({
    rules: callingWindowForm,
    values: callingWindowValues(value),
    save: async (passed) => {
      await onSave(callingWindowPayload(passed));
      onClose();
    },
    failed: 'There was an error updating your calling window.',
    serverNames: { StartTimeOfDay: 'startTimeText', StopTimeOfDay: 'stopTimeText' },
  });
}
