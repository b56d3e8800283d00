import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { ResultRow } from './result-row.tsx';
import { useResults } from './use-results.ts';

const listId = 'search-results';
const optionId = (index: number) => `search-result-${index}`;

/** One search for people, groups, broadcasts, pages and things to do. Opened with Ctrl K or ⌘K. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      fullScreen={isPhone}
      slotProps={{
        paper: {
          'aria-label': 'Search',
          sx: { width: 600, ...(isPhone ? {} : { position: 'fixed', top: '12vh', m: 0, maxHeight: '70vh' }) },
        },
      }}
    >
      <SearchContent onClose={onClose} />
    </Dialog>
  );
}

function SearchContent({ onClose }: { onClose: () => void }) {
  const [q, setQ] = useState('');
  const [aimed, setAimed] = useState(0);
  const { sections, isSearching, isSimilar, hasFailed } = useResults(q.trim(), onClose);
  const results = sections.flatMap((section) => section.results);
  const at = Math.min(aimed, results.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#${optionId(at)}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setAimed(results.length === 0 ? 0 : (at + 1) % results.length);
    else if (event.key === 'ArrowUp') setAimed((at + results.length - 1) % Math.max(1, results.length));
    else if (event.key === 'Enter') results[at]?.run();
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, px: 2, flex: 'none', color: 'ink.two' }}>
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <InputBase
          autoFocus
          fullWidth
          value={q}
          placeholder="Search people, groups, broadcasts, settings…"
          onChange={(event) => {
            setQ(event.target.value);
            setAimed(0);
          }}
          onKeyDown={onKeyDown}
          slotProps={{
            input: {
              role: 'combobox',
              'aria-label': 'Search',
              'aria-expanded': results.length > 0,
              'aria-controls': listId,
              'aria-autocomplete': 'list',
              ...(at >= 0 ? { 'aria-activedescendant': optionId(at) } : {}),
              maxLength: 100,
              enterKeyHint: 'go',
            },
          }}
          sx={{ height: 56, fontSize: 16 }}
        />
        <IconButton aria-label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </Box>
      <Box
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Results"
        sx={{
          overflow: 'auto',
          borderTop: '1px solid',
          borderColor: 'line.hair',
          p: results.length > 0 ? 1 : 0,
        }}
      >
        {isSimilar && (
          <Typography variant="caption" role="presentation" sx={{ ...heading, pb: 0.5 }}>
            Nothing has these words. Did you mean one of these?
          </Typography>
        )}
        {sections.map(({ title, results: rows }) => (
          <Box key={title} role="group" aria-label={title}>
            <Typography variant="caption" aria-hidden sx={heading}>
              {title}
            </Typography>
            {rows.map((result) => {
              index += 1;
              const mine = index;
              return (
                <ResultRow
                  key={result.key}
                  id={optionId(mine)}
                  result={result}
                  isAimed={mine === at}
                  onAim={() => setAimed(mine)}
                />
              );
            })}
          </Box>
        ))}
      </Box>
      {results.length === 0 && q.trim() !== '' && (
        <Typography sx={{ px: 2, py: 3, color: 'text.secondary' }}>
          {hasFailed
            ? 'The search failed. Check your connection and try again.'
            : isSearching
              ? 'Searching…'
              : `Nothing found for “${q.trim()}”.`}
        </Typography>
      )}
      <Box role="status" style={visuallyHidden}>
        {q.trim() !== '' && !isSearching
          ? `${results.length} ${results.length === 1 ? 'result' : 'results'}`
          : ''}
      </Box>
    </>
  );
}

const heading = {
  display: 'block',
  px: 1.25,
  pt: 1,
  pb: 0.5,
  color: 'text.secondary',
  fontWeight: 550,
} as const;
