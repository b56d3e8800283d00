import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Plus, X } from 'lucide-react';
import { ColorMark } from '../../ui/color-mark.tsx';
import { Field } from '../../ui/field.tsx';
import { isSameName } from '../../ui/same-name.ts';
import { useGroups } from '../list/contacts-queries.ts';

/** An existing group, or one that is created when the form is saved. */
export interface GroupChoice {
  ListID: number | undefined;
  ListName: string;
  Color?: number;
}

/** Nobody reads more options than this, even with two thousand groups; typing narrows them down. */
const filter = createFilterOptions<GroupChoice>({ limit: 60, stringify: ({ ListName }) => ListName });

const isSame = (one: GroupChoice, other: GroupChoice) => isSameName(one.ListName, other.ListName);

interface GroupsFieldProps {
  value: readonly GroupChoice[];
  onChange: (value: GroupChoice[]) => void;
  label?: string;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Groups by name; one that doesn't exist yet can be typed. */
export function GroupsField({
  value,
  onChange,
  label = 'Groups',
  error,
  autoFocus = false,
}: GroupsFieldProps) {
  const groups: readonly GroupChoice[] = useGroups().targets;
  return (
    <Field label={label} error={error}>
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          multiple
          autoHighlight
          filterSelectedOptions
          forcePopupIcon={false}
          options={groups}
          value={[...value]}
          getOptionLabel={({ ListName }) => ListName}
          getOptionKey={({ ListID, ListName }) => ListID ?? ListName}
          isOptionEqualToValue={isSame}
          onChange={(_, chosen) => onChange(chosen)}
          noOptionsText="Type a name to create a group"
          filterOptions={(options, state) => {
            const found = filter(options, state);
            const typed = { ListID: undefined, ListName: state.inputValue.trim() };
            const isKnown = [...groups, ...value].some((one) => isSame(one, typed));
            return typed.ListName === '' || isKnown ? found : [...found, typed];
          }}
          renderOption={({ key, ...props }, { ListID, ListName, Color = 0 }) => (
            <Box component="li" key={key} {...props} sx={{ gap: 1 }}>
              {ListID === undefined ? (
                <Plus size={16} strokeWidth={1.75} aria-hidden />
              ) : (
                <ColorMark of="group" color={Color} />
              )}
              {ListID === undefined ? `New group “${ListName}”` : ListName}
            </Box>
          )}
          renderValue={(chosen, getItemProps) =>
            chosen.map((group, index) => {
              const { key, ...props } = getItemProps({ index });
              return (
                <Chip
                  key={key}
                  {...props}
                  label={group.ListID === undefined ? `${group.ListName} (new)` : group.ListName}
                  deleteIcon={<X size={13} strokeWidth={2} aria-hidden />}
                />
              );
            })
          }
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              autoFocus={autoFocus}
              error={error !== undefined}
              placeholder={value.length === 0 ? 'Choose or type a group' : ''}
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}
