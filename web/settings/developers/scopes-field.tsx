import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import {
  levelLabel,
  levelsOf,
  type Scope,
  type ScopeAreaName,
  scopeAreaNames,
  scopeAreas,
} from '../../../contract/scopes.ts';
import { Choice } from '../../ui/choices.tsx';
import { said } from '../../ui/said.ts';

/** The access of a key: a level for each area. The form holds the scopes. */
export function ScopesField<Values extends FieldValues, Output>({
  control,
}: {
  control: Control<Values, unknown, Output>;
}) {
  const id = useId();
  const { field, fieldState } = useController({ control, name: 'Scopes' as FieldPath<Values> });
  const held: readonly Scope[] = field.value;
  const error = fieldState.error?.message;
  const set = (area: ScopeAreaName, level: string) => {
    const others = held.filter((scope) => !scope.startsWith(`${area}:`));
    field.onChange(level === '' ? others : [...others, `${area}:${level}`]);
  };
  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel id={id} component="p" error={error !== undefined} sx={{ mb: '6px' }}>
        What it can do
      </FormLabel>
      {/* Above the list, which is longer than most screens. */}
      {error && (
        <FormHelperText error sx={{ mt: 0, mb: '6px' }}>
          {error}
        </FormHelperText>
      )}
      <Box sx={{ border: '1px solid', borderColor: 'line.strong', borderRadius: '10px', overflow: 'hidden' }}>
        {scopeAreaNames.map((area) => (
          <Box
            key={area}
            sx={{
              display: 'grid',
              alignItems: 'center',
              gap: { xs: 0.75, sm: 2 },
              gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 1fr) 190px' },
              px: 1.75,
              py: 1,
              borderTop: '1px solid',
              borderColor: 'line.hair',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 550 }}>{scopeAreas[area].label}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {said(scopeAreas[area].about)}
              </Typography>
            </Box>
            <Choice
              label={scopeAreas[area].label}
              value={held.find((scope) => scope.startsWith(`${area}:`))?.split(':')[1] ?? ''}
              choices={[
                { value: '', label: 'No access' },
                ...levelsOf(area).map((level) => ({ value: level, label: levelLabel(level) })),
              ]}
              onChange={(level) => set(area, level)}
            />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
