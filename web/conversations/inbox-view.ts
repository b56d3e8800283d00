import type { CallInput } from '../../contract/call.ts';
import type { listConversations } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { inboxTitle as titleOf } from '../../contract/states/conversation-state.ts';
import { say } from '../ui/say.ts';
import { type InboxSearch, isByWait } from './inbox-address.ts';

/** The inbox's views: the four tabs, and three that filter the open conversations. */
export type InboxView = 'open' | 'unread' | 'done' | 'autooptout' | 'waiting' | 'noanswer' | 'snoozed';

export const tabViews = ['open', 'unread', 'done', 'autooptout'] as const satisfies readonly InboxView[];

export type ListQuery = NonNullable<CallInput<typeof listConversations>['query']>;

/** If an address asks for several, the spec's title rules decide. */
export function viewOf(search: InboxSearch): InboxView {
  if (search.isDone) return 'done';
  if (search.tag === 'autooptout') return 'autooptout';
  const { viewing } = search;
  if (viewing === 'waiting' || viewing === 'noanswer' || viewing === 'snoozed') return viewing;
  return search.unread ? 'unread' : 'open';
}

const parts: Record<InboxView, InboxSearch> = {
  open: {},
  unread: { unread: true },
  done: { isDone: true },
  autooptout: { tag: 'autooptout' },
  waiting: { viewing: 'waiting' },
  noanswer: { viewing: 'noanswer' },
  snoozed: { viewing: 'snoozed' },
};

/** Another view with the same filters and search, without those that don't apply there. */
export function searchOfView(view: InboxView, search: InboxSearch): InboxSearch {
  const { isDone: _done, unread: _unread, viewing, tag, compose: _compose, to: _to, ...kept } = search;
  const { textMessageId: _text, people: _people, ...filters } = kept;
  const isCare = viewing === 'mine' || viewing === 'unassigned';
  // The waiting view has an order of its own, which doesn't carry over to other views.
  const { sortby: _sortby, ...unsorted } = filters;
  const isLeft = (viewing === 'waiting') !== (view === 'waiting');
  return {
    ...(isLeft ? unsorted : filters),
    ...(isCare ? { viewing } : {}),
    ...(typeof tag === 'number' ? { tag } : {}),
    ...parts[view],
  };
}

/** Newest first; in a list sorted by the wait, longest wait first. The user may choose the other order. */
export function isOldestFirst(search: InboxSearch): boolean {
  return isByWait(search) ? search.sortby !== 'latest' : search.sortby === 'oldest';
}

/** The filters other than the search and the text number. Each can be removed on its own. */
export function filtersOf(search: InboxSearch): Partial<InboxSearch> {
  const { viewing, assignedTo, tag, broadcastId } = search;
  return {
    ...(viewing ? { viewing } : {}),
    ...(assignedTo ? { assignedTo } : {}),
    ...(typeof tag === 'number' ? { tag } : {}),
    ...(broadcastId ? { broadcastId } : {}),
    ...(search['date-from'] ? { 'date-from': search['date-from'] } : {}),
    ...(search['date-to'] ? { 'date-to': search['date-to'] } : {}),
  };
}

/** Earlier than any text, so a search from here covers everything. */
const FIRST_DAY = '2000-01-01';

/** The list's query. Auto opt-outs appear only in their own tab. */
export function listQueryOf(search: InboxSearch): ListQuery {
  const { textNumberId, broadcastId, assignedTo, viewing, q, searchin, tag } = search;
  const from = search['date-from'] ?? (q && search.further && !search['date-to'] ? FIRST_DAY : undefined);
  return {
    ...placeOf(search),
    ...(viewing ? { viewing } : {}),
    ...(typeof tag === 'number' ? { tag } : {}),
    ...(textNumberId ? { textNumberId } : {}),
    ...(broadcastId ? { broadcastId } : {}),
    ...(assignedTo ? { assignedTo } : {}),
    ...(q ? { q } : {}),
    ...(q && searchin ? { searchin } : {}),
    ...(from ? { 'date-from': from } : {}),
    ...(search['date-to'] ? { 'date-to': search['date-to'] } : {}),
    ...(isOldestFirst(search) ? { sortby: 'oldest' as const } : {}),
  };
}

/**
 * The query that finds a selection. "All" needs the list's filters. Rows selected one by one may have left the list
 * since, so their IDs are enough, unless the change is only for those that are still in it.
 */
export function rangeOf(
  { Type }: SelectionOfIds,
  search: InboxSearch,
  { isOfList = false }: { isOfList?: boolean | undefined } = {},
): ListQuery {
  return Type === 'Selected' && !isOfList ? {} : listQueryOf(search);
}

function placeOf(search: InboxSearch): ListQuery {
  // A custom tag is a tag, so "notags" would contradict it.
  const noOptOuts = typeof search.tag === 'number' ? {} : { notags: true };
  switch (viewOf(search)) {
    case 'done':
      return { isDone: true, ...noOptOuts };
    case 'autooptout':
      return { tag: 'autooptout' };
    case 'unread':
      return { isDone: false, unread: true, ...noOptOuts };
    case 'open':
    case 'waiting':
    case 'noanswer':
    case 'snoozed':
      return { isDone: false, ...noOptOuts };
  }
}

/** "Inbox title rules, in order: Done; Auto Opt-Outs; the broadcast name (fallback Broadcast); the text number …" */
export function inboxTitle(
  search: InboxSearch,
  numbers: readonly TextNumber[],
  broadcastName?: string | undefined,
): string {
  const number = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  if (search.isDone === true) return viewNames.done;
  return titleOf({
    isDone: false,
    isAutoOptOuts: search.tag === 'autooptout',
    ...(search.broadcastId ? { broadcast: { BroadcastName: broadcastName } } : {}),
    ...(number ? { textNumber: { ...number, Name: number.Name.trim() } } : {}),
  });
}

export const viewNames: Record<InboxView, string> = {
  open: say('Open', 'conversations'),
  unread: say('Unread'),
  done: say('Done', 'conversations'),
  autooptout: 'Auto Opt-Outs',
  waiting: say('Waiting'),
  noanswer: 'Need no answer',
  snoozed: say('Snoozed'),
};
