import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { createLink } from '@tanstack/react-router';
import { CalendarClock, Check, ChevronDown, Megaphone, SquarePen } from 'lucide-react';
import { memo, type RefObject } from 'react';
import { getConversationsSummary } from '../../../contract/addresses/conversations.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { textNumberName } from '../../pieces/numbers/text-number-names.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { formatCount } from '../../ui/format.ts';
import { useMenu } from '../../ui/use-menu.ts';
import type { InboxSearch } from '../inbox-address.ts';
import { inboxTitle } from '../inbox-view.ts';
import { FilterMenu } from './filter-menu.tsx';

const LinkButton = createLink(IconButton);

type Counts = Reply<typeof getConversationsSummary>;

interface ListHeadProps {
  search: InboxSearch;
  numbers: readonly TextNumber[];
  counts: Counts | undefined;
  broadcastName: string | undefined;
  filterRef: RefObject<HTMLButtonElement | null>;
  onChange: (change: Partial<InboxSearch>) => void;
  onManageTags: () => void;
  onCompose: () => void;
}

/** Title, number picker, filter menu, scheduled texts and compose button. */
export const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { search, numbers, counts, broadcastName, filterRef, onChange, onManageTags, onCompose } = props;
  const title = inboxTitle(search, numbers, broadcastName);
  const canCompose = useCan('createConversation');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '4px', minHeight: 60, pl: 2, pr: '10px' }}>
      <Typography
        variant="h1"
        noWrap
        sx={{ fontSize: 18, lineHeight: '24px', letterSpacing: '-0.015em', flexShrink: 1, minWidth: 0 }}
        title={title}
      >
        {title}
      </Typography>
      <NumberPicker search={search} numbers={numbers} title={title} onChange={onChange} />
      <Box sx={{ flex: 1 }} />
      {search.broadcastId !== undefined && (
        <Tooltip title="Results of this broadcast">
          <LinkButton
            aria-label="Results of this broadcast"
            to="/broadcast-details/$broadcastId"
            params={{ broadcastId: search.broadcastId }}
            search={{}}
          >
            <Megaphone />
          </LinkButton>
        </Tooltip>
      )}
      <FilterMenu
        search={search}
        counts={counts}
        buttonRef={filterRef}
        onChange={onChange}
        onManageTags={onManageTags}
      />
      <Tooltip title="Scheduled">
        <LinkButton
          aria-label="Scheduled"
          to="/inbox/scheduled-conversations"
          search={{ textNumberId: search.textNumberId }}
        >
          <CalendarClock />
        </LinkButton>
      </Tooltip>
      {canCompose && (
        <Tooltip title="New conversation (c)">
          <IconButton aria-label="New conversation" onClick={onCompose}>
            <SquarePen />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
});

function NumberPicker(props: Pick<ListHeadProps, 'search' | 'numbers' | 'onChange'> & { title: string }) {
  const { search, numbers, title, onChange } = props;
  const menu = useMenu();
  // Counts for all numbers, whichever is chosen, because the menu leads to the others.
  const counts = useCallQuery(getConversationsSummary, {}, { enabled: numbers.length > 1 }).data?.TextNumbers;
  if (numbers.length < 2) return null;
  const unreadOf = (id: number) => counts?.find(({ TextNumberID }) => TextNumberID === id)?.UnreadCount ?? 0;
  const chosen = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  const label = chosen ? textNumberName(chosen) : 'All numbers';
  const choose = (textNumberId: number | undefined) => menu.choose(() => onChange({ textNumberId }));
  return (
    <>
      <Button
        variant="text"
        size="small"
        endIcon={<ChevronDown aria-hidden />}
        aria-label={`Text number: ${label}`}
        {...menu.buttonProps}
        sx={{
          minWidth: 36,
          height: { xs: 44, sm: 30 },
          px: 1,
          fontWeight: 500,
          // The picker's label shrinks before the title does. The title must not lose even one pixel,
          // which would already truncate it.
          flexShrink: 99_999,
          overflow: 'hidden',
          '& .picker-label': { overflow: 'hidden', textOverflow: 'ellipsis' },
        }}
      >
        {/* If the title already says it, the chevron is enough. */}
        {label !== title && <span className="picker-label">{label}</span>}
      </Button>
      <Menu {...menu.menuProps}>
        <MenuItem selected={!chosen} onClick={choose(undefined)}>
          <Box sx={{ flex: 1 }}>All numbers</Box>
          {!chosen && <Check aria-hidden />}
        </MenuItem>
        {numbers.map((number) => (
          <MenuItem
            key={number.TextNumberID}
            selected={number === chosen}
            onClick={choose(number.TextNumberID)}
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
            <UnreadOf count={unreadOf(number.TextNumberID)} />
            {number === chosen && <Check aria-hidden />}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function UnreadOf({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Box
      component="span"
      sx={{ typography: 'body2', fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}
    >
      {formatCount(count)} unread
    </Box>
  );
}
