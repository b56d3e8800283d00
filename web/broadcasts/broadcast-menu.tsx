import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import {
  Archive,
  ArchiveRestore,
  CircleX,
  Ellipsis,
  type LucideIcon,
  Pause,
  Pencil,
  PhoneOutgoing,
  Play,
  Send,
  Tags,
  Trash2,
} from 'lucide-react';
import type { Broadcast } from '../../contract/broadcasts.ts';
import { placesCalls } from '../../contract/money/units.ts';
import { useCan } from '../queries/current-user.ts';
import { formatCount } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { useMenu } from '../ui/use-menu.ts';
import type { BroadcastActions } from './broadcast-actions.ts';
import type { OpenBroadcastDialog } from './broadcast-dialogs.tsx';
import { whatCanBeDone } from './what-can-be-done.ts';

interface BroadcastMenuProps {
  broadcast: Broadcast;
  actions: BroadcastActions;
  onDialog: OpenBroadcastDialog;
  /** Set where pausing and canceling have buttons of their own. */
  isWithoutControl?: boolean;
  onDeleted?: () => void;
}

interface Item {
  label: string;
  icon: LucideIcon;
  isDanger?: boolean;
  /** A line above it. */
  isNewPart?: boolean;
  onPress: () => void;
}

/** Everything that can be done with a broadcast, in one menu. */
export function BroadcastMenu(props: BroadcastMenuProps) {
  const { broadcast } = props;
  const { choose, buttonProps, menuProps } = useMenu();
  const items = useItems(props);
  if (items.length === 0) return null;
  return (
    <>
      <IconButton
        aria-label={`More actions for ${broadcast.BroadcastName}`}
        disabled={props.actions.isBusy}
        {...buttonProps}
        sx={{ width: 36, height: 36 }}
      >
        <Ellipsis />
      </IconButton>
      <Menu {...menuProps}>
        {items.flatMap(({ label, icon: Icon, isDanger, isNewPart, onPress }) => [
          ...(isNewPart ? [<Divider key={`${label} line`} sx={{ my: '4px !important' }} />] : []),
          <MenuItem key={label} onClick={choose(onPress)} sx={isDanger ? { color: 'error.main' } : {}}>
            <Icon aria-hidden />
            {label}
          </MenuItem>,
        ])}
      </Menu>
    </>
  );
}

function useItems({ broadcast, actions, onDialog, isWithoutControl, onDeleted }: BroadcastMenuProps): Item[] {
  const now = useNow();
  const mayChange = useCan('manageBroadcasts');
  const isCalling = placesCalls(broadcast.BroadcastType);
  const maySend = useCan(isCalling ? 'createVoiceBroadcast' : 'createTextBroadcast');
  const mayCreate = useCan('createBroadcast');
  if (!mayChange) return [];
  const can = whatCanBeDone(broadcast, now);
  const { IsArchived, FailedTextTotal, NotRepliedTotal, BusyNoAnswerTotal } = broadcast;
  const isOver = broadcast.BroadcastStatusCategory === 'Completed' || broadcast.BroadcastStatus === 'Sent';
  const control: Item[] = [
    ...(can.edit && maySend
      ? [{ label: 'Edit', icon: Pencil, onPress: () => onDialog('edit', broadcast) }]
      : []),
    ...(can.pause ? [{ label: 'Pause', icon: Pause, onPress: () => void actions.pause(broadcast) }] : []),
    ...(can.resume && maySend
      ? [{ label: 'Resume', icon: Play, onPress: () => void actions.resume(broadcast) }]
      : []),
    ...(can.cancel ? [{ label: 'Cancel', icon: CircleX, onPress: () => onDialog('cancel', broadcast) }] : []),
  ];
  const again: Item[] = [
    {
      label: isCalling ? 'Call everyone again' : 'Send again to everyone',
      icon: isCalling ? PhoneOutgoing : Send,
      onPress: () => void actions.sendAgain(broadcast, {}),
    },
    ...(isOver && BusyNoAnswerTotal > 0
      ? [
          {
            label: `Call ${formatCount(BusyNoAnswerTotal)} who didn’t answer again`,
            icon: PhoneOutgoing,
            onPress: () => void actions.sendAgain(broadcast, { callresultcategory: 'BusyNoAnswer' }),
          },
        ]
      : []),
    ...(isOver && FailedTextTotal > 0
      ? [
          {
            label: `Send again to ${formatCount(FailedTextTotal)} that failed`,
            icon: Send,
            onPress: () => void actions.sendAgain(broadcast, { textresultcategory: 'Failed' }),
          },
        ]
      : []),
    ...(isOver && NotRepliedTotal > 0
      ? [
          {
            label: `Send again to ${formatCount(NotRepliedTotal)} who didn’t reply`,
            icon: Send,
            onPress: () => void actions.sendAgain(broadcast, { textresultcategory: 'NotReplied' }),
          },
        ]
      : []),
  ];
  const keep: Item[] = [
    { label: 'Labels', icon: Tags, isNewPart: true, onPress: () => onDialog('labels', broadcast) },
    {
      label: IsArchived ? 'Unarchive' : 'Archive',
      icon: IsArchived ? ArchiveRestore : Archive,
      onPress: () => void actions.archive(broadcast, !IsArchived),
    },
    {
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      onPress: async () => {
        if (await actions.delete(broadcast)) onDeleted?.();
      },
    },
  ];
  return [...(isWithoutControl ? [] : control), ...(mayCreate ? again : []), ...keep];
}
