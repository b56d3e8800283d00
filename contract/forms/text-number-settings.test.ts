import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './text-number-settings.cases.ts';
import { textNumberSettingsForm } from './text-number-settings.ts';

testRuleTable(cases.textNumberSettings, (change) =>
  fieldErrors(textNumberSettingsForm, { ...cases.validSettings, ...change }),
);

it('notifies by e-mail every 15 minutes when nothing else is said', () => {
  const { PeriodMinutes: _, ...rest } = cases.validSettings;
  expect(textNumberSettingsForm.parse(rest)).toMatchObject({ Method: 'Email', PeriodMinutes: 15 });
});
