import { ruleTable } from '../testing/rule-table.ts';

export const validWindow = {
  CallingWindowDays: ['Monday', 'Tuesday'],
  startTimeText: '9:00 AM',
  stopTimeText: '9:00 PM',
  ContinueOnNextDay: false,
};

/** Each case changes a valid window; the result is the form's errors by field. */
export const callingWindow = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Calling days and window',
  file: 'contract/forms/calling-window.ts',
  rows: [
    {
      rule: 'at least one calling day ("Select at least one Calling Day")',
      message: 'Select at least one Calling Day',
      cases: [
        [{}, {}],
        [{ CallingWindowDays: [] }, { CallingWindowDays: 'Select at least one Calling Day' }],
        [{ CallingWindowDays: null }, { CallingWindowDays: 'Select at least one Calling Day' }],
        [{ CallingWindowDays: ['Funday'] }, { CallingWindowDays: 'Select at least one Calling Day' }],
      ],
    },
    {
      rule: 'start and stop times required ("Enter a Start Time"/"Enter a Stop Time")',
      message: 'Enter a Start Time',
      cases: [
        [{ startTimeText: '' }, { startTimeText: 'Enter a Start Time' }],
        [{ stopTimeText: ' ' }, { stopTimeText: 'Enter a Stop Time' }],
      ],
    },
    {
      rule: 'in format h:mm A ("Start Time must follow the format h:mm A (Ex: 5:00 PM).", likewise Stop Time)',
      message: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).',
      cases: [
        [
          { startTimeText: '9' },
          { startTimeText: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
        [
          { stopTimeText: '21:00' },
          { stopTimeText: 'Stop Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
      ],
    },
    {
      rule: 'all-day when start and stop are 0:00 to 23:59, or both 0:00',
      cases: [
        [{ startTimeText: '12:00 AM', stopTimeText: '11:59 PM' }, {}],
        [{ startTimeText: '12:00 AM', stopTimeText: '12:00 AM' }, {}],
      ],
    },
    {
      rule: 'Ours: a window may run past midnight, but one that stops when it starts never opens',
      message: 'Start Time must be before stop time',
      cases: [
        [{ startTimeText: '9:00 PM', stopTimeText: '9:00 AM' }, {}],
        [
          { startTimeText: '9:00 AM', stopTimeText: '9:00 AM' },
          { startTimeText: 'Start Time must be before stop time' },
        ],
      ],
    },
  ],
});
