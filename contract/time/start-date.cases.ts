import { ruleTable } from '../testing/rule-table.ts';

/** `now` is 2026-11-15T12:00 in New York; the window, where there is one, is 9:00 AM-9:00 PM every day. */
export const startDateCases = ruleTable<{ startDate: string; checksWindow?: boolean }, string | undefined>({
  about: 'Start date and time of a broadcast',
  file: 'contract/time/start-date.ts',
  rows: [
    {
      rule: 'A start date must be valid and after the current time',
      message: 'Your start date and time cannot be in the past.',
      cases: [
        [{ startDate: '2026-11-15T12:00' }, undefined],
        [{ startDate: '2026-11-15T11:59' }, 'Your start date and time cannot be in the past.'],
        [{ startDate: '2026-11-15T16:59:00Z' }, 'Your start date and time cannot be in the past.'],
        [{ startDate: '2026-11-15T17:30:00Z' }, undefined],
      ],
    },
    {
      rule: 'Server too far (ours: more than 366 days ahead)',
      message: 'Your start date and time is too far in the future.',
      cases: [
        [{ startDate: '2027-11-16T12:00' }, undefined],
        [{ startDate: '2027-11-16T12:01' }, 'Your start date and time is too far in the future.'],
        [{ startDate: '9999-01-01' }, 'Your start date and time is too far in the future.'],
      ],
    },
    {
      rule: 'The first calling time must fall inside the calling window',
      message: 'Choose a Start Time within your Calling Window',
      cases: [
        [
          { startDate: '2026-11-16T08:59', checksWindow: true },
          'Choose a Start Time within your Calling Window',
        ],
        [{ startDate: '2026-11-16T09:00', checksWindow: true }, undefined],
        [{ startDate: '2026-11-16T08:59', checksWindow: false }, undefined],
      ],
    },
    {
      rule: 'Failure',
      message: 'There was an error validating your start date.',
      cases: [
        [{ startDate: 'soon' }, 'There was an error validating your start date.'],
        [{ startDate: '2026-02-30T10:00' }, 'There was an error validating your start date.'],
      ],
    },
  ],
});

interface ServerTimeChange {
  altered: boolean;
  approaching: boolean;
  movedForward: boolean;
  from: string | null;
  to: string | null;
  starts: string;
}

const none = { altered: false, approaching: false, movedForward: false, from: null, to: null };

export const serverTimeChangeCases = ruleTable<string, ServerTimeChange>({
  about: 'Start dates around a change of clocks',
  file: 'contract/time/start-date.ts',
  rows: [
    {
      rule: 'IsAlteredByServerTimeChange and IsMovedForwardByServerTimeChange: clocks skip the time, the start is as much later',
      cases: [
        [
          '2027-03-14T02:30',
          {
            altered: true,
            approaching: false,
            movedForward: true,
            from: '2027-03-14T02:00:00',
            to: '2027-03-14T03:00:00',
            starts: '2027-03-14T07:30:00.000Z',
          },
        ],
      ],
    },
    {
      rule: 'IsAlteredByServerTimeChange: clocks show the time twice, the first time counts',
      cases: [
        [
          '2026-11-01T01:30',
          {
            altered: true,
            approaching: true,
            movedForward: false,
            from: '2026-11-01T01:00:00',
            to: '2026-11-01T02:00:00',
            starts: '2026-11-01T05:30:00.000Z',
          },
        ],
      ],
    },
    {
      rule: 'IsApproachingServerTimeChange: clocks change within a day after the start',
      cases: [
        [
          '2027-03-13T09:00',
          {
            altered: false,
            approaching: true,
            movedForward: false,
            from: '2027-03-14T02:00:00',
            to: '2027-03-14T03:00:00',
            starts: '2027-03-13T14:00:00.000Z',
          },
        ],
        ['2027-03-12T09:00', { ...none, starts: '2027-03-12T14:00:00.000Z' }],
        ['2027-03-14T09:00', { ...none, starts: '2027-03-14T13:00:00.000Z' }],
      ],
    },
  ],
});
