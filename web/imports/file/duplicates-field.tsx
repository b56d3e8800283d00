import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { duplicateChoices } from '../../../contract/imports.ts';
import type { ImportDraft } from '../import-draft.ts';
import { duplicateWords } from '../import-words.ts';

type Duplicates = ImportDraft['Duplicates'];

/** Update, skip or add again, in plain words. */
export function DuplicatesField({
  value,
  onChange,
}: {
  value: Duplicates;
  onChange: (value: Duplicates) => void;
}) {
  const id = useId();
  return (
    <div>
      <FormLabel id={id} component="p" sx={{ mb: '8px' }}>
        People whose phone is already in your contacts
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, next) => onChange(next as Duplicates)}
        sx={{ gap: 1 }}
      >
        {duplicateChoices.map((choice) => (
          <FormControlLabel
            key={choice}
            value={choice}
            control={<Radio sx={{ alignSelf: 'flex-start', mt: '-2px' }} />}
            label={
              <Box>
                <Box component="span" sx={{ display: 'block', fontWeight: 550 }}>
                  {duplicateWords[choice].title}
                </Box>
                <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
                  {duplicateWords[choice].sentence}
                </Typography>
              </Box>
            }
            sx={{
              alignItems: 'flex-start',
              px: '12px',
              py: '10px',
              borderRadius: '10px',
              border: '1px solid',
              borderColor: choice === value ? 'primary.main' : 'line.strong',
              boxShadow: (theme) =>
                choice === value ? `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
            }}
          />
        ))}
      </RadioGroup>
    </div>
  );
}
