import { describe, expect, it } from 'vitest';
import type { TextMessage } from '../../contract/conversations.ts';
import { groupByDay, threadItems } from './group-messages.ts';
import type { OutboxEntry } from './outbox.ts';

const me = 1;
const zone = 'America/New_York';

function message(id: number, at: string, by: 'them' | number | null, text = `text ${id}`): TextMessage {
  return {
    TextMessageID: id,
    IsInbound: by === 'them',
    Message: text,
    CreateTimestamp: at,
    Mms: false,
    MmsOutboundMedia: [],
    Media: [],
    ExplicitStatus: null,
    Status: by === 'them' ? 'received' : 'sent',
    StatusTimestamp: null,
    Segments: 1,
    Credits: 1,
    SentBy: typeof by === 'number' ? { UserID: by, Name: 'Somebody' } : null,
  };
}

function entry(over: Partial<OutboxEntry>): OutboxEntry {
  return {
    key: 'e1',
    conversationId: 5,
    text: 'Hello',
    pictures: [],
    at: '2026-03-11T15:00:00.000Z',
    state: 'sending',
    isUnsure: false,
    reason: '',
    newestKnownId: 0,
    idempotencyKey: 'k1',
    ...over,
  };
}

/** As the server answers: newest first. */
function shown(messages: TextMessage[], entries: OutboxEntry[] = []) {
  return groupByDay(threadItems([...messages].reverse(), entries, me), zone, me).map(({ date, runs }) => ({
    date,
    runs: runs.map((run) => run.items.map((item) => item.key).join(' ')),
  }));
}

describe('groupByDay', () => {
  it('begins a day at midnight of the reader, not of Greenwich', () => {
    const before = message(1, '2026-03-11T03:59:00.000Z', 'them');
    const after = message(2, '2026-03-11T04:01:00.000Z', 'them');
    expect(shown([before, after])).toEqual([
      { date: '2026-03-10', runs: ['m1'] },
      { date: '2026-03-11', runs: ['m2'] },
    ]);
  });

  it('makes a run of one speaker’s texts, and a new one for another colleague, the system or a pause', () => {
    expect(
      shown([
        message(1, '2026-03-11T14:00:00.000Z', 'them'),
        message(2, '2026-03-11T14:01:00.000Z', 'them'),
        message(3, '2026-03-11T14:02:00.000Z', me),
        message(4, '2026-03-11T14:03:00.000Z', 2),
        message(5, '2026-03-11T14:04:00.000Z', null),
        message(6, '2026-03-11T14:30:00.000Z', null),
      ]),
    ).toEqual([{ date: '2026-03-11', runs: ['m1 m2', 'm3', 'm4', 'm5', 'm6'] }]);
  });

  it('puts what is being sent into the run of one’s own texts', () => {
    const mine = message(3, '2026-03-11T14:59:00.000Z', me);
    expect(shown([mine], [entry({ newestKnownId: 3 })])).toEqual([{ date: '2026-03-11', runs: ['m3 e1'] }]);
  });
});

describe('threadItems', () => {
  const keys = (messages: TextMessage[], entries: OutboxEntry[]) =>
    threadItems(messages, entries, me).map(({ key }) => key);

  it('shows a text once when the refetch overtakes its own reply', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello');
    expect(keys([arrived], [entry({ newestKnownId: 8 })])).toEqual(['m9']);
  });

  it('does not take an older text of the same words for it', () => {
    const older = message(8, '2026-03-11T14:00:00.000Z', me, 'Hello');
    expect(keys([older], [entry({ newestKnownId: 8 })])).toEqual(['m8', 'e1']);
  });

  it('counts one arrival for one of two equal texts', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello');
    const two = [entry({ key: 'e1', newestKnownId: 8 }), entry({ key: 'e2', newestKnownId: 8 })];
    expect(keys([arrived], two)).toEqual(['m9', 'e2']);
  });

  it('drops one that seemed lost and had arrived, but never one that was refused', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello');
    const failed = { newestKnownId: 8, state: 'failed' } as const;
    expect(keys([arrived], [entry({ ...failed, isUnsure: true })])).toEqual(['m9']);
    expect(keys([arrived], [entry({ ...failed, isUnsure: false })])).toEqual(['m9', 'e1']);
  });
});
