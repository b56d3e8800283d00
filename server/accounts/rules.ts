import { changesBetween, type EventChanges } from '../../contract/event-changes.ts';
import { offsetMsAt } from '../../contract/time/zone-offset.ts';

const hourMs = 3_600_000;

/**
 * The specification gives a zone as hours from a fixed one, flags values below -4 or above 2, and lists
 * Hawaii to Atlantic as the US zones: this matches the distance from US Central Standard Time.
 */
const centralStandardHours = -6;

/** A zone in the specification's terms, at an instant. */
export function zoneSetting(timeZone: string, atMs: number) {
  const year = new Date(atMs).getUTCFullYear();
  const january = offsetMsAt(Date.UTC(year, 0, 15), timeZone) / hourMs;
  const july = offsetMsAt(Date.UTC(year, 6, 15), timeZone) / hourMs;
  const standard = Math.min(january, july);
  const decimal = standard - centralStandardHours;
  return {
    // Half hours are sent as hundredths: central Australia is 1550.
    TimeZoneOffset: Number.isInteger(decimal) ? decimal : decimal * 100,
    TimeZoneOffsetDecimal: decimal,
    ObservesDaylightSavings: january !== july,
    DaylightSavings: offsetMsAt(atMs, timeZone) / hourMs !== standard,
  };
}

/** '09:30:00' as the wire's { Hour, Minute }. */
export function timeOfDay(text: string): { Hour: number; Minute: number } {
  const [hour = '0', minute = '0'] = text.split(':');
  return { Hour: Number(hour), Minute: Number(minute) };
}

/** The fields that a change affected: "first_name" is FirstName in the audit trail, as in the API. */
export function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): EventChanges {
  const columns = Object.keys(after);
  const fields = (row: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(columns.map((column) => [fieldOf(column), plain(row[column])]));
  return changesBetween(fields(before), fields(after)) ?? {};
}

/** PostgreSQL returns a time of day with its seconds. */
function plain(value: unknown): unknown {
  const [, hour, minute] = (typeof value === 'string' && /^(\d?\d):(\d\d)(?::00)?$/.exec(value)) || [];
  return hour === undefined ? value : `${Number(hour)}:${minute}`;
}

function fieldOf(column: string): string {
  return column.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
