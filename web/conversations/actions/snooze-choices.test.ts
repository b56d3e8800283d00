import { describe, expect, it } from 'vitest';
import { fieldTime, instantOfField } from '../../ui/field-time.ts';
import { formatUntil, snoozeChoices } from './snooze-choices.ts';

const zone = 'America/New_York';
const labels = (now: string) =>
  snoozeChoices(Date.parse(now), zone).map(({ label, at }) => `${label}: ${fieldTime(at, zone)}`);

describe('snoozeChoices', () => {
  it('offers the afternoon, the next morning, Monday and four weeks', () => {
    // Tuesday, 10:10 in New York.
    expect(labels('2026-03-10T14:10:00Z')).toEqual([
      'Later today: 2026-03-10T13:30',
      'Tomorrow: 2026-03-11T08:00',
      'Next Monday: 2026-03-16T08:00',
      'In four weeks: 2026-04-07T08:00',
    ]);
  });

  it('has no later today in the evening, and says Monday once', () => {
    // Sunday, 19:00 in New York; in UTC it is Monday in the winter half.
    expect(labels('2026-03-15T23:00:00Z')).toEqual([
      'Tomorrow: 2026-03-16T08:00',
      'In four weeks: 2026-04-12T08:00',
    ]);
  });

  it('keeps eight o’clock where clocks change in between', () => {
    // The Saturday before clocks go forward.
    const [, tomorrow] = snoozeChoices(Date.parse('2026-03-07T15:00:00Z'), zone);
    expect(new Date(tomorrow?.at ?? 0).toISOString()).toBe('2026-03-08T12:00:00.000Z');
  });
});

describe('a date and time field', () => {
  it('goes to an instant of the zone and back', () => {
    const at = Date.parse('2026-07-01T16:30:00Z');
    expect(fieldTime(at, zone)).toBe('2026-07-01T12:30');
    expect(instantOfField('2026-07-01T12:30', zone)).toBe(at);
  });

  it('means nothing until it is filled in', () => {
    expect(instantOfField('', zone)).toBeUndefined();
    expect(instantOfField('2026-13-45T99:99', zone)).toBeUndefined();
  });
});

it('says until when as shortly as it can', () => {
  const now = Date.parse('2026-03-10T14:10:00Z');
  expect(formatUntil('2026-03-10T17:30:00Z', now, zone)).toBe('1:30 PM');
  expect(formatUntil('2026-03-11T12:00:00Z', now, zone)).toBe('Wed 8:00 AM');
  expect(formatUntil('2026-03-17T12:00:00Z', now, zone)).toBe('March 17');
});
