import { describe, expect, it } from 'vitest';
import { segment, segmentRule } from '../../../contract/lists.ts';
import {
  askable,
  comparisonChoices,
  isComplete,
  ruleAbout,
  subjectChoices,
  subjectOf,
} from './segment-rules.ts';

const fields = [{ FieldID: 12, Name: 'Bus' }];
const subjects = subjectChoices(fields).map(({ value }) => value);

describe('a condition', () => {
  it.each(subjects)('about %s begins as one that the contract accepts', (subject) => {
    const rule = ruleAbout(subject, 7);
    expect(segmentRule.parse(rule)).toEqual(rule);
    expect(subjectOf(rule)).toBe(subject);
    expect(comparisonChoices(rule).map(({ value }) => value)).toContain(rule.Is);
  });
  it.each(subjects)('about %s can be compared with every operator that is offered', (subject) => {
    const rule = ruleAbout(subject, 7);
    for (const { value } of comparisonChoices(rule))
      expect(segmentRule.safeParse({ ...rule, Is: value }).success).toBe(true);
  });
  it('is used only once it is complete', () => {
    const name = ruleAbout('firstname', 0);
    expect(isComplete(name)).toBe(false);
    expect(isComplete({ ...name, Is: 'isempty' } as typeof name)).toBe(true);
    expect(isComplete({ ...name, Value: 'An' } as typeof name)).toBe(true);
    expect(isComplete({ Kind: 'lastcontact', Is: 'within', Days: Number.NaN })).toBe(false);
    expect(isComplete({ Kind: 'lastcontact', Is: 'never', Days: Number.NaN })).toBe(true);
    expect(isComplete({ Kind: 'added', Is: 'within', Days: 0 })).toBe(false);
    expect(isComplete(ruleAbout('group', 0))).toBe(false);
  });
});

describe('a question', () => {
  it('waits for its last condition', () => {
    const whole = segment.parse({ Rules: [ruleAbout('consent', 0)] });
    expect(askable(whole)).toEqual(whole);
    expect(askable({ ...whole, Rules: [...whole.Rules, ruleAbout('notes', 0)] })).toBeUndefined();
    expect(askable({ ...whole, Rules: [] })).toBeUndefined();
  });
});
