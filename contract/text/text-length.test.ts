import { expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { counterLabels, tooLong } from './text-length.cases.ts';
import {
  counterLabel,
  dialogTextTooLong,
  exceedsLength,
  messageTooLong,
  textTooLong,
} from './text-length.ts';

testRuleTable(counterLabels, ({ text, max, suffix }) => counterLabel(text, max, suffix));
testRuleTable(tooLong, ({ text, max, suffix }) => exceedsLength(text, max, suffix));

it('has the messages of the three places that show it', () => {
  expect(messageTooLong(320)).toBe("Your message can't exceed 320 characters.");
  expect(textTooLong()).toBe("Can't exceed max characters.");
  expect(textTooLong(160)).toBe("Can't exceed 160 characters.");
  expect(dialogTextTooLong(160)).toBe("Can't exceed 160 characters");
});
