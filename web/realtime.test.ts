import { describe, expect, it } from 'vitest';
import { serverDisconnectDelayMs } from './realtime.ts';
import { readEvents } from './socket.ts';

describe('events', () => {
  it('come one or many, and unknown ones are left out', () => {
    const known = { type: 'conversation.changed', ConversationID: 4 };
    expect(readEvents(known)).toEqual([known]);
    expect(readEvents([known, { type: 'from.the.future' }, null, 7])).toEqual([known]);
  });
});

describe('after the server closed the socket', () => {
  it.each([
    [0, 0, 2_000],
    [0, 0.999, 2_999],
    [3, 0, 9_000],
    [5, 0.5, 33_500],
    [6, 0, 60_000],
    [40, 0, 60_000],
  ])('attempt %i waits 2^n s plus 1-2 s, at most a minute', (times, random, delayMs) => {
    expect(serverDisconnectDelayMs(times, () => random)).toBeCloseTo(delayMs, 0);
  });
});
