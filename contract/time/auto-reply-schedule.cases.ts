import { ruleTable } from '../testing/rule-table.ts';
import type { AutoReplyMode, AutoReplyScheduleType, DaySchedules } from './auto-reply-schedule.ts';

const office = { StartTime: '8:00 AM', StopTime: '5:00 PM' };
const weekdays: DaySchedules = {
  Monday: office,
  Tuesday: office,
  Wednesday: office,
  Thursday: office,
  Friday: office,
};

export const autoReplyModeCases = ruleTable<{ Active: boolean; AutoReplyTypeID: 1 | 2 }, AutoReplyMode>({
  about: 'When an auto reply is on',
  file: 'contract/time/auto-reply-schedule.ts',
  rows: [
    {
      rule: 'Auto reply schedule: Never, Always, Custom. AutoReplyTypeID (1 Always, 2 Custom)',
      cases: [
        [{ Active: true, AutoReplyTypeID: 1 }, 'Always'],
        [{ Active: true, AutoReplyTypeID: 2 }, 'Custom'],
        [{ Active: false, AutoReplyTypeID: 1 }, 'Never'],
        [{ Active: false, AutoReplyTypeID: 2 }, 'Never'],
      ],
    },
  ],
});

export const scheduleTypeCases = ruleTable<DaySchedules, AutoReplyScheduleType>({
  about: 'Schedule type of an auto reply',
  file: 'contract/time/auto-reply-schedule.ts',
  rows: [
    {
      rule: 'Schedule type Weekdays, EveryDay, Custom',
      cases: [
        [weekdays, 'Weekdays'],
        [{ ...weekdays, Saturday: null, Sunday: null }, 'Weekdays'],
        [{ ...weekdays, Monday: { StartTime: '08:00 AM', StopTime: '05:00 PM' } }, 'Weekdays'],
        [{ ...weekdays, Saturday: office, Sunday: office }, 'EveryDay'],
        [{ ...weekdays, Saturday: office }, 'Custom'],
        [{ ...weekdays, Friday: { StartTime: '8:00 AM', StopTime: '1:00 PM' } }, 'Custom'],
        [{}, 'Custom'],
      ],
    },
  ],
});

/** Local times in New York; 2026-11-16 is a Monday. */
export const autoReplyOnCases = ruleTable<{ days: DaySchedules; at: string }, boolean>({
  about: 'Auto reply hours',
  file: 'contract/time/auto-reply-schedule.ts',
  rows: [
    {
      rule: 'DaySchedules per weekday with StartTime and StopTime (or null)',
      cases: [
        [{ days: weekdays, at: '2026-11-16T07:59' }, false],
        [{ days: weekdays, at: '2026-11-16T08:00' }, true],
        [{ days: weekdays, at: '2026-11-16T17:00' }, false],
        [{ days: weekdays, at: '2026-11-21T12:00' }, false],
        [{ days: { Monday: null }, at: '2026-11-16T12:00' }, false],
      ],
    },
    {
      rule: 'Ours: a stop before the start is on the next day; equal times are the whole day',
      cases: [
        [{ days: { Monday: { StartTime: '5:00 PM', StopTime: '8:00 AM' } }, at: '2026-11-17T07:59' }, true],
        [{ days: { Monday: { StartTime: '5:00 PM', StopTime: '8:00 AM' } }, at: '2026-11-16T07:59' }, false],
        [{ days: { Monday: { StartTime: '9:00 AM', StopTime: '9:00 AM' } }, at: '2026-11-16T00:00' }, true],
        [{ days: { Monday: { StartTime: '9:00 AM', StopTime: '9:00 AM' } }, at: '2026-11-17T00:00' }, false],
      ],
    },
    {
      rule: 'Ours: a day whose times can’t be read has no hours',
      cases: [
        [{ days: { Monday: { StartTime: 'morning', StopTime: '5:00 PM' } }, at: '2026-11-16T12:00' }, false],
      ],
    },
  ],
});
