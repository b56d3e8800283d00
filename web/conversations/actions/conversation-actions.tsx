import { lazy, Suspense, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { isSelected, type SelectionOfIds } from '../../../contract/selection.ts';
import { say } from '../../ui/say.ts';
import { untilOnline } from '../../ui/until-online.ts';
import type { InboxSearch } from '../inbox-address.ts';
import { nameOf } from '../names.ts';
import { type ConversationChange, useChangeConversations } from './change-conversations.ts';

const ActionMenus = lazy(
  untilOnline(async () => ({ default: (await import('./action-menus.tsx')).ActionMenus })),
);

export type ActionKind = 'done' | 'reopen' | 'unread' | 'tags' | 'assign' | 'snooze' | 'move';

/** The rows that an action applies to: the selected rows, or the one row with the focus. */
export interface Targets {
  isTicked: boolean;
  /** They were chosen for being in this list: those that have left it since stay as they are. */
  isOfList?: boolean;
  selection: SelectionOfIds;
  /** Those that are loaded. */
  rows: readonly Conversation[];
  /** undefined when the total is unknown. */
  count: number | undefined;
}

export interface Asked {
  kind: 'tags' | 'assign' | 'snooze' | 'move';
  anchor: HTMLElement;
  targets: Targets;
}

interface ActionsOptions {
  search: InboxSearch;
  numbers: readonly TextNumber[];
  /** Called after a change that may have removed the rows from the list. */
  onChanged: (kind: ActionKind, targets: Targets) => void;
  /** Called before conversations are marked done. The function it returns runs once they are. */
  openNextAfter: (isLeaving: (conversationId: number) => boolean) => () => Promise<void>;
  onMoved: (conversationId: number) => void;
  onManageTags: () => void;
}

/** Actions on conversations in the list: `act` starts one, `menus` renders what it has to ask. */
export function useConversationActions(options: ActionsOptions) {
  const { search, numbers, onChanged, openNextAfter, onMoved, onManageTags } = options;
  const { change, moveTo, isBusy } = useChangeConversations(search);
  // Kept after the menu closes, because the date is chosen in a dialog that opens later.
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setOpen] = useState(false);

  const changeNow = async (
    kind: ActionKind,
    targets: Targets,
    update: ConversationChange,
    became: string,
  ) => {
    const [only] = targets.rows;
    const name = targets.count === 1 && only ? nameOf(only) : undefined;
    const openNext = kind === 'done' ? openNextAfter((id) => isSelected(targets.selection, id)) : undefined;
    const { selection, isOfList } = targets;
    const isChanged = await change({ selection, isOfList, update, became, name });
    if (isChanged) {
      onChanged(kind, targets);
      void openNext?.();
    }
    return isChanged;
  };
  const act = (kind: ActionKind, targets: Targets, anchor: HTMLElement) => {
    if (kind === 'done') return void changeNow(kind, targets, { IsDone: true }, say('done', 'conversation'));
    if (kind === 'reopen') return void changeNow(kind, targets, { IsDone: false }, 'open again');
    if (kind === 'unread') return void changeNow(kind, targets, { IsUnread: true }, 'unread again');
    setAsked({ kind, anchor, targets });
    setOpen(true);
  };

  const menus = asked && (
    <Suspense>
      <ActionMenus
        asked={asked}
        isOpen={isOpen}
        numbers={numbers}
        isBusy={isBusy}
        onChange={(update, became) => void changeNow(asked.kind, asked.targets, update, became)}
        onMove={async (textNumberId) => {
          const moved = await moveTo(asked.targets.selection, textNumberId);
          if (!moved) return false;
          onChanged('move', asked.targets);
          if (moved.ConversationID !== null) onMoved(moved.ConversationID);
          return true;
        }}
        onManageTags={onManageTags}
        onClose={() => setOpen(false)}
      />
    </Suspense>
  );
  return { act, menus, isBusy };
}
