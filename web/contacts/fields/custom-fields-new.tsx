import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { addCustomField, listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { TextField } from '../../ui/field.tsx';

/** "New field": a custom field of the organization, such as a bus or a student's name. */
export function NewCustomField({ isOpenAtFirst = false }: { isOpenAtFirst?: boolean }) {
  const client = useQueryClient();
  const add = useCall(addCustomField);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  if (!isOpen) {
    return (
      <Box>
        <Button
          variant="text"
          size="small"
          startIcon={<Plus aria-hidden />}
          sx={{ ml: '-10px' }}
          onClick={() => setOpen(true)}
        >
          New field
        </Button>
      </Box>
    );
  }
  const save = async () => {
    setProblem(undefined);
    try {
      await add.mutateAsync({ body: { Name: name } });
      await client.invalidateQueries({ queryKey: [listCustomFields.path] });
      setName('');
      setOpen(isOpenAtFirst);
    } catch (error) {
      setProblem(fieldMessages(error).Name ?? shownMessage(error, 'There was an error adding your field.'));
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
      <TextField
        label="New field"
        autoFocus={!isOpenAtFirst}
        autoComplete="off"
        placeholder="For example, Student or Bus"
        value={name}
        error={problem}
        onChange={(event) => {
          setProblem(undefined);
          setName(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Must not submit the form around it.
          event.preventDefault();
          void save();
        }}
      />
      {/* Aligned with the box, whatever is below it. */}
      <Button sx={{ mt: '24px', flex: 'none' }} disabled={add.isPending} onClick={() => void save()}>
        Add field
      </Button>
      {!isOpenAtFirst && (
        <Button
          variant="text"
          sx={{ mt: '24px', flex: 'none' }}
          onClick={() => {
            setOpen(false);
            setName('');
            setProblem(undefined);
          }}
        >
          Cancel
        </Button>
      )}
    </Box>
  );
}
