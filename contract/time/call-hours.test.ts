import { expect, it } from 'vitest';
import { type CallHours, nextCall } from './call-hours.ts';
import { defaultCallingWindow } from './calling-window.ts';
import { recipientHours } from './quiet-hours.ts';

const [eastern, pacific] = ['America/New_York', 'America/Los_Angeles'];
const hours: CallHours = {
  window: defaultCallingWindow,
  senderZone: eastern,
  hours: recipientHours,
  accountZone: eastern,
};
const goesOn = { ...hours, window: { ...defaultCallingWindow, ContinueOnNextDay: true } };

function next(zone: string, at: string, of = hours) {
  const found = nextCall(zone, Date.parse(at), of);
  return found === 'expired' ? found : [found.atMs, found.closesMs].map((ms) => new Date(ms).toISOString());
}

it('waits for the sender’s window and the recipient’s hours, whichever opens later', () => {
  // 9 AM Eastern is 6 AM Pacific: two hours too early there, and the sender closes first.
  expect(next(pacific, '2026-11-18T14:00:00Z')).toEqual([
    '2026-11-18T16:00:00.000Z',
    '2026-11-19T02:00:00.000Z',
  ]);
  expect(next(eastern, '2026-11-18T13:00:00Z')).toEqual([
    '2026-11-18T14:00:00.000Z',
    '2026-11-19T02:00:00.000Z',
  ]);
  // A person who may be in either zone is called when both allow it.
  expect(next(`${eastern},${pacific}`, '2026-11-18T14:00:00Z')).toEqual([
    '2026-11-18T16:00:00.000Z',
    '2026-11-19T02:00:00.000Z',
  ]);
});

it('expires when the window closes before the recipient’s hours open, unless it goes on', () => {
  const mornings = { ...defaultCallingWindow, StopTimeOfDay: { Hour: 10, Minute: 0 } };
  expect(next(pacific, '2026-11-18T14:30:00Z', { ...hours, window: mornings })).toBe('expired');
  expect(next(eastern, '2026-11-18T14:30:00Z', { ...hours, window: mornings })).toEqual([
    '2026-11-18T14:30:00.000Z',
    '2026-11-18T15:00:00.000Z',
  ]);
});

it('goes on after midnight where the window is open all day', () => {
  const midnight = { Hour: 0, Minute: 0 };
  const allDay = { ...defaultCallingWindow, StartTimeOfDay: midnight, StopTimeOfDay: midnight };
  // 10 PM on a Wednesday: their own hours open in the morning.
  expect(next(eastern, '2026-11-19T03:00:00Z', { ...hours, window: allDay })).toEqual([
    '2026-11-19T13:00:00.000Z',
    '2026-11-20T02:00:00.000Z',
  ]);
  const onlyThatDay = { ...allDay, CallingWindowDays: ['Wednesday'] };
  expect(next(eastern, '2026-11-19T03:00:00Z', { ...hours, window: onlyThatDay })).toBe('expired');
});

it('follows the wall clock in the night in which clocks change', () => {
  // Back by an hour on November 1, 2026: 8 AM and 9 AM are an hour later by the sun.
  expect(next(eastern, '2026-11-01T02:00:00Z', goesOn)).toEqual([
    '2026-11-01T14:00:00.000Z',
    '2026-11-02T02:00:00.000Z',
  ]);
  expect(next(eastern, '2026-10-31T02:00:00Z', goesOn)).toEqual([
    '2026-10-31T13:00:00.000Z',
    '2026-11-01T01:00:00.000Z',
  ]);
  // Forward on March 14, 2027. Phoenix doesn't change, so it is another hour there.
  expect(next(eastern, '2027-03-14T02:00:00Z', goesOn)).toEqual([
    '2027-03-14T13:00:00.000Z',
    '2027-03-15T01:00:00.000Z',
  ]);
  expect(next('America/Phoenix', '2027-03-14T13:00:00Z', goesOn)).toEqual([
    '2027-03-14T15:00:00.000Z',
    '2027-03-15T01:00:00.000Z',
  ]);
});
