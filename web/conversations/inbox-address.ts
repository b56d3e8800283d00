// On its own: routes read addresses before any page is loaded, sign-in's too.

/** What the inbox keeps in the address; a conversation's address carries it on. */
export interface InboxSearch {
  isDone?: true | undefined;
  unread?: true | undefined;
  tag?: 'autooptout' | undefined;
  textNumberId?: number | undefined;
  q?: string | undefined;
  sortby?: 'oldest' | undefined;
  compose?: true | undefined;
  /** The phone that a new conversation is begun with. */
  to?: string | undefined;
}

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
  const to = typeof search.to === 'number' ? String(search.to) : search.to;
  if (read.compose && typeof to === 'string' && to.trim() !== '') read.to = to.slice(0, 60);
  return read;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1;
}

/** The id in an address; NaN for what is none, which the route answers with "not found". */
export function readConversationId(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}
