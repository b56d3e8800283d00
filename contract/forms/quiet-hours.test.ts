import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { quietHours, validQuietHours } from './quiet-hours.cases.ts';
import { quietHoursForm } from './quiet-hours.ts';

testRuleTable(quietHours, (change) => fieldErrors(quietHoursForm, { ...validQuietHours, ...change }));
