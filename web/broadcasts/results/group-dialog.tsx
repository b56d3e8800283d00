import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { listLists } from '../../../contract/addresses/contacts.gen.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Field } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { isSameName } from '../../ui/same-name.ts';

interface GroupDialogProps {
  count: number;
  isBusy: boolean;
  /** Resolves to whether it succeeded. */
  onPut: (groupName: string) => Promise<boolean>;
  onClose: () => void;
}

/** Chooses the group: an existing one, or a new one by its name. */
export function GroupDialog({ count, isBusy, onPut, onClose }: GroupDialogProps) {
  const { data } = useCallQuery(listLists, { query: { pagesize: pageSizes.groups } });
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const names = (data?.Items ?? [])
    .filter(({ ListID, Segment }) => ListID > 0 && Segment === null)
    .map(({ ListName }) => ListName);
  const isKnown = names.some((known) => isSameName(known, name));
  const put = async () => {
    setProblem(name.trim() === '' ? 'Enter a Group Name' : undefined);
    if (name.trim() !== '' && (await onPut(name.trim()))) onClose();
  };
  return (
    <FormDialog isOpen onClose={onClose} width={440}>
      <DialogForm
        title="Add to group"
        intro={`${countOf(count, 'person', 'people')}. People who aren’t contacts yet are added to your contacts.`}
        action="Add to group"
        isDisabled={isBusy}
        onSubmit={() => void put()}
        onClose={onClose}
      >
        <Field
          label="Group name"
          error={problem}
          help={
            name.trim() !== '' && !isKnown
              ? 'This creates a new group.'
              : 'Choose a group, or type a new name.'
          }
        >
          {({ id, ...aria }) => (
            <Autocomplete
              freeSolo
              id={id}
              options={names}
              inputValue={name}
              onInputChange={(_, typed) => {
                setName(typed.slice(0, limits.groupName));
                setProblem(undefined);
              }}
              renderInput={({ slotProps: { input, htmlInput } }) => (
                <OutlinedInput
                  {...input}
                  fullWidth
                  autoFocus
                  error={problem !== undefined}
                  slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
                />
              )}
            />
          )}
        </Field>
      </DialogForm>
    </FormDialog>
  );
}
