import { expect, it } from 'vitest';
import { defaultCallingWindow } from '../../../contract/time/calling-window.ts';
import { planCalls } from './plan-calls.ts';

const zone = 'America/New_York';
// 8:30 PM on a Monday: ten calls a minute for half an hour.
const startMs = Date.parse('2026-11-16T20:30:00-05:00');

function plan(window: Partial<typeof defaultCallingWindow>, { people = 10_000, retries = 0 } = {}) {
  const { endsMs, expiring } = planCalls({
    ...{ startMs, zones: { [zone]: people }, lines: 10, startsPerSecond: 1, secondsEach: 60, retries },
    hours: {
      ...{ window: { ...defaultCallingWindow, ...window }, senderZone: zone, accountZone: zone },
      hours: undefined,
    },
  });
  return { ends: new Date(endsMs).toISOString(), expiring };
}

it('counts the calls that the window leaves no time for', () => {
  expect(plan({})).toEqual({ ends: '2026-11-17T02:01:00.000Z', expiring: 9_700 });
});

it('continues the next day where the window does', () => {
  // 300 calls by 9 PM, 7,200 in the twelve hours of the next day, 2,500 on the day after.
  expect(plan({ ContinueOnNextDay: true })).toEqual({ ends: '2026-11-18T18:11:00.000Z', expiring: 0 });
});

it('continues after midnight where the window is open all day', () => {
  const midnight = { Hour: 0, Minute: 0 };
  expect(plan({ StartTimeOfDay: midnight, StopTimeOfDay: midnight })).toEqual({
    ends: '2026-11-17T18:11:00.000Z',
    expiring: 0,
  });
});

it('leaves time for repeated calls', () => {
  // Ten calls a minute; each fourth of them again, after it rang for 25 seconds and waited for five minutes.
  expect(plan({}, { people: 80 })).toEqual({ ends: '2026-11-17T01:39:00.000Z', expiring: 0 });
  expect(plan({}, { people: 80, retries: 1 })).toEqual({ ends: '2026-11-17T01:46:25.000Z', expiring: 0 });
  // The window closes before the second attempt of the last ones.
  expect(plan({}, { people: 220, retries: 1 })).toEqual({ ends: '2026-11-17T01:58:30.000Z', expiring: 0 });
  expect(plan({ ContinueOnNextDay: true }, { people: 220, retries: 1 })).toEqual({
    ends: '2026-11-17T14:01:00.000Z',
    expiring: 0,
  });
});
