import { ruleTable } from '../testing/rule-table.ts';

export const quietHoursCases = ruleTable<{ zones: string[]; at: string }, string | undefined>({
  about: 'Recipient-local quiet hours',
  file: 'contract/time/quiet-hours.ts',
  rows: [
    {
      rule: 'Recipient-local quiet hours: nobody is called or texted before 8:00 AM or from 9:00 PM on, on their own clock (the answer is when one may)',
      cases: [
        [{ zones: ['America/New_York'], at: '2026-11-16T12:59:59Z' }, '2026-11-16T13:00:00Z'],
        [{ zones: ['America/New_York'], at: '2026-11-16T13:00:00Z' }, '2026-11-16T13:00:00Z'],
        [{ zones: ['America/New_York'], at: '2026-11-17T01:59:59Z' }, '2026-11-17T01:59:59Z'],
        [{ zones: ['America/New_York'], at: '2026-11-17T02:00:00Z' }, '2026-11-17T13:00:00Z'],
        [{ zones: ['Pacific/Honolulu'], at: '2026-11-16T13:00:00Z' }, '2026-11-16T18:00:00Z'],
      ],
    },
    {
      rule: 'An area code that spans two zones: the strictest zone wins',
      cases: [
        [
          { zones: ['America/New_York', 'America/Chicago'], at: '2026-11-16T13:30:00Z' },
          '2026-11-16T14:00:00Z',
        ],
        [
          { zones: ['America/New_York', 'America/Chicago'], at: '2026-11-17T02:30:00Z' },
          '2026-11-17T14:00:00Z',
        ],
        [
          { zones: ['America/New_York', 'America/Chicago'], at: '2026-11-17T01:30:00Z' },
          '2026-11-17T01:30:00Z',
        ],
      ],
    },
    {
      rule: 'Ours: the hours follow the clocks when they change',
      cases: [
        [{ zones: ['America/New_York'], at: '2026-10-31T06:00:00Z' }, '2026-10-31T12:00:00Z'],
        [{ zones: ['America/New_York'], at: '2026-11-01T06:00:00Z' }, '2026-11-01T13:00:00Z'],
        [{ zones: ['America/Winnipeg'], at: '2026-12-01T06:00:00Z' }, '2026-12-01T13:00:00Z'],
      ],
    },
    {
      rule: 'Ours: without a common hour, or without a zone, there is no answer',
      cases: [
        [{ zones: [], at: '2026-11-16T13:00:00Z' }, undefined],
        [
          { zones: ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'], at: '2026-11-16T13:00:00Z' },
          undefined,
        ],
      ],
    },
  ],
});

export const recipientZoneCases = ruleTable<string, readonly string[]>({
  about: 'Where a phone’s owner is',
  file: 'contract/time/recipient-time.ts',
  rows: [
    {
      rule: 'From the area code; an area code that spans two zones gives both',
      cases: [
        ['12125550143', ['America/New_York']],
        ['13125550143', ['America/Chicago']],
        ['16025550143', ['America/Phoenix']],
        ['18085550143', ['Pacific/Honolulu']],
      ],
    },
    {
      rule: 'Ours: a number without an area code of its own is taken to be where the account is (here Denver)',
      cases: [
        ['18005550143', ['America/Denver']],
        ['442079460958', ['America/Denver']],
        ['6565550143', ['America/Denver']],
      ],
    },
  ],
});
