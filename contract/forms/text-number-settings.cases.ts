import { ruleTable } from '../testing/rule-table.ts';

export const validSettings = {
  Name: 'Front office',
  Description: 'Attendance and enrollment',
  Days: ['Monday'],
  startTimeText: '9:00 AM',
  stopTimeText: '5:00 PM',
  PeriodMinutes: 15,
};

export const textNumberSettings = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Text number settings',
  file: 'contract/forms/text-number-settings.ts',
  rows: [
    {
      rule: 'Name max 50, Description max 200',
      cases: [
        [{}, {}],
        [{ Name: '', Description: '' }, {}],
        [{ Name: 'x'.repeat(51) }, { Name: 'Name must be at most 50 characters' }],
        [{ Description: 'x'.repeat(201) }, { Description: 'Description must be at most 200 characters' }],
      ],
    },
    {
      rule: 'at least one notification day ("Select at least one Notification Window Day")',
      message: 'Select at least one Notification Window Day',
      cases: [[{ Days: [] }, { Days: 'Select at least one Notification Window Day' }]],
    },
    {
      rule: 'start before stop',
      message: 'Start Time must be before stop time',
      cases: [
        [{ startTimeText: '6:00 PM' }, { startTimeText: 'Start Time must be before stop time' }],
        [
          { startTimeText: '5:00 PM', PeriodMinutes: 1440 },
          { startTimeText: 'Start Time must be before stop time' },
        ],
      ],
    },
    {
      rule: 'Notification all-day window: start equals stop and period is not 1440',
      cases: [[{ startTimeText: '5:00 PM' }, {}]],
    },
    {
      rule: 'format h:mm A',
      message: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).',
      cases: [
        [
          { startTimeText: '9am' },
          { startTimeText: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
        [
          { stopTimeText: '17:00' },
          { stopTimeText: 'Stop Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
      ],
    },
    {
      rule: 'Ours: the period is a number of minutes up to a day',
      cases: [
        [{ PeriodMinutes: 0 }, { PeriodMinutes: 'Must be greater than or equal to 1' }],
        [{ PeriodMinutes: 1441 }, { PeriodMinutes: 'Must be less than or equal to 1440' }],
        [{ Method: 'Pigeon' }, { Method: 'Select Email or Text' }],
      ],
    },
  ],
});
