import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { ArrowDownUp, Check, ChevronDown, SquarePen } from 'lucide-react';
import { useState } from 'react';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
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
