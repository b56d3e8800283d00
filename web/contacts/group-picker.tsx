import Box from '@mui/material/Box';
import { Plus } from 'lucide-react';
import type { List } from '../../contract/lists.ts';
import { limits } from '../../contract/reference/limits.ts';
import { ColourMark } from '../ui/colour-mark.tsx';
import { formatCount } from '../ui/format.ts';
import { PickerPopover } from '../ui/picker-popover.tsx';
import type { Target } from './contacts-actions.ts';

type Option = List | { newName: string };

interface GroupPickerProps {
  anchor: HTMLElement | null;
  /** What is done with the chosen one: "Add to group". */
  label: string;
  /** Undefined until they are there. */
  lists: readonly List[] | undefined;
  /** Offers to make a group of the name that was typed. */
  canCreate?: boolean;
  onChoose: (target: Target) => void;
  onClose: () => void;
}

/** A search box with the groups under it. */
export function GroupPicker({ lists, canCreate = false, ...rest }: GroupPickerProps) {
  return (
    <PickerPopover<Option>
      {...rest}
      placeholder={canCreate ? 'Find or make a group' : 'Find a group'}
      options={lists}
      nameOf={(option) => ('newName' in option ? option.newName : option.ListName)}
      keyOf={(option) => ('newName' in option ? 'new' : option.ListID)}
      {...(canCreate ? { made: (typed: string) => ({ newName: typed.slice(0, limits.groupName) }) } : {})}
      nothing={canCreate ? 'Type a name to make a group' : 'There is no such group'}
      render={(option) => <GroupOption option={option} />}
      foot={
        canCreate && (
          <Box sx={{ px: '10px', pt: '8px', pb: '2px', typography: 'caption', color: 'text.secondary' }}>
            Type a new name to make a group.
          </Box>
        )
      }
    />
  );
}

function GroupOption({ option }: { option: Option }) {
  if ('newName' in option)
    return (
      <>
        <Plus size={16} strokeWidth={1.75} aria-hidden />
        New group “{option.newName}”
      </>
    );
  return (
    <>
      <ColourMark of={option.Segment === null ? 'group' : 'segment'} colour={option.Colour} />
      <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
        {option.ListName}
      </Box>
      <Box
        component="span"
        sx={{ typography: 'body2', fontVariantNumeric: 'tabular-nums', color: 'text.secondary' }}
      >
        {formatCount(option.RosterCount)}
      </Box>
    </>
  );
}
