import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaCodes } from '../phone/area-codes.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { quietHoursCases, recipientZoneCases } from './quiet-hours.cases.ts';
import { isQuiet, nextAllowed, nextAllowedMs, recipientHours } from './quiet-hours.ts';
import { isQuietForPhone, nextAllowedForPhoneMs, zonesOfPhone } from './recipient-time.ts';
import { weekdayNames } from './wall-clock.ts';

testRuleTable(quietHoursCases, ({ zones, at }) => {
  const next = nextAllowedMs(zones, Date.parse(at));
  return next === undefined ? undefined : new Date(next).toISOString().replace('.000', '');
});
testRuleTable(recipientZoneCases, (phone) => zonesOfPhone(phone, 'America/Denver'));

const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/St_Johns',
  'Pacific/Honolulu',
];

describe('quiet hours', () => {
  it('never let a text out before 8:00 or from 21:00 on in any of the zones', () => {
    fc.assert(
      fc.property(
        fc.subarray(zones, { minLength: 1 }),
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 0, 1) }),
        (chosen, epochMs) => {
          const next = nextAllowedMs(chosen, epochMs);
          if (next === undefined) throw new Error('the Americas always share an hour');
          expect(next).toBeGreaterThanOrEqual(epochMs);
          expect(next === epochMs).toBe(!isQuiet(chosen, epochMs));
          for (const zone of chosen) {
            const { hour } = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(zone);
            expect(hour).toBeGreaterThanOrEqual(8);
            expect(hour).toBeLessThan(21);
          }
          // One second earlier is too early for at least one of them.
          if (next > epochMs) expect(isQuiet(chosen, next - 1000)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('leave every area code an hour of the day', () => {
    for (const { code } of areaCodes) {
      const phone = `1${code}5550143`;
      const next = nextAllowedForPhoneMs(phone, Date.UTC(2026, 10, 16, 3), 'America/New_York');
      expect([code, next === undefined]).toEqual([code, false]);
    }
  });

  it('are the recipient’s, not the sender’s', () => {
    const eightInNewYork = Date.parse('2026-11-16T13:00:00Z');
    expect(isQuietForPhone('12125550143', eightInNewYork, 'America/New_York')).toBe(false);
    expect(isQuietForPhone('13105550143', eightInNewYork, 'America/New_York')).toBe(true);
    expect(nextAllowedForPhoneMs('13105550143', eightInNewYork, 'America/New_York')).toBe(
      Date.parse('2026-11-16T16:00:00Z'),
    );
  });

  it('end for all zones when they begin in the first of them, and an account can have its own', () => {
    const at = Date.parse('2026-11-16T18:00:00Z');
    const closes = (...asked: Parameters<typeof nextAllowed>) =>
      new Date(nextAllowed(...asked)?.closesMs ?? 0).toISOString().slice(0, 16);
    expect(closes(['America/Los_Angeles'], at)).toBe('2026-11-17T05:00');
    expect(closes(['America/Los_Angeles', 'America/New_York'], at)).toBe('2026-11-17T02:00');
    const hours = {
      CallingWindowDays: ['Monday'],
      StartTimeOfDay: { Hour: 9, Minute: 0 },
      StopTimeOfDay: { Hour: 17, Minute: 30 },
    };
    expect(closes(['America/New_York'], at, hours)).toBe('2026-11-16T22:30');
    expect(isQuiet(['America/New_York'], at + 5 * 3_600_000, hours)).toBe(true);
    // On weekdays only, from Friday evening on and across zones.
    const weekdays = { ...recipientHours, CallingWindowDays: weekdayNames };
    const friday = Date.parse('2026-11-21T02:30:00Z');
    expect(nextAllowedMs(['America/New_York', 'America/Los_Angeles'], friday, weekdays)).toBe(
      Date.parse('2026-11-23T16:00:00Z'),
    );
  });
});
