/** Number of days back, or both ends of days chosen by hand. */
export interface RangeSearch {
  days?: number;
  from?: string;
  to?: string;
}

export const rangeChoices = [7, 30, 90, 365] as const;

const dayMs = 86_400_000;
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^[1-9]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads the range from the address; nonsense is left out. */
export function readRangeSearch(search: Record<string, unknown>): RangeSearch {
  const { from, to } = search;
  if (isDay(from) && isDay(to) && from <= to && (Date.parse(to) - Date.parse(from)) / dayMs < 366)
    return { from, to };
  const days = rangeChoices.find((choice) => choice === Number(search.days));
  return days === undefined ? {} : { days };
}
