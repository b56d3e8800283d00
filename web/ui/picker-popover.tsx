import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import type { PopperProps } from '@mui/material/Popper';
import { type ReactNode, useState } from 'react';
import { isSameName } from './same-name.ts';
import { useEarlyEnter } from './use-early-enter.ts';

export interface PickerProps<Option extends object> {
  /** What it hangs on; null while it is closed. */
  anchor: HTMLElement | null;
  /** What is done with the chosen one: "Assign to". */
  label: string;
  placeholder: string;
  /** Undefined until they are there. */
  options: readonly Option[] | undefined;
  nameOf: (option: Option) => string;
  keyOf: (option: Option) => string | number;
  /** One more option made of what was typed, where none has that name. */
  made?: (typed: string) => Option | undefined;
  /** What is said when no option fits what was typed. */
  nothing: string | ((typed: string) => string);
  render: (option: Option) => ReactNode;
  /** Several can be chosen one after the other. */
  isKeptOpen?: boolean;
  onChoose: (option: Option) => void;
  onClose: () => void;
  /** Below the options. */
  foot?: ReactNode;
}

/** A search box with what can be chosen under it. */
export function PickerPopover<Option extends object>(props: PickerProps<Option>) {
  const { anchor, label, onClose } = props;
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
          'aria-label': label,
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
      <Choices {...props} />
    </Popover>
  );
}

function Choices<Option extends object>(props: PickerProps<Option>) {
  const { label, placeholder, options, nameOf, keyOf, made, nothing, render } = props;
  const { isKeptOpen = false, onChoose, onClose, foot } = props;
  const [typed, setTyped] = useState('');
  const isAwaited = options === undefined;
  // Nobody reads more than this many; typing narrows them.
  const filter = createFilterOptions<Option>({ limit: 60, stringify: nameOf });
  function offer(all: Option[], inputValue: string): Option[] {
    const name = inputValue.trim();
    const isKnown = all.some((option) => isSameName(nameOf(option), name));
    // Of those that aren't there yet one might have the name.
    const more = name === '' || isKnown || isAwaited ? undefined : made?.(name);
    const found = filter(all, { inputValue, getOptionLabel: nameOf });
    return more === undefined ? found : [...found, more];
  }
  function choose(option: Option): void {
    if (!isKeptOpen) onClose();
    onChoose(option);
  }
  const early = useEarlyEnter(!isAwaited, () => {
    const [first] = offer([...(options ?? [])], typed);
    setTyped('');
    if (first !== undefined) choose(first);
  });
  return (
    <>
      <Autocomplete<Option, false, true>
        open
        disableClearable
        autoHighlight
        // Emptied on the way to the foot, the list would grow and push its button away from under the pointer.
        clearOnBlur={false}
        disableCloseOnSelect={isKeptOpen}
        options={[...(options ?? [])]}
        loading={isAwaited}
        loadingText="Loading…"
        // Nothing is chosen yet: each choice is an action.
        value={null as unknown as Option}
        getOptionLabel={nameOf}
        getOptionKey={keyOf}
        filterOptions={(all, { inputValue }) => offer(all, inputValue)}
        noOptionsText={typeof nothing === 'string' ? nothing : nothing(typed)}
        inputValue={typed}
        // A choice is an action: its name doesn't stay in the box.
        onInputChange={(_, text, reason) => {
          setTyped(reason === 'input' ? text : '');
          early.forget();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && isAwaited && typed.trim() !== '') early.enter();
        }}
        onChange={(_, chosen) => choose(chosen)}
        onClose={(_, reason) => {
          if (reason === 'escape') onClose();
        }}
        popupIcon={null}
        slots={{ popper: InPlace }}
        slotProps={{
          listbox: { sx: { maxHeight: 300, p: 0, mt: '4px' } },
          // The popover is the sheet.
          paper: { sx: { m: 0, border: 0, boxShadow: 0, bgcolor: 'transparent' } },
        }}
        renderOption={({ key, ...rest }, option) => (
          <Box component="li" key={key} {...rest} sx={{ gap: 1.25 }}>
            {render(option)}
          </Box>
        )}
        renderInput={({ slotProps: { input, htmlInput } }) => (
          <OutlinedInput
            {...input}
            fullWidth
            autoFocus
            endAdornment={null}
            placeholder={placeholder}
            slotProps={{ input: { ...htmlInput, 'aria-label': label, autoComplete: 'off' } }}
          />
        )}
      />
      {foot}
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
