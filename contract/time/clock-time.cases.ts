import { ruleTable } from '../testing/rule-table.ts';
import type { TimeOfDay } from './wall-clock.ts';

export const parseClockTimeCases = ruleTable<string, TimeOfDay | undefined>({
  about: 'Times of day, read',
  file: 'contract/time/clock-time.ts',
  rows: [
    {
      rule: 'Format h:mm A (Ex: 5:00 PM)',
      message: '[field] must follow the format 5:00 AM or 5:00 PM.',
      cases: [
        ['5:00 PM', { Hour: 17, Minute: 0 }],
        ['5:00 AM', { Hour: 5, Minute: 0 }],
        ['9:45 am', { Hour: 9, Minute: 45 }],
        ['12:00 AM', { Hour: 0, Minute: 0 }],
        ['12:59 AM', { Hour: 0, Minute: 59 }],
        ['12:00 PM', { Hour: 12, Minute: 0 }],
        ['11:59 PM', { Hour: 23, Minute: 59 }],
      ],
    },
    {
      rule: 'Default auto-reply hours 08:00 AM to 05:00 PM: a leading zero is read too',
      cases: [
        ['08:00 AM', { Hour: 8, Minute: 0 }],
        ['05:00 PM', { Hour: 17, Minute: 0 }],
      ],
    },
    {
      rule: 'Ours: what people and browsers write for the same time is read too (no space, a thin space, p.m.)',
      cases: [
        ['5:00PM', { Hour: 17, Minute: 0 }],
        ['5:00\u202fPM', { Hour: 17, Minute: 0 }],
        [' 5:00 p.m. ', { Hour: 17, Minute: 0 }],
      ],
    },
    {
      rule: 'Anything else is not a time',
      cases: [
        ['', undefined],
        ['17:00', undefined],
        ['5 PM', undefined],
        ['5:0 PM', undefined],
        ['0:30 AM', undefined],
        ['13:00 PM', undefined],
        ['5:60 PM', undefined],
        ['5:00', undefined],
        ['5:00  PM', undefined],
        ['noon', undefined],
      ],
    },
  ],
});

export const formatClockTimeCases = ruleTable<TimeOfDay, string>({
  about: 'Times of day, written',
  file: 'contract/time/clock-time.ts',
  rows: [
    {
      rule: 'Times are written h:mm A',
      cases: [
        [{ Hour: 0, Minute: 0 }, '12:00 AM'],
        [{ Hour: 9, Minute: 5 }, '9:05 AM'],
        [{ Hour: 12, Minute: 0 }, '12:00 PM'],
        [{ Hour: 21, Minute: 0 }, '9:00 PM'],
        [{ Hour: 23, Minute: 59 }, '11:59 PM'],
      ],
    },
  ],
});

export const windowLengthCases = ruleTable<15 | 30, number[]>({
  about: 'Steps of time pickers',
  file: 'contract/time/time-steps.ts',
  rows: [
    {
      rule: 'Calling-window length options: 15-minute steps up to 120 for one set, 30-minute steps up to 120 for another. Minimum 30.',
      cases: [
        [15, [30, 45, 60, 75, 90, 105, 120]],
        [30, [30, 60, 90, 120]],
      ],
    },
  ],
});
