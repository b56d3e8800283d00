import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Link } from '@tanstack/react-router';
import {
  ClipboardPaste,
  Ellipsis,
  FileSpreadsheet,
  Megaphone,
  Plug,
  TextCursorInput,
  Upload,
  UserPlus,
  UsersRound,
  Zap,
} from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCan } from '../../queries/current-user.ts';
import { useStartBroadcast } from '../../queries/start-broadcast.ts';
import { KeysDialog } from '../../ui/keys.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { ContactDialog } from '../contact/contact-dialog.tsx';
import { CustomFieldsDialog } from '../fields/custom-fields-dialog.tsx';
import { GroupColumn } from '../groups/group-column.tsx';
import { type OpenDialog, OpenGroupDialog } from '../groups/group-menu.tsx';
import { contactsKeys } from './contacts-keys.ts';
import { ContactsList } from './contacts-list.tsx';
import { useGroups } from './contacts-queries.ts';
import { bookWords, listWords } from './contacts-view.ts';

const GroupDialog = lazy(async () => ({ default: (await import('../groups/group-dialog.tsx')).GroupDialog }));
const QuickSendDialog = lazy(async () => ({
  default: (await import('../../pieces/broadcasts/quick-send-dialog.tsx')).QuickSendDialog,
}));
const SegmentDialog = lazy(async () => ({
  default: (await import('../groups/segment-dialog.tsx')).SegmentDialog,
}));

/** Everybody, or the people of one list: 0 everyone, -1 unfiled, -2 deleted, otherwise a group or segment. */
export function ContactsPage({ listId }: { listId: number }) {
  const groups = useGroups();
  const list = groups.lists.find(({ ListID }) => ListID === listId);
  const hasColumn = useMediaQuery((theme) => theme.breakpoints.up('laptop'), { noSsr: true });
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [isAdding, setAdding] = useState(false);
  const [isKeysShown, setKeysShown] = useState(false);
  const [areFieldsShown, setFieldsShown] = useState(false);
  const groupDialog = useGroupDialog();
  const onAdd = useCallback(() => setAdding(true), []);
  const onShowKeys = useCallback(() => setKeysShown(true), []);
  const isEveryone = listId === specialGroups.everyone;
  const mayBroadcast = useCan('createTextBroadcast');
  const canText = list !== undefined && list.ListID > 0 && list.RosterCount > 0 && mayBroadcast;
  return (
    <OpenGroupDialog value={groupDialog.open}>
      <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        <Box sx={{ flex: 'none', borderBottom: '1px solid', borderColor: 'line.hair' }}>
          <PageHead
            title={isEveryone || !list ? 'Contacts' : list.ListName}
            tabTitle={isEveryone || !list ? say('Contacts') : say(`${list.ListName} · Contacts`)}
            sentence={
              groups.isPending ? (
                <Skeleton component="span" width={180} />
              ) : isEveryone || !list ? (
                // Keeps its height while empty, so that nothing below it moves.
                groups.lists.length > 0 ? (
                  bookWords(groups.lists)
                ) : (
                  '\u00a0'
                )
              ) : (
                listWords(list)
              )
            }
            actions={
              <>
                {!isPhone && <MoreMenu onFields={() => setFieldsShown(true)} />}
                {/* A group has one more action, and a phone has room for two. */}
                {!(isPhone && canText) && <ImportMenu isIconOnly={isPhone || (canText && !hasColumn)} />}
                {canText && (
                  <TextTheGroup
                    list={list}
                    room={isPhone ? 'icon' : hasColumn ? 'both' : 'broadcast'}
                    onQuickSend={groupDialog.open}
                  />
                )}
                <Button
                  variant="contained"
                  color="primary"
                  onClick={onAdd}
                  {...(isPhone
                    ? { 'aria-label': 'Add contact', sx: { width: 36, px: 0, my: '2px' } }
                    : { startIcon: <UserPlus aria-hidden /> })}
                >
                  {isPhone ? <UserPlus size={18} strokeWidth={1.75} aria-hidden /> : 'Add contact'}
                </Button>
              </>
            }
          />
        </Box>
        <Box sx={{ flex: 1, minHeight: 0, display: 'flex' }}>
          {hasColumn && <GroupColumn groups={groups} listId={listId} onShowKeys={onShowKeys} />}
          {/* Ticks, pages and typed text belong to one list. */}
          <ContactsList
            key={listId}
            listId={listId}
            list={list}
            groups={groups}
            hasColumn={hasColumn}
            onAdd={onAdd}
            onShowKeys={onShowKeys}
          />
        </Box>
      </Box>
      <ContactDialog open={isAdding} onClose={() => setAdding(false)} listId={listId} />
      <CustomFieldsDialog open={areFieldsShown} onClose={() => setFieldsShown(false)} />
      <KeysDialog isOpen={isKeysShown} keys={contactsKeys} onClose={() => setKeysShown(false)} />
      <Suspense>
        {groupDialog.dialog?.kind === 'group' && (
          <GroupDialog
            key={groupDialog.times}
            isOpen={groupDialog.isOpen}
            list={groupDialog.dialog.list}
            lists={groups.lists}
            onClose={groupDialog.close}
          />
        )}
        {groupDialog.dialog?.kind === 'segment' && (
          <SegmentDialog
            key={groupDialog.times}
            isOpen={groupDialog.isOpen}
            list={groupDialog.dialog.list}
            lists={groups.lists}
            onClose={groupDialog.close}
          />
        )}
        {groupDialog.dialog?.kind === 'quick' && (
          <QuickSendDialog
            key={groupDialog.times}
            isOpen={groupDialog.isOpen}
            list={groupDialog.dialog.list}
            onClose={groupDialog.close}
          />
        )}
      </Suspense>
    </OpenGroupDialog>
  );
}

/** The dialog keeps its content while it fades out; each opening starts over. */
function useGroupDialog() {
  const [held, setHeld] = useState<{ dialog?: OpenDialog; isOpen: boolean; times: number }>({
    isOpen: false,
    times: 0,
  });
  const open = useCallback(
    (dialog: OpenDialog) => setHeld(({ times }) => ({ dialog, isOpen: true, times: times + 1 })),
    [],
  );
  const close = useCallback(() => setHeld((before) => ({ ...before, isOpen: false })), []);
  return { ...held, open, close };
}

interface TextTheGroupProps {
  list: List;
  /** The actions that there is room for; the group's menu always has both. */
  room: 'both' | 'broadcast' | 'icon';
  onQuickSend: (dialog: OpenDialog) => void;
}

/** Messages to everybody in a group: a broadcast, or if they are few enough, a quick text. */
function TextTheGroup({ list, room, onQuickSend }: TextTheGroupProps) {
  const { isStarting, withLists } = useStartBroadcast();
  const start = () => void withLists([list.ListID]);
  if (room === 'icon')
    return (
      <IconButton aria-label="Send broadcast" disabled={isStarting} onClick={start}>
        <Megaphone />
      </IconButton>
    );
  return (
    <>
      {room === 'both' && list.RosterCount <= limits.conversationRecipients && (
        <Button startIcon={<Zap aria-hidden />} onClick={() => onQuickSend({ kind: 'quick', list })}>
          Quick send
        </Button>
      )}
      <Button startIcon={<Megaphone aria-hidden />} disabled={isStarting} onClick={start}>
        Send broadcast
      </Button>
    </>
  );
}

/** Occasional actions on all contacts. */
function MoreMenu({ onFields }: { onFields: () => void }) {
  const canMerge = useCan('mergeContacts');
  const { close, choose, buttonProps, menuProps } = useMenu();
  return (
    <>
      <IconButton aria-label="More" {...buttonProps} sx={{ width: 36, height: 36 }}>
        <Ellipsis />
      </IconButton>
      <Menu {...menuProps}>
        {canMerge && (
          <MenuItem component={Link} to="/contacts/duplicates" onClick={close}>
            <UsersRound aria-hidden />
            Find duplicates
          </MenuItem>
        )}
        <MenuItem onClick={choose(onFields)}>
          <TextCursorInput aria-hidden />
          Contact fields
        </MenuItem>
      </Menu>
    </>
  );
}

function ImportMenu({ isIconOnly }: { isIconOnly: boolean }) {
  const canConnect = useCan('manageIntegrations');
  const { close, buttonProps, menuProps } = useMenu();
  return (
    <>
      {isIconOnly ? (
        <IconButton aria-label="Import" {...buttonProps}>
          <Upload />
        </IconButton>
      ) : (
        <Button startIcon={<Upload aria-hidden />} {...buttonProps}>
          Import
        </Button>
      )}
      <Menu {...menuProps}>
        <MenuItem component={Link} to="/contacts/import" onClick={close}>
          <FileSpreadsheet aria-hidden />
          <ListItemText primary="From a file" secondary="A spreadsheet or CSV" />
        </MenuItem>
        <MenuItem component={Link} to="/contacts/paste" onClick={close}>
          <ClipboardPaste aria-hidden />
          <ListItemText primary="Paste a list" secondary="Names and numbers in any format" />
        </MenuItem>
        {canConnect && (
          <MenuItem component={Link} to="/automation" onClick={close}>
            <Plug aria-hidden />
            <ListItemText primary="From an integration" secondary="An address book, directory or sheet" />
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
