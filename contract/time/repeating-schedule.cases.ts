import { ruleTable } from '../testing/rule-table.ts';
import type { RepeatingSchedule, ScheduleFrequency } from './repeating-schedule.ts';

const days = (Interval = 1): RepeatingSchedule => ({ Interval, IntervalFrequency: 'days', DaysOfWeek: [] });
const weeks = (DaysOfWeek: string, Interval = 1): RepeatingSchedule => ({
  Interval,
  IntervalFrequency: 'weeks',
  DaysOfWeek: DaysOfWeek === '' ? [] : DaysOfWeek.split(' '),
});
const months = (Interval = 1): RepeatingSchedule => ({
  Interval,
  IntervalFrequency: 'months',
  DaysOfWeek: [],
});
const allFive = 'Monday Tuesday Wednesday Thursday Friday';

export const frequencyCases = ruleTable<RepeatingSchedule, ScheduleFrequency>({
  about: 'Schedule frequency',
  file: 'contract/time/repeating-schedule.ts',
  rows: [
    {
      rule: 'Schedule frequency is derived: daily, weekly, weekdays (all five Monday to Friday), monthly, custom.',
      cases: [
        [days(), 'Daily'],
        [weeks('Tuesday'), 'Weekly'],
        [weeks('Tuesday Thursday'), 'Weekly'],
        [weeks(allFive), 'Weekdays'],
        [weeks('Friday Thursday Wednesday Tuesday Monday'), 'Weekdays'],
        [weeks(`${allFive} Saturday`), 'Weekly'],
        [months(), 'Monthly'],
        [days(2), 'Custom'],
        [weeks(allFive, 2), 'Custom'],
        [months(3), 'Custom'],
      ],
    },
  ],
});

export interface OccurrenceCase {
  schedule: RepeatingSchedule;
  /** Local time in New York. */
  start: string;
  after?: string;
  limit?: number;
}

/** Local times in New York; a time that clocks skip or repeat is marked. */
export const occurrenceCases = ruleTable<OccurrenceCase, string[]>({
  about: 'Next occurrences of a repeating broadcast',
  file: 'contract/time/repeating-schedule.ts',
  rows: [
    {
      rule: 'Repeat every n days, weeks or months from the start on',
      cases: [
        [
          { schedule: days(), start: '2026-11-16T09:00', limit: 3 },
          ['2026-11-16T09:00', '2026-11-17T09:00', '2026-11-18T09:00'],
        ],
        [
          { schedule: days(10), start: '2026-11-16T09:00', after: '2026-11-20T00:00', limit: 2 },
          ['2026-11-26T09:00', '2026-12-06T09:00'],
        ],
        [
          { schedule: weeks('Monday Wednesday'), start: '2026-11-16T09:00', limit: 3 },
          ['2026-11-16T09:00', '2026-11-18T09:00', '2026-11-23T09:00'],
        ],
        [
          { schedule: months(2), start: '2026-11-16T09:00', limit: 3 },
          ['2026-11-16T09:00', '2027-01-16T09:00', '2027-03-16T09:00'],
        ],
      ],
    },
    {
      rule: 'Weekdays: Monday to Friday (2026-11-20 is a Friday)',
      cases: [
        [
          { schedule: weeks(allFive), start: '2026-11-20T09:00', limit: 3 },
          ['2026-11-20T09:00', '2026-11-23T09:00', '2026-11-24T09:00'],
        ],
      ],
    },
    {
      rule: 'Ours: a start on a day that is not chosen is not an occurrence itself',
      cases: [
        [
          { schedule: weeks('Friday'), start: '2026-11-16T09:00', limit: 2 },
          ['2026-11-20T09:00', '2026-11-27T09:00'],
        ],
      ],
    },
    {
      rule: 'Ours: weeks begin on Sunday',
      cases: [
        [
          { schedule: weeks('Sunday Saturday', 2), start: '2026-11-21T09:00', limit: 3 },
          ['2026-11-21T09:00', '2026-11-29T09:00', '2026-12-05T09:00'],
        ],
      ],
    },
    {
      rule: 'Ours: a month without the day has its last day instead, and the next one the day again',
      cases: [
        [
          { schedule: months(), start: '2027-01-31T09:00', limit: 4 },
          ['2027-01-31T09:00', '2027-02-28T09:00', '2027-03-31T09:00', '2027-04-30T09:00'],
        ],
        [
          { schedule: months(12), start: '2024-02-29T09:00', limit: 5 },
          [
            '2024-02-29T09:00',
            '2025-02-28T09:00',
            '2026-02-28T09:00',
            '2027-02-28T09:00',
            '2028-02-29T09:00',
          ],
        ],
      ],
    },
    {
      rule: 'End date: occurrences up to and at it count',
      cases: [
        [
          { schedule: { ...days(), EndDateTime: '2026-11-18T09:00' }, start: '2026-11-16T09:00', limit: 9 },
          ['2026-11-16T09:00', '2026-11-17T09:00', '2026-11-18T09:00'],
        ],
        [
          { schedule: { ...days(), EndDateTime: '2026-11-18T08:59' }, start: '2026-11-16T09:00', limit: 9 },
          ['2026-11-16T09:00', '2026-11-17T09:00'],
        ],
        [
          {
            schedule: { ...days(), EndDateTime: '2026-11-17T14:00:00Z' },
            start: '2026-11-16T09:00',
            limit: 9,
          },
          ['2026-11-16T09:00', '2026-11-17T09:00'],
        ],
        [{ schedule: { ...days(), EndDateTime: 'never' }, start: '2026-11-16T09:00', limit: 9 }, []],
      ],
    },
    {
      rule: 'Skipped and repeated hours at the change of clocks: a skipped time moves on by the hour, a repeated one counts once',
      cases: [
        [
          { schedule: days(), start: '2027-03-13T02:30', limit: 3 },
          ['2027-03-13T02:30', '2027-03-14T03:30 skipped', '2027-03-15T02:30'],
        ],
        [
          { schedule: days(), start: '2027-11-06T01:30', limit: 3 },
          ['2027-11-06T01:30', '2027-11-07T01:30 repeated', '2027-11-08T01:30'],
        ],
        [
          { schedule: days(), start: '2027-03-13T09:00', limit: 3 },
          ['2027-03-13T09:00', '2027-03-14T09:00', '2027-03-15T09:00'],
        ],
      ],
    },
    {
      rule: 'Ours: a schedule without a day, or with an interval that is no whole number, has no occurrences',
      cases: [
        [{ schedule: weeks(''), start: '2026-11-16T09:00', limit: 3 }, []],
        [{ schedule: days(0), start: '2026-11-16T09:00', limit: 3 }, []],
        [{ schedule: days(1.5), start: '2026-11-16T09:00', limit: 3 }, []],
      ],
    },
  ],
});

export const scheduleDescriptionCases = ruleTable<{ schedule: RepeatingSchedule; start: string }, string>({
  about: 'Schedules in words',
  file: 'contract/time/describe-schedule.ts',
  rows: [
    {
      rule: 'ScheduleDescription',
      cases: [
        [{ schedule: days(), start: '2026-11-16T09:00' }, 'Every day at 9:00 AM'],
        [{ schedule: days(3), start: '2026-11-16T21:15' }, 'Every 3 days at 9:15 PM'],
        [
          { schedule: weeks(allFive), start: '2026-11-16T09:00' },
          'Every weekday (Monday to Friday) at 9:00 AM',
        ],
        [
          { schedule: weeks('Wednesday Monday Sunday'), start: '2026-11-16T09:00' },
          'Every week on Monday, Wednesday and Sunday at 9:00 AM',
        ],
        [
          { schedule: weeks('Thursday Friday Saturday', 2), start: '2026-11-16T09:00' },
          'Every 2 weeks on Thursday to Saturday at 9:00 AM',
        ],
        [
          { schedule: weeks(`${allFive} Saturday Sunday`), start: '2026-11-16T09:00' },
          'Every week on all days at 9:00 AM',
        ],
        [{ schedule: months(), start: '2026-11-22T09:00' }, 'Every month on the 22nd at 9:00 AM'],
        [{ schedule: months(6), start: '2026-11-13T00:00' }, 'Every 6 months on the 13th at 12:00 AM'],
        [
          { schedule: months(), start: '2026-12-31T09:00' },
          'Every month on the 31st (or the last day of a shorter month) at 9:00 AM',
        ],
        [
          { schedule: { ...days(), EndDateTime: '2026-11-23T09:00' }, start: '2026-11-16T09:00' },
          'Every day at 9:00 AM, until November 23, 2026',
        ],
        [
          { schedule: { ...days(), EndDateTime: '2026-11-24T02:00:00Z' }, start: '2026-11-16T09:00' },
          'Every day at 9:00 AM, until November 23, 2026',
        ],
      ],
    },
  ],
});

export const scheduleProblemCases = ruleTable<
  { schedule: RepeatingSchedule; start: string },
  string | undefined
>({
  about: 'Repeating schedules, checked',
  file: 'contract/time/repeating-schedule.ts',
  rows: [
    {
      rule: 'Repeat interval: required, min 1',
      message: 'Must be greater than or equal to 1',
      cases: [
        [{ schedule: days(0), start: '2026-11-16T09:00' }, 'Must be greater than or equal to 1'],
        [{ schedule: days(Number.NaN), start: '2026-11-16T09:00' }, 'Must be greater than or equal to 1'],
        [{ schedule: days(1), start: '2026-11-16T09:00' }, undefined],
      ],
    },
    {
      rule: 'Max 100 by default, 52 for weeks, 12 for months',
      message: 'Must be less than or equal to {max}',
      cases: [
        [{ schedule: days(100), start: '2026-11-16T09:00' }, undefined],
        [{ schedule: days(101), start: '2026-11-16T09:00' }, 'Must be less than or equal to 100'],
        [{ schedule: weeks('Monday', 53), start: '2026-11-16T09:00' }, 'Must be less than or equal to 52'],
        [{ schedule: months(13), start: '2026-11-16T09:00' }, 'Must be less than or equal to 12'],
      ],
    },
    {
      rule: 'Weekly repeats need at least one day',
      message: 'Please select at least one day of the week',
      cases: [
        [{ schedule: weeks(''), start: '2026-11-16T09:00' }, 'Please select at least one day of the week'],
        [
          { schedule: weeks('Someday'), start: '2026-11-16T09:00' },
          'Please select at least one day of the week',
        ],
      ],
    },
    {
      rule: 'Ours: an end is not before the start',
      message: 'End Date cannot be earlier than the start',
      cases: [
        [
          { schedule: { ...days(), EndDateTime: '2026-11-16T08:59' }, start: '2026-11-16T09:00' },
          'End Date cannot be earlier than the start',
        ],
        [{ schedule: { ...days(), EndDateTime: '2026-11-16T09:00' }, start: '2026-11-16T09:00' }, undefined],
        [{ schedule: { ...days(), EndDateTime: 'never' }, start: '2026-11-16T09:00' }, 'Enter an End Date'],
      ],
    },
    {
      rule: 'Ours: something falls between the start and the end',
      message: 'No broadcast falls between the start and the end date.',
      cases: [
        [
          { schedule: { ...weeks('Friday'), EndDateTime: '2026-11-18T09:00' }, start: '2026-11-16T09:00' },
          'No broadcast falls between the start and the end date.',
        ],
      ],
    },
  ],
});
