import type { CallInput } from '../../contract/call.ts';
import type { listConversations } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { textNumberName } from './names.ts';

/** The four tabs. */
export type InboxView = 'open' | 'unread' | 'done' | 'autooptout';

/** What the inbox keeps in the address; a conversation's address carries it on. */
export interface InboxSearch {
  isDone?: true | undefined;
  unread?: true | undefined;
  tag?: 'autooptout' | undefined;
  textNumberId?: number | undefined;
  q?: string | undefined;
  sortby?: 'oldest' | undefined;
  compose?: true | undefined;
}

type ListQuery = NonNullable<CallInput<typeof listConversations>['query']>;

/** For the route's validateSearch: takes what is well-formed and drops the rest. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const read: InboxSearch = {};
  if (isTrue(search.isDone)) read.isDone = true;
  if (isTrue(search.unread)) read.unread = true;
  if (String(search.tag).toLowerCase() === 'autooptout') read.tag = 'autooptout';
  const textNumberId = Number(search.textNumberId);
  if (Number.isSafeInteger(textNumberId) && textNumberId > 0) read.textNumberId = textNumberId;
  // The router reads ?q=5550143 as a number.
  const q = typeof search.q === 'number' ? String(search.q) : search.q;
  if (typeof q === 'string' && q.trim() !== '') read.q = q.slice(0, 200);
  if (search.sortby === 'oldest') read.sortby = 'oldest';
  if (isTrue(search.compose)) read.compose = true;
  return read;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1;
}

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

/** The id in an address; NaN for what is none, which the route answers with "not found". */
export function readConversationId(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}
