import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useNavigate } from '@tanstack/react-router';
import {
  AlarmClock,
  ArrowRightLeft,
  Ban,
  type LucideIcon,
  MailOpen,
  MessageSquareText,
  PanelRight,
  StickyNote,
  Tag,
  UserRoundPlus,
} from 'lucide-react';
import { useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { AssignPicker } from '../actions/assign-picker.tsx';
import { MoveDialog } from '../actions/move-dialog.tsx';
import { SnoozeMenu } from '../actions/snooze-menu.tsx';
import { type TagChange, TagPicker } from '../actions/tag-picker.tsx';
import { TagsDialog } from '../actions/tags-dialog.tsx';
import { nameOf } from '../names.ts';
import { useChangeConversation } from './change-conversation.ts';
import { OptInDialog } from './opt-in-dialog.tsx';

export type ThreadTool = 'assign' | 'snooze' | 'tags' | 'more';

/** The open tool and its anchor. */
export interface OpenTool {
  tool: ThreadTool;
  anchor: HTMLElement;
}

interface ThreadToolsProps {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  isOnePane: boolean;
  /** The head has no room for all tools. */
  isNarrow: boolean;
  open: OpenTool | undefined;
  onOpen: (open: OpenTool | undefined) => void;
  onWriteNote: () => void;
  onToggleContact: () => void;
  onBack: () => void;
}

/** The conversation's tools: assign, snooze, tags and the rest. */
export function ThreadTools(props: ThreadToolsProps) {
  const { conversation, numbers, open, onOpen } = props;
  const { change, moveTo, isBusy } = useChangeConversation(conversation);
  const navigate = useNavigate();
  const now = useNow();
  const zone = useTimeZone();
  const [dialog, setDialog] = useState<'move' | 'tags' | 'optIn'>();
  const name = nameOf(conversation);
  const close = () => onOpen(undefined);
  const anchorOf = (tool: ThreadTool) => (open?.tool === tool ? open.anchor : null);

  const snooze = (until: string | null) =>
    void change(
      { SnoozedUntil: until },
      until === null
        ? `${name} is back in the list.`
        : `${name} is snoozed until ${formatDay(until, now, zone)}, ${formatTime(until, zone)}.`,
    );
  const tag = ({ add, remove }: TagChange) => {
    const kept = conversation.Tags.map(({ TagID }) => TagID).filter((id) => !remove.includes(id));
    void change({ TagIDs: [...new Set([...kept, ...add])] }, `Tags updated for ${name}.`);
  };

  return (
    <>
      <AssignPicker
        anchor={anchorOf('assign')}
        textNumberIds={[conversation.TextNumberID]}
        onChoose={(userId, assignee) =>
          void change(
            { AssignedUserID: userId },
            userId === null ? `${name} is no longer assigned.` : `${name} is assigned to ${assignee}.`,
          )
        }
        onClose={close}
      />
      <SnoozeMenu
        anchor={anchorOf('snooze')}
        canUnsnooze={conversation.SnoozedUntil !== null}
        onChoose={snooze}
        onClose={close}
      />
      <TagPicker
        anchor={anchorOf('tags')}
        current={[conversation.Tags]}
        onApply={tag}
        onManage={() => setDialog('tags')}
        onClose={close}
      />
      <MoreMenu {...props} anchor={anchorOf('more')} onDialog={setDialog} onClose={close} />
      <TagsDialog isOpen={dialog === 'tags'} onDeleted={() => {}} onClose={() => setDialog(undefined)} />
      <OptInDialog
        conversation={conversation}
        isOpen={dialog === 'optIn'}
        onClose={() => setDialog(undefined)}
      />
      <MoveDialog
        isOpen={dialog === 'move'}
        count={1}
        fromId={conversation.TextNumberID}
        numbers={numbers}
        isBusy={isBusy}
        onMove={async (textNumberId) => {
          const id = await moveTo(textNumberId);
          if (id === undefined) return false;
          void navigate({ to: '/inbox/$conversationId', params: { conversationId: id }, search: true });
          return true;
        }}
        onClose={() => setDialog(undefined)}
      />
    </>
  );
}

interface MoreMenuProps extends ThreadToolsProps {
  anchor: HTMLElement | null;
  onDialog: (dialog: 'move' | 'optIn') => void;
  onClose: () => void;
}

interface Action {
  icon: LucideIcon;
  label: string;
  act: () => void;
}

function MoreMenu(props: MoreMenuProps) {
  const { conversation, numbers, isOnePane, isNarrow, anchor, onOpen, onDialog, onClose } = props;
  const { change, markUnread } = useChangeConversation(conversation);
  const name = nameOf(conversation);
  const isOut = conversation.OptedOut || conversation.IsAutoOptOut;
  const here = (tool: ThreadTool) => () => {
    if (anchor) onOpen({ tool, anchor });
  };
  // A narrow head has no room for these.
  const folded: Action[] = [
    { icon: UserRoundPlus, label: 'Assign', act: here('assign') },
    { icon: AlarmClock, label: 'Snooze', act: here('snooze') },
    { icon: Tag, label: 'Tags', act: here('tags') },
    ...(isOnePane ? [{ icon: PanelRight, label: 'Contact details', act: props.onToggleContact }] : []),
  ];
  const always: Action[] = [
    { icon: StickyNote, label: 'Write a note', act: props.onWriteNote },
    {
      icon: MailOpen,
      label: 'Mark unread',
      act: () =>
        void markUnread().then((isUnread) => {
          if (isUnread && isOnePane) props.onBack();
        }),
    },
    ...(numbers.length > 1
      ? [{ icon: ArrowRightLeft, label: 'Move to another number', act: () => onDialog('move') }]
      : []),
  ];
  const consent: Action = isOut
    ? { icon: MessageSquareText, label: 'Opt in', act: () => onDialog('optIn') }
    : {
        icon: Ban,
        label: 'Opt out',
        act: () => void change({ IsAutoOptOut: true }, `${name} won’t get any more texts.`),
      };
  const item = ({ icon: Icon, label, act }: Action) => (
    <MenuItem
      key={label}
      onClick={() => {
        onClose();
        act();
      }}
    >
      <Icon aria-hidden />
      {label}
    </MenuItem>
  );
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      {isNarrow && folded.map(item)}
      {isNarrow && <Divider component="li" />}
      {always.map(item)}
      <Divider component="li" />
      {item(consent)}
    </Menu>
  );
}
