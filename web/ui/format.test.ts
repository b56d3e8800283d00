import { describe, expect, it } from 'vitest';
import { initialsOf, tintOf } from './avatar-color.ts';
import {
  dayKey,
  formatCompact,
  formatDay,
  formatDuration,
  formatRelative,
  formatSmall,
  formatTime,
} from './format.ts';
import { composeTitle } from './page-title.ts';

const zone = 'America/New_York';
const now = Date.parse('2026-03-10T14:42:00Z');
const ago = (minutes: number) => now - minutes * 60_000;

describe('times', () => {
  it('are in the zone given, also across a change of clocks', () => {
    expect(formatTime('2026-03-08T06:59:00Z', zone)).toBe('1:59 AM');
    expect(formatTime('2026-03-08T07:00:00Z', zone)).toBe('3:00 AM');
    expect(dayKey('2026-03-10T03:30:00Z', zone)).toBe('2026-03-09');
  });

  it.each([
    [0.2, 'now', 'just now'],
    [-3, 'now', 'just now'],
    [59, '59m', '59 min ago'],
    [60, '1h', '1 h ago'],
    [12 * 60, '12h', 'Yesterday'],
    [30 * 60, 'Mon', 'Yesterday'],
    [4 * 24 * 60, 'Fri', 'Friday'],
    [8 * 24 * 60, 'Mar 2', 'March 2'],
    [400 * 24 * 60, 'Feb 3, 2025', 'February 3, 2025'],
  ])('%f minutes ago is %s, or %s', (minutes, short, long) => {
    expect(formatRelative(ago(minutes), now, zone, 'short')).toBe(short);
    expect(formatRelative(ago(minutes), now, zone)).toBe(long);
  });

  it('days are named by the calendar, not by 24 hours', () => {
    expect(formatDay('2026-03-10T04:01:00Z', now, zone)).toBe('Today');
    expect(formatDay('2026-03-10T03:59:00Z', now, zone)).toBe('Yesterday');
    expect(formatDay('2026-03-03T15:00:00Z', now, zone)).toBe('Tuesday, March 3');
  });

  it.each([
    [0, 'under a minute'],
    [54, '54 min'],
    [60, '1 h'],
    [80, '1 h 20 min'],
    [24 * 60, '1 day'],
    [50 * 60, '2 days'],
  ])('%i minutes last %s', (minutes, words) => expect(formatDuration(minutes * 60_000)).toBe(words));
});

describe('figures', () => {
  it('are short in the rail and words in a sentence', () => {
    expect(formatCompact(18_420)).toBe('18.4k');
    expect(formatSmall(7)).toBe('seven');
    expect(formatSmall(1_300)).toBe('1,300');
  });
});

describe('the tab', () => {
  it.each([
    ['Inbox', 0, 'Inbox · Muster'],
    ['Inbox', 7, '(7) Inbox · Muster'],
    ['Inbox', 999, '(999) Inbox · Muster'],
    ['Inbox', 1000, '(999+) Inbox · Muster'],
    ['', 2, '(2) Muster'],
  ])('of %s with %i unread', (page, unread, title) => expect(composeTitle(page, unread)).toBe(title));
});

describe('faces', () => {
  it.each([
    ['Renee Castellano', 'RC'],
    ['María de la Cruz', 'MC'],
    ['Prince', 'P'],
    ['  ', '#'],
    ['(423) 555-0188', '#'],
    ['o’Brien (Bus 14) ángel', 'OÁ'],
  ])('%s is %s', (name, initials) => expect(initialsOf(name)).toBe(initials));
  it('keep their tint', () => expect(tintOf('Renee Castellano')).toBe(tintOf('Renee Castellano')));
});
