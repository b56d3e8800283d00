import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import type { DaySchedules } from '../time/auto-reply-schedule.ts';
import * as cases from './auto-reply.cases.ts';
import { accountAutoReplyForm, autoReplyForm, keywordForm } from './auto-reply.ts';

testRuleTable(cases.autoReply, (change) => fieldErrors(autoReplyForm, { ...cases.validReply, ...change }));
testRuleTable(cases.keyword, (change) => fieldErrors(keywordForm(), { ...cases.validKeyword, ...change }));

it('keeps days without hours as null, as the wire has them', () => {
  const { DaySchedules } = autoReplyForm.parse(cases.validReply);
  expect(DaySchedules.Monday).toEqual({ StartTime: '8:00 AM', StopTime: '5:00 PM' });
  expect(DaySchedules.Sunday).toBeNull();
});

it('has the shape that schedules are read in', () => {
  const { DaySchedules }: { DaySchedules: DaySchedules } = autoReplyForm.parse({ Mode: 'Never' });
  expect(Object.keys(DaySchedules)).toHaveLength(7);
});

it('asks the account for its message when its auto reply is on', () => {
  expect(fieldErrors(accountAutoReplyForm({ isOn: true }), {})).toEqual({
    AutoReplyMessage: 'Enter a Message',
  });
  expect(fieldErrors(accountAutoReplyForm({ isOn: false }), {})).toEqual({});
});
