import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import { formatClockTimeCases, parseClockTimeCases, windowLengthCases } from './clock-time.cases.ts';
import { formatClockTime, minutesOf, parseClockTime, timeOfMinutes } from './clock-time.ts';
import { roundUpToStep, timeSteps, windowLengths } from './time-steps.ts';

testRuleTable(parseClockTimeCases, parseClockTime);
testRuleTable(formatClockTimeCases, formatClockTime);
testRuleTable(windowLengthCases, windowLengths);

const anyTime = fc.record({ Hour: fc.integer({ min: 0, max: 23 }), Minute: fc.integer({ min: 0, max: 59 }) });

describe('times of day', () => {
  it('reads back what it writes', () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(parseClockTime(formatClockTime(time))).toEqual(time);
      }),
    );
  });

  it('writes what the platform writes for en-US', () => {
    const platform = new Intl.DateTimeFormat('en-US', {
      timeZone: 'UTC',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
    });
    fc.assert(
      fc.property(anyTime, (time) => {
        const text = platform.format(minutesOf(time) * 60_000);
        expect(formatClockTime(time)).toBe(text.replaceAll('\u202f', ' '));
        expect(parseClockTime(text)).toEqual(time);
      }),
    );
  });

  it('wraps minutes past midnight around the clock', () => {
    expect(timeOfMinutes(1440)).toEqual({ Hour: 0, Minute: 0 });
    expect(timeOfMinutes(-15)).toEqual({ Hour: 23, Minute: 45 });
  });

  it('refuses 100,000 hostile characters at once', () => {
    const ms = cpuMs(() => {
      for (const hostile of ['1'.repeat(100_000), ' '.repeat(100_000), `5:00 ${'P'.repeat(100_000)}`]) {
        expect(parseClockTime(hostile)).toBeUndefined();
      }
    });
    expect(ms).toBeLessThan(900);
  });
});

describe('steps', () => {
  it('Times in 15-minute steps (auto reply 30-minute steps)', () => {
    expect(timeSteps(15)).toHaveLength(96);
    expect(timeSteps(15).slice(0, 3)).toEqual(['12:00 AM', '12:15 AM', '12:30 AM']);
    expect(timeSteps(30)).toHaveLength(48);
    expect(timeSteps(30).at(-1)).toBe('11:30 PM');
  });

  it('rounds up to the next step', () => {
    expect(roundUpToStep({ Hour: 9, Minute: 1 }, 15)).toEqual({ Hour: 9, Minute: 15, isNextDay: false });
    expect(roundUpToStep({ Hour: 9, Minute: 15 }, 15)).toEqual({ Hour: 9, Minute: 15, isNextDay: false });
    expect(roundUpToStep({ Hour: 23, Minute: 50 }, 30)).toEqual({ Hour: 0, Minute: 0, isNextDay: true });
  });
});
