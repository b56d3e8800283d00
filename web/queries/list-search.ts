/**
 * What routes need to read a list's address, and nothing else: what a route reads with is loaded by every page,
 * sign-in too, so it may import neither queries nor the contract.
 */

/** A list's state as it stands in the address. Empty and default values are left out of it. */
export interface ListState {
  page: number;
  pagesize: number;
  sort: string;
  filter: string;
  q: string;
}

/** For a route's validateSearch: takes what is well-formed and drops the rest. */
export function readListSearch(search: Record<string, unknown>): Partial<ListState> {
  const state: Partial<ListState> = {};
  const page = wholeNumber(search.page);
  const pagesize = wholeNumber(search.pagesize);
  if (page !== undefined) state.page = page;
  if (pagesize !== undefined) state.pagesize = pagesize;
  for (const name of ['sort', 'filter', 'q'] as const) {
    const value = search[name];
    // The router reads ?q=5550143 as a number. Empty is a value: it overrules what is remembered.
    if (typeof value === 'string' || typeof value === 'number') state[name] = String(value);
  }
  return state;
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 1_000_000 ? number : undefined;
}
