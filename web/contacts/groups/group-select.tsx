import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, Plus } from 'lucide-react';
import { specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import type { Target } from '../list/contacts-actions.ts';
import type { useGroups } from '../list/contacts-queries.ts';
import { GroupMenuButton, NewGroupMenu } from './group-menu.tsx';
import { GroupPicker } from './group-picker.tsx';

interface GroupSelectProps {
  groups: ReturnType<typeof useGroups>;
  list: List | undefined;
}

/** A select for the groups where there is no room for their column. */
export function GroupSelect({ groups, list }: GroupSelectProps) {
  const navigate = useNavigate();
  const picker = useMenu('dialog');
  const newMenu = useMenu();
  const name = list?.ListName ?? say('Groups');
  const choose = (target: Target) => {
    if ('newName' in target) return;
    if (target.ListID === specialGroups.everyone) void navigate({ to: '/contacts', search: {} });
    else void navigate({ to: '/contacts/group/$listId', params: { listId: target.ListID }, search: {} });
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '4px', flexBasis: { xs: '100%', sm: 'auto' } }}>
      <Button
        endIcon={<ChevronDown aria-hidden />}
        {...picker.buttonProps}
        sx={{ flex: { xs: 1, sm: 'none' }, maxWidth: { sm: 220 }, justifyContent: 'flex-start' }}
      >
        <span style={visuallyHidden}>Group: </span>
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {name}
        </Box>
        <Box
          component="span"
          sx={{ flex: 1, textAlign: 'right', typography: 'body2', fontVariantNumeric: 'tabular-nums' }}
        >
          {list && formatCount(list.RosterCount)}
        </Box>
      </Button>
      {list && list.ListID > 0 && <GroupMenuButton list={list} />}
      <IconButton aria-label="New group or segment" {...newMenu.buttonProps}>
        <Plus />
      </IconButton>
      <NewGroupMenu anchor={newMenu.anchorEl} onClose={newMenu.close} />
      <GroupPicker
        anchor={picker.anchorEl}
        label="Choose a group"
        lists={groups.lists}
        onChoose={choose}
        onClose={picker.close}
      />
    </Box>
  );
}
