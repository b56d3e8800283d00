import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import type { PopperProps } from '@mui/material/Popper';
import { type ReactNode, useState } from 'react';
import { isSameName } from './same-name.ts';
import { useEarlyEnter } from './use-early-enter.ts';

export interface PickerProps<Option extends object> {
  /** The anchor; null while closed. */
  anchor: HTMLElement | null;
  /** The action on the chosen option: "Assign to". */
  label: string;
  placeholder: string;
  /** Undefined while loading. */
  options: readonly Option[] | undefined;
  nameOf: (option: Option) => string;
  keyOf: (option: Option) => string | number;
  /** An extra option made from the typed text, if none has that name. */
  made?: (typed: string) => Option | undefined;
  /** Shown when nothing matches. */
  nothing: string | ((typed: string) => string);
  render: (option: Option) => ReactNode;
  /** Stays open, so that several can be chosen. */
  isKeptOpen?: boolean;
  onChoose: (option: Option) => void;
  onClose: () => void;
  /** Below the options. */
  foot?: ReactNode;
}

/** A search box above a list of choices. */
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
  // Nobody reads more than this many; typing narrows them down.
  const filter = createFilterOptions<Option>({ limit: 60, stringify: nameOf });
  function offer(all: Option[], inputValue: string): Option[] {
    const name = inputValue.trim();
    const isKnown = all.some((option) => isSameName(nameOf(option), name));
    // An option that hasn't loaded yet might have the name.
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
        // Clearing the text on blur would grow the list and push the foot's button away from the pointer.
        clearOnBlur={false}
        disableCloseOnSelect={isKeptOpen}
        options={[...(options ?? [])]}
        loading={isAwaited}
        loadingText="Loading…"
        // Nothing is ever selected: each choice is an action.
        value={null as unknown as Option}
        getOptionLabel={nameOf}
        getOptionKey={keyOf}
        filterOptions={(all, { inputValue }) => offer(all, inputValue)}
        noOptionsText={typeof nothing === 'string' ? nothing : nothing(typed)}
        inputValue={typed}
        // A choice is an action, so its name doesn't stay in the box.
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
          // The popover provides the paper.
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

/** The options render below the box, inside this popover, not in a second one. */
function InPlace({ children, className, role }: PopperProps) {
  return (
    <div className={className} role={role}>
      {children as ReactNode}
    </div>
  );
}
