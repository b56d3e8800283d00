import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useState } from 'react';
import { contactLimits } from '../../../contract/contacts.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { useCustomFields } from '../contact/contact-queries.ts';
import type { BulkUpdate } from './contacts-actions.ts';
import { columnOfField } from './contacts-columns.ts';

interface BulkEditDialogProps {
  isOpen: boolean;
  count: number;
  isBusy: boolean;
  onClose: () => void;
  /** Resolves to whether it succeeded. */
  onSave: (update: BulkUpdate) => Promise<boolean>;
}

/** The same note or field for many people. */
export function BulkEditDialog({ isOpen, onClose, ...rest }: BulkEditDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={460}>
      <BulkEditForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

const NOTES = 'notes';

function BulkEditForm({ count, isBusy, onClose, onSave }: Omit<BulkEditDialogProps, 'isOpen'>) {
  const fields = useCustomFields();
  const [what, setWhat] = useState(NOTES);
  const [value, setValue] = useState('');
  const field = fields.find((one) => columnOfField(one) === what);
  const most = field ? contactLimits.customValue : limits.contactNotes;
  const isTooLong = value.trim().length > most;
  const submit = async () => {
    if (isTooLong) return;
    const text = value.trim();
    if (await onSave(field ? { CustomData: { [field.Name]: text } } : { Notes: text })) onClose();
  };
  return (
    <DialogForm
      title={`Edit ${countOf(count, 'person', 'people')}`}
      action={`Change ${countOf(count, 'person', 'people')}`}
      isDisabled={isBusy || isTooLong}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label="What to change">
        {({ id, ...aria }) => (
          <Select
            id={id}
            value={field ? what : NOTES}
            onChange={(event) => setWhat(event.target.value)}
            SelectDisplayProps={{ ...aria, 'aria-label': 'What to change' }}
          >
            <MenuItem value={NOTES}>Notes</MenuItem>
            {fields.map((one) => (
              <MenuItem key={one.FieldID} value={columnOfField(one)}>
                {one.Name}
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        autoFocus
        label="New value"
        autoComplete="off"
        help="Replaces the current value for everyone selected. Leave it empty to clear the value."
        error={isTooLong ? `${field?.Name ?? say('Notes')} must be at most ${most} characters` : undefined}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </DialogForm>
  );
}
