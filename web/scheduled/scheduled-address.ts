// A file of its own: routes parse addresses before any page loads, even on sign-in.

/** The state of the scheduled list in the address. */
export interface ScheduledSearch {
  /** Sent, canceled and failed texts instead of upcoming ones. */
  ended?: true | undefined;
  textNumberId?: number | undefined;
  q?: string | undefined;
  page?: number | undefined;
}

/** For the route's validateSearch: keeps well-formed parameters and drops the rest. */
export function readScheduledSearch(search: Record<string, unknown>): ScheduledSearch {
  const read: ScheduledSearch = {};
  if (search.ended === true || search.ended === 'true' || search.ended === 1) read.ended = true;
  const textNumberId = readWhole(search.textNumberId, Number.MAX_SAFE_INTEGER);
  if (textNumberId !== undefined) read.textNumberId = textNumberId;
  // The router parses ?q=5550143 as a number.
  const q = typeof search.q === 'number' ? String(search.q) : search.q;
  if (typeof q === 'string' && q.trim() !== '') read.q = q.slice(0, 200);
  const page = readWhole(search.page, 1_000_000);
  if (page !== undefined && page > 1) read.page = page;
  return read;
}

function readWhole(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}
