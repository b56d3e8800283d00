import { ruleTable } from '../testing/rule-table.ts';

export const validQuietHours = { IsOn: true, Start: '8:00 AM', Stop: '9:00 PM' };

export const quietHours = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Hours of the recipient’s own clock in which broadcasts go out',
  file: 'contract/forms/quiet-hours.ts',
  rows: [
    {
      rule: 'Start time "Enter a Start Time", stop time "Enter a Stop Time". Format h:mm A',
      cases: [
        [{}, {}],
        [{ Start: '' }, { Start: 'Enter a Start Time' }],
        [{ Stop: '' }, { Stop: 'Enter a Stop Time' }],
        [{ Start: '8' }, { Start: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).' }],
        [{ Stop: '21:00' }, { Stop: 'Stop Time must follow the format h:mm A (Ex: 5:00 PM).' }],
      ],
    },
    {
      rule: 'Start before stop',
      message: 'Start Time must be before stop time',
      cases: [
        [{ Start: '9:00 PM' }, { Start: 'Start Time must be before stop time' }],
        [{ Start: '10:00 PM', Stop: '7:00 AM' }, { Start: 'Start Time must be before stop time' }],
      ],
    },
    {
      rule: 'Ours: area codes that reach into zones three hours apart need hours that all of them share',
      message: 'Leave at least 4 hours between Start Time and Stop Time',
      cases: [
        [{ Start: '5:00 PM' }, {}],
        [{ Start: '5:01 PM' }, { Stop: 'Leave at least 4 hours between Start Time and Stop Time' }],
      ],
    },
  ],
});
