import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { listLists } from '../../../contract/addresses/contacts.gen.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Field } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { isSameName } from '../../ui/same-name.ts';
import type { ChosenGroup } from '../import-draft.ts';

type Option = ChosenGroup & { count?: number };

/**
 * An existing group, or the name of one that is created with the import. If nothing is chosen: only Everyone.
 */
export function GroupField({
  value,
  error,
  onChange,
}: {
  value: ChosenGroup | null;
  error?: string | undefined;
  onChange: (group: ChosenGroup | null) => void;
}) {
  const [typed, setTyped] = useState(value?.ListName ?? '');
  const lists = useCallQuery(listLists, {}, { staleTime: 60_000 });
  const groups: Option[] = (lists.data?.Items ?? [])
    .filter(({ ListType, Segment }) => ListType === 'User' && Segment === null)
    .map(({ ListID, ListName, RosterCount }) => ({ ListID, ListName, count: RosterCount }));
  const optionsFor = (text: string): Option[] => {
    const words = text.trim().toLowerCase();
    const found = groups.filter(({ ListName }) => ListName.toLowerCase().includes(words));
    const isKnown = words === '' || groups.some(({ ListName }) => isSameName(ListName, words));
    return isKnown ? found : [...found, { ListID: null, ListName: text.trim().slice(0, limits.groupName) }];
  };
  const isNew = value !== null && value.ListID === null;
  return (
    <Field label="Also add everyone to" error={error}>
      {({ id, ...aria }) => (
        <Autocomplete<Option, false, false, false>
          id={id}
          openOnFocus
          autoHighlight
          options={optionsFor(value && typed === value.ListName ? '' : typed)}
          value={value}
          inputValue={typed}
          filterOptions={(all) => all}
          getOptionLabel={({ ListName }) => ListName}
          getOptionKey={({ ListID, ListName }) => `${ListID ?? 'new'} ${ListName}`}
          isOptionEqualToValue={(option, chosen) => isSameName(option.ListName, chosen.ListName)}
          noOptionsText={lists.isPending ? 'Loading…' : 'Type a name to create a new group'}
          onInputChange={(_, text, reason) => {
            // Keeps the typed text. Otherwise MUI would empty the box because nothing is chosen yet.
            if (reason === 'input' || reason === 'clear' || text !== '') setTyped(text);
          }}
          onChange={(_, chosen) => onChange(chosen && { ListID: chosen.ListID, ListName: chosen.ListName })}
          onBlur={() => {
            // A typed name counts as chosen when the user continues.
            const [first] = optionsFor(typed).filter(({ ListName }) => isSameName(ListName, typed));
            if (typed.trim() === '') onChange(null);
            else if (first) onChange({ ListID: first.ListID, ListName: first.ListName });
          }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder="No group"
              endAdornment={
                <>
                  {isNew && <NewChip />}
                  {input.endAdornment}
                </>
              }
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
          renderOption={({ key, ...props }, option) => (
            <Box component="li" key={key} {...props} sx={{ gap: 1 }}>
              {option.ListID === null ? (
                <>
                  <Plus size={16} strokeWidth={1.75} aria-hidden />
                  New group “{option.ListName}”
                </>
              ) : (
                <>
                  <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{option.ListName}</Box>
                  <Box component="span" sx={{ typography: 'caption', color: 'text.secondary' }}>
                    {countOf(option.count ?? 0, 'person', 'people')}
                  </Box>
                </>
              )}
            </Box>
          )}
        />
      )}
    </Field>
  );
}

function NewChip() {
  return (
    <Chip
      label="New group"
      sx={{ flex: 'none', bgcolor: 'tint.accent', color: 'tint.accentInk', fontWeight: 550 }}
    />
  );
}
