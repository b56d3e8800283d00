import { describe, expect, it } from 'vitest';
import { type Event, event, presence } from '../contract/events.ts';
import { serverDisconnectDelayMs } from './realtime.ts';
import { idsOf, readEvents, readPresence } from './socket.ts';

describe('events', () => {
  it('come one or many, and unknown ones are left out', () => {
    const known = { type: 'conversation.changed', ConversationID: 4 };
    expect(readEvents(known)).toEqual([known]);
    expect(readEvents([known, { type: 'from.the.future' }, { type: 'toString' }, null, 7])).toEqual([known]);
    expect(readEvents({ type: 'conversation.changed', ConversationID: '4' })).toEqual([]);
  });

  it('are read as the contract describes them', () => {
    const described = event.options.map(({ shape: { type, ...ids } }) => [type.value, Object.keys(ids)]);
    expect(idsOf).toEqual(Object.fromEntries(described));
    for (const [type, ids] of Object.entries(idsOf)) {
      const whole = { type, ...Object.fromEntries(ids.map((name, at) => [name, at + 1])) };
      expect(event.safeParse(whole).success, type).toBe(true);
      expect(readEvents(whole)).toEqual([whole as Event]);
      for (const name of ids) expect(readEvents({ ...whole, [name]: 1.5 }), `${type} ${name}`).toEqual([]);
    }
  });
});

describe('presence', () => {
  const viewing = { ConversationID: 4, UserID: 7, Name: 'Maria', Kind: 'viewing' };

  it.each([
    viewing,
    { ...viewing, Kind: 'typing' },
    { ...viewing, Kind: 'left' },
    { ...viewing, Kind: 'constructor' },
    { ...viewing, UserID: '7' },
    { ...viewing, Name: null },
    null,
  ])('is read as the contract describes it: %o', (said) => {
    expect(readPresence(said)).toEqual(presence.safeParse(said).data);
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
