import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { ArrowDownUp, Check, ChevronDown, Search, SquarePen, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { KeyCap } from '../ui/key-cap.tsx';
import type { InboxSearch } from './inbox-address.ts';
import { inboxTitle } from './inbox-view.ts';
import { textNumberName } from './names.ts';

interface ListHeadProps {
  search: InboxSearch;
  numbers: readonly TextNumber[];
  onChange: (change: Partial<InboxSearch>) => void;
  onCompose: () => void;
}

/** Title, number picker, order, compose. */
export function ListHead({ search, numbers, onChange, onCompose }: ListHeadProps) {
  const title = inboxTitle(search, numbers);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '4px', minHeight: 60, pl: 2, pr: '10px' }}>
      <Typography
        variant="h1"
        noWrap
        sx={{ fontSize: 18, lineHeight: '24px', letterSpacing: '-0.015em', flexShrink: 1, minWidth: 0 }}
      >
        {title}
      </Typography>
      <NumberPicker search={search} numbers={numbers} title={title} onChange={onChange} />
      <Box sx={{ flex: 1 }} />
      <OrderMenu search={search} onChange={onChange} />
      <Tooltip title="New conversation (c)">
        <IconButton aria-label="New conversation" onClick={onCompose}>
          <SquarePen />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

function NumberPicker(props: Pick<ListHeadProps, 'search' | 'numbers' | 'onChange'> & { title: string }) {
  const { search, numbers, title, onChange } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (numbers.length < 2) return null;
  const chosen = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  const label = chosen ? textNumberName(chosen) : 'All numbers';
  const choose = (textNumberId: number | undefined) => {
    setAnchor(null);
    onChange({ textNumberId });
  };
  return (
    <>
      <Button
        variant="text"
        size="small"
        endIcon={<ChevronDown aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={`Text number: ${label}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minWidth: 0,
          px: 1,
          fontWeight: 500,
          flexShrink: 2,
          '& .picker-label': { overflow: 'hidden', textOverflow: 'ellipsis' },
        }}
      >
        {/* Where the title already says it, the chevron is enough. */}
        {label !== title && <span className="picker-label">{label}</span>}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem selected={!chosen} onClick={() => choose(undefined)}>
          <Box sx={{ flex: 1 }}>All numbers</Box>
          {!chosen && <Check aria-hidden />}
        </MenuItem>
        {numbers.map((number) => (
          <MenuItem
            key={number.TextNumberID}
            selected={number === chosen}
            onClick={() => choose(number.TextNumberID)}
            sx={{ minHeight: 48 }}
          >
            <Box sx={{ flex: 1, minWidth: 160 }}>
              {textNumberName(number)}
              {number.Name.trim() !== '' && (
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {formatPhone(number.TextPhoneNumber)}
                </Typography>
              )}
            </Box>
            {number === chosen && <Check aria-hidden />}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function OrderMenu({ search, onChange }: Pick<ListHeadProps, 'search' | 'onChange'>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOldest = search.sortby === 'oldest';
  const choose = (sortby: 'oldest' | undefined) => {
    setAnchor(null);
    onChange({ sortby });
  };
  return (
    <>
      <Tooltip title="Order">
        <IconButton
          aria-label={isOldest ? 'Order: oldest first' : 'Order: newest first'}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-pressed={isOldest}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ArrowDownUp />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem selected={!isOldest} onClick={() => choose(undefined)}>
          <Box sx={{ flex: 1, minWidth: 120 }}>Newest first</Box>
          {!isOldest && <Check aria-hidden />}
        </MenuItem>
        <MenuItem selected={isOldest} onClick={() => choose('oldest')}>
          <Box sx={{ flex: 1 }}>Oldest first</Box>
          {isOldest && <Check aria-hidden />}
        </MenuItem>
      </Menu>
    </>
  );
}

/** Long enough for a word to be typed, short enough to feel at once. */
const SEARCH_DELAY_MS = 250;

interface SearchBoxProps {
  q: string;
  onSearch: (q: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

export function SearchBox({ q, onSearch, inputRef }: SearchBoxProps) {
  const [text, setText] = useState(q);
  // The address may change without the box: another tab, the back button, a search that failed.
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
  return (
    <Box role="search" sx={{ px: 2, pb: 1 }}>
      <OutlinedInput
        fullWidth
        value={text}
        inputRef={inputRef}
        placeholder="Search the last 2 weeks"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (text === '') inputRef.current?.blur();
          else clear();
        }}
        slotProps={{
          input: { 'aria-label': 'Search the last 2 weeks', maxLength: 200, enterKeyHint: 'search' },
        }}
        startAdornment={
          <InputAdornment position="start" sx={{ mr: 0, color: 'ink.three' }}>
            <Search size={16} strokeWidth={1.75} aria-hidden />
          </InputAdornment>
        }
        endAdornment={
          <InputAdornment position="end" sx={{ ml: 0 }}>
            {text === '' ? (
              <Box component="span" aria-hidden sx={{ '@media (hover: none)': { display: 'none' } }}>
                <KeyCap>/</KeyCap>
              </Box>
            ) : (
              <IconButton size="small" aria-label="Clear the search" onClick={clear}>
                <X />
              </IconButton>
            )}
          </InputAdornment>
        }
        sx={{ pl: '12px', pr: '8px' }}
      />
    </Box>
  );
}
