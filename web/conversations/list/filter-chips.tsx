import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { fullName, useTimeZone } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { formatDate } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { useAccountPeople, useTags } from '../account-queries.ts';
import { type InboxSearch, isByWait } from '../inbox-address.ts';
import { filtersOf, isOldestFirst } from '../inbox-view.ts';

interface FilterChipsProps {
  search: InboxSearch;
  broadcastName: string | undefined;
  onChange: (change: Partial<InboxSearch>) => void;
}

interface Shown {
  label: string;
  icon?: ReactElement;
  off: Partial<InboxSearch>;
}

const viewingNames = {
  mine: say('Mine'),
  unassigned: say('Unassigned'),
  waiting: 'Waiting for a reply',
  noanswer: 'Need no answer',
  snoozed: say('Snoozed'),
} as const;

/** The active filters, each with a way to remove it. */
export function FilterChips({ search, broadcastName, onChange }: FilterChipsProps) {
  const shown = useShown(search, broadcastName);
  if (shown.length === 0) return null;
  return (
    <Box
      role="group"
      aria-label="Filters"
      sx={{
        flex: 'none',
        display: 'flex',
        flexWrap: 'wrap',
        gap: '6px',
        px: 2,
        py: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'surface.sunken',
      }}
    >
      {shown.map(({ label, icon, off }) => (
        <Chip
          key={label}
          label={label}
          {...(icon ? { icon } : {})}
          onDelete={() => onChange(off)}
          deleteIcon={<X size={14} strokeWidth={2} aria-hidden />}
          // The chip itself takes focus and the Delete key; its small x is for the pointer only.
          onClick={() => onChange(off)}
          aria-label={`Remove filter: ${label}`}
          sx={{
            height: 26,
            maxWidth: '100%',
            '& .MuiChip-icon': { ml: '8px', mr: '-4px' },
            '& .MuiChip-deleteIcon': { color: 'ink.two', ml: 0, mr: '6px' },
          }}
        />
      ))}
    </Box>
  );
}

function useShown(search: InboxSearch, broadcastName: string | undefined): Shown[] {
  const now = useNow();
  const zone = useTimeZone();
  const { viewing, assignedTo, tag, broadcastId, ...dates } = filtersOf(search);
  const person = useAccountPeople(assignedTo !== undefined).people?.find(
    ({ UserID }) => UserID === assignedTo,
  );
  const own = useTags(typeof tag === 'number').tags?.find(({ TagID }) => TagID === tag);
  const shown: Shown[] = [];
  const isLongest = isByWait(search) && isOldestFirst(search);
  if (viewing) {
    const label = isLongest ? 'Waiting longest' : viewingNames[viewing];
    shown.push({ label, off: { viewing: undefined, ...(viewing === 'waiting' && { sortby: undefined }) } });
  }
  if (assignedTo !== undefined) {
    const name = person ? fullName(person) || person.UserName : say('Someone');
    shown.push({
      label: name,
      icon: <Avatar name={name} size={18} src={person?.PictureUrl} />,
      off: { assignedTo: undefined },
    });
  }
  if (typeof tag === 'number') {
    const icon = <ColorMark of="tag" color={own?.Color ?? 0} />;
    shown.push({ label: own?.TagName ?? 'A tag', icon, off: { tag: undefined } });
  }
  if (broadcastId !== undefined)
    shown.push({
      label: `Replies to ${broadcastName ?? 'a broadcast'}`,
      off: { broadcastId: undefined },
    });
  const from = dates['date-from'];
  const to = dates['date-to'];
  if (from || to) {
    const label = daysLabel(from, to, (day) => formatDate(`${day}T12:00:00Z`, now, zone));
    shown.push({ label, off: { 'date-from': undefined, 'date-to': undefined } });
  }
  if (isOldestFirst(search) && !isLongest) shown.push({ label: 'Oldest first', off: { sortby: undefined } });
  return shown;
}

function daysLabel(from: string | undefined, to: string | undefined, shown: (day: string) => string): string {
  if (!from) return `Until ${shown(to ?? '')}`;
  if (!to) return `Since ${shown(from)}`;
  return from === to ? shown(from) : `${shown(from)} to ${shown(to)}`;
}
