import { locale } from './locale.ts';
import { say } from './say.ts';

/** Formats times and counts. Everything takes the time zone and the current time: nothing here reads a clock. */

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating an Intl formatter takes about 50 µs, using one 1 µs, so rows share them. */
function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formatters.set(key, made);
  return made;
}

type Moment = string | number | Date;

/** "4:52 PM" */
export function formatTime(at: Moment, zone: string): string {
  return formatter(zone, { hour: 'numeric', minute: '2-digit' })
    .format(new Date(at))
    .replaceAll('\u202f', ' ');
}

/** "2026-03-10", for comparing days and for date fields. */
export function dayKey(at: Moment, zone: string): string {
  const parts = formatter(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    new Date(at),
  );
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The number of midnights between the two, in the zone: 0 is today, 1 yesterday. */
function daysBetween(at: Moment, now: Moment, zone: string): number {
  return Math.round((Date.parse(dayKey(now, zone)) - Date.parse(dayKey(at, zone))) / 86_400_000);
}

/** "Tue" */
export function formatWeekday(at: Moment, zone: string): string {
  return formatter(zone, { weekday: 'short' }).format(new Date(at));
}

/** "March 10", with the year if it isn't this year. */
export function formatDate(at: Moment, now: Moment, zone: string): string {
  const isSameYear = dayKey(at, zone).slice(0, 4) === dayKey(now, zone).slice(0, 4);
  return formatter(zone, {
    month: 'long',
    day: 'numeric',
    ...(isSameYear ? {} : { year: 'numeric' }),
  }).format(new Date(at));
}

/** "Today", "Yesterday", "Tuesday, March 10". */
export function formatDay(at: Moment, now: Moment, zone: string): string {
  const days = daysBetween(at, now, zone);
  if (days === 0) return say('Today');
  if (days === 1) return say('Yesterday');
  return `${formatter(zone, { weekday: 'long' }).format(new Date(at))}, ${formatDate(at, now, zone)}`;
}

/** "Tuesday, March 10, 2026 at 4:52 PM EDT": the tooltip of a relative time. */
export function formatAbsolute(at: Moment, zone: string): string {
  return formatter(zone, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
    .format(new Date(at))
    .replaceAll('\u202f', ' ');
}

/** Short for narrow rows ("now", "5m", "3h", "Tue", "Mar 2"), long elsewhere ("5 min ago", "Yesterday", "March 2"). */
export function formatRelative(
  at: Moment,
  now: Moment,
  zone: string,
  style: 'short' | 'long' = 'long',
): string {
  const ms = new Date(now).getTime() - new Date(at).getTime();
  const minutes = Math.floor(ms / 60_000);
  const isShort = style === 'short';
  // A clock slightly ahead of ours must not show "in 1 minute".
  if (minutes < 1) return isShort ? say('now') : 'just now';
  if (minutes < 60) return isShort ? `${minutes}m` : `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  const days = daysBetween(at, now, zone);
  if (hours < 24 && (isShort || days === 0)) return isShort ? `${hours}h` : `${hours} h ago`;
  if (days === 1)
    return isShort ? formatter(zone, { weekday: 'short' }).format(new Date(at)) : say('Yesterday');
  if (days < 7) return formatter(zone, { weekday: isShort ? 'short' : 'long' }).format(new Date(at));
  if (!isShort) return formatDate(at, now, zone);
  const isSameYear = dayKey(at, zone).slice(0, 4) === dayKey(now, zone).slice(0, 4);
  return formatter(zone, {
    month: 'short',
    day: 'numeric',
    ...(isSameYear ? {} : { year: 'numeric' }),
  }).format(new Date(at));
}

/** A duration: "under a minute", "3 min", "1 h 20 min", "2 days". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return 'under a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return countOf(days, 'day', 'days');
}

const counts = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);

/** "18,420" */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** "1 credit", "18,420 credits". */
export function countOf(count: number, one: string, many: string): string {
  const form = plurals.select(count);
  if (form === 'one') return `${formatCount(count)} ${one}`;
  // Spanish says "1,000,000 de créditos".
  return form === 'many' ? `${formatCount(count)} de ${many}` : `${formatCount(count)} ${many}`;
}

/** "18.4k": for the 40 px of the rail. */
export function formatCompact(count: number): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
    .format(count)
    .replace('K', 'k');
}

const isEnglish = locale.startsWith('en');
const words = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** "seven", "18": spells out small numbers, in English. */
export function formatSmall(count: number): string {
  return (isEnglish ? words[count] : undefined) ?? formatCount(count);
}

/** "Eastern Time": the common name of a time zone, or its ID. */
export function zoneName(zone: string): string {
  const part = formatter(zone, { timeZoneName: 'longGeneric' })
    .formatToParts(new Date())
    .find((one) => one.type === 'timeZoneName');
  return part?.value ?? zone;
}
