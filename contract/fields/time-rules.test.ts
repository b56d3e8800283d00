import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { weekdayNames } from '../time/wall-clock.ts';
import * as cases from './time-rules.cases.ts';
import {
  callingWindow,
  clockFormat,
  dripStepStart,
  futureTime,
  futureTimeInTimeZone,
  parseDay,
  startTimeBeforeStopTime,
  timeString,
} from './time-rules.ts';

const { nowMs, zone } = cases;
const window = {
  CallingWindowDays: weekdayNames,
  StartTimeOfDay: { Hour: 9, Minute: 0 },
  StopTimeOfDay: { Hour: 21, Minute: 0 },
};

testRuleTable(cases.timeStrings, timeString('Start Time'));
testRuleTable(cases.clockFormats, clockFormat('Start Time'));
testRuleTable(cases.startsBeforeStop, ([start, stop]) => startTimeBeforeStopTime('Start Time', stop)(start));
testRuleTable(cases.futureTimes, (text) => futureTime('Start Time', nowMs)(Date.parse(text)));
testRuleTable(cases.futureTimesInZone, futureTimeInTimeZone('Start Time', nowMs, zone));
testRuleTable(cases.callingWindows, (text) => callingWindow('Start Time', window, zone)(Date.parse(text)));
testRuleTable(cases.dripSteps, ([previous, start]) => dripStepStart(previous)(start));

describe('moments that aren’t known yet', () => {
  it('pass: their own rule reports them', () => {
    expect(futureTime('Start Time', nowMs)(undefined)).toBeUndefined();
    expect(callingWindow('Start Time', window, zone)(undefined)).toBeUndefined();
    expect(dripStepStart(1)(undefined)).toBeUndefined();
  });
});

describe('a date alone', () => {
  it('is read without a time', () => {
    expect(parseDay('2026-11-15')).toBe(Date.UTC(2026, 10, 15));
    expect(parseDay('2026-02-30')).toBeUndefined();
    expect(parseDay('2026-11-15T10:00')).toBeUndefined();
  });
});
