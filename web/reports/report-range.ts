import { addDays, daysBetween, localDay } from '../../contract/time/local-day.ts';
import { locale } from '../ui/locale.ts';
import { say } from '../ui/say.ts';
import { type RangeSearch, readRangeSearch } from './range-search.ts';

/**
 * Both ends of the days, included. The address is read again: what a route's `validateSearch` drops is still among what
 * `useSearch` returns.
 */
export function rangeOf(
  search: RangeSearch,
  standard: number,
  at: { now: number; zone: string },
): { from: string; to: string } {
  const { days, from, to } = readRangeSearch({ ...search });
  if (from !== undefined && to !== undefined) return { from, to };
  const today = localDay(at.now, at.zone);
  return { from: addDays(today, 1 - (days ?? standard)), to: today };
}

const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

/** "Feb 9" */
export const shortDay = (day: string) => short.format(Date.parse(`${day}T00:00:00Z`));
/** "Monday, March 2" */
export const longDay = (day: string) => long.format(Date.parse(`${day}T00:00:00Z`));

const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "Mar" and "March 2026", of "2026-03". */
export const shortMonth = (key: string) => month.format(Date.parse(`${key}-01T00:00:00Z`));
export const longMonth = (key: string) => monthAndYear.format(Date.parse(`${key}-01T00:00:00Z`));

/** Under the axis and in full, of "2026-03-02" or "2026-03": long ranges are counted by month. */
export const shortPeriod = (period: string) => (period.length === 7 ? shortMonth(period) : shortDay(period));
export const longPeriod = (period: string) => (period.length === 7 ? longMonth(period) : longDay(period));

/** "Feb 9 to Mar 10, 30 days", with years unless all of them are in this one. */
export function rangeWords({ from, to }: { from: string; to: string }, today: string): string {
  const yearOf = (day: string) => day.slice(0, 4);
  const hasYears = yearOf(from) !== yearOf(today) || yearOf(to) !== yearOf(today);
  const withYear = (day: string, words: string) => (hasYears ? `${words}, ${yearOf(day)}` : words);
  const days = daysBetween(from, to) + 1;
  if (days === 1) return withYear(from, longDay(from));
  const words = (day: string) => withYear(day, shortDay(day));
  return `${words(from)} to ${words(to)}, ${days} days`;
}

/** "up 12%", "down 3%", "as before"; nothing where there was nothing before. */
export function changeWords(now: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return 'about the same as before';
  return percent > 0 ? say(`up ${percent}%`) : say(`down ${-percent}%`);
}
