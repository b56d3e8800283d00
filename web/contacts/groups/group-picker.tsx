import Box from '@mui/material/Box';
import { Plus } from 'lucide-react';
import type { List } from '../../../contract/lists.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { ColorMark } from '../../ui/color-mark.tsx';
import { formatCount } from '../../ui/format.ts';
import { PickerPopover } from '../../ui/picker-popover.tsx';
import { isSameName } from '../../ui/same-name.ts';
import type { Target } from '../list/contacts-actions.ts';

type Option = List | { newName: string };

interface GroupPickerProps {
  anchor: HTMLElement | null;
  /** The action on the chosen group: "Add to group". */
  label: string;
  /** Undefined until they have loaded. */
  lists: readonly List[] | undefined;
  /** Groups that exist but can't be chosen: no second group of that name is created. */
  except?: ReadonlySet<number>;
  /** Offers to create a group with the typed name. */
  canCreate?: boolean;
  onChoose: (target: Target) => void;
  onClose: () => void;
}

/** A search box above the list of groups. */
export function GroupPicker({ lists, except, canCreate = false, ...rest }: GroupPickerProps) {
  const named = (typed: string) => lists?.find(({ ListName }) => isSameName(ListName, typed));
  return (
    <PickerPopover<Option>
      {...rest}
      placeholder={canCreate ? 'Find or create a group' : 'Find a group'}
      options={lists?.filter(({ ListID }) => !except?.has(ListID))}
      nameOf={(option) => ('newName' in option ? option.newName : option.ListName)}
      keyOf={(option) => ('newName' in option ? 'new' : option.ListID)}
      {...(canCreate ? { made: (typed: string) => (named(typed) ? undefined : newGroup(typed)) } : {})}
      nothing={(typed) => {
        const taken = named(typed);
        if (taken) return `Already in ${taken.ListName}`;
        return canCreate ? 'Type a name to create a group' : 'Group not found';
      }}
      render={(option) => <GroupOption option={option} />}
      foot={
        canCreate && (
          <Box sx={{ px: '10px', pt: '8px', pb: '2px', typography: 'caption', color: 'text.secondary' }}>
            Type a name to create a group.
          </Box>
        )
      }
    />
  );
}

const newGroup = (typed: string) => ({ newName: typed.slice(0, limits.groupName) });

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
      <ColorMark of={option.Segment === null ? 'group' : 'segment'} color={option.Color} />
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
