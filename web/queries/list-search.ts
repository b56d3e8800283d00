/**
 * Everything that routes need to parse a list's address, and nothing else. Every page loads this, even sign-in, so it
 * may import neither queries nor the contract.
 */

/** A list's state in the address, without empty and default values. */
export interface ListState {
  page: number;
  pagesize: number;
  sort: string;
  filter: string;
  q: string;
}

/** For a route's validateSearch: keeps well-formed parameters and drops the rest. */
export function readListSearch(search: Record<string, unknown>): Partial<ListState> {
  const state: Partial<ListState> = {};
  const page = wholeNumber(search.page);
  const pagesize = wholeNumber(search.pagesize);
  if (page !== undefined) state.page = page;
  if (pagesize !== undefined) state.pagesize = pagesize;
  for (const name of ['sort', 'filter', 'q'] as const) {
    const value = search[name];
    // The router parses ?q=5550143 as a number. An empty value counts: it overrides the remembered one.
    if (typeof value === 'string' || typeof value === 'number') state[name] = String(value);
  }
  return state;
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 1_000_000 ? number : undefined;
}
