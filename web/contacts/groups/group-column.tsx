import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import { createLink } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type LucideIcon, Plus, Trash2, Users, UserX } from 'lucide-react';
import { useRef } from 'react';
import { specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import { ColorMark } from '../../ui/color-mark.tsx';
import { formatCount } from '../../ui/format.ts';
import { KeyStrip } from '../../ui/keys.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { contactsHints } from '../list/contacts-keys.ts';
import type { useGroups } from '../list/contacts-queries.ts';
import { GroupMenuButton, NewGroupMenu } from './group-menu.tsx';

const ROW_HEIGHT = 34;

const icons: Record<number, LucideIcon> = {
  [specialGroups.everyone]: Users,
  [specialGroups.unfiled]: UserX,
  [specialGroups.deleted]: Trash2,
};

const GroupLink = createLink(
  styled('a')({
    flex: 1,
    minWidth: 0,
    display: 'flex',
    alignItems: 'center',
    gap: 10,
    height: '100%',
    padding: '0 10px',
    borderRadius: 8,
    color: 'inherit',
    textDecoration: 'none',
  }),
);

interface GroupColumnProps {
  groups: ReturnType<typeof useGroups>;
  listId: number;
  onShowKeys: () => void;
}

/** Everyone, Unfiled, Deleted; then the groups and segments. There may be two thousand of them. */
export function GroupColumn({ groups, listId, onShowKeys }: GroupColumnProps) {
  const newMenu = useMenu();
  return (
    <Box
      component="nav"
      aria-label="Groups"
      sx={{
        width: 224,
        flex: 'none',
        display: 'flex',
        flexDirection: 'column',
        borderRight: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: '14px 12px 0' }}>
        {groups.isPending
          ? [0, 1, 2].map((row) => (
              <Box component="li" key={row} sx={{ height: ROW_HEIGHT, px: '10px', py: '11px' }}>
                <Skeleton variant="rounded" height={12} width={`${70 - row * 12}%`} />
              </Box>
            ))
          : groups.special.map((list) => (
              <li key={list.ListID}>
                <Row list={list} isCurrent={list.ListID === listId} />
              </li>
            ))}
      </Box>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          height: 36,
          mt: '12px',
          pl: '22px',
          pr: '16px',
          flex: 'none',
          typography: 'body2',
          color: 'text.secondary',
        }}
      >
        <Box component="h2" sx={{ flex: 1, typography: 'body2', fontWeight: 500 }}>
          Groups
        </Box>
        <Tooltip title="New group or segment">
          <IconButton size="small" aria-label="New group or segment" {...newMenu.buttonProps}>
            <Plus />
          </IconButton>
        </Tooltip>
        <NewGroupMenu anchor={newMenu.anchorEl} onClose={newMenu.close} />
      </Box>
      {groups.isPending ? (
        <PendingGroups />
      ) : groups.isError && groups.lists.length === 0 ? (
        <Box sx={{ flex: 1, px: '12px' }}>
          <Notice kind="error">
            There was an error getting your groups.
            <Button size="small" onClick={groups.reload} sx={{ display: 'block', mt: 1 }}>
              Try again
            </Button>
          </Notice>
        </Box>
      ) : (
        <OwnGroups lists={groups.own} listId={listId} />
      )}
      <KeyStrip hints={contactsHints} height={48} onShowAll={onShowKeys} />
    </Box>
  );
}

/** A skeleton with the shape of the rows: a dot, a name and a count. */
function PendingGroups() {
  return (
    <Box
      role="status"
      aria-label="Loading groups"
      sx={{ flex: 1, minHeight: 0, overflow: 'hidden', px: '22px' }}
    >
      {[58, 72, 44, 66, 52, 60, 40, 68].map((width) => (
        <Box key={width} sx={{ height: ROW_HEIGHT, display: 'flex', alignItems: 'center', gap: '14px' }}>
          <Skeleton variant="circular" width={8} height={8} sx={{ ml: '4px', flex: 'none' }} />
          <Box sx={{ flex: 1 }}>
            <Skeleton variant="rounded" height={12} width={`${width}%`} />
          </Box>
          <Skeleton variant="rounded" height={12} width={24} sx={{ flex: 'none' }} />
        </Box>
      ))}
    </Box>
  );
}

function OwnGroups({ lists, listId }: { lists: readonly List[]; listId: number }) {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lists.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (index) => lists[index]?.ListID ?? index,
  });
  if (lists.length === 0)
    return (
      <Box sx={{ flex: 1, px: '22px', py: 1, typography: 'body2', color: 'text.secondary' }}>
        Use groups for people you often text together.
      </Box>
    );
  return (
    <Box ref={scrollerRef} sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain' }}>
      <Box
        component="ul"
        sx={{
          position: 'relative',
          listStyle: 'none',
          m: 0,
          mx: '12px',
          p: 0,
          height: virtual.getTotalSize(),
        }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const list = lists[index];
          if (!list) return null;
          return (
            <Box
              component="li"
              key={key}
              aria-setsize={lists.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
              sx={{ position: 'absolute', inset: '0 0 auto 0' }}
            >
              <Row list={list} isCurrent={list.ListID === listId} />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

function Row({ list, isCurrent }: { list: List; isCurrent: boolean }) {
  const { ListID, ListName, RosterCount, Color, Segment } = list;
  const Icon = icons[ListID];
  return (
    <Box
      sx={{
        position: 'relative',
        height: ROW_HEIGHT,
        display: 'flex',
        alignItems: 'center',
        borderRadius: '8px',
        color: isCurrent ? 'text.primary' : 'text.secondary',
        fontWeight: isCurrent ? 580 : 450,
        bgcolor: isCurrent ? 'surface.selected' : 'transparent',
        '&:hover': { bgcolor: isCurrent ? 'surface.selected' : 'surface.hover' },
        // The menu replaces the count on hover or focus.
        '& .group-menu': { opacity: 0, position: 'absolute', right: 3 },
        '&:hover .group-menu, &:focus-within .group-menu, & .group-menu[aria-expanded="true"]': {
          opacity: 1,
        },
        '&:has(.group-menu):hover .group-count, &:has(.group-menu):focus-within .group-count, &:has(.group-menu[aria-expanded="true"]) .group-count':
          { opacity: 0 },
        '@media (hover: none)': {
          '& .group-menu': { opacity: 1 },
          '& .group-count': { mr: '22px', opacity: '1 !important' },
        },
      }}
    >
      <GroupLink
        {...(ListID === specialGroups.everyone
          ? { to: '/contacts' }
          : { to: '/contacts/group/$listId', params: { listId: ListID } })}
        search={{}}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Box
          component="span"
          sx={{
            width: 16,
            flex: 'none',
            display: 'inline-grid',
            placeItems: 'center',
            color: isCurrent ? 'primary.main' : 'inherit',
          }}
        >
          {Icon ? (
            <Icon size={16} strokeWidth={1.75} aria-hidden />
          ) : (
            <ColorMark of={Segment === null ? 'group' : 'segment'} color={Color} />
          )}
        </Box>
        <Box
          component="span"
          title={ListName}
          sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {ListName}
        </Box>
        <Box
          component="span"
          className="group-count"
          sx={{
            typography: 'body2',
            fontWeight: isCurrent ? 600 : 450,
            fontVariantNumeric: 'tabular-nums',
            color: isCurrent ? 'primary.main' : 'ink.three',
          }}
        >
          {formatCount(RosterCount)}
        </Box>
      </GroupLink>
      {ListID > 0 && <GroupMenuButton list={list} className="group-menu" />}
    </Box>
  );
}
