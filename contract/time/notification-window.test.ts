import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { parseClockTime } from './clock-time.ts';
import { notificationAllDayCases, notificationCases } from './notification-window.cases.ts';
import {
  defaultNotificationSetting,
  isInsideNotificationWindow,
  isNotificationAllDay,
  nextNotificationMs,
} from './notification-window.ts';
import { dayNames, formatWall, momentOf, parseWall, wallMsAt } from './wall-clock.ts';

const zone = 'America/New_York';
const instant = (wall: string) => momentOf(parseWall(wall) ?? Number.NaN, zone).epochMs;

function settingOf({ hours, PeriodMinutes, days }: { hours: string; PeriodMinutes: number; days?: string }) {
  const [start = '', stop = ''] = hours.split('-');
  const StartTimeOfDay = parseClockTime(start);
  const StopTimeOfDay = parseClockTime(stop);
  if (!StartTimeOfDay || !StopTimeOfDay) throw new Error(`no hours: ${hours}`);
  return {
    PeriodMinutes,
    NotificationWindow: {
      Days: days === undefined ? dayNames : days.split(' '),
      StartTimeOfDay,
      StopTimeOfDay,
    },
  };
}

testRuleTable(notificationAllDayCases, (one) => isNotificationAllDay(settingOf(one)));
testRuleTable(notificationCases, (one) => {
  const times = { nowMs: instant(one.now), ...(one.last === undefined ? {} : { lastMs: instant(one.last) }) };
  const next = nextNotificationMs(settingOf(one), times, zone);
  if (next !== undefined) expect(isInsideNotificationWindow(settingOf(one), next, zone)).toBe(true);
  return next === undefined ? undefined : formatWall(wallMsAt(next, zone)).slice(0, 16);
});

describe('notification settings', () => {
  it('Notification defaults: window Monday-Sunday 9:00 AM-5:00 PM, every 15 minutes, type TextUnread', () => {
    expect(defaultNotificationSetting).toMatchObject({ PeriodMinutes: 15, Type: 'TextUnread' });
    expect(defaultNotificationSetting.NotificationWindow.Days).toHaveLength(7);
    expect(defaultNotificationSetting.NotificationWindow.Days[0]).toBe('Monday');
    expect(isInsideNotificationWindow(defaultNotificationSetting, instant('2026-11-16T08:59'), zone)).toBe(
      false,
    );
    expect(isInsideNotificationWindow(defaultNotificationSetting, instant('2026-11-16T09:00'), zone)).toBe(
      true,
    );
    expect(isInsideNotificationWindow(defaultNotificationSetting, instant('2026-11-16T17:00'), zone)).toBe(
      false,
    );
  });

  it('once a day is open for the minute of the start time only', () => {
    const daily = settingOf({ hours: '9:00 AM-5:00 PM', PeriodMinutes: 1440 });
    expect(isInsideNotificationWindow(daily, instant('2026-11-16T08:59'), zone)).toBe(false);
    expect(isInsideNotificationWindow(daily, instant('2026-11-16T09:00'), zone)).toBe(true);
    expect(isInsideNotificationWindow(daily, instant('2026-11-16T09:01'), zone)).toBe(false);
  });
});
