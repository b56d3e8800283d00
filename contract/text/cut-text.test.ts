import { testRuleTable } from '../testing/test-rule-table.ts';
import { cutTexts } from './cut-text.cases.ts';
import { cutText } from './cut-text.ts';

testRuleTable(cutTexts, ([text, max]) => cutText(text, max));
