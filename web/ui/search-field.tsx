import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { SxProps, Theme } from '@mui/material/styles';
import { Search, X } from 'lucide-react';
import { memo, type RefObject, useEffect, useState } from 'react';
import { KeyCap } from './key-cap.tsx';

/** Long enough for a few letters, short enough to feel immediate. */
const SEARCH_DELAY_MS = 200;

interface SearchFieldProps {
  /** The current query, from the address. */
  q: string;
  onSearch: (q: string) => void;
  placeholder: string;
  /** The accessible name, if the placeholder isn't. */
  label?: string;
  /** The page's "/" shortcut focuses it, so it shows the hint. */
  inputRef?: RefObject<HTMLInputElement | null>;
  sx?: SxProps<Theme>;
}

/** Searches a list after a pause in typing. Escape clears it, then leaves it. */
export const SearchField = memo(function SearchField({
  q,
  onSearch,
  placeholder,
  label = placeholder,
  inputRef,
  sx,
}: SearchFieldProps) {
  const { text, setText, clear } = useSearchText(q, onSearch);
  return (
    <Box role="search" sx={sx ?? {}}>
      <OutlinedInput
        fullWidth
        value={text}
        inputRef={inputRef}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (text === '') event.currentTarget.blur();
          else clear();
        }}
        slotProps={{ input: { 'aria-label': label, maxLength: 200, enterKeyHint: 'search' } }}
        startAdornment={
          <InputAdornment position="start" sx={{ mr: 0, color: 'ink.three' }}>
            <Search size={16} strokeWidth={1.75} aria-hidden />
          </InputAdornment>
        }
        endAdornment={
          <InputAdornment position="end" sx={{ ml: 0 }}>
            {text !== '' ? (
              <IconButton size="small" aria-label="Clear search" onClick={clear}>
                <X />
              </IconButton>
            ) : (
              inputRef && (
                <Box component="span" aria-hidden sx={{ '@media (hover: none)': { display: 'none' } }}>
                  <KeyCap>/</KeyCap>
                </Box>
              )
            )}
          </InputAdornment>
        }
        sx={{ pl: '12px', pr: '8px', '@media (max-width: 639.95px)': { height: 44 } }}
      />
    </Box>
  );
});

function useSearchText(q: string, onSearch: (q: string) => void) {
  const [text, setText] = useState(q);
  // The address may change on its own: another tab, the Back button, a failed search.
  const [known, setKnown] = useState(q);
  if (q !== known) {
    setKnown(q);
    if (q.trim() !== text.trim()) setText(q);
  }
  useEffect(() => {
    if (text.trim() === q.trim()) return;
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, q, onSearch]);
  const clear = () => {
    setText('');
    onSearch('');
  };
  return { text, setText, clear };
}
