import { describe, expect, it } from 'vitest';
import type { AutoReply } from '../../contract/auto-replies.ts';
import { sampleAutoReply } from '../../contract/reference/sample-auto-reply.ts';
import {
  bodyOf,
  draftOf,
  draftProblems,
  whenWords,
  withDay,
  withScheduleType,
  withSharedHours,
} from './auto-reply-form.ts';

const office = { StartTime: '8:00 AM', StopTime: '5:00 PM' };
const none = {
  Sunday: null,
  Monday: null,
  Tuesday: null,
  Wednesday: null,
  Thursday: null,
  Friday: null,
  Saturday: null,
};
const weekdays = {
  ...none,
  Monday: office,
  Tuesday: office,
  Wednesday: office,
  Thursday: office,
  Friday: office,
};
const reply: AutoReply = {
  ID: 7,
  Active: true,
  AutoReplyTypeID: 2,
  Message: 'We are closed.',
  Keyword: '',
  DaySchedules: weekdays,
  TextNumberIDs: [3],
};

describe('between what is kept and the dialog', () => {
  it('comes back as it was', () => {
    const { Active, AutoReplyTypeID, Message, DaySchedules, TextNumberIDs } = reply;
    expect(bodyOf(draftOf(reply))).toEqual({ Active, AutoReplyTypeID, Message, DaySchedules, TextNumberIDs });
    expect(draftOf(reply)).toMatchObject({ Mode: 'Custom', scheduleType: 'Weekdays' });
  });
  it('Never is off, and keeps what it was', () => {
    const off = bodyOf({ ...draftOf(reply), Mode: 'Never' });
    expect(off).toMatchObject({ Active: false, AutoReplyTypeID: 2, DaySchedules: weekdays });
    expect(draftOf({ ...reply, Active: false }).Mode).toBe('Never');
  });
  it('Always is type 1', () => {
    expect(bodyOf({ ...draftOf(reply), Mode: 'Always' })).toMatchObject({ Active: true, AutoReplyTypeID: 1 });
  });
});

describe('the week', () => {
  it('every day takes over the hours, and new hours go to all its days', () => {
    const everyDay = withScheduleType(draftOf(reply), 'EveryDay');
    expect(everyDay.DaySchedules.Sunday).toEqual(office);
    const late = { StartTime: '5:00 PM', StopTime: '8:00 AM' };
    expect(bodyOf(withSharedHours(everyDay, late)).DaySchedules).toMatchObject({
      Monday: late,
      Sunday: late,
    });
  });
  it('custom changes one day', () => {
    const custom = withDay(withScheduleType(draftOf(reply), 'Custom'), 'Monday', null);
    expect(bodyOf(custom).DaySchedules).toEqual({ ...weekdays, Monday: null });
  });
});

describe('the specification’s sentences', () => {
  const draft = draftOf(reply);
  it.each([
    [{ Message: '' }, { Message: 'Enter a Message' }],
    [{ Message: 'x'.repeat(161) }, { Message: 'Message must be at most 160 characters' }],
    [{ Message: 'See bit.ly/abc' }, { Message: 'Message must not contain a shortened URL' }],
    [{ DaySchedules: none }, { DaySchedules: 'Select at least one Calling Day' }],
    [{ TextNumberIDs: [] }, { TextNumberIDs: 'Select a Text Phone Number' }],
    [{ Mode: 'Never' as const, Message: '' }, {}],
  ])('%j', (change, problems) => {
    expect(draftProblems({ ...draft, ...change })).toEqual(problems);
  });
});

it('says when it is on', () => {
  expect(whenWords({ ...reply, Active: false })).toBe('Never');
  expect(whenWords({ ...reply, AutoReplyTypeID: 1 })).toBe('Always');
  expect(whenWords(reply)).toBe('Monday to Friday, 8:00 AM to 5:00 PM');
  const DaySchedules = { ...weekdays, Saturday: { StartTime: '12:00 AM', StopTime: '12:00 AM' } };
  expect(whenWords({ ...reply, DaySchedules })).toBe(
    'Monday to Friday, 8:00 AM to 5:00 PM; Saturday, all day',
  );
});

it('begins with a sample that needs only a text number', () => {
  const draft = draftOf(sampleAutoReply);
  expect(draftProblems(draft)).toEqual({ TextNumberIDs: 'Select a Text Phone Number' });
  expect(draftProblems({ ...draft, TextNumberIDs: [1] })).toEqual({});
  expect(whenWords(sampleAutoReply)).toBe('Monday to Friday, 8:00 AM to 5:00 PM');
});
