import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useId } from 'react';
import type { FileRow } from '../../../contract/imports.ts';
import { type EditedField, problemsOf, type RowEdit, valuesOf } from './edit-rows.ts';

interface EditRowProps {
  row: FileRow;
  edit: RowEdit;
  fields: readonly (readonly [EditedField, string])[];
  countryId: number;
  isDisabled: boolean;
  onEdit: (edit: RowEdit) => void;
}

/** A row with its cells to type in, each problem under its cell. */
export function EditRow({ row, edit, fields, countryId, isDisabled, onEdit }: EditRowProps) {
  const values = valuesOf(row, edit);
  const problems = problemsOf(row, edit, countryId);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) 40px', sm: '64px minmax(0, 1fr) 40px' },
        alignItems: 'start',
        columnGap: 1,
        px: { xs: 2, sm: 2.5 },
        py: 1.5,
        '& + li': { borderTop: '1px solid', borderColor: 'line.hair' },
        ...(edit.isRemoved ? { bgcolor: 'surface.sunken' } : {}),
      }}
    >
      <Typography
        variant="body2"
        sx={{ pt: { sm: '27px' }, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        Row {row.RowNumber}
      </Typography>
      <Box
        sx={{
          gridColumn: { xs: '1 / -1', sm: 'auto' },
          gridRow: { xs: 2, sm: 'auto' },
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: { xs: '1fr', sm: 'repeat(auto-fit, minmax(150px, 1fr))' },
          mt: { xs: 0.5, sm: 0 },
        }}
      >
        {fields.map(([name, label]) => (
          <EditCell
            key={name}
            label={label}
            rowNumber={row.RowNumber}
            value={values[name]}
            problem={problems[name]}
            isDisabled={isDisabled || edit.isRemoved}
            onChange={(value) => onEdit({ ...edit, values: { ...edit.values, [name]: value } })}
          />
        ))}
      </Box>
      <Box sx={{ pt: { sm: '22px' }, display: 'flex', justifyContent: 'flex-end' }}>
        <Tooltip title={edit.isRemoved ? 'Include this row' : 'Leave this row out'}>
          <IconButton
            aria-label={edit.isRemoved ? `Include row ${row.RowNumber}` : `Leave out row ${row.RowNumber}`}
            disabled={isDisabled}
            onClick={() => onEdit({ ...edit, isRemoved: !edit.isRemoved })}
          >
            {edit.isRemoved ? <RotateCcw /> : <Trash2 />}
          </IconButton>
        </Tooltip>
      </Box>
    </Box>
  );
}

function EditCell({
  label,
  rowNumber,
  value,
  problem,
  isDisabled,
  onChange,
}: {
  label: string;
  rowNumber: number;
  value: string;
  problem: string | undefined;
  isDisabled: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <Box
        component="label"
        htmlFor={id}
        sx={{ display: 'block', typography: 'caption', fontWeight: 500, color: 'ink.three', mb: '4px' }}
      >
        {label}
      </Box>
      <OutlinedInput
        id={id}
        fullWidth
        value={value}
        error={problem !== undefined}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{
          input: {
            'aria-label': `${label}, row ${rowNumber}`,
            'aria-invalid': problem !== undefined,
            ...(problem ? { 'aria-describedby': `${id}-problem` } : {}),
          },
        }}
      />
      {problem && (
        <FormHelperText error id={`${id}-problem`}>
          {problem}
        </FormHelperText>
      )}
    </div>
  );
}
