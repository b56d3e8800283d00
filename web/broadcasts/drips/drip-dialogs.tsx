import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getSequence,
  listSequences,
  resumeSequence,
  updateSequence,
} from '../../../contract/addresses/sequences.gen.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { shownMessage } from '../../api.ts';
import { callKey, useCall } from '../../queries/calls.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { refusalWords } from '../broadcast-actions.ts';
import { NumberField } from '../wizard/number-field.tsx';
import { useTextNumbers } from '../wizard/text-numbers.ts';
import { type EditedStep, editedSteps, writtenStep } from './drip-words.ts';
import { StepFields } from './step-fields.tsx';

type Choice = 'skip' | 'send';

export function ResumeDialog({ sequence, onClose }: { sequence: WholeSequence; onClose: () => void }) {
  const client = useQueryClient();
  const now = useNow();
  const [missed, setMissed] = useState<Choice>('skip');
  const [failed, setFailed] = useState<Choice>('send');
  const [numberId, setNumberId] = useState(sequence.TextNumberID);
  const numbers = useTextNumbers();
  const failure = {
    onError: (error: unknown) =>
      showSnackbar(shownMessage(error, 'There was an error updating your drip campaign.')),
  };
  const update = useCall(updateSequence, failure);
  const resume = useCall(resumeSequence, {
    ...failure,
    onSettled: () => {
      onClose();
      void client.invalidateQueries({ queryKey: [getSequence.path] });
      void client.invalidateQueries({ queryKey: [listSequences.path] });
    },
  });
  const params = { SequenceID: sequence.SequenceID };
  const goOn = () => resume.mutate({ params, body: { Missed: missed, Failed: failed } });
  const start = () => {
    if (numberId === sequence.TextNumberID) goOn();
    else update.mutate({ params, body: { textNumberId: numberId } }, { onSuccess: goOn });
  };
  const late = sequence.Steps.filter(
    ({ State, StartDate }) => State === 'waiting' && StartDate !== null && Date.parse(StartDate) < now,
  ).length;
  const step = sequence.Steps.find(({ State }) => State === 'failed')?.Position;
  const isNumberGone =
    !numbers.isPending && !numbers.usable.some(({ TextNumberID }) => TextNumberID === sequence.TextNumberID);
  return (
    <AskDialog
      title="Resume this drip campaign?"
      action="Resume"
      keep="Not yet"
      isHarmless
      isBusy={update.isPending || resume.isPending}
      onDo={start}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {step !== undefined && (
          <div>
            Step {step} couldn’t be sent.
            <ChoiceField
              label="The step that couldn’t be sent"
              value={failed}
              words={{ send: `Send step ${step} now`, skip: `Skip step ${step}` }}
              onChange={setFailed}
            />
          </div>
        )}
        {late > 0 && (
          <div>
            {countOf(late, 'step was', 'steps were')} due while it was paused.
            <ChoiceField
              label="Steps that were missed"
              value={missed}
              words={{ skip: 'Skip what was missed', send: 'Send it now, one after the other' }}
              onChange={setMissed}
            />
          </div>
        )}
        {late === 0 && step === undefined && (
          <div>
            {sequence.StartsOn === 'dates'
              ? 'The steps that are still to come go out at their times.'
              : 'Everyone goes on with their next step. Whoever was due while it was paused gets one step now.'}
          </div>
        )}
        {isNumberGone && <NumberField value={numberId} error={undefined} onChange={setNumberId} />}
      </Box>
    </AskDialog>
  );
}

interface ChoiceFieldProps {
  label: string;
  value: Choice;
  /** In the order in which they are shown. */
  words: Record<Choice, string>;
  onChange: (value: Choice) => void;
}

function ChoiceField({ label, value, words, onChange }: ChoiceFieldProps) {
  return (
    <RadioGroup aria-label={label} value={value} onChange={(_, chosen) => onChange(chosen as Choice)}>
      {Object.entries(words).map(([choice, text]) => (
        <FormControlLabel key={choice} value={choice} control={<Radio />} label={text} />
      ))}
    </RadioGroup>
  );
}

interface EditStepProps {
  sequence: WholeSequence;
  position: number | undefined;
  onClose: () => void;
}

/** Edits a step that hasn’t gone out; where people join, any step. */
export function EditStepDialog({ sequence, position, onClose }: EditStepProps) {
  return (
    <FormDialog
      isOpen={position !== undefined}
      onClose={onClose}
      width={620}
      isFullOnPhone
      isKeptOnClickBeside
    >
      <EditStepForm sequence={sequence} position={position ?? 1} onClose={onClose} />
    </FormDialog>
  );
}

function EditStepForm({ sequence, position, onClose }: EditStepProps & { position: number }) {
  const client = useQueryClient();
  // As they were when it was opened: steps that others add meanwhile would move this one to another place.
  const [{ steps, stepsVersion }] = useState(() => ({
    steps: editedSteps(sequence),
    stepsVersion: sequence.StepsVersion,
  }));
  const [step, setStep] = useState<EditedStep>(
    steps[position - 1] ?? {
      ...{ key: 0, message: '', date: '', time: '', hasWait: true, afterDays: null, picture: undefined },
    },
  );
  const isRelative = sequence.StartsOn !== 'dates';
  const freshen = () => void client.invalidateQueries({ queryKey: [getSequence.path] });
  const update = useCall(updateSequence, { onError: freshen });
  const { errors, submit } = useFormErrors();
  const save = async () => {
    const params = { SequenceID: sequence.SequenceID };
    const saved = await update.mutateAsync({
      params,
      body: {
        // A step on dates that is edited has a time, even if it was to go out right away.
        steps: steps.map((one, index) =>
          writtenStep(index === position - 1 ? { ...step, hasWait: step.hasWait || !isRelative } : one),
        ),
        stepsVersion,
      },
    });
    // Whoever opens the next one at once knows this one already.
    client.setQueryData(callKey(getSequence, { params }), saved);
    showSnackbar('Step saved.');
    onClose();
  };
  return (
    <DialogForm
      title={`Edit step ${position}`}
      problem={
        errors.form === undefined ? elsewhere(errors, position) : refusalWords(update.error, errors.form)
      }
      action="Save"
      isDisabled={update.isPending}
      onSubmit={() =>
        void submit({ problems: {}, save, failed: 'There was an error updating your drip campaign.' })
      }
      onClose={onClose}
    >
      <StepFields
        sequence={sequence}
        step={step}
        errorOf={(name) => errors[`steps.${position - 1}.${name}`]}
        onChange={(by) => setStep((before) => ({ ...before, ...by }))}
      />
    </DialogForm>
  );
}

/** The problem of another step now: the step that follows would go out first. */
export function elsewhere(errors: Record<string, string>, position: number | undefined): string | undefined {
  for (const [field, message] of Object.entries(errors)) {
    const [, index] = /^steps\.(\d+)\./.exec(field) ?? [];
    if (index === undefined && field !== 'form' && !ownFields.includes(field)) return message;
    if (index !== undefined && Number(index) + 1 !== position) return `Step ${Number(index) + 1}: ${message}`;
  }
  return undefined;
}

/** For a step that is being added. */
const ownFields = ['message', 'date', 'time', 'afterDays'];
