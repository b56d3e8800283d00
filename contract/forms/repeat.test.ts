import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './repeat.cases.ts';
import { repeatForm } from './repeat.ts';

const form = repeatForm({ startMs: Date.parse('2026-11-16T14:00:00Z'), zone: 'America/New_York' });

testRuleTable(cases.repeat, (change) => fieldErrors(form, { ...cases.validRepeat, ...change }));

it('says both at once: too many weeks and no day', () => {
  expect(fieldErrors(form, { ...cases.validRepeat, Interval: '99', DaysOfWeek: [] })).toEqual({
    Interval: 'Must be less than or equal to 52',
    DaysOfWeek: 'Please select at least one day of the week',
  });
});
