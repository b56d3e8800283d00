import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { RotateCcw } from 'lucide-react';
import type { GroupedReply, NamedGroup, ReplyGroup } from '../../../contract/reply-groups.ts';
import type { useMenu } from '../../ui/use-menu.ts';

interface MoveMenuProps {
  menu: ReturnType<typeof useMenu>;
  replies: readonly GroupedReply[];
  group: ReplyGroup;
  /** Those with replies first, then those that have none yet. */
  groups: readonly NamedGroup[];
  onMove: (replies: readonly GroupedReply[], to: NamedGroup | null) => void;
}

/** Moves replies by hand: to any other group, or back to the group they were put in at first. */
export function MoveMenu({ menu, replies, group, groups, onMove }: MoveMenuProps) {
  const others = groups.filter(({ GroupKey }) => GroupKey !== group.GroupKey);
  const moved = replies.filter(({ IsMoved }) => IsMoved);
  return (
    <Menu {...menu.menuProps}>
      {others.map((to) => (
        <MenuItem key={to.GroupKey} onClick={menu.choose(() => onMove(replies, to))}>
          {to.Name}
        </MenuItem>
      ))}
      {moved.length > 0 && <Divider component="li" role="separator" />}
      {moved.length > 0 && (
        <MenuItem onClick={menu.choose(() => onMove(moved, null))}>
          <RotateCcw aria-hidden />
          {replies.length === 1 ? 'Put it back' : 'Put them back'}
        </MenuItem>
      )}
    </Menu>
  );
}
