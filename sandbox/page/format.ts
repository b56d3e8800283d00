export function formatNumber(number: string): string {
  const match = /^1?(\d{3})(\d{3})(\d{4})$/.exec(number);
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : `+${number}`;
}

export function initials(name: string | null): string {
  if (!name) return '#';
  const words = name.trim().split(/\s+/);
  return ((words[0]?.[0] ?? '') + (words[1]?.[0] ?? '')).toUpperCase();
}

const timeOnly = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const dayOnly = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const weekdayAndDay = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
const clockTime = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'longGeneric' });

function dayNumber(date: Date): number {
  return Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);
}

/** "Today 10:31 AM", "Yesterday 4:05 PM", "Mar 10 9:12 AM" */
export function formatStamp(at: string, now: Date): string {
  const date = new Date(at);
  const days = dayNumber(now) - dayNumber(date);
  const day = days === 0 ? 'Today' : days === 1 ? 'Yesterday' : dayOnly.format(date);
  return `${day} ${timeOnly.format(date)}`;
}

/** The time for today, the date for earlier days. */
export function formatShort(at: string, now: Date): string {
  const date = new Date(at);
  return dayNumber(now) === dayNumber(date) ? timeOnly.format(date) : dayOnly.format(date);
}

/** 6:04:02 PM */
export function formatTime(at: string): string {
  return clockTime.format(new Date(at));
}

/** 10:42, as in a phone's status bar. */
export function formatClock(now: Date): string {
  return timeOnly.format(now).replace(/\s?[AP]M$/, '');
}

export function formatDay(now: Date): string {
  return weekdayAndDay.format(now);
}

/** 10:42:18 AM Eastern */
export function formatClockAndZone(now: Date): string {
  const name = zone.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${clockTime.format(now)} ${name.replace(/ (Standard )?Time$/, '').replace(/^GMT(\+00:00)?$/, 'UTC')}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
