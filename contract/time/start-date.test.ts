import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { defaultCallingWindow } from './calling-window.ts';
import { serverTimeChangeCases, startDateCases } from './start-date.cases.ts';
import { defaultStartMs, isFarEnoughAhead, startDateMessage, validateStartDate } from './start-date.ts';

const zone = 'America/New_York';
const nowMs = Date.parse('2026-11-15T17:00:00Z');

testRuleTable(startDateCases, ({ startDate, checksWindow }) =>
  startDateMessage(
    validateStartDate({ startDate, zone, nowMs, ...(checksWindow ? { window: defaultCallingWindow } : {}) }),
  ),
);

testRuleTable(serverTimeChangeCases, (startDate) => {
  const answer = validateStartDate({ startDate, zone, nowMs: Date.parse('2026-06-01T00:00:00Z') });
  if (!answer) throw new Error('no date');
  return {
    altered: answer.IsAlteredByServerTimeChange,
    approaching: answer.IsApproachingServerTimeChange,
    movedForward: answer.IsMovedForwardByServerTimeChange,
    from: answer.ServerTimeChangeStartTime,
    to: answer.ServerTimeChangeEndTime,
    starts: answer.StartDate,
  };
});

describe('start dates', () => {
  it('The first calling time is at least 5 minutes from now', () => {
    expect(isFarEnoughAhead(nowMs + 299_999, nowMs)).toBe(false);
    expect(isFarEnoughAhead(nowMs + 300_000, nowMs)).toBe(true);
  });

  it('Schedule default is now plus 5 minutes; a drip’s next step is 5 minutes after the previous', () => {
    expect(defaultStartMs(nowMs)).toBe(Date.parse('2026-11-15T17:05:00Z'));
  });

  it('the calling window is checked with the moved time, not the skipped one', () => {
    const window = {
      ...defaultCallingWindow,
      StartTimeOfDay: { Hour: 2, Minute: 0 },
      StopTimeOfDay: { Hour: 3, Minute: 0 },
    };
    const answer = validateStartDate({ startDate: '2027-03-14T02:30', zone, nowMs, window });
    expect(answer?.IsOutsideCallingWindow).toBe(true);
  });
});
