import { describe, expect, it } from 'vitest';
import { type CourseRules, type CourseStep, courseStepMs, wholeCourse } from './course.ts';
import { recipientHours } from './quiet-hours.ts';

const zone = 'America/New_York';
const always: CourseRules = { zone, skipsWeekends: false, hours: undefined };
const careful: CourseRules = { zone, skipsWeekends: true, hours: recipientHours };
const rightAway: CourseStep = { hasWait: false, afterDays: null, time: '' };
const daysAfter = (afterDays: number, time = '9:00 AM'): CourseStep => ({ hasWait: true, afterDays, time });

/** "Mon 11/16 09:00" on the campaign's clocks. */
function shown(ms: number | undefined): string {
  if (ms === undefined) return '';
  const parts = new Intl.DateTimeFormat('en-US', {
    ...({ timeZone: zone, weekday: 'short', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
  }).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('weekday')} ${of('month')}/${of('day')} ${of('hour')}:${of('minute')}`;
}
const course = (joined: string, steps: CourseStep[], rules = always) =>
  wholeCourse(steps, Date.parse(joined), rules).map(shown);

describe('the course of one person', () => {
  it('counts days from the day they joined, on the campaign’s calendar', () => {
    // 11:30 PM on Tuesday, which is Wednesday in UTC.
    expect(course('2026-11-18T04:30:00Z', [rightAway, daysAfter(1), daysAfter(3, '3:30 PM')])).toEqual([
      'Tue 11/17 23:30',
      'Wed 11/18 09:00',
      'Fri 11/20 15:30',
    ]);
  });

  it('keeps its time of day when clocks change between steps', () => {
    expect(course('2026-10-30T14:00:00Z', [daysAfter(1), daysAfter(2), daysAfter(3)])).toEqual([
      'Sat 10/31 09:00',
      'Sun 11/1 09:00',
      'Mon 11/2 09:00',
    ]);
    // 2:30 AM doesn't exist on that day.
    expect(course('2026-03-07T14:00:00Z', [daysAfter(1, '2:30 AM')])).toEqual(['Sun 3/8 03:30']);
  });

  it('skips weekends and quiet hours, and keeps two steps apart', () => {
    // Friday, 10 PM.
    expect(
      course('2026-11-21T03:00:00Z', [rightAway, daysAfter(1), daysAfter(2), daysAfter(3)], careful),
    ).toEqual(['Mon 11/23 08:00', 'Mon 11/23 09:00', 'Tue 11/24 09:00', 'Wed 11/25 09:00']);
    expect(course('2026-11-17T15:00:00Z', [daysAfter(1, '10:00 PM')], careful)).toEqual(['Thu 11/19 08:00']);
    // Friday at 10 PM waits for Saturday morning, which is a weekend.
    expect(course('2026-11-19T15:00:00Z', [daysAfter(1, '10:00 PM')], careful)).toEqual(['Mon 11/23 08:00']);
  });

  it('sends a late step at its time on the next day, not in a burst', () => {
    const joinedMs = Date.parse('2026-11-02T15:00:00Z');
    const notBeforeMs = Date.parse('2026-11-17T15:00:00Z');
    const late = courseStepMs(daysAfter(1), { joinedMs, joinedDay: '2026-11-02', notBeforeMs }, always);
    expect(shown(late)).toBe('Wed 11/18 09:00');
    expect(
      courseStepMs(daysAfter(1, 'soon'), { joinedMs, joinedDay: '2026-11-02', notBeforeMs }, always),
    ).toBe(undefined);
  });
});
