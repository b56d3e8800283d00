// A file of its own: routes parse addresses before any page loads, even on sign-in.

/** The contract's viewings that have no parameter of their own in the address. */
const viewings = ['waiting', 'noanswer', 'mine', 'unassigned', 'snoozed'] as const;

/** The inbox state in the address. A conversation's address carries it too. */
export interface InboxSearch {
  isDone?: true | undefined;
  unread?: true | undefined;
  viewing?: (typeof viewings)[number] | undefined;
  assignedTo?: number | undefined;
  /** The auto opt-outs, or one of the organization's tags. */
  tag?: 'autooptout' | number | undefined;
  textNumberId?: number | undefined;
  broadcastId?: number | undefined;
  q?: string | undefined;
  searchin?: 'people' | 'texts' | undefined;
  /** The search goes back further than two weeks. */
  further?: true | undefined;
  'date-from'?: string | undefined;
  'date-to'?: string | undefined;
  /**
   * Set where it differs from the view's own order, which is newest first, or longest wait first among those
   * who wait.
   */
  sortby?: 'oldest' | 'latest' | undefined;
  /** The text that the thread opens at, such as a search result. */
  textMessageId?: number | undefined;
  compose?: true | undefined;
  /** The phone that a new conversation starts with. */
  to?: string | undefined;
  /** The contacts that a new conversation starts with, as comma-separated IDs. */
  people?: string | undefined;
}

/** For the route's validateSearch: keeps well-formed parameters and drops the rest. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const read: InboxSearch = {};
  for (const name of ['isDone', 'unread', 'compose'] as const) if (isTrue(search[name])) read[name] = true;
  // The contract's name for it.
  if (search.viewing === 'unread') read.unread = true;
  const viewing = viewings.find((name) => name === search.viewing);
  if (viewing) read.viewing = viewing;
  for (const name of ['textNumberId', 'broadcastId', 'assignedTo', 'textMessageId'] as const) {
    const id = readId(search[name]);
    if (id !== undefined) read[name] = id;
  }
  const tag = String(search.tag).toLowerCase() === 'autooptout' ? 'autooptout' : readId(search.tag);
  if (tag !== undefined) read.tag = tag;
  const q = readText(search.q, 200);
  if (q !== undefined) {
    read.q = q;
    if (search.searchin === 'people' || search.searchin === 'texts') read.searchin = search.searchin;
    if (isTrue(search.further)) read.further = true;
  }
  for (const name of ['date-from', 'date-to'] as const) {
    const day = search[name];
    if (typeof day === 'string' && isDay(day)) read[name] = day;
  }
  if (search.sortby === 'oldest' && !isByWait(read)) read.sortby = 'oldest';
  // Also during a search, so that it is still there when the search is cleared.
  if (search.sortby === 'latest' && viewing === 'waiting') read.sortby = 'latest';
  const to = readText(search.to, 60);
  if (read.compose && to !== undefined) read.to = to;
  const people = readText(search.people, 300);
  if (read.compose && people !== undefined && /^\d{1,15}(,\d{1,15})*$/.test(people)) read.people = people;
  return read;
}

/**
 * True if the list is sorted by how long people have been waiting. A search, a tag's conversations and the replies to
 * a broadcast have orders of their own (server/conversations/list).
 */
export function isByWait({ viewing, q, tag, broadcastId }: InboxSearch): boolean {
  return viewing === 'waiting' && q === undefined && typeof tag !== 'number' && broadcastId === undefined;
}

/** The contacts that a new conversation starts with. */
export function peopleOf({ people }: InboxSearch): number[] {
  return people === undefined ? [] : people.split(',').map(Number);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1;
}

function readId(value: unknown): number | undefined {
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The router parses ?q=5550143 as a number. */
function readText(value: unknown, most: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, most) : undefined;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The ID in an address. Invalid ones become NaN, for which the route shows "not found". */
export function readConversationId(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}
