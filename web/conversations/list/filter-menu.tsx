import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import {
  AlarmClock,
  CalendarRange,
  Check,
  Clock,
  Inbox,
  ListFilter,
  type LucideIcon,
  Settings2,
  Tag,
  ThumbsUp,
  UserRound,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { lazy, type RefObject, Suspense, useState } from 'react';
import type { Reply } from '../../../contract/call.ts';
import type { getConversationsSummary } from '../../../contract/conversations.ts';
import { fullName, useCan } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { untilOnline } from '../../ui/until-online.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { useAccountPeople, useTags } from '../account-queries.ts';
import { Picker } from '../actions/picker.tsx';
import { type InboxSearch, isByWait } from '../inbox-address.ts';
import { filtersOf, isOldestFirst } from '../inbox-view.ts';

const DatesDialog = lazy(
  untilOnline(async () => ({ default: (await import('./dates-dialog.tsx')).DatesDialog })),
);

interface FilterMenuProps {
  search: InboxSearch;
  counts: Reply<typeof getConversationsSummary> | undefined;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onChange: (change: Partial<InboxSearch>) => void;
  onManageTags: () => void;
}

type Viewing = NonNullable<InboxSearch['viewing']>;

const viewings: [Viewing | undefined, LucideIcon, string][] = [
  [undefined, Inbox, say('All', 'conversations')],
  ['mine', UserRoundCheck, say('Mine')],
  ['unassigned', UserRoundX, say('Unassigned')],
  ['waiting', Clock, 'Waiting for a reply'],
  ['noanswer', ThumbsUp, 'Need no answer'],
  ['snoozed', AlarmClock, say('Snoozed')],
];

/** Chooses which conversations the list shows, and in what order. */
export function FilterMenu({ search, counts, buttonRef, onChange, onManageTags }: FilterMenuProps) {
  const { choose, buttonProps, menuProps } = useMenu();
  const [picking, setPicking] = useState<'person' | 'tag'>();
  const [isDating, setDating] = useState(false);
  const [wasDating, setWasDating] = useState(false);
  if (isDating && !wasDating) setWasDating(true);
  const canDate = useCan('searchConversationsByDate');
  const active = Object.keys(filtersOf(search)).length;
  const hasWaits = isByWait(search);
  const ofViewing: Partial<Record<Viewing, number | undefined>> = {
    mine: counts?.MineCount,
    unassigned: counts?.UnassignedCount,
    noanswer: counts?.NoAnswerCount,
    snoozed: counts?.SnoozedCount,
  };
  return (
    <>
      <Tooltip title="Filter and sort (f)">
        <IconButton
          ref={buttonRef}
          aria-label={active > 0 ? `Filter and sort, ${active} on` : 'Filter and sort'}
          aria-pressed={active > 0}
          {...buttonProps}
        >
          <ListFilter />
        </IconButton>
      </Tooltip>
      {/* Rendered inside the page, so that its content belongs to a landmark. */}
      <Menu {...menuProps} disablePortal>
        {viewings.map(([viewing, icon, label]) => (
          <Choice
            key={label}
            icon={icon}
            label={label}
            isChosen={search.viewing === viewing}
            count={viewing && ofViewing[viewing]}
            onChoose={choose(() => onChange(changeOfViewing(viewing, search)))}
          />
        ))}
        <Divider component="li" role="separator" />
        <MenuItem onClick={choose(() => setPicking('person'))}>
          <UserRound aria-hidden />
          Assigned to…
        </MenuItem>
        <MenuItem onClick={choose(() => setPicking('tag'))}>
          <Tag aria-hidden />
          With a tag…
        </MenuItem>
        {canDate && (
          <MenuItem onClick={choose(() => setDating(true))}>
            <CalendarRange aria-hidden />
            Between two dates…
          </MenuItem>
        )}
        <Divider component="li" role="separator" />
        <Choice
          label="Newest first"
          isChosen={!isOldestFirst(search)}
          onChoose={choose(() => onChange({ sortby: hasWaits ? 'latest' : undefined }))}
        />
        <Choice
          label={hasWaits ? 'Longest wait first' : 'Oldest first'}
          isChosen={isOldestFirst(search)}
          onChoose={choose(() => onChange({ sortby: hasWaits ? undefined : 'oldest' }))}
        />
        <Divider component="li" role="separator" />
        <MenuItem onClick={choose(onManageTags)}>
          <Settings2 aria-hidden />
          Manage tags…
        </MenuItem>
      </Menu>
      <PersonFilter
        anchor={picking === 'person' ? buttonRef.current : null}
        onChoose={(assignedTo) => onChange({ assignedTo, viewing: besides(search.viewing) })}
        onClose={() => setPicking(undefined)}
      />
      <TagFilter
        anchor={picking === 'tag' ? buttonRef.current : null}
        onChoose={(tag) => onChange({ tag })}
        onClose={() => setPicking(undefined)}
      />
      <Suspense>
        {wasDating && (
          <DatesDialog
            isOpen={isDating}
            from={search['date-from']}
            to={search['date-to']}
            onChoose={(from, to) => onChange({ 'date-from': from, 'date-to': to })}
            onClose={() => setDating(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Filters that only open conversations can match switch to Open. There is one assignee filter at a time. */
function changeOfViewing(viewing: Viewing | undefined, search: InboxSearch): Partial<InboxSearch> {
  const isPlace = viewing === 'waiting' || viewing === 'noanswer' || viewing === 'snoozed';
  if (isPlace) return { viewing, isDone: undefined, unread: undefined, tag: ownTag(search) };
  return { viewing, assignedTo: viewing ? undefined : search.assignedTo };
}

function ownTag({ tag }: InboxSearch): number | undefined {
  return typeof tag === 'number' ? tag : undefined;
}

function besides(viewing: Viewing | undefined): Viewing | undefined {
  return viewing === 'waiting' || viewing === 'noanswer' || viewing === 'snoozed' ? viewing : undefined;
}

interface ChoiceProps {
  icon?: LucideIcon;
  label: string;
  isChosen: boolean;
  count?: number | undefined;
  onChoose: () => void;
}

function Choice({ icon: Icon, label, isChosen, count, onChoose, ...item }: ChoiceProps) {
  return (
    <MenuItem {...item} role="menuitemradio" aria-checked={isChosen} selected={isChosen} onClick={onChoose}>
      {Icon ? <Icon aria-hidden /> : <Box sx={{ width: 16 }} />}
      <Box sx={{ flex: 1, minWidth: 130 }}>{label}</Box>
      {count !== undefined && count > 0 && (
        <Box
          component="span"
          sx={{ typography: 'body2', fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}
        >
          {formatCount(count)}
        </Box>
      )}
      {isChosen && <Check aria-hidden />}
    </MenuItem>
  );
}

interface FilterPickerProps {
  anchor: HTMLElement | null;
  onChoose: (id: number) => void;
  onClose: () => void;
}

function PersonFilter({ anchor, onChoose, onClose }: FilterPickerProps) {
  const { people, failure } = useAccountPeople(anchor !== null);
  return (
    <Picker
      anchor={anchor}
      label="Assigned to"
      placeholder="Find a person"
      nothing={failure ?? 'Nobody with that name'}
      options={people}
      nameOf={(person) => fullName(person) || person.UserName}
      keyOf={({ UserID }) => UserID}
      render={(person) => (
        <>
          <Avatar name={fullName(person)} size={26} src={person.PictureUrl} />
          {fullName(person) || person.UserName}
        </>
      )}
      onChoose={({ UserID }) => onChoose(UserID)}
      onClose={onClose}
    />
  );
}

function TagFilter({ anchor, onChoose, onClose }: FilterPickerProps) {
  const { tags, failure } = useTags(anchor !== null);
  return (
    <Picker
      anchor={anchor}
      label="With a tag"
      placeholder="Find a tag"
      nothing={failure ?? (tags?.length === 0 ? 'No tags yet' : 'No tag with that name')}
      options={tags}
      nameOf={({ TagName }) => TagName}
      keyOf={({ TagID }) => TagID}
      render={({ TagName, Color }) => (
        <>
          <ColorMark of="tag" color={Color} />
          {TagName}
        </>
      )}
      onChoose={({ TagID }) => onChoose(TagID)}
      onClose={onClose}
    />
  );
}
