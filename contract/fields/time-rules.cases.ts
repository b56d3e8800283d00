import { ruleTable } from '../testing/rule-table.ts';

export const nowMs = Date.parse('2026-11-15T15:00:00Z');
/** 10:00 AM at that moment. */
export const zone = 'America/New_York';

const format = 'Start Time must follow the format 5:00 AM or 5:00 PM.';
const dialogFormat = 'Start Time must follow the format h:mm A (Ex: 5:00 PM).';

export const timeStrings = ruleTable<string, string | undefined>({
  about: 'timeString(Start Time)',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'timeString: "[field] must follow the format 5:00 AM or 5:00 PM."',
      message: '[field] must follow the format 5:00 AM or 5:00 PM.',
      cases: [
        ['5:00 PM', undefined],
        ['12:30 am', undefined],
        ['', undefined],
        ['17:00', format],
        ['13:00 PM', format],
        ['5:60 PM', format],
        ['5 PM', format],
        ['soon', format],
      ],
    },
  ],
});

export const clockFormats = ruleTable<string, string | undefined>({
  about: 'clockFormat(Start Time)',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'format h:mm A ("Start Time must follow the format h:mm A (Ex: 5:00 PM).")',
      message: dialogFormat,
      cases: [
        ['9:00 AM', undefined],
        ['9', dialogFormat],
      ],
    },
  ],
});

export const startsBeforeStop = ruleTable<[start: string, stop: string], string | undefined>({
  about: 'startTimeBeforeStopTime(Start Time)',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'startTimeBeforeStopTime: "[field] must be before stop time"',
      message: '[field] must be before stop time',
      cases: [
        [['9:00 AM', '5:00 PM'], undefined],
        [['5:00 PM', '9:00 AM'], 'Start Time must be before stop time'],
        [['9:00 AM', '9:00 AM'], 'Start Time must be before stop time'],
        [['12:00 AM', '12:00 PM'], undefined],
        [['soon', '9:00 AM'], undefined],
        [['9:00 AM', ''], undefined],
      ],
    },
  ],
});

export const futureTimes = ruleTable<string, string | undefined>({
  about: 'futureTime(Start Time) at 2026-11-15T15:00:00Z',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'futureTime: "[field] must be in the future."',
      message: '[field] must be in the future.',
      cases: [
        ['2026-11-15T15:00:01Z', undefined],
        ['2026-11-15T15:00:00Z', 'Start Time must be in the future.'],
        ['2026-11-15T14:59:59Z', 'Start Time must be in the future.'],
      ],
    },
  ],
});

const inZone = 'Start Time must be in the future as per your timezone settings';

export const futureTimesInZone = ruleTable<string, string | undefined>({
  about: 'futureTimeInTimeZone(Start Time) at 10:00 AM in New York',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'futureTimeInTimeZone: "... in the future as per your timezone settings"',
      message: '[field] must be in the future as per your timezone settings',
      cases: [
        ['2026-11-15T10:01', undefined],
        ['2026-11-15T10:00', inZone],
        ['2026-11-15T09:59', inZone],
        ['2026-11-15T15:30', undefined],
        ['no date', undefined],
      ],
    },
  ],
});

const outside = 'Choose a Start Time within your Calling Window';

export const callingWindows = ruleTable<string, string | undefined>({
  about: 'Calling window, 9:00 AM to 9:00 PM from Monday to Friday in New York',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'calling window: "Choose a [field] within your Calling Window"',
      message: 'Choose a [field] within your Calling Window',
      cases: [
        ['2026-11-16T14:00:00Z', undefined],
        ['2026-11-16T13:59:59Z', outside],
        ['2026-11-17T01:59:59Z', undefined],
        ['2026-11-17T02:00:00Z', outside],
        ['2026-11-15T15:00:00Z', outside],
      ],
    },
  ],
});

const earlier = 'Your start date and time cannot be earlier than previous step.';

export const dripSteps = ruleTable<[previous: number | undefined, start: number], string | undefined>({
  about: 'Drip step start',
  file: 'contract/fields/time-rules.ts',
  rows: [
    {
      rule: 'drip step start: "Your start date and time cannot be earlier than previous step."; later than the previous step',
      message: earlier,
      cases: [
        [[1000, 1001], undefined],
        [[1000, 1000], earlier],
        [[1000, 999], earlier],
        [[undefined, 999], undefined],
      ],
    },
  ],
});
