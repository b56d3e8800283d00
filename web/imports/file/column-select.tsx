import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { type ReactNode, useState } from 'react';
import type { FileColumns } from '../../../contract/imports.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { isSameName } from '../../ui/same-name.ts';
import {
  columnLabel,
  columnOf,
  fixedTargets,
  letterOf,
  type ShownTab,
  skip,
  type Target,
  targetLabel,
  targetOf,
} from './file-columns.ts';

const newField = 'new';
const customPrefix = 'custom:';
const longestName = 50;

export interface ColumnSelectProps {
  column: ShownTab['columns'][number];
  columns: FileColumns;
  /** Existing custom fields, and those that this file will create. */
  fieldNames: readonly string[];
  onChoose: (target: Target) => void;
}

/**
 * Chooses the target of a column. A target that another column has says so, and moves here when it is chosen.
 */
export function ColumnSelect({ column, columns, fieldNames, onChoose }: ColumnSelectProps) {
  const [isNaming, setNaming] = useState(false);
  const current = targetOf(columns, column.columnNumber);
  const option = (target: Target): ReactNode => {
    const elsewhere = columnOf(columns, target);
    return (
      <MenuItem key={keyOf(target)} value={keyOf(target)} sx={{ justifyContent: 'space-between' }}>
        {targetLabel(target)}
        {elsewhere !== undefined && elsewhere !== column.columnNumber && (
          <Box component="span" sx={{ typography: 'caption', color: 'text.secondary', ml: 2 }}>
            in column {letterOf(elsewhere)}
          </Box>
        )}
      </MenuItem>
    );
  };
  const isSkipped = current.kind === 'skip';
  return (
    <>
      <Select
        value={keyOf(current)}
        onChange={({ target: { value } }) => {
          if (value === newField) setNaming(true);
          else onChoose(targetFrom(value));
        }}
        renderValue={() => targetLabel(current)}
        SelectDisplayProps={{
          'aria-label': `${columnLabel(column)}, column ${letterOf(column.columnNumber)}`,
        }}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 420 } } } }}
        sx={{
          width: '100%',
          minHeight: 32,
          typography: 'body2',
          fontWeight: isSkipped ? 400 : 550,
          ...(isSkipped
            ? {
                color: 'ink.three',
                bgcolor: 'transparent',
                '& .MuiOutlinedInput-notchedOutline': { borderColor: 'line.strong' },
              }
            : {}),
          '& .MuiSelect-select': { py: '6px', pl: '9px', pr: '28px !important', lineHeight: '18px' },
          '& .MuiSelect-icon': { right: 8, width: 14, height: 14, top: 'calc(50% - 7px)' },
        }}
      >
        {option(skip)}
        <Divider />
        {fixedTargets.map(([name]) => option({ kind: 'fixed', name }))}
        <Divider />
        {fieldNames.map((name) => option({ kind: 'custom', name }))}
        <MenuItem value={newField}>New custom field…</MenuItem>
      </Select>
      {isNaming && (
        <NewFieldDialog
          suggestion={column.header.trim().slice(0, longestName)}
          onClose={() => setNaming(false)}
          onName={(name) => {
            setNaming(false);
            const known = fieldNames.find((one) => isSameName(one, name));
            onChoose({ kind: 'custom', name: known ?? name });
          }}
        />
      )}
    </>
  );
}

function keyOf(target: Target): string {
  if (target.kind === 'custom') return customPrefix + target.name;
  return target.kind === 'fixed' ? target.name : target.kind;
}

function targetFrom(value: string): Target {
  if (value.startsWith(customPrefix)) return { kind: 'custom', name: value.slice(customPrefix.length) };
  const fixed = fixedTargets.find(([name]) => name === value);
  return fixed ? { kind: 'fixed', name: fixed[0] } : skip;
}

interface NewFieldDialogProps {
  suggestion: string;
  onClose: () => void;
  onName: (name: string) => void;
}

/** The field itself is created when the file is read. */
function NewFieldDialog({ suggestion, onClose, onName }: NewFieldDialogProps) {
  const [name, setName] = useState(suggestion);
  const [error, setError] = useState<string>();
  const submit = () => {
    const trimmed = name.trim();
    if (trimmed === '') setError('Enter a name');
    else if (trimmed.length > longestName) setError(`At most ${longestName} characters`);
    else onName(trimmed);
  };
  return (
    <FormDialog isOpen onClose={onClose} width={444}>
      <DialogForm title="New custom field" action="Add field" onSubmit={submit} onClose={onClose}>
        <TextField
          label="Name"
          help="Every contact can have a value for it."
          value={name}
          error={error}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
        />
      </DialogForm>
    </FormDialog>
  );
}
