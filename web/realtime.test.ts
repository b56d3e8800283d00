import { describe, expect, it } from 'vitest';
import { readEvents, serverDisconnectDelayMs, staleAfter } from './realtime.ts';

const paths = (of: ReturnType<typeof staleAfter>) => of.map(({ call }) => call.path);

describe('events', () => {
  it('come one or many, and unknown ones are left out', () => {
    const known = { type: 'conversation.changed', ConversationID: 4 };
    expect(readEvents(known)).toEqual([known]);
    expect(readEvents([known, { type: 'from.the.future' }, null, 7])).toEqual([known]);
  });

  it('a changed conversation makes itself, its texts, the contact’s history, the lists, the summary and home stale', () => {
    const stale = staleAfter({ type: 'conversation.changed', ConversationID: 4 });
    expect(paths(stale).sort()).toEqual(
      [
        '/contacts/:PersonID/history',
        '/conversations',
        '/conversations/:ConversationID',
        '/conversations/:ConversationID/textmessages',
        '/conversations/summary',
        '/home',
      ].sort(),
    );
    const ofOne = stale.filter(({ call }) => call.path.includes(':ConversationID'));
    expect(ofOne.every(({ params }) => params?.ConversationID === 4)).toBe(true);
  });

  it('credits change the account and home', () => {
    expect(paths(staleAfter({ type: 'credits.changed' })).sort()).toEqual(['/account', '/home']);
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
