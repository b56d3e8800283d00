import type { RefObject } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { useKeys } from '../../ui/keys.tsx';
import type { ActionKind, Targets } from '../actions/conversation-actions.tsx';
import { findNextOpen, stepInList } from '../actions/next-open.ts';
import type { FoundConversation } from '../inbox-queries.ts';
import { searchOfView, tabViews } from '../inbox-view.ts';
import type { ConversationListHandle } from './conversation-list.tsx';
import type { ChangeSearch } from './list-pane.tsx';

interface ListKeysOptions {
  rows: readonly FoundConversation[];
  /** Rows of "Done today": they can be focused and acted on, but not selected. */
  under: readonly Conversation[];
  openId: number | undefined;
  opened: Conversation | undefined;
  listRef: RefObject<ConversationListHandle | null>;
  threadRef: RefObject<HTMLElement | null>;
  selection: SelectionState<number>;
  /** The selection. */
  ticked: () => Targets;
  toggle: (conversationId: number, isRange: boolean) => void;
  onSearch: ChangeSearch;
  onAct: (kind: ActionKind, targets: Targets, anchor: HTMLElement) => void;
  onReply: (conversationId: number) => void;
  /** Shortcuts that don't concern a row. */
  others: Record<string, () => void>;
}

/** The list's shortcuts. They act on the selection, else on the focused row, else on the open conversation. */
export function useListKeys(options: ListKeysOptions): void {
  const { rows: listed, under, openId, opened, listRef, threadRef, selection, ticked, toggle } = options;
  const { onSearch, onAct, onReply, others } = options;
  const rows = [...listed, ...under];
  const aimedId = () => listRef.current?.focusedId() ?? openId;
  const indexOf = (id: number | undefined) => rows.findIndex(({ ConversationID }) => ConversationID === id);

  const move = (by: 1 | -1) => {
    const focusedId = listRef.current?.focusedId();
    const next = stepInList({ listed, under }, { focusedId, openId }, by);
    if (next !== undefined) listRef.current?.focusRow(next);
  };
  const aimed = (): Targets | undefined => {
    const id = aimedId();
    const row = rows[indexOf(id)] ?? (id === openId ? opened : undefined);
    if (!row) return undefined;
    const selected: Targets['selection'] = { Type: 'Selected', Items: [row.ConversationID] };
    return { isTicked: false, selection: selected, rows: [row], count: 1 };
  };
  /** Moves within the row's own list: done rows have done neighbors. */
  const neighbors = (id: number) => {
    const own = listed.some(({ ConversationID }) => ConversationID === id) ? listed : under;
    return findNextOpen(
      own.map(({ ConversationID }) => ({ ConversationID, IsDone: false })),
      id,
      () => false,
    );
  };
  const act = (kind: ActionKind) => {
    const targets = selection.isAny ? ticked() : aimed();
    const [first] = targets?.rows ?? [];
    if (!targets || !first) return;
    const anchor = listRef.current?.rowElement(first.ConversationID) ?? threadRef.current;
    if (!anchor) return;
    // A row that leaves the list takes the focus with it, so focus moves to its neighbor.
    const isLeaving = kind === 'done' || kind === 'reopen' || kind === 'snooze';
    if (isLeaving && !selection.isAny && listRef.current?.focusedId() !== undefined) {
      const { below, above } = neighbors(first.ConversationID);
      const neighbor = below ?? above;
      if (neighbor !== undefined) listRef.current.focusRow(neighbor);
    }
    onAct(kind, targets, anchor);
  };
  const markDone = () => {
    const rowsMeant = (selection.isAny ? ticked() : aimed())?.rows ?? [];
    act(rowsMeant.length > 0 && rowsMeant.every(({ IsDone }) => IsDone) ? 'reopen' : 'done');
  };
  const select = (isRange: boolean) => () => {
    const id = aimedId();
    if (id !== undefined && !under.some(({ ConversationID }) => ConversationID === id)) toggle(id, isRange);
  };
  const views = Object.fromEntries(
    tabViews.map((view, index) => [
      String(index + 1),
      () => onSearch((before) => searchOfView(view, before)),
    ]),
  );
  useKeys({
    ...others,
    ...views,
    j: () => move(1),
    k: () => move(-1),
    e: markDone,
    u: () => act('unread'),
    t: () => act('tags'),
    a: () => act('assign'),
    s: () => act('snooze'),
    m: () => act('move'),
    x: select(false),
    X: select(true),
    '*': selection.selectAll,
    ...(selection.isAny ? { Escape: selection.clear } : {}),
    r: () => {
      // Until the focus has moved, the first row is meant: "w", "r" answers the person who has waited
      // longest.
      const id = aimedId() ?? listed[0]?.ConversationID;
      if (id !== undefined) onReply(id);
    },
  });
}
