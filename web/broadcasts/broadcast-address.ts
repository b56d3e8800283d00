// A separate file, because routes read addresses before any page is loaded, even for sign-in.

/** The lists of broadcasts. */
const broadcastTabs = [
  'all',
  'broadcasting',
  'scheduled',
  'completed',
  'drafts',
  'repeating',
  'archived',
] as const;
export type BroadcastTab = (typeof broadcastTabs)[number];

/** The state of the list that is kept in the address. */
export interface BroadcastsSearch {
  tab?: BroadcastTab | undefined;
  q?: string | undefined;
  label?: number | undefined;
  page?: number | undefined;
}

/** For the route's validateSearch: keeps well-formed parts and drops the rest. */
export function readBroadcastsSearch(search: Record<string, unknown>): BroadcastsSearch {
  const read: BroadcastsSearch = {};
  const tab = broadcastTabs.find((name) => name === search.tab);
  if (tab !== undefined && tab !== 'all') read.tab = tab;
  const q = readText(search.q);
  if (q !== undefined) read.q = q;
  const label = readWhole(search.label);
  if (label !== undefined) read.label = label;
  const page = readWhole(search.page);
  if (page !== undefined && page > 1) read.page = page;
  return read;
}

const keys = ['*1', '*2', '*3', '*4', '*5', '*6', '*7', '*8', '*9'] as const;
const answers = ['Yes', 'No', ...keys] as const;
type Answer = (typeof answers)[number];
export type AnswerKey = (typeof keys)[number];

export function isAnswerKey(answer: string): answer is AnswerKey {
  return keys.some((key) => key === answer);
}

/**
 * The state of the results that is kept in the address, besides the tab, which is the last part of the path.
 */
export interface ResultsSearch {
  q?: string | undefined;
  /** For a survey: only people who gave this answer, or pressed this key. */
  answer?: Answer | undefined;
}

export function readResultsSearch(search: Record<string, unknown>): ResultsSearch {
  const read: ResultsSearch = {};
  const q = readText(search.q);
  if (q !== undefined) read.q = q;
  const answer = answers.find((each) => each === search.answer);
  if (answer !== undefined) read.answer = answer;
  return read;
}

/** The state of the reply groups that is kept in the address: the open group. */
export interface GroupsSearch {
  group?: string | undefined;
}

export function readGroupsSearch({ group }: Record<string, unknown>): GroupsSearch {
  return typeof group === 'string' && /^[a-z][\p{L}\p{M}\p{N}:+-]{0,119}$/u.test(group) ? { group } : {};
}

/** The id in an address; NaN for anything else, for which the route shows "not found". */
export function readBroadcastId(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : Number.NaN;
}

/** For routes with a broadcast in their path. */
export const broadcastParams = {
  parse: ({ broadcastId }: { broadcastId: string }) => ({ broadcastId: readBroadcastId(broadcastId) }),
  stringify: ({ broadcastId }: { broadcastId: number }) => ({ broadcastId: String(broadcastId) }),
};

function readWhole(value: unknown): number | undefined {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** The router reads ?q=5550143 as a number. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 200) : undefined;
}
