import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { CircleCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { StepHead } from '../../ui/wizard-frame.tsx';
import { ShowMore } from '../show-more.tsx';
import type { CheckedRow, PasteRow } from './paste-rows.ts';

const shownAtOnce = 50;

/** EDIT: names and numbers in place. Lines that needed fixing at first stay visible while the user types. */
export function PasteEdit({
  rows,
  onChange,
}: {
  rows: readonly CheckedRow[];
  onChange: (rows: PasteRow[]) => void;
}) {
  const [toFix] = useState(() => new Set(rows.filter(({ state }) => state !== 'good').map(({ id }) => id)));
  const [filter, setFilter] = useState<'fix' | 'all'>(toFix.size > 0 ? 'fix' : 'all');
  const [shown, setShown] = useState(shownAtOnce);
  const plain = (): PasteRow[] => rows.map(({ id, name, number }) => ({ id, name, number }));
  const change = (id: number, by: Partial<PasteRow>) =>
    onChange(plain().map((row) => (row.id === id ? { ...row, ...by } : row)));
  const wanted = filter === 'fix' ? rows.filter(({ id }) => toFix.has(id)) : rows;
  return (
    <Box sx={{ maxWidth: 880, mx: 'auto' }}>
      <StepHead
        title="Edit names and numbers"
        sentence="Lines without a valid number and duplicates are left out."
        action={
          toFix.size > 0 && (
            <ToggleButtonGroup
              exclusive
              aria-label="Filter lines"
              value={filter}
              onChange={(_, chosen: 'fix' | 'all' | null) => chosen && setFilter(chosen)}
            >
              <ToggleButton value="fix">To fix ({formatCount(toFix.size)})</ToggleButton>
              <ToggleButton value="all">All ({formatCount(rows.length)})</ToggleButton>
            </ToggleButtonGroup>
          )
        }
      />
      <MuiCard>
        {wanted.length === 0 && (
          <EmptyState icon={CircleCheck} title="Nothing left to fix" titleComponent="h2" />
        )}
        <Box component="ul" aria-label="Names and numbers" sx={{ listStyle: 'none', p: 0 }}>
          {wanted.slice(0, shown).map((row) => (
            <EditLine
              key={row.id}
              row={row}
              onChange={(by) => change(row.id, by)}
              onRemove={() => onChange(plain().filter(({ id }) => id !== row.id))}
            />
          ))}
        </Box>
        {wanted.length > shown && (
          <ShowMore
            label={`Show more of ${formatCount(wanted.length)}`}
            onPress={() => setShown(shown + shownAtOnce)}
          />
        )}
      </MuiCard>
    </Box>
  );
}

function EditLine({
  row,
  onChange,
  onRemove,
}: {
  row: CheckedRow;
  onChange: (by: Partial<PasteRow>) => void;
  onRemove: () => void;
}) {
  const isWrong = row.state === 'invalid';
  const called = row.name || row.number || `line ${row.id}`;
  const noteId = `paste-note-${row.id}`;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr) 40px',
          sm: 'minmax(0, 1.2fr) minmax(0, 1fr) 32px',
        },
        alignItems: 'start',
        gap: 1,
        px: 2,
        py: 1.25,
        '& + li': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <OutlinedInput
        value={row.name}
        placeholder="Name"
        onChange={(event) => onChange({ name: event.target.value })}
        slotProps={{ input: { 'aria-label': `Name for ${called}` } }}
      />
      <Box sx={{ gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: 1, sm: 'auto' } }}>
        <OutlinedInput
          fullWidth
          value={row.number}
          placeholder="Phone"
          error={isWrong}
          onChange={(event) => onChange({ number: event.target.value })}
          slotProps={{
            input: {
              'aria-label': `Phone for ${called}`,
              'aria-invalid': isWrong,
              inputMode: 'tel',
              ...(row.note ? { 'aria-describedby': noteId } : {}),
            },
          }}
        />
        {row.note && (
          <FormHelperText id={noteId} error={isWrong} sx={isWrong ? {} : { '&&': { color: 'warning.main' } }}>
            {row.note}
          </FormHelperText>
        )}
      </Box>
      <Tooltip title="Leave out">
        <IconButton aria-label={`Leave out ${called}`} onClick={onRemove} sx={{ mt: '2px' }}>
          <Trash2 />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
