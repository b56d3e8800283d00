/** The fields of web/ui, bound to a form: label, value and error come from the form's control and the field's name. */

import type { ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { formatClockTime, parseClockTime } from '../../contract/time/clock-time.ts';
import { type StepMinutes, timeStepMinutes, timeSteps } from '../../contract/time/time-steps.ts';
import { Choice, RadioBoxes } from './choices.tsx';
import { clockWords } from './clock-words.ts';
import { DaysField } from './days-field.tsx';
import { Field, TextField, type TextFieldProps } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SwitchRow } from './switch-row.tsx';

interface Bound<Values extends FieldValues, Output> {
  /** `control` of useContractForm. */
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
}

type FormTextProps<Values extends FieldValues, Output> = Bound<Values, Output> &
  Omit<TextFieldProps, 'name' | 'value' | 'onChange' | 'onBlur' | 'ref' | 'error'> & {
    /** An error that only the server knows: "This username is already in use." The rules' own errors go first. */
    serverError?: string | undefined;
  };

/** A line of text, or several with `multiline`. */
export function FormText<Values extends FieldValues, Output>(props: FormTextProps<Values, Output>) {
  const { control, name, serverError, ...rest } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <TextField
      {...rest}
      {...field}
      value={field.value ?? ''}
      error={fieldState.error?.message ?? serverError}
    />
  );
}

export function FormPassword<Values extends FieldValues, Output>(props: FormTextProps<Values, Output>) {
  const { control, name, serverError, ...rest } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <PasswordField
      {...rest}
      {...field}
      value={field.value ?? ''}
      error={fieldState.error?.message ?? serverError}
    />
  );
}

interface FormSwitchProps<Values extends FieldValues, Output> extends Bound<Values, Output> {
  help?: string;
  isDisabled?: boolean;
}

export function FormSwitch<Values extends FieldValues, Output>(props: FormSwitchProps<Values, Output>) {
  const { control, name, ...rest } = props;
  const { field } = useController({ control, name });
  return <SwitchRow {...rest} isOn={field.value === true} onChange={field.onChange} />;
}

interface FormChoiceProps<Values extends FieldValues, Output> extends Bound<Values, Output> {
  help?: string | undefined;
  /** To the right of the label. */
  aside?: ReactNode;
  /** null stands for nothing chosen. */
  choices: readonly { value: string | number | null; label: string }[];
}

/** A menu. The form holds the choice's own value, so a number stays a number. */
export function FormChoice<Values extends FieldValues, Output>(props: FormChoiceProps<Values, Output>) {
  const { control, name, label, help, aside, choices } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <Field label={label} help={help} aside={aside} error={fieldState.error?.message}>
      {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
        <Choice
          id={id}
          value={String(field.value ?? '')}
          choices={choices.map((choice) => ({ value: String(choice.value ?? ''), label: choice.label }))}
          isInvalid={isInvalid}
          describedBy={describedBy}
          onChange={(text) =>
            field.onChange(choices.find(({ value }) => String(value ?? '') === text)?.value)
          }
        />
      )}
    </Field>
  );
}

interface FormRadiosProps<Values extends FieldValues, Output> extends Bound<Values, Output> {
  choices: readonly { value: string; title: string; sentence: string }[];
  columns?: number;
}

/** A few choices with a sentence each. */
export function FormRadios<Values extends FieldValues, Output>(props: FormRadiosProps<Values, Output>) {
  const { control, name, ...rest } = props;
  const { field } = useController({ control, name });
  return <RadioBoxes {...rest} value={field.value} onChange={field.onChange} />;
}

/** Toggles for the days of the week. */
export function FormDays<Values extends FieldValues, Output>(props: Bound<Values, Output>) {
  const { control, name, label } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <DaysField
      label={label}
      value={field.value ?? []}
      error={fieldState.error?.message}
      onChange={field.onChange}
    />
  );
}

interface FormTimeProps<Values extends FieldValues, Output> extends Bound<Values, Output> {
  stepMinutes?: StepMinutes;
}

/** A time of day as text ("5:00 PM"), in steps; a saved time between two steps is offered too. */
export function FormTime<Values extends FieldValues, Output>(props: FormTimeProps<Values, Output>) {
  const { stepMinutes = timeStepMinutes, ...rest } = props;
  const { field } = useController({ control: props.control, name: props.name });
  const steps = timeSteps(stepMinutes);
  const set = parseClockTime(field.value ?? '');
  const shown = set ? formatClockTime(set) : undefined;
  const all = shown === undefined || steps.includes(shown) ? steps : [shown, ...steps];
  return <FormChoice {...rest} choices={all.map((step) => ({ value: step, label: clockWords(step) }))} />;
}
