import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  Ellipsis,
  FolderPlus,
  ListFilter,
  Megaphone,
  Pencil,
  SlidersHorizontal,
  Trash2,
  Zap,
} from 'lucide-react';
import { createContext, useContext } from 'react';
import { deleteList, undoContacts } from '../../../contract/addresses/contacts.gen.ts';
import type { List } from '../../../contract/lists.ts';
import { useCall } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { useStartBroadcast } from '../../queries/start-broadcast.ts';
import { useUndo } from '../../queries/undo.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { freshenContacts } from '../list/contacts-queries.ts';

/** The open dialog and its group; without a group it creates a new one. */
export interface OpenDialog {
  kind: 'group' | 'segment' | 'quick';
  list?: List;
}

/** Opens the dialogs, which exist once on the page: the column and the toolbar both open them. */
export const OpenGroupDialog = createContext<(dialog: OpenDialog) => void>(() => {});

export function NewGroupMenu({ anchor, onClose }: { anchor: HTMLElement | null; onClose: () => void }) {
  const openDialog = useContext(OpenGroupDialog);
  const choose = (kind: OpenDialog['kind']) => {
    onClose();
    openDialog({ kind });
  };
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      <MenuItem onClick={() => choose('group')}>
        <FolderPlus aria-hidden />
        <ListItemText primary="New group" secondary="People you choose" />
      </MenuItem>
      <MenuItem onClick={() => choose('segment')}>
        <ListFilter aria-hidden />
        <ListItemText primary="New segment" secondary="People who match conditions" />
      </MenuItem>
    </Menu>
  );
}

/** Text its people, rename, recolor, conditions, delete. */
export function GroupMenuButton({ list, className }: { list: List; className?: string }) {
  const openDialog = useContext(OpenGroupDialog);
  const deleteGroup = useDeleteGroup();
  const mayBroadcast = useCan('createTextBroadcast');
  const { withLists } = useStartBroadcast();
  const { choose, buttonProps, menuProps } = useMenu();
  const isSegment = list.Segment !== null;
  return (
    <>
      <IconButton
        size="small"
        {...(className === undefined ? {} : { className })}
        aria-label={`Options for ${list.ListName}`}
        {...buttonProps}
      >
        <Ellipsis />
      </IconButton>
      <Menu {...menuProps}>
        {mayBroadcast && list.RosterCount > 0 && (
          <MenuItem onClick={choose(() => void withLists([list.ListID]))}>
            <Megaphone aria-hidden />
            Send broadcast
          </MenuItem>
        )}
        {mayBroadcast && list.RosterCount > 0 && (
          <MenuItem onClick={choose(() => openDialog({ kind: 'quick', list }))}>
            <Zap aria-hidden />
            Quick send
          </MenuItem>
        )}
        {mayBroadcast && list.RosterCount > 0 && <Divider sx={{ my: '4px !important' }} />}
        {isSegment ? (
          <MenuItem onClick={choose(() => openDialog({ kind: 'segment', list }))}>
            <SlidersHorizontal aria-hidden />
            Edit segment
          </MenuItem>
        ) : (
          <MenuItem onClick={choose(() => openDialog({ kind: 'group', list }))}>
            <Pencil aria-hidden />
            Name and color
          </MenuItem>
        )}
        <MenuItem onClick={choose(() => void deleteGroup(list))} sx={{ color: 'error.main' }}>
          <Trash2 aria-hidden style={{ color: 'inherit' }} />
          {isSegment ? 'Delete segment' : 'Delete group'}
        </MenuItem>
      </Menu>
    </>
  );
}

/** Deletes a group and offers Undo; its people stay. */
function useDeleteGroup() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const offerUndo = useUndo();
  const { listId } = useParams({ strict: false }) as { listId?: number };
  const { mutateAsync } = useCall(deleteList);
  return async ({ ListID, ListName, Segment }: List) => {
    try {
      const { UndoID } = await mutateAsync({ params: { ListID } });
      // Before the lists are fetched again: its own page would say that there is no such group.
      if (listId === ListID) await navigate({ to: '/contacts', search: {} });
      freshenContacts(client);
      offerUndo({
        message: `${ListName} was deleted. Its people are still in your contacts.`,
        undo: undoContacts,
        undoId: UndoID,
        thing: Segment ? say('segment') : say('group'),
        onUndone: freshenContacts,
      });
    } catch {
      showSnackbar(
        Segment ? 'There was an error deleting your segment.' : 'There was an error deleting your group.',
      );
    }
  };
}
