import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { autoReplyModeCases, autoReplyOnCases, scheduleTypeCases } from './auto-reply-schedule.cases.ts';
import {
  autoReplyMode,
  autoReplyModes,
  chooseAutoReplyMode,
  chooseScheduleType,
  deriveScheduleType,
  isAutoReplyDue,
  isAutoReplyOn,
} from './auto-reply-schedule.ts';
import { momentOf, parseWall } from './wall-clock.ts';

const zone = 'America/New_York';
const instant = (wall: string) => momentOf(parseWall(wall) ?? Number.NaN, zone).epochMs;

testRuleTable(autoReplyModeCases, autoReplyMode);
testRuleTable(scheduleTypeCases, deriveScheduleType);
testRuleTable(autoReplyOnCases, ({ days, at }) =>
  isAutoReplyOn({ Active: true, AutoReplyTypeID: 2, DaySchedules: days }, instant(at), zone),
);

describe('auto replies', () => {
  it('are on at any time when Always and at none when Never', () => {
    const night = instant('2026-11-21T03:00');
    expect(isAutoReplyOn({ Active: true, AutoReplyTypeID: 1, DaySchedules: null }, night, zone)).toBe(true);
    expect(isAutoReplyOn({ Active: false, AutoReplyTypeID: 1, DaySchedules: null }, night, zone)).toBe(false);
    expect(isAutoReplyOn({ Active: true, AutoReplyTypeID: 2, DaySchedules: null }, night, zone)).toBe(false);
  });

  it('Once per contact per 12 hours', () => {
    const last = instant('2026-11-16T08:00');
    expect(isAutoReplyDue(undefined, last)).toBe(true);
    expect(isAutoReplyDue(last, instant('2026-11-16T19:59'))).toBe(false);
    expect(isAutoReplyDue(last, instant('2026-11-16T20:00'))).toBe(true);
  });

  it('change with the chosen mode', () => {
    for (const mode of autoReplyModes)
      expect(autoReplyMode(chooseAutoReplyMode({ Active: false, AutoReplyTypeID: 1 }, mode))).toBe(mode);
    expect(chooseAutoReplyMode({ Active: true, AutoReplyTypeID: 2 }, 'Never')).toEqual({
      Active: false,
      AutoReplyTypeID: 2,
    });
    expect(deriveScheduleType(chooseScheduleType({}, 'Weekdays'))).toBe('Weekdays');
    expect(deriveScheduleType(chooseScheduleType({}, 'EveryDay'))).toBe('EveryDay');
    const own = { Tuesday: { StartTime: '1:00 PM', StopTime: '2:00 PM' } };
    expect(chooseScheduleType(own, 'Custom')).toEqual(own);
    expect(chooseScheduleType(own, 'Weekdays').Tuesday).toEqual({
      StartTime: '08:00 AM',
      StopTime: '05:00 PM',
    });
  });
});
