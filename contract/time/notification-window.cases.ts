import { ruleTable } from '../testing/rule-table.ts';

export interface NotificationCase {
  days?: string;
  hours: string;
  PeriodMinutes: number;
  /** Local times in New York. */
  now: string;
  last?: string;
}

export const notificationAllDayCases = ruleTable<{ hours: string; PeriodMinutes: number }, boolean>({
  about: 'All-day notification windows',
  file: 'contract/time/notification-window.ts',
  rows: [
    {
      rule: 'All-day when start equals stop and period is not 1440',
      cases: [
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 15 }, true],
        [{ hours: '12:00 AM-12:00 AM', PeriodMinutes: 60 }, true],
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 1440 }, false],
        [{ hours: '9:00 AM-5:00 PM', PeriodMinutes: 15 }, false],
      ],
    },
  ],
});

/** Expected time of the next notice (local time in New York). */
export const notificationCases = ruleTable<NotificationCase, string | undefined>({
  about: 'Notices of unread texts',
  file: 'contract/time/notification-window.ts',
  rows: [
    {
      rule: 'Window Monday-Sunday 9:00 AM-5:00 PM, every 15 minutes',
      cases: [
        [{ hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T10:00' }, '2026-11-16T10:00'],
        [
          { hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T10:05', last: '2026-11-16T10:00' },
          '2026-11-16T10:15',
        ],
        [
          { hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T16:55', last: '2026-11-16T16:50' },
          '2026-11-17T09:00',
        ],
        [{ hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T07:00' }, '2026-11-16T09:00'],
        [
          { days: 'Monday', hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T18:00' },
          '2026-11-23T09:00',
        ],
        [{ days: '', hours: '9:00 AM-5:00 PM', PeriodMinutes: 15, now: '2026-11-16T18:00' }, undefined],
      ],
    },
    {
      rule: 'All day: at any hour of the chosen days',
      cases: [
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 60, now: '2026-11-16T03:10' }, '2026-11-16T03:10'],
        [
          { days: 'Tuesday', hours: '9:00 AM-9:00 AM', PeriodMinutes: 60, now: '2026-11-16T03:10' },
          '2026-11-17T00:00',
        ],
      ],
    },
    {
      rule: 'Ours: a period of 1440 means once a day, at the start time',
      cases: [
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 1440, now: '2026-11-16T08:00' }, '2026-11-16T09:00'],
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 1440, now: '2026-11-16T09:00' }, '2026-11-16T09:00'],
        [
          {
            hours: '9:00 AM-9:00 AM',
            PeriodMinutes: 1440,
            now: '2026-11-16T09:00',
            last: '2026-11-16T09:00',
          },
          '2026-11-17T09:00',
        ],
        [{ hours: '9:00 AM-5:00 PM', PeriodMinutes: 1440, now: '2026-11-16T10:00' }, '2026-11-17T09:00'],
        [{ hours: '9:00 AM-9:00 AM', PeriodMinutes: 1440, now: '2026-10-31T10:00' }, '2026-11-01T09:00'],
        [{ days: '', hours: '9:00 AM-9:00 AM', PeriodMinutes: 1440, now: '2026-11-16T10:00' }, undefined],
      ],
    },
  ],
});
