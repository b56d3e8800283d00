import useMediaQuery from '@mui/material/useMediaQuery';
import { useNavigate } from '@tanstack/react-router';
import {
  Download,
  FolderInput,
  FolderMinus,
  FolderPlus,
  Megaphone,
  Merge,
  MessageSquare,
  Pencil,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { type Contact, contactLimits, specialGroups } from '../../../contract/contacts.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import type { List } from '../../../contract/lists.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCan } from '../../queries/current-user.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { useStartBroadcast } from '../../queries/start-broadcast.ts';
import { say } from '../../ui/say.ts';
import { type BarAction, SelectionBar } from '../../ui/selection-bar.tsx';
import { MergeDialog } from '../duplicates/merge-dialog.tsx';
import { GroupPicker } from '../groups/group-picker.tsx';
import { BulkEditDialog } from './bulk-edit-dialog.tsx';
import { type ExportFormat, useContactActions } from './contacts-actions.ts';
import type { useGroups } from './contacts-queries.ts';
import { isGroup, type selectionQueryOf } from './contacts-view.ts';
import { DeleteForGoodDialog } from './delete-for-good-dialog.tsx';
import { ExportMenu } from './export-menu.tsx';

interface SelectedContactsProps {
  listId: number;
  list: List | undefined;
  groups: ReturnType<typeof useGroups>;
  query: ReturnType<typeof selectionQueryOf>;
  selection: SelectionState<number>;
  rows: readonly Contact[];
  total: number;
  isMore: boolean;
  canSelectAll: boolean;
  onExport: (format: ExportFormat) => void;
}

type OpenPart =
  | { part: 'add' | 'move' | 'export'; anchor: HTMLElement }
  | { part: 'edit' | 'merge' | 'deleteForGood' };

/** The bar over the rows, with the menus and dialogs that its buttons open. */
export function SelectedContacts(props: SelectedContactsProps) {
  const { listId, list, groups, query, selection, rows, total, isMore, canSelectAll, onExport } = props;
  const actions = useContactActions({ listId, query, onDone: selection.clear });
  const navigate = useNavigate();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const mayBroadcast = useCan('createTextBroadcast');
  const broadcast = useStartBroadcast();
  const [open, setOpen] = useState<OpenPart>();
  const canDelete = useCan('deleteFromEveryone');
  const canMerge = useCan('mergeContacts');
  const canCompose = useCan('createConversation');
  const close = () => setOpen(undefined);
  const chosen = selection.selection;
  const anchorOf = (part: 'add' | 'move' | 'export') =>
    open && 'anchor' in open && open.part === part ? open.anchor : null;

  // Merging shows each contact, so there must be few of them, ticked one by one, and all in sight.
  const ticked =
    chosen.Type === 'Selected' ? rows.filter(({ PersonID }) => chosen.Items.includes(PersonID)) : [];
  const isFew = ticked.length >= 2 && ticked.length <= contactLimits.mergedContacts;
  const mergeable = isFew && ticked.length === chosen.Items.length ? ticked : [];

  const exporting: BarAction = {
    label: 'Export',
    icon: Download,
    onPress: (anchor) => setOpen({ part: 'export', anchor }),
  };
  const inDeleted: BarAction[] = [
    { label: 'Restore', icon: RotateCcw, isFirst: true, onPress: () => void actions.restore(chosen) },
    exporting,
    ...(canDelete
      ? [
          {
            label: 'Delete permanently',
            icon: Trash2,
            isDanger: true,
            isFirst: true,
            onPress: () => setOpen({ part: 'deleteForGood' }),
          },
        ]
      : []),
  ];
  const inGroup: BarAction[] =
    list && isGroup(list)
      ? [
          { label: 'Move', icon: FolderInput, onPress: (anchor) => setOpen({ part: 'move', anchor }) },
          {
            label: 'Remove from group',
            icon: FolderMinus,
            onPress: () => void actions.removeFromGroup(chosen, list.ListName),
          },
        ]
      : [];
  // "All but two" is a query for the server and not a list of people, however few they are.
  const canText = chosen.Type === 'Selected' && chosen.Items.length <= limits.conversationRecipients;
  const elsewhere: BarAction[] = [
    ...(mayBroadcast
      ? [
          {
            label: 'Send broadcast',
            icon: Megaphone,
            isFirst: true,
            onPress: () => void broadcast.withContacts({ listId, query, selection: chosen }),
          },
        ]
      : []),
    ...(canCompose
      ? [
          {
            label: say('Text', 'button'),
            icon: MessageSquare,
            ...(canText ? {} : { refusal: composeMessages.tooManyRecipients }),
            onPress: () =>
              void navigate({ to: '/inbox', search: { compose: true, people: chosen.Items.join(',') } }),
          },
        ]
      : []),
    {
      label: 'Add to group',
      icon: FolderPlus,
      // A phone has room for two beside the count.
      isFirst: !(isPhone && mayBroadcast),
      onPress: (anchor) => setOpen({ part: 'add', anchor }),
    },
    ...inGroup,
    { label: 'Edit', icon: Pencil, onPress: () => setOpen({ part: 'edit' }) },
    exporting,
    ...(canMerge && mergeable.length > 0
      ? [{ label: 'Merge', icon: Merge, onPress: () => setOpen({ part: 'merge' }) }]
      : []),
    ...(canDelete
      ? [
          {
            label: 'Delete',
            icon: Trash2,
            isDanger: true,
            isFirst: true,
            onPress: () => void actions.delete(chosen),
          },
        ]
      : []),
  ];
  const targets = groups.targets.filter(({ ListID }) => ListID !== listId);
  return (
    <>
      <SelectionBar
        label="Selected contacts"
        selection={selection}
        total={total}
        isMore={isMore}
        canSelectAll={canSelectAll}
        isBusy={actions.isBusy || broadcast.isStarting}
        actions={listId === specialGroups.deleted ? inDeleted : elsewhere}
      />
      <GroupPicker
        canCreate
        label="Add to group"
        anchor={anchorOf('add')}
        lists={targets}
        onChoose={(target) => void actions.addTo(chosen, target)}
        onClose={close}
      />
      <GroupPicker
        canCreate
        label="Move to group"
        anchor={anchorOf('move')}
        lists={targets}
        onChoose={(target) => void actions.moveTo(chosen, target)}
        onClose={close}
      />
      <ExportMenu anchor={anchorOf('export')} onChoose={onExport} onClose={close} />
      <BulkEditDialog
        isOpen={open?.part === 'edit'}
        count={selection.count}
        isBusy={actions.isBusy}
        onClose={close}
        onSave={(update) => actions.edit(chosen, update)}
      />
      {open?.part === 'merge' && (
        <MergeDialog
          open
          contacts={mergeable}
          onClose={close}
          onMerged={() => {
            close();
            selection.clear();
          }}
        />
      )}
      <DeleteForGoodDialog
        isOpen={open?.part === 'deleteForGood'}
        count={selection.count}
        isBusy={actions.isBusy}
        onClose={close}
        onConfirm={() => {
          close();
          void actions.deleteForGood(chosen);
        }}
      />
    </>
  );
}
