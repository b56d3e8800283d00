import { describe, expect, test } from 'vitest';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { furthestStep } from '../../../contract/states/broadcast-wizard.ts';
import { validateStartDate } from '../../../contract/time/start-date.ts';
import { endDayOf, endOnDay, repeatErrors } from '../../pieces/broadcasts/repeat-rules.ts';
import { addedWords } from '../../queries/draft-recipients.ts';
import { clockChangeWords } from './clock-change-words.ts';
import { readCreateSearch, readDraftSearch } from './draft-address.ts';
import { newDraft } from './draft-state.ts';
import { startFieldsOf, suggestedEnd, suggestedWall, wallOfFields } from './start-fields.ts';
import { costWords, endsWords, recipientsWords, startsWords } from './summary-words.ts';
import { settingsErrors, wizardStateOf } from './wizard-state.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-04T15:00:00Z');
const around = { account: undefined, nowMs: now, zone };
const draftOf = (by: Partial<DraftBroadcast>): DraftBroadcast => ({ ...newDraft, ...by });

describe('the start', () => {
  test('a reading of the clock and its two fields', () => {
    expect(startFieldsOf('2026-11-15T17:00:00')).toEqual({ day: '2026-11-15', time: '5:00 PM' });
    expect(wallOfFields({ day: '2026-11-15', time: '5:00 pm' })).toBe('2026-11-15T17:00:00');
    expect(wallOfFields({ day: '2026-11-15', time: '5' })).toBeNull();
    expect(startFieldsOf(null)).toEqual({ day: '', time: '' });
  });

  test('the defaults are an hour ahead at a quarter of an hour, and a week for a schedule', () => {
    expect(suggestedWall(now, zone)).toBe('2026-03-04T11:00:00');
    expect(suggestedWall(now + 60_000, zone)).toBe('2026-03-04T11:15:00');
    expect(suggestedEnd('2026-03-04T11:00:00')).toBe('2026-03-11T11:00:00');
    expect(endOnDay('2026-03-20', '2026-03-04T11:00:00')).toBe('2026-03-20T11:00:00');
    expect(endOnDay('', '2026-03-04T11:00:00')).toBeNull();
    expect(endDayOf({ EndDateTime: '2026-03-20T11:00:00' })).toBe('2026-03-20');
  });

  test.each([
    [
      '2026-03-08T02:30:00',
      'Clocks go forward and skip 2:00 AM to 3:00 AM that day. The broadcast starts at 3:30 AM instead.',
    ],
    [
      '2026-11-01T01:30:00',
      'Clocks go back, so 1:00 AM to 2:00 AM happens twice that day. The broadcast starts the first time.',
    ],
    ['2026-03-07T20:00:00', 'Clocks change within a day after the start, between 2:00 AM and 3:00 AM.'],
    ['2026-03-05T20:00:00', undefined],
  ])('a change of clocks near %s', (startDate, words) => {
    const validation = validateStartDate({ startDate, zone, nowMs: now });
    expect(validation && clockChangeWords(validation, zone)).toBe(words);
  });
});

test('the text can be written while thousands are being added, but not before anybody is', () => {
  const settled = { BroadcastName: 'Everyone', TextNumberID: 3, TextMessage: '' };
  const furthest = (by: Partial<DraftBroadcast>) =>
    furthestStep(wizardStateOf(draftOf({ ...settled, ...by }), around));
  expect(furthest({ IsAdding: false })).toBe(2);
  expect(furthest({ IsAdding: true })).toBe(3);
  expect(furthest({ IsAdding: false, TextNumberCount: 4 })).toBe(3);
});

test('people left out because of a personalized text are a problem of the message, in either of two texts', () => {
  const settled = { BroadcastName: 'Everyone', TextNumberID: 3, TotalTextNumberCount: 4, TextNumberCount: 0 };
  const furthest = (by: Partial<DraftBroadcast>) =>
    furthestStep(wizardStateOf(draftOf({ ...settled, ...by }), around));
  const second = { Share: 10, DecideBy: 'Replies', Hours: 2 } as const;
  expect(furthest({ TextMessage: 'Hello' })).toBe(2);
  expect(furthest({ TextMessage: 'Hello {{FirstName}}' })).toBe(4);
  expect(furthest({ TextMessage: 'Hello', SecondText: { ...second, TextMessage: 'Hi {{FirstName}}' } })).toBe(
    3,
  );
});

test('recipients are confirmed before they are called, and texts need no confirmation', () => {
  const settled = { BroadcastName: 'Everyone', TextNumberID: 3, TextMessage: '', CallerID: '4235550100' };
  const furthest = (by: Partial<DraftBroadcast>) =>
    furthestStep(
      wizardStateOf(draftOf({ ...settled, TextNumberCount: 4, VoiceNumberCount: 4, ...by }), around),
    );
  expect(furthest({})).toBe(3);
  expect(furthest({ BroadcastType: 'Announcement' })).toBe(2);
  // Recipients of a draft that was left at a later step may have changed since.
  expect(furthest({ BroadcastType: 'Announcement', Step: 4 })).toBe(2);
  expect(furthest({ BroadcastType: 'SMSAndSurvey', RecipientsConfirmed: true })).toBe(3);
});

describe('problems', () => {
  test('with the settings', () => {
    const draft = draftOf({ startOption: 'START_LATER' });
    expect(settingsErrors(draft, { day: '', time: '25:00' }, around)).toEqual({
      BroadcastName: 'Enter a Broadcast Name',
      StartDate: 'Enter a Start Date',
      startTimeText: 'Start Time must follow the format h:mm A (Ex: 5:00 PM).',
      TextNumberID: expect.any(String),
    });
    const past = settingsErrors(draft, { day: '2026-03-04', time: '9:00 AM' }, around);
    expect(past.startTimeText).toBe('Your start date and time cannot be in the past.');
  });

  test('with the schedule', () => {
    const schedule = { Interval: 1, IntervalFrequency: 'weeks' as const, DaysOfWeek: [], EndDateTime: null };
    const draft = { RepeatingBroadcastSchedule: schedule, StartDate: '2026-03-10T08:00:00' };
    expect(repeatErrors(draft.RepeatingBroadcastSchedule, draft.StartDate, { interval: '', zone })).toEqual({
      Interval: 'Enter an Interval',
      DaysOfWeek: 'Please select at least one day of the week',
    });
    const ended = { ...schedule, DaysOfWeek: ['Monday'], EndDateTime: '2026-03-11T08:00:00' };
    expect(repeatErrors(ended, draft.StartDate, { interval: '1', zone })).toEqual({
      schedule: 'No broadcast falls between the start and the end date.',
    });
  });

  test('decide which steps are open', () => {
    const named = { BroadcastName: 'Picture day', TextNumberID: 1 };
    expect(furthestStep(wizardStateOf(newDraft, around))).toBe(1);
    expect(furthestStep(wizardStateOf(draftOf(named), around))).toBe(2);
    expect(furthestStep(wizardStateOf(draftOf({ ...named, TextNumberCount: 3 }), around))).toBe(3);
    const written = { ...named, TextNumberCount: 3, TextMessage: 'Hello' };
    expect(furthestStep(wizardStateOf(draftOf(written), around))).toBe(4);
  });
});

describe('the summary', () => {
  test('says who, when and how much', () => {
    const draft = draftOf({ TextNumberCount: 1871, TotalTextNumberCount: 2094 });
    expect(recipientsWords(draft)).toEqual({ value: '1,871 people', note: '223 left out' });
    expect(recipientsWords(newDraft).value).toBe('Nobody yet');
    expect(costWords(draft).isKnown).toBeUndefined();
    expect(costWords({ ...draft, TextMessage: 'Hi', TextNumberCredits: 3742 })).toMatchObject({
      value: '3,742 credits',
      note: '2 each',
    });
    const three = { TextNumberCount: 3, VoiceNumberCount: 3, TotalTextNumberCount: 3, RecordLater: true };
    const costs = { MinCallUnitsRequired: 15, TextNumberCredits: 3 };
    expect(costWords(draftOf({ BroadcastType: 'SMSAndSurvey', ...three, ...costs }))).toMatchObject({
      value: 'Up to 15 credits',
      note: '12 for calls, 3 for texts',
    });
    expect(startsWords(newDraft, { now, zone }).value).toBe('When you press Send');
    const later = draftOf({ startOption: 'START_LATER', StartDate: '2026-03-11T08:00:00' });
    expect(startsWords(later, { now, zone })).toEqual({ value: 'Wednesday, March 11', note: '8:00 AM' });
    const ends = { ...later, Starts: '2026-03-11T12:00:00Z', Ends: '2026-03-11T15:01:00Z' };
    expect(endsWords(ends, { now, zone })).toEqual({ value: 'About 11:01 AM', note: 'Same day' });
  });

  test.each([
    [{ Status: 'InProgress', AddedCount: 0, LeftOutCount: 0 }, 'They are being added. You can keep working.'],
    [
      { Status: 'Complete', AddedCount: 312, LeftOutCount: 14 },
      '312 people were added, 14 of them are left out.',
    ],
    [{ Status: 'Complete', AddedCount: 1, LeftOutCount: 1 }, '1 person was added and is left out.'],
    [{ Status: 'Complete', AddedCount: 2, LeftOutCount: 0 }, '2 people were added.'],
  ] as const)('counts the people who were added', (reply, words) => {
    expect(addedWords({ DraftBroadcastID: 1, WorkID: null, ...reply })).toBe(words);
  });
});

test('the address has a draft and a step, and nothing else', () => {
  expect(readCreateSearch({ draft: 12, step: 3, q: 'x' })).toEqual({ draft: 12, step: 3 });
  expect(readCreateSearch({ draft: '12', step: 9 })).toEqual({});
  expect(readDraftSearch({ draft: -1 }).draft).toBeNaN();
});
