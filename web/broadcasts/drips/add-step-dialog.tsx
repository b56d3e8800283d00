import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addSequenceStep,
  getSequence,
  listSequences,
  previewSequenceStep,
} from '../../../contract/addresses/sequences.gen.ts';
import { dripStepMs } from '../../../contract/forms/drip.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { callApi } from '../../api.ts';
import { callKey, useCall } from '../../queries/calls.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { elsewhere } from './drip-dialogs.tsx';
import { type EditedStep, editedSteps, stepAfter, writtenStep } from './drip-words.ts';
import { StepFields } from './step-fields.tsx';

/** Adds a step to a campaign that was started. */
export function AddStepDialog({
  sequence,
  isOpen,
  onClose,
}: {
  sequence: WholeSequence;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={620} isFullOnPhone isKeptOnClickBeside>
      <AddStepForm sequence={sequence} onClose={onClose} />
    </FormDialog>
  );
}

function AddStepForm({ sequence, onClose }: { sequence: WholeSequence; onClose: () => void }) {
  const client = useQueryClient();
  const now = useNow();
  const [step, setStep] = useState<EditedStep>(() => nextStep(sequence, now));
  const add = useCall(addSequenceStep);
  const { errors, submit } = useFormErrors();
  const { hasWait: _, ...body } = writtenStep(step);
  const params = { SequenceID: sequence.SequenceID };
  const save = async () => {
    const saved = await add.mutateAsync({ params, body });
    client.setQueryData(callKey(getSequence, { params }), saved);
    void client.invalidateQueries({ queryKey: [listSequences.path] });
    showSnackbar('Step added.');
    onClose();
  };
  return (
    <DialogForm
      title="Add a step"
      problem={errors.form ?? elsewhere(errors, undefined)}
      action="Add step"
      isDisabled={add.isPending}
      onSubmit={() =>
        void submit({ problems: {}, save, failed: 'There was an error updating your drip campaign.' })
      }
      onClose={onClose}
    >
      <StepFields
        sequence={sequence}
        step={step}
        errorOf={(name) => errors[name]}
        onChange={(by) => setStep((before) => ({ ...before, ...by }))}
      />
      <WhoGetsIt sequence={sequence} step={step} />
    </DialogForm>
  );
}

/** Five minutes after the last step, or the day after it at its time where people join; never in the past. */
function nextStep(sequence: WholeSequence, now: number): EditedStep {
  const last = editedSteps(sequence).at(-1);
  const at = { now, zone: sequence.Zone };
  if (sequence.StartsOn !== 'dates') {
    const next = stepAfter(last, 0, at);
    return last?.hasWait ? { ...next, time: last.time } : next;
  }
  const isPast = last !== undefined && (dripStepMs(last, sequence.Zone) ?? 0) < now;
  return stepAfter(isPast ? { ...last, hasWait: false } : last, 0, at);
}

/** The position, recipients and cost of the step as written so far. */
function WhoGetsIt({ sequence, step }: { sequence: WholeSequence; step: EditedStep }) {
  const { hasWait: _, ...body } = writtenStep(useDebounced(step));
  const params = { SequenceID: sequence.SequenceID };
  const { data } = useQuery({
    queryKey: [previewSequenceStep.path, params, body],
    queryFn: ({ signal }) => callApi(previewSequenceStep, { params, body }, { signal, missing: 'refuse' }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // The line keeps its space, so that the dialog doesn't grow while somebody reads it.
  if (!data) return <Box sx={{ height: 20 }} />;
  const { Position, StepCount, RecipientCount, FinishedCount, PassedCount, Credits } = data;
  const isShort = data.RemainingCredits > data.AvailableCredits;
  return (
    <Box aria-live="polite">
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          `Step ${Position} of ${StepCount}.`,
          sequence.StartsOn === 'dates'
            ? countOf(RecipientCount, 'person gets it.', 'people get it.')
            : countOf(
                RecipientCount,
                'person who is on the way gets it.',
                'people who are on the way get it.',
              ),
          FinishedCount > 0
            ? countOf(
                FinishedCount,
                'person who has finished gets it too.',
                'people who have finished get it too.',
              )
            : '',
          PassedCount > 0
            ? countOf(
                PassedCount,
                'person who has finished doesn’t get it: its day has passed.',
                'people who have finished don’t get it: its day has passed.',
              )
            : '',
          `It costs ${countOf(Credits, 'credit', 'credits')}.`,
        ]
          .filter((part) => part !== '')
          .join(' ')}
      </Typography>
      {isShort && (
        <Typography variant="body2" sx={{ color: 'warning.main', fontWeight: 550 }}>
          {sequence.StartsOn === 'dates' ? (
            <>
              The steps that are still to come cost {countOf(data.RemainingCredits, 'credit', 'credits')}. You
              have {formatCount(data.AvailableCredits)}.
            </>
          ) : (
            <>
              This step costs {countOf(Credits, 'credit', 'credits')}. You have{' '}
              {formatCount(data.AvailableCredits)}.
            </>
          )}
        </Typography>
      )}
    </Box>
  );
}
