import { describe, expect, it } from 'vitest';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { resultSegments } from '../../../contract/states/result-views.ts';
import {
  callSharesOf,
  finishedCalls,
  finishedTexts,
  percentOf,
  sharesOf,
  shareWords,
} from '../../pieces/broadcasts/broadcast-counts.ts';
import { readBroadcastId, readBroadcastsSearch, readResultsSearch } from '../broadcast-address.ts';
import { bySeries } from '../list/failed-series.ts';
import { arrivedWords } from '../list/row-words.ts';
import { hasGoneOut, hasNotBegun, waitingPeople, whatCanBeDone } from '../what-can-be-done.ts';
import { countTicks, tickWords, timeTicks } from './chart-scale.ts';
import { failureSegment, isResultSegment, tabOfSegment, tabsOf } from './result-tabs.ts';
import { aheadWords, costWords, creditWords, endWords, headSentence, paceWords } from './result-words.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-10T14:42:10Z');
const broadcast = {
  BroadcastName: 'Early dismissal today',
  BroadcastType: 'GroupSMS',
  IsTextSurvey: false,
  IsRcs: false,
  IsFree: false,
  BroadcastStatus: 'Broadcasting',
  BroadcastStatusCategory: 'Broadcasting',
  StartDate: '2026-03-10T14:36:00Z',
  EndDate: null,
  EstimatedEnd: '2026-03-10T14:46:05Z',
  User: { UserID: 1, Name: 'Dana Whitfield' },
  PhoneNumberCount: 3847,
  LeftOutCount: 0,
  DeliveredTexts: 2418,
  ReadCount: 0,
  SentTotal: 289,
  WaitingTotal: 1092,
  NotDeliveredTexts: 1381,
  FailedTextTotal: 41,
  InvalidTextCount: 0,
  TextOptedOut: 7,
  StoppedTotal: 0,
  CanceledTotal: 0,
  RepliedTotal: 163,
  NotRepliedTotal: 2255,
  TextSurveyResponseTotal: 0,
  Credits: { Settled: 2418, Reserved: 1381, Released: 48 },
} as WholeBroadcast;

/** A voice survey, while it calls. */
const calling = {
  ...broadcast,
  BroadcastType: 'Survey',
  IsTransfer: true,
  CallerID: '14235550100',
  PhoneNumberCount: 712,
  CallTotal: 712,
  CallsUp: 38,
  LivePersonTotal: 262,
  AnsweringMachineTotal: 151,
  BusyNoAnswerTotal: 43,
  InvalidNumberTotal: 9,
  IncompleteCallTotal: 247,
  WaitingCallTotal: 247,
  RetryingCallTotal: 31,
  TransferTotal: 14,
  SurveyResponseTotal: 217,
} as WholeBroadcast;

describe('counts', () => {
  it('of calls include everybody exactly once, with people in a call separate from those not yet called', () => {
    const shares = Object.fromEntries(callSharesOf(calling).map(({ key, count }) => [key, count]));
    expect(shares).toEqual({
      live: 262,
      voicemail: 151,
      busy: 43,
      noNumber: 9,
      notReached: 0,
      inCall: 38,
      retry: 31,
      toCall: 178,
    });
    expect(finishedCalls(calling)).toBe(465);
    // Canceled halfway: people who won't be called any more are finished too.
    const canceled = { ...calling, CallsUp: 0, WaitingCallTotal: 0, RetryingCallTotal: 0 };
    expect(finishedCalls(canceled)).toBe(712);
  });

  it('include everybody exactly once', () => {
    expect(finishedTexts(broadcast)).toBe(2466);
    expect(sharesOf(broadcast).reduce((sum, { count }) => sum + count, 0)).toBe(3847);
  });

  it.each([
    [2466, 3847, 64, '64.1%'],
    [0, 0, 0, '0.0%'],
    [0, 10, 0, '0.0%'],
    [999_999, 1_000_000, 99, '99.9%'],
    [1, 1_000_000, 0, '0.1%'],
    [10, 10, 100, '100.0%'],
  ])('%i of %i are %i percent, %s', (count, total, percent, words) => {
    expect(percentOf(count, total)).toBe(percent);
    expect(shareWords(count, total)).toBe(words);
  });
});

describe('tabs', () => {
  it('are the specification’s, Read only where it can be known', () => {
    expect(tabsOf(broadcast).map(({ name, count }) => `${name} ${count}`)).toEqual([
      'All Texts 3847',
      'Delivered 2418',
      'Failed 41',
      'Invalid 0',
      'Incomplete 1381',
      'Opted Out 7',
      'Replied 163',
      'Not Replied 2255',
    ]);
    const names = tabsOf({ ...broadcast, IsRcs: true, IsTextSurvey: true, LeftOutCount: 3 });
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Read', 'All Text Survey Results', 'Left Out']),
    );
  });

  it('of calls are the specification’s, Transfers only where calls can be transferred', () => {
    expect(tabsOf(calling).map(({ name, segment, count }) => `${name} ${segment} ${count}`)).toEqual([
      'All Calls call-results 712',
      'Live Answer live-person 262',
      'Voicemail voicemail 151',
      'Busy / No Answer busy-no-answer 43',
      'Invalid invalid 9',
      'Incomplete not-completed 247',
      'Transfers transfers 14',
      'All Survey Results survey-results 217',
    ]);
    const plain = tabsOf({ ...calling, BroadcastType: 'Announcement', IsTransfer: false });
    expect(plain.map(({ name }) => name)).not.toContain('Transfers');
    expect(plain.map(({ name }) => name)).not.toContain('All Survey Results');
  });

  it('of texts and calls together have an address each', () => {
    const both = tabsOf({
      ...calling,
      BroadcastType: 'SMSOrSurvey',
      PhoneNumberCount: 4559,
      IsTextSurvey: true,
    });
    const segments = both.map(({ segment }) => segment);
    expect(new Set(segments).size).toBe(segments.length);
    expect(segments.every(isResultSegment)).toBe(true);
    expect(tabOfSegment(both, 'invalid')?.channel).toBe('calls');
    expect(tabOfSegment(both, 'text-invalid')?.channel).toBe('texts');
    expect(tabOfSegment(both, 'text-results')?.count).toBe(3847);
    expect(tabOfSegment(both, 'all')?.name).toBe('All Calls');
  });

  it('every recognized segment leads to one', () => {
    const tabs = tabsOf(broadcast);
    for (const segment of [...resultSegments, 'failed', 'left-out']) {
      expect(isResultSegment(segment)).toBe(true);
      expect(tabOfSegment(tabs, segment)).toBeDefined();
    }
    expect(tabOfSegment(tabs, 'not-completed')?.category).toBe('Incomplete');
    expect(tabOfSegment(tabs, 'all')?.name).toBe('All Texts');
    expect(isResultSegment('text-replies')).toBe(false);
  });
});

/** Seven people were texted, and the three who couldn't be are called. */
const either = {
  ...broadcast,
  ...calling,
  BroadcastType: 'SMSOrAnnouncement',
  PhoneNumberCount: 10,
  ...{ DeliveredTexts: 4, ReadCount: 1, SentTotal: 0, WaitingTotal: 0, FailedTextTotal: 1, TextOptedOut: 3 },
  ...{ StoppedTotal: 2, InvalidTextCount: 0, CanceledTotal: 0, RepliedTotal: 0 },
  ...{ CallTotal: 3, CallsUp: 0, LivePersonTotal: 1, AnsweringMachineTotal: 1, BusyNoAnswerTotal: 1 },
  ...{ InvalidNumberTotal: 0, WaitingCallTotal: 0, RetryingCallTotal: 0 },
} as WholeBroadcast;
/** The seven who were texted are called too, except four. */
const both: WholeBroadcast = { ...either, BroadcastType: 'SMSAndAnnouncement', PhoneNumberCount: 7 };

describe('texts and calls together', () => {
  it('count as texts only those who are texted', () => {
    for (const one of [either, both]) {
      const [all] = tabsOf(one).filter(({ channel }) => channel === 'texts');
      expect(all).toMatchObject({ name: 'All Texts', category: 'All', count: 7 });
    }
  });

  it('open with the calls, or with the texts where nobody had to be called', () => {
    expect(tabOfSegment(tabsOf(either), 'all')?.name).toBe('All Calls');
    expect(tabOfSegment(tabsOf({ ...either, CallTotal: 0 }), 'all')?.name).toBe('All Texts');
  });

  it('lead to the tab of the texts that failed', () => {
    expect(failureSegment(either)).toBe('failed');
    const invalid = { FailedTextTotal: 0, InvalidTextCount: 6 };
    expect(failureSegment({ ...either, ...invalid })).toBe('text-invalid');
    expect(failureSegment({ ...broadcast, ...invalid })).toBe('invalid');
  });

  it('are both told in the list, where somebody gets both', () => {
    const words = ['5 of 7 delivered', '2 of 3 reached by phone'];
    expect(arrivedWords(either)).toEqual(words);
    expect(arrivedWords(both)).toEqual(words);
    const texted = {
      ...either,
      CallTotal: 0,
      LivePersonTotal: 0,
      AnsweringMachineTotal: 0,
      BusyNoAnswerTotal: 0,
    };
    expect(arrivedWords(texted)).toEqual(['5 of 7 delivered']);
    expect(arrivedWords(broadcast)).toEqual(['2,418 of 3,847 delivered']);
    expect(arrivedWords(calling)).toEqual(['413 of 712 reached by phone']);
  });

  it('have gone out as soon as one of the two has', () => {
    const texts = { DeliveredTexts: 0, ReadCount: 0, FailedTextTotal: 0, TextOptedOut: 0, StoppedTotal: 0 };
    const calls = { LivePersonTotal: 0, AnsweringMachineTotal: 0, BusyNoAnswerTotal: 0, WaitingCallTotal: 3 };
    const ahead = { ...either, ...texts, ...calls, WaitingTotal: 7 };
    expect(hasGoneOut(ahead)).toBe(false);
    expect(hasGoneOut({ ...ahead, CallsUp: 1 })).toBe(true);
    expect(hasGoneOut({ ...ahead, WaitingTotal: 6, SentTotal: 1 })).toBe(true);
    // Everybody could be texted.
    const texted = { ...ahead, CallTotal: 0, WaitingCallTotal: 0 };
    expect(hasGoneOut(texted)).toBe(false);
    expect(hasGoneOut({ ...texted, WaitingTotal: 0, DeliveredTexts: 7 })).toBe(true);
  });
});

it('canceling says how many don’t have it yet', () => {
  const counts = { WaitingTotal: 5, WaitingCallTotal: 3, CallsUp: 1 };
  expect(waitingPeople({ ...either, ...counts })).toBe(7);
  expect(waitingPeople({ ...both, ...counts })).toBe(5);
  expect(waitingPeople({ ...calling, ...counts, WaitingTotal: 0 })).toBe(2);
  expect(waitingPeople(broadcast)).toBe(1092);
});

describe('words', () => {
  it('say to whom, from where, when and by whom', () => {
    expect(headSentence(broadcast, 'Main office, (423) 555-0100', now, zone)).toBe(
      'Text to 3,847 people from Main office, (423) 555-0100. Started at 10:36 AM by Dana Whitfield.',
    );
    expect(headSentence(calling, undefined, now, zone)).toBe(
      'Voice survey to 712 people from (423) 555-0100. Started at 10:36 AM by Dana Whitfield.',
    );
    const later = {
      ...broadcast,
      BroadcastStatus: 'Scheduled',
      BroadcastStatusCategory: 'Scheduled',
      StartDate: '2026-03-11T12:00:00Z',
    } as WholeBroadcast;
    expect(headSentence(later, undefined, now, zone)).toContain('Starts tomorrow at 8:00 AM by');
  });

  it('say when it ends', () => {
    expect(endWords(broadcast, now, zone)).toEqual({
      left: 'About 4 minutes left, ',
      end: 'ends at 10:46 AM',
    });
    const tomorrow = { EstimatedEnd: '2026-03-11T12:30:00Z' };
    expect(endWords(tomorrow, now, zone)).toEqual({
      left: 'About 22 hours left, ',
      end: 'ends tomorrow at 8:30 AM',
    });
    expect(endWords({ EstimatedEnd: null }, now, zone)).toBeUndefined();
  });

  it('say how many credits it takes', () => {
    expect(creditWords(broadcast)).toBe('2,418 credits used, 1,381 reserved, 48 released for unsent texts.');
    expect(creditWords({ IsFree: false, Credits: { Settled: 1, Reserved: 0, Released: 0 } })).toBe(
      '1 credit used.',
    );
  });
});

describe('the chart', () => {
  it('has round counts, and none under the total’s own label', () => {
    expect(countTicks(3847, 4)).toEqual([0, 1000, 2000, 3000]);
    expect(countTicks(3, 4)).toEqual([0, 1, 2]);
    expect(countTicks(1, 4)).toEqual([0]);
    expect(countTicks(0, 4)).toEqual([0]);
  });

  it('has round times of the zone’s clock', () => {
    const from = Date.parse('2026-03-10T14:36:10Z');
    const wall = (at: number) => at - 4 * 3_600_000;
    const ticks = timeTicks(from, from + 10 * 60_000, 10, wall);
    expect(ticks.map(({ at, stepMs }) => tickWords(at, stepMs, zone))).toEqual([
      '10:37',
      '10:38',
      '10:39',
      '10:40',
      '10:41',
      '10:42',
      '10:43',
      '10:44',
      '10:45',
      '10:46',
    ]);
    const short = timeTicks(from, from + 4_000, 5, wall).map(({ at, stepMs }) => tickWords(at, stepMs, zone));
    expect(short[0]).toBe('10:36:10');
    const long = timeTicks(from, from + 5 * 86_400_000, 6, wall);
    expect(tickWords(long[0]?.at ?? 0, long[0]?.stepMs ?? 0, zone)).toBe('Mar 11');
  });
});

describe('addresses', () => {
  it('keep what is well-formed', () => {
    expect(readBroadcastsSearch({ tab: 'drafts', q: 5550143, label: '4', page: '2' })).toEqual({
      tab: 'drafts',
      q: '5550143',
      label: 4,
      page: 2,
    });
    expect(readBroadcastsSearch({ tab: 'nonsense', q: ' ', label: -1, page: 1 })).toEqual({});
    expect(readResultsSearch({ answer: 'Yes', q: 'boyd' })).toEqual({ answer: 'Yes', q: 'boyd' });
    expect(readResultsSearch({ answer: 'Maybe' })).toEqual({});
    expect(readBroadcastId('12')).toBe(12);
    expect(readBroadcastId('12a')).toBeNaN();
  });
});

describe('one that has not begun', () => {
  const planned: WholeBroadcast = {
    ...broadcast,
    StartDate: '2026-03-12T13:00:00Z',
    ...{ WaitingTotal: 3847, DeliveredTexts: 0, SentTotal: 0, FailedTextTotal: 0, TextOptedOut: 0 },
    TextMessage: 'No school.',
    Segments: 2,
    PerMinute: 50,
    Credits: { Settled: 0, Reserved: 7694, Released: 0 },
  };
  const paused: WholeBroadcast = { ...planned, BroadcastStatus: 'Paused' };

  it.each([
    ['waits for its start', planned, true],
    ['is paused until then', paused, true],
    ['has sent the first', { ...paused, WaitingTotal: 3846, SentTotal: 1 }, false],
    ['is paused after its start', { ...paused, StartDate: '2026-03-10T14:36:00Z' }, false],
    [
      'was canceled',
      { ...planned, BroadcastStatus: 'Canceled', BroadcastStatusCategory: 'Completed' },
      false,
    ],
  ] as const)('%s', (_, one, isAhead) => {
    expect(hasNotBegun(one, now)).toBe(isAhead);
    expect(whatCanBeDone(one, now).edit).toBe(isAhead);
  });

  it('says when, for how much and how fast', () => {
    expect(aheadWords('2026-03-12T13:00:00Z', now)).toBe('in about 46 hours');
    expect(aheadWords('2026-03-10T14:42:00Z', now)).toBe('any moment now');
    expect(costWords(planned)).toEqual({ credits: '7,694 credits', each: 'Reserved, 2 segments each' });
    expect(costWords({ ...planned, TextMessage: 'Hi {{FirstName}}' }).each).toBe('Reserved');
    expect(costWords({ ...planned, IsFree: true })).toEqual({
      credits: 'No credits',
      each: '2 segments each',
    });
    expect(paceWords(planned)).toEqual({
      speed: '50 a minute',
      time: 'About 77 minutes, not counting quiet hours',
    });
    expect(paceWords({ ...planned, PerMinute: null }).speed).toBe('Max');
  });
});

it('a series that fails to start every day is reported once, with the latest reason', () => {
  const failure = (FailureID: number, RepeatingBroadcastID: number) => ({
    ...{ FailureID, RepeatingBroadcastID, BroadcastName: 'Menu', ErrorCode: 101, Message: '' },
    CreateTimestamp: '2026-03-10T14:36:00Z',
  });
  const found = bySeries([failure(9, 1), failure(8, 2), failure(7, 1)]);
  expect(found.map(({ latest, times }) => [latest.FailureID, times])).toEqual([
    [9, 2],
    [8, 1],
  ]);
});
