import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { TextField } from '../../ui/field.tsx';
import { TimeField } from '../wizard/start-card.tsx';
import { type EditedStep, timeHelp } from './drip-words.ts';
import { StepComposer } from './step-composer.tsx';

interface StepFieldsProps {
  sequence: WholeSequence;
  step: EditedStep;
  errorOf: (name: 'message' | 'date' | 'time' | 'afterDays') => string | undefined;
  onChange: (by: Partial<EditedStep>) => void;
}

/** Time of a step, and its words. */
export function StepFields({ sequence, step, errorOf, onChange }: StepFieldsProps) {
  const isRelative = sequence.StartsOn !== 'dates';
  const fields = useCallQuery(listCustomFields, {});
  const customFields = (fields.data?.Items ?? []).map(({ Name }) => Name);
  return (
    <>
      {(step.hasWait || !isRelative) && (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 1fr' } }}>
          {isRelative ? (
            <TextField
              label="Days after joining"
              type="number"
              value={step.afterDays ?? ''}
              error={errorOf('afterDays')}
              slotProps={{ input: { min: 1, max: limits.dripDays, step: 1 } }}
              onChange={({ target }) =>
                onChange({ afterDays: target.value === '' ? null : Number(target.value) })
              }
            />
          ) : (
            <TextField
              label="Day"
              type="date"
              value={step.date}
              error={errorOf('date')}
              onChange={({ target }) => onChange({ date: target.value })}
            />
          )}
          <TimeField
            label="Time"
            value={step.time}
            error={errorOf('time')}
            help={timeHelp(isRelative ? { ...step, date: '' } : step, sequence.Zone)}
            onChange={(time) => onChange({ time })}
          />
        </Box>
      )}
      <MuiCard sx={{ overflow: 'hidden', flexShrink: 0 }}>
        <StepComposer
          step={step}
          error={errorOf('message')}
          textNumberId={sequence.TextNumberID}
          people={isRelative ? 0 : sequence.RecipientCount}
          customFields={customFields}
          shortenLinks={sequence.ShortenLinks}
          onChange={onChange}
        />
      </MuiCard>
    </>
  );
}
