import { refuseField } from '../../contract/errors.ts';
import { mostReportDays } from '../../contract/reports.ts';
import { addDays, daysBetween } from '../../contract/time/local-day.ts';

export interface Range {
  since: string;
  until: string;
}

interface Asked {
  'date-from'?: string | undefined;
  'date-to'?: string | undefined;
}

/** The days of a report, both included; without dates as many as it covers by itself, up to today. */
export function readRange(asked: Asked, today: string, days: number): Range {
  for (const name of ['date-from', 'date-to'] as const) {
    // ISO 8601 has a year 0, PostgreSQL hasn't.
    if (asked[name]?.startsWith('0000')) throw refuseField(name, 'Enter a date');
  }
  const until = asked['date-to'] ?? today;
  const since = asked['date-from'] ?? addDays(until, 1 - days);
  const length = daysBetween(since, until) + 1;
  if (length < 1) throw refuseField('date-to', 'The last day can’t be before the first.');
  if (length > mostReportDays) throw refuseField('date-from', 'Choose at most a year.');
  return { since, until };
}

/** As many days right before them. */
export function rangeBefore({ since, until }: Range): Range {
  const length = daysBetween(since, until) + 1;
  return { since: addDays(since, -length), until: addDays(since, -1) };
}
