import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { occurrenceName, type SentStatus, statusAfter, type WantedStatus } from './rules.ts';

describe('pause, resume, cancel', () => {
  it.each<[SentStatus, WantedStatus, SentStatus]>([
    ['scheduled', 'Paused', 'paused'],
    ['broadcasting', 'Paused', 'paused'],
    ['paused', 'Broadcasting', 'broadcasting'],
    ['scheduled', 'Canceled', 'canceled'],
    ['broadcasting', 'Canceled', 'canceled'],
    ['paused', 'Canceled', 'canceled'],
    // A second request changes nothing.
    ['paused', 'Paused', 'paused'],
    ['broadcasting', 'Broadcasting', 'broadcasting'],
    ['scheduled', 'Broadcasting', 'scheduled'],
    ['canceled', 'Canceled', 'canceled'],
  ])('%s, wanted %s: %s', (status, wanted, after) => {
    expect(statusAfter(status, wanted)).toBe(after);
  });

  it.each<[SentStatus, WantedStatus, string]>([
    ['completed', 'Paused', 'This broadcast has ended already.'],
    ['completed', 'Broadcasting', 'This broadcast has ended already.'],
    ['completed', 'Canceled', 'This broadcast has ended already.'],
    ['canceled', 'Broadcasting', 'This broadcast has been canceled already.'],
    ['canceled', 'Paused', 'This broadcast has been canceled already.'],
  ])('%s, wanted %s: refused', (status, wanted, message) => {
    expect(() => statusAfter(status, wanted)).toThrow(new Refusal('conflict', message));
  });
});

describe('names of occurrences', () => {
  const atMs = Date.parse('2026-11-16T12:30:00Z');
  it('end with the day in the schedule’s own time zone', () => {
    expect(occurrenceName('Lunch menu', atMs, 'America/New_York')).toBe('Lunch menu, Nov 16');
    expect(occurrenceName('Lunch menu', Date.parse('2026-11-17T03:00:00Z'), 'America/New_York')).toBe(
      'Lunch menu, Nov 16',
    );
    expect(occurrenceName('Menú', atMs, 'America/New_York', 2)).toBe('Menú, 16 nov');
  });

  it.each(['x'.repeat(50), `${'x'.repeat(39)}👩‍👩‍👧‍👦${'y'.repeat(5)}`, `${'word '.repeat(10)}`.trim()])(
    'have at most 50 characters: %s',
    (name) => {
      const made = occurrenceName(name, atMs, 'America/New_York');
      expect([...made].length).toBeLessThanOrEqual(50);
      expect(made).toMatch(/[^ ]…, Nov 16$/);
      expect(made.isWellFormed()).toBe(true);
    },
  );
});
