import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addKeyword, listKeywords, updateKeyword } from '../../contract/addresses/replies.gen.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { keywordForm } from '../../contract/forms/auto-reply.ts';
import type { Keyword } from '../../contract/keywords.ts';
import { limits } from '../../contract/reference/limits.ts';
import { useCall } from '../queries/calls.ts';
import { Field, TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { MessageField } from './form-parts.tsx';
import { NumbersField } from './numbers-field.tsx';
import { useGroupChoices } from './settings-queries.ts';

interface KeywordDialogProps {
  isOpen: boolean;
  /** The keyword to edit; undefined for a new one. */
  keyword: Keyword | undefined;
  onClose: () => void;
}

/** Edits a keyword, its reply and the group it adds people to. */
export function KeywordDialog({ isOpen, keyword, onClose }: KeywordDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <KeywordForm keyword={keyword} onClose={onClose} />
    </FormDialog>
  );
}

function KeywordForm({ keyword, onClose }: Omit<KeywordDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const add = useCall(addKeyword);
  const update = useCall(updateKeyword);
  const [draft, setDraft] = useState({
    Keyword: keyword?.Keyword ?? '',
    Message: keyword?.Message ?? '',
    Active: keyword?.Active ?? true,
    TextNumberIDs: keyword?.TextNumberIDs ?? [],
    ListID: keyword?.ListID ?? null,
  });
  const { errors, submit } = useFormErrors();
  const change = (changed: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...changed }));
  const save = async () => {
    if (keyword) await update.mutateAsync({ params: { KeywordID: keyword.ID }, body: draft });
    else await add.mutateAsync({ body: draft });
    void client.invalidateQueries({ queryKey: [listKeywords.path] });
    showSnackbar('Keyword saved.');
    onClose();
  };
  return (
    <DialogForm
      title={keyword ? 'Edit keyword' : 'New keyword'}
      problem={errors.form}
      action="Save"
      isDisabled={add.isPending || update.isPending}
      onSubmit={() =>
        void submit({
          problems: fieldErrors(keywordForm(), draft),
          save,
          failed: keyword
            ? 'There was an error updating your keyword.'
            : 'There was an error adding your keyword.',
        })
      }
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Keyword"
        autoComplete="off"
        help="People text exactly this word, in capitals or not."
        value={draft.Keyword}
        error={errors.Keyword}
        onChange={(event) => change({ Keyword: event.target.value })}
      />
      <MessageField
        label="Reply"
        most={limits.autoReplyMessage}
        value={draft.Message}
        error={errors.Message}
        onChange={(Message) => change({ Message })}
      />
      <NumbersField
        value={draft.TextNumberIDs}
        error={errors.TextNumberIDs}
        onChange={(TextNumberIDs) => change({ TextNumberIDs })}
      />
      <GroupField value={draft.ListID} error={errors.ListID} onChange={(ListID) => change({ ListID })} />
      <SwitchRow label="Active" isOn={draft.Active} onChange={(Active) => change({ Active })} />
    </DialogForm>
  );
}

interface GroupFieldProps {
  value: number | null;
  error: string | undefined;
  onChange: (listId: number | null) => void;
}

function GroupField({ value, error, onChange }: GroupFieldProps) {
  const groups = useGroupChoices();
  return (
    <Field
      label="Add to group"
      help="Optional. People who text the word are added to this group and, if they’re new, to your contacts."
      error={error}
    >
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          autoHighlight
          options={groups}
          value={groups.find(({ ListID }) => ListID === value) ?? null}
          getOptionLabel={({ ListName }) => ListName}
          getOptionKey={({ ListID }) => ListID}
          isOptionEqualToValue={(one, other) => one.ListID === other.ListID}
          onChange={(_, group) => onChange(group?.ListID ?? null)}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder="No group"
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}
