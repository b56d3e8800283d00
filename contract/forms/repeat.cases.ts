import { ruleTable } from '../testing/rule-table.ts';

export const validRepeat = {
  IntervalFrequency: 'weeks',
  Interval: '1',
  DaysOfWeek: ['Monday'],
  EndDateTime: '',
};

/** A broadcast that starts on 2026-11-16 at 9:00 AM in New York. */
export const repeat = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Repeat form',
  file: 'contract/forms/repeat.ts',
  rows: [
    {
      rule: 'Repeat interval: required, min 1 ("Must be greater than or equal to 1")',
      message: 'Must be greater than or equal to 1',
      cases: [
        [{}, {}],
        [{ Interval: '' }, { Interval: 'Enter an Interval' }],
        [{ Interval: '0' }, { Interval: 'Must be greater than or equal to 1' }],
        [{ Interval: '-1' }, { Interval: 'Must be greater than or equal to 1' }],
        [{ Interval: -3 }, { Interval: 'Must be greater than or equal to 1' }],
        [{ Interval: '−2' }, { Interval: 'Must be greater than or equal to 1' }],
        [{ Interval: '-' }, { Interval: 'Use only numbers' }],
        [{ Interval: 'x' }, { Interval: 'Use only numbers' }],
      ],
    },
    {
      rule: 'Max 100 by default, 52 for weeks, 12 for months ("Must be less than or equal to {max}")',
      message: 'Must be less than or equal to {max}',
      cases: [
        [{ IntervalFrequency: 'days', Interval: '100' }, {}],
        [{ IntervalFrequency: 'days', Interval: '101' }, { Interval: 'Must be less than or equal to 100' }],
        [{ Interval: '52' }, {}],
        [{ Interval: '53' }, { Interval: 'Must be less than or equal to 52' }],
        [{ IntervalFrequency: 'months', Interval: 12 }, {}],
        [{ IntervalFrequency: 'months', Interval: 13 }, { Interval: 'Must be less than or equal to 12' }],
      ],
    },
    {
      rule: 'Weekly repeats need at least one day ("Please select at least one day of the week")',
      message: 'Please select at least one day of the week',
      cases: [
        [{ DaysOfWeek: [] }, { DaysOfWeek: 'Please select at least one day of the week' }],
        [{ DaysOfWeek: null }, { DaysOfWeek: 'Please select at least one day of the week' }],
        [{ IntervalFrequency: 'days', DaysOfWeek: [] }, {}],
      ],
    },
    {
      rule: 'Ours: an end is not before the start',
      message: 'End Date cannot be earlier than the start',
      cases: [
        [{ EndDateTime: '2026-11-23T09:00' }, {}],
        [{ EndDateTime: '2026-11-16T09:00' }, {}],
        [{ EndDateTime: '2026-11-15T09:00' }, { EndDateTime: 'End Date cannot be earlier than the start' }],
        [{ EndDateTime: 'never' }, { EndDateTime: 'Enter an End Date' }],
      ],
    },
  ],
});
