import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import type { PopperProps } from '@mui/material/Popper';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { List } from '../../contract/lists.ts';
import { limits } from '../../contract/reference/limits.ts';
import { formatCount } from '../ui/format.ts';
import type { Target } from './contacts-actions.ts';
import { GroupMark } from './group-chip.tsx';

type Option = List | { newName: string };

interface GroupPickerProps {
  anchor: HTMLElement | null;
  /** What is done with the chosen one: "Add to group". */
  label: string;
  lists: readonly List[];
  /** Offers to make a group of the name that was typed. */
  canCreate?: boolean;
  onChoose: (target: Target) => void;
  onClose: () => void;
}

const nameOf = (option: Option) => ('newName' in option ? option.newName : option.ListName);
/** Of two thousand groups nobody reads more than this many; typing narrows them. */
const filter = createFilterOptions<Option>({ limit: 60, stringify: nameOf });

/** A search box with the groups under it. */
export function GroupPicker({ anchor, onClose, ...rest }: GroupPickerProps) {
  return (
    <Popover
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      transitionDuration={160}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': rest.label,
          sx: {
            width: 280,
            mt: '4px',
            p: 1,
            borderRadius: '10px',
            bgcolor: 'surface.raised',
            border: '1px solid',
            borderColor: 'line.hair',
            boxShadow: 2,
          },
        },
      }}
    >
      <Picker onClose={onClose} {...rest} />
    </Popover>
  );
}

function Picker({ label, lists, canCreate = false, onChoose, onClose }: Omit<GroupPickerProps, 'anchor'>) {
  const isKnown = (name: string) =>
    lists.some(({ ListName }) => ListName.trim().toLowerCase() === name.toLowerCase());
  return (
    <>
      <Autocomplete<Option, false, true>
        open
        disableClearable
        autoHighlight
        options={[...lists]}
        // Nothing is chosen yet: each choice is an action.
        value={null as unknown as Option}
        getOptionLabel={nameOf}
        getOptionKey={(option) => ('newName' in option ? 'new' : option.ListID)}
        filterOptions={(options, state) => {
          const typed = state.inputValue.trim().slice(0, limits.groupName);
          const found = filter(options, state);
          return canCreate && typed !== '' && !isKnown(typed) ? [...found, { newName: typed }] : found;
        }}
        noOptionsText={canCreate ? 'Type a name to make a group' : 'There is no such group'}
        onChange={(_, chosen) => {
          onClose();
          onChoose(chosen);
        }}
        onClose={(_, reason) => {
          if (reason === 'escape') onClose();
        }}
        popupIcon={null}
        slots={{ popper: InPlace }}
        slotProps={{ listbox: { sx: { maxHeight: 300, p: 0, mt: '4px' } }, paper: { sx: { boxShadow: 0 } } }}
        renderOption={({ key, ...props }, option) => (
          <Box
            component="li"
            key={key}
            {...props}
            sx={{ gap: 1.25, minHeight: 36, borderRadius: '8px', px: '10px !important' }}
          >
            {'newName' in option ? (
              <>
                <Plus size={16} strokeWidth={1.75} aria-hidden />
                New group “{option.newName}”
              </>
            ) : (
              <>
                <GroupMark colour={option.Colour} isSegment={option.Segment !== null} />
                <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
                  {option.ListName}
                </Box>
                <Box
                  component="span"
                  sx={{ typography: 'body2', fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}
                >
                  {formatCount(option.RosterCount)}
                </Box>
              </>
            )}
          </Box>
        )}
        renderInput={({ slotProps: { input, htmlInput } }) => (
          <OutlinedInput
            {...input}
            fullWidth
            autoFocus
            endAdornment={null}
            placeholder={canCreate ? 'Find or make a group' : 'Find a group'}
            slotProps={{ input: { ...htmlInput, 'aria-label': label, autoComplete: 'off' } }}
          />
        )}
      />
      {canCreate && (
        <Box sx={{ px: '10px', pt: '8px', pb: '2px', typography: 'caption', color: 'text.secondary' }}>
          Type a new name to make a group.
        </Box>
      )}
    </>
  );
}

/** The options stand under the box, inside the popover, and not in a second one. */
function InPlace({ children, className, role }: PopperProps) {
  return (
    <div className={className} role={role}>
      {children as ReactNode}
    </div>
  );
}
