import { ruleTable } from '../testing/rule-table.ts';
import type { TimeOfDay } from './wall-clock.ts';

const at = (Hour: number, Minute = 0): TimeOfDay => ({ Hour, Minute });

export const allDayCases = ruleTable<[start: TimeOfDay, stop: TimeOfDay], boolean>({
  about: 'All-day calling windows',
  file: 'contract/time/calling-window.ts',
  rows: [
    {
      rule: 'A calling window is all-day when start and stop are 0:00-23:59 or both 0:00',
      cases: [
        [[at(0), at(23, 59)], true],
        [[at(0), at(0)], true],
        [[at(9), at(21)], false],
        [[at(0), at(23)], false],
        [[at(9), at(9)], false],
        [[at(23, 59), at(0)], false],
      ],
    },
  ],
});

export interface WindowCase {
  days: string;
  hours: string;
  /** Local time in New York. */
  at: string;
}

/** Inside, or when it opens next (local time in New York), or never. */
export const callingWindowCases = ruleTable<WindowCase, string>({
  about: 'Calling windows',
  file: 'contract/time/calling-window.ts',
  rows: [
    {
      rule: 'Default calling window 9:00 AM-9:00 PM',
      message: 'Choose a [field] within your Calling Window',
      cases: [
        [
          { days: 'every day', hours: '9:00 AM-9:00 PM', at: '2026-11-16T08:59:59' },
          'opens 2026-11-16T09:00:00',
        ],
        [{ days: 'every day', hours: '9:00 AM-9:00 PM', at: '2026-11-16T09:00:00' }, 'inside'],
        [{ days: 'every day', hours: '9:00 AM-9:00 PM', at: '2026-11-16T20:59:59' }, 'inside'],
        [
          { days: 'every day', hours: '9:00 AM-9:00 PM', at: '2026-11-16T21:00:00' },
          'opens 2026-11-17T09:00:00',
        ],
      ],
    },
    {
      rule: 'Only the chosen calling days count (2026-11-16 is a Monday)',
      cases: [
        [
          { days: 'Monday Friday', hours: '9:00 AM-5:00 PM', at: '2026-11-16T17:00:00' },
          'opens 2026-11-20T09:00:00',
        ],
        [
          { days: 'Monday', hours: '9:00 AM-5:00 PM', at: '2026-11-16T17:00:00' },
          'opens 2026-11-23T09:00:00',
        ],
        [{ days: 'Saturday', hours: '9:00 AM-5:00 PM', at: '2026-11-21T12:00:00' }, 'inside'],
        [{ days: '', hours: '9:00 AM-5:00 PM', at: '2026-11-21T12:00:00' }, 'never'],
      ],
    },
    {
      rule: 'All-day is open to the last second of the day',
      cases: [
        [{ days: 'Monday', hours: '12:00 AM-11:59 PM', at: '2026-11-16T23:59:59' }, 'inside'],
        [{ days: 'Monday', hours: '12:00 AM-12:00 AM', at: '2026-11-16T23:59:59' }, 'inside'],
        [
          { days: 'Monday', hours: '12:00 AM-11:59 PM', at: '2026-11-17T00:00:00' },
          'opens 2026-11-23T00:00:00',
        ],
      ],
    },
    {
      rule: 'Ours: a window whose stop is before its start runs past midnight and belongs to the day it opens on',
      cases: [
        [{ days: 'Monday', hours: '6:00 PM-2:00 AM', at: '2026-11-17T01:59:59' }, 'inside'],
        [
          { days: 'Monday', hours: '6:00 PM-2:00 AM', at: '2026-11-17T02:00:00' },
          'opens 2026-11-23T18:00:00',
        ],
        [
          { days: 'Monday', hours: '6:00 PM-2:00 AM', at: '2026-11-16T01:00:00' },
          'opens 2026-11-16T18:00:00',
        ],
      ],
    },
    {
      rule: 'Ours: a window with equal start and stop never opens, so that nobody is called by mistake',
      cases: [[{ days: 'every day', hours: '9:00 AM-9:00 AM', at: '2026-11-16T09:00:00' }, 'never']],
    },
    {
      rule: 'Ours: clocks that skip the start open the window when they have jumped (2027-03-14, 2:00 to 3:00)',
      cases: [
        [
          { days: 'Sunday', hours: '2:30 AM-4:00 AM', at: '2027-03-14T01:59:59' },
          'opens 2027-03-14T03:00:00',
        ],
        [{ days: 'Sunday', hours: '2:30 AM-4:00 AM', at: '2027-03-14T03:00:00' }, 'inside'],
        [
          { days: 'Saturday', hours: '10:00 PM-2:30 AM', at: '2027-03-14T03:00:00' },
          'opens 2027-03-20T22:00:00',
        ],
        [
          { days: 'Sunday', hours: '2:15 AM-2:45 AM', at: '2027-03-14T01:00:00' },
          'opens 2027-03-21T02:15:00',
        ],
      ],
    },
  ],
});

export const afterClosingCases = ruleTable<
  { days: string; hours: string; ContinueOnNextDay: boolean; closes: string },
  string
>({
  about: 'What is left when the window closes',
  file: 'contract/time/calling-window.ts',
  rows: [
    {
      rule: 'ContinueOnNextDay: calls that are left go on when the window opens next',
      cases: [
        [
          {
            days: 'every day',
            hours: '9:00 AM-9:00 PM',
            ContinueOnNextDay: true,
            closes: '2026-11-16T21:00:00',
          },
          'continues 2026-11-17T09:00:00',
        ],
        [
          {
            days: 'Monday Thursday',
            hours: '9:00 AM-9:00 PM',
            ContinueOnNextDay: true,
            closes: '2026-11-16T21:00:00',
          },
          'continues 2026-11-19T09:00:00',
        ],
      ],
    },
    {
      rule: 'Ours: without it the broadcast ends there',
      cases: [
        [
          {
            days: 'every day',
            hours: '9:00 AM-9:00 PM',
            ContinueOnNextDay: false,
            closes: '2026-11-16T21:00:00',
          },
          'ends',
        ],
      ],
    },
    {
      rule: 'Ours: an all-day window does not close at midnight when the next day is chosen too',
      cases: [
        [
          {
            days: 'every day',
            hours: '12:00 AM-11:59 PM',
            ContinueOnNextDay: false,
            closes: '2026-11-17T00:00:00',
          },
          'continues 2026-11-17T00:00:00',
        ],
        [
          {
            days: 'Monday',
            hours: '12:00 AM-11:59 PM',
            ContinueOnNextDay: false,
            closes: '2026-11-17T00:00:00',
          },
          'ends',
        ],
      ],
    },
  ],
});
