import type { CallInput } from '../../contract/call.ts';
import type { listConversations } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import type { InboxSearch } from './inbox-address.ts';
import { textNumberName } from './names.ts';

/** The four tabs. */
export type InboxView = 'open' | 'unread' | 'done' | 'autooptout';

type ListQuery = NonNullable<CallInput<typeof listConversations>['query']>;

/** Where an address asks for several at once, the order of the title rules decides. */
export function viewOf(search: InboxSearch): InboxView {
  if (search.isDone) return 'done';
  if (search.tag) return 'autooptout';
  return search.unread ? 'unread' : 'open';
}

const parts: Record<InboxView, InboxSearch> = {
  open: {},
  unread: { unread: true },
  done: { isDone: true },
  autooptout: { tag: 'autooptout' },
};

/** Another tab of the same text number and search. */
export function searchOfView(view: InboxView, { textNumberId, q, sortby }: InboxSearch): InboxSearch {
  return {
    ...parts[view],
    ...(textNumberId ? { textNumberId } : {}),
    ...(q ? { q } : {}),
    ...(sortby ? { sortby } : {}),
  };
}

/** What the list asks the server for. Auto opt-outs stand in their own tab and nowhere else. */
export function listQueryOf(search: InboxSearch): ListQuery {
  const shared = {
    ...(search.textNumberId ? { textNumberId: search.textNumberId } : {}),
    ...(search.q ? { q: search.q } : {}),
    ...(search.sortby ? { sortby: search.sortby } : {}),
  };
  switch (viewOf(search)) {
    case 'done':
      return { isDone: true, notags: true, ...shared };
    case 'autooptout':
      return { tag: 'autooptout', ...shared };
    case 'unread':
      return { isDone: false, unread: true, notags: true, ...shared };
    case 'open':
      return { isDone: false, notags: true, ...shared };
  }
}

/** "Inbox title rules, in order: Done; Auto Opt-Outs; …; the text number name or number; otherwise Inbox." */
export function inboxTitle(search: InboxSearch, numbers: readonly TextNumber[]): string {
  const view = viewOf(search);
  if (view === 'done') return 'Done';
  if (view === 'autooptout') return 'Auto Opt-Outs';
  const number = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  return number ? textNumberName(number) : 'Inbox';
}

export const viewNames: Record<InboxView, string> = {
  open: 'Open',
  unread: 'Unread',
  done: 'Done',
  autooptout: 'Auto Opt-Outs',
};
