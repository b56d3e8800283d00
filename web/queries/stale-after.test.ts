import { describe, expect, it } from 'vitest';
import { everyCall } from '../../contract/calls.ts';
import { type Event, event } from '../../contract/events.ts';
import { staleAfter, threadPath } from './stale-after.ts';

const paths = (of: ReturnType<typeof staleAfter>) => of.map(({ path }) => path);

/** One event of each type; every id it may carry is 4. */
const everyEvent = event.options.map(({ shape }) =>
  event.parse(
    Object.fromEntries(
      Object.keys(shape).map((name) => [name, name === 'type' ? [...shape.type.values][0] : 4]),
    ),
  ),
);

describe('the queries that an event makes stale', () => {
  it('are calls that there are, and where it names one thing, params that they take', () => {
    const known = everyCall.filter(({ call }) => call.method === 'GET').map(({ call }) => call.path);
    for (const happened of everyEvent as Event[]) {
      for (const { path, params = {} } of staleAfter(happened)) {
        expect([happened.type, path, known.includes(path)]).toEqual([happened.type, path, true]);
        for (const name of Object.keys(params)) expect(path).toContain(`:${name}`);
      }
    }
    expect(known).toContain(threadPath);
  });

  it('a changed conversation: itself, its texts, the contact’s history, the lists, the summary and home', () => {
    const stale = staleAfter({ type: 'conversation.changed', ConversationID: 4 });
    expect(paths(stale).sort()).toEqual(
      [
        '/contacts/:PersonID/history',
        '/phonenumbers/:Number/history',
        '/conversations',
        '/conversations/:ConversationID',
        '/conversations/:ConversationID/textmessages',
        '/conversations/donetoday',
        '/conversations/summary',
        '/home',
      ].sort(),
    );
    const ofOne = stale.filter(({ path }) => path.includes(':ConversationID'));
    expect(ofOne.every(({ params }) => params?.ConversationID === 4)).toBe(true);
  });

  it('a broadcast under way: its results and the lists, and of no other broadcast', () => {
    const stale = staleAfter({ type: 'broadcast.changed', BroadcastID: 4 });
    expect(paths(stale)).toEqual(
      expect.arrayContaining([
        '/broadcasts/:BroadcastID/details',
        '/broadcasts/:BroadcastID/progress',
        '/home',
      ]),
    );
    const ofOne = stale.filter(({ path }) => path.includes(':BroadcastID'));
    expect(ofOne.every(({ params }) => params?.BroadcastID === 4)).toBe(true);
  });

  it('credits: the account and home', () => {
    expect(paths(staleAfter({ type: 'credits.changed' })).sort()).toEqual(['/account', '/home']);
  });
});
