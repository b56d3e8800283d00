import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useDeferredValue, useMemo } from 'react';
import { Field } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { StepHead } from '../../ui/wizard-frame.tsx';
import { useImportTarget } from '../import-target.ts';
import { countLines } from './paste-rows.ts';

const example = `Renee Castellano, (423) 555-0143
Delgado, Hector	423.555.0122
(931) 555-0190 Yolanda Price`;

/** PASTE: a large field, an example, and the number of lines. They are parsed when the user continues. */
export function PasteText({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { draftId } = useImportTarget();
  const later = useDeferredValue(text);
  const lines = useMemo(() => countLines(later), [later]);
  return (
    <Box sx={{ maxWidth: 720, mx: 'auto' }}>
      <StepHead
        title="Paste your list"
        sentence={
          <>
            Names and numbers in any order, copied from anywhere. Or{' '}
            {draftId === undefined ? (
              <RouterLink to="/contacts/import">import a file</RouterLink>
            ) : (
              <RouterLink to="/broadcasts/create/file" search={{ draft: draftId }}>
                import a file
              </RouterLink>
            )}
            .
          </>
        }
      />
      <Field
        label="Names and phone numbers"
        help={lines === 0 ? 'One person per line.' : countOf(lines, 'line', 'lines')}
      >
        {({ id, ...aria }) => (
          <OutlinedInput
            id={id}
            multiline
            fullWidth
            rows={14}
            value={text}
            placeholder={example}
            spellCheck={false}
            autoFocus
            onChange={(event) => onChange(event.target.value)}
            slotProps={{ input: aria }}
            sx={{ alignItems: 'flex-start', '& textarea': { lineHeight: '22px' } }}
          />
        )}
      </Field>
    </Box>
  );
}
