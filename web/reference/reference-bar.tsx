import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useColorScheme } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { List, Moon, Search, Sun } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Mark } from '../shell/mark.tsx';
import { KeyCap } from '../ui/key-cap.tsx';
import { RouterButton } from '../ui/router-button.tsx';

interface ReferenceBarProps {
  query: string;
  onQuery: (query: string) => void;
  /** Opens the list of calls if there is no room for it at the side. */
  onOpenList?: () => void;
}

/** The reference's own bar, because the page is outside the signed-in shell. "/" goes to the search. */
export function ReferenceBar({ query, onQuery, onOpenList }: ReferenceBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, []);
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 1, sm: 2 },
        height: 56,
        px: 2,
        bgcolor: 'background.paper',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {onOpenList && (
        <Tooltip title="All calls">
          <IconButton aria-label="All calls" onClick={onOpenList}>
            <List />
          </IconButton>
        </Tooltip>
      )}
      <Box
        sx={{
          display: { xs: onOpenList ? 'none' : 'flex', sm: 'flex' },
          alignItems: 'center',
          gap: '10px',
          width: onOpenList ? 'auto' : 240,
          flex: 'none',
        }}
      >
        <Mark />
        <Typography sx={{ fontWeight: 600 }}>Muster</Typography>
        <Typography sx={{ color: 'text.secondary', display: { xs: 'none', tablet: 'block' } }}>
          API
        </Typography>
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, maxWidth: 480 }}>
        <OutlinedInput
          fullWidth
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onQuery('');
          }}
          placeholder="Search calls and fields"
          sx={{ '& input::-webkit-search-cancel-button': { display: 'none' } }}
          inputRef={input}
          slotProps={{ input: { 'aria-label': 'Search calls and fields', type: 'search' } }}
          startAdornment={
            <InputAdornment position="start" sx={{ color: 'ink.three', mr: 0 }}>
              <Search size={16} strokeWidth={1.75} aria-hidden />
            </InputAdornment>
          }
          endAdornment={
            <InputAdornment position="end" sx={{ display: { xs: 'none', sm: 'flex' } }}>
              <KeyCap>/</KeyCap>
            </InputAdornment>
          }
        />
      </Box>
      <Box sx={{ flex: { xs: 'none', sm: 1 } }} />
      <ModeButton />
      <RouterButton to="/home" preload={false} sx={{ display: { xs: 'none', sm: 'inline-flex' } }}>
        Open Muster
      </RouterButton>
    </Box>
  );
}

function ModeButton() {
  const { mode, systemMode, setMode } = useColorScheme();
  const isDark = (mode === 'system' ? systemMode : mode) === 'dark';
  const does = isDark ? 'Switch to light' : 'Switch to dark';
  return (
    <Tooltip title={does}>
      <IconButton aria-label={does} onClick={() => setMode(isDark ? 'light' : 'dark')}>
        {isDark ? <Sun /> : <Moon />}
      </IconButton>
    </Tooltip>
  );
}
