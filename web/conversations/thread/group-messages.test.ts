import { describe, expect, it } from 'vitest';
import type { TextMessage } from '../../../contract/conversations.ts';
import type { Note } from '../../../contract/notes.ts';
import { groupByDay, mayBeSentAgain, sentAgain, threadItems } from './group-messages.ts';
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
    Origin: by === 'them' ? 'inbound' : 'conversation',
    SentBy: typeof by === 'number' ? { UserID: by, Name: 'Someone' } : null,
  };
}

function entry(over: Partial<OutboxEntry>): OutboxEntry {
  return {
    key: 'e1',
    conversationId: 5,
    text: 'Hello',
    pictures: [],
    hasSignature: false,
    at: '2026-03-11T15:00:00.000Z',
    state: 'sending',
    isUnsure: false,
    reason: '',
    newestKnownId: 0,
    idempotencyKey: 'k1',
    ...over,
  };
}

function note(id: number, at: string): Note {
  return {
    NoteID: id,
    Kind: 'note',
    Note: `note ${id}`,
    User: { UserID: 2, Name: 'Someone' },
    AssignedTo: null,
    CreateTimestamp: at,
    EditTimestamp: null,
    ReadOnly: true,
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
  it('begins a day at midnight in the reader’s time zone, not in UTC', () => {
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

  it('distinguishes an automatic text and a broadcast from a colleague’s text', () => {
    const early = { BroadcastID: 7, BroadcastName: 'Early dismissal' };
    const late = { BroadcastID: 8, BroadcastName: 'Late buses' };
    const texts = [
      message(1, '2026-03-11T14:00:00.000Z', 2),
      { ...message(2, '2026-03-11T14:01:00.000Z', null), Origin: 'automatic' as const },
      { ...message(3, '2026-03-11T14:02:00.000Z', 2), Origin: 'broadcast' as const, Broadcast: early },
      { ...message(4, '2026-03-11T14:03:00.000Z', 2), Origin: 'broadcast' as const, Broadcast: late },
    ];
    const runs = groupByDay(threadItems([...texts].reverse(), [], me), zone, me)[0]?.runs;
    expect(runs?.map(({ source, broadcast }) => [source, broadcast?.BroadcastName])).toEqual([
      [undefined, undefined],
      ['automatic', undefined],
      ['broadcast', 'Early dismissal'],
      ['broadcast', 'Late buses'],
    ]);
  });

  it('puts notes between the texts by time, each on its own', () => {
    const texts = [message(1, '2026-03-11T14:00:00.000Z', me), message(2, '2026-03-11T14:05:00.000Z', me)];
    const notes = [note(8, '2026-03-11T14:06:00.000Z'), note(7, '2026-03-11T14:01:00.000Z')];
    const runs = groupByDay(threadItems([...texts].reverse(), [], me, { notes }), zone, me)[0]?.runs;
    expect(runs?.map(({ key }) => key)).toEqual(['m1', 'n7', 'm2', 'n8']);
  });

  it('puts a text that is being sent into the run of the user’s own texts', () => {
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

  it('doesn’t treat an older text with the same words as that one', () => {
    const older = message(8, '2026-03-11T14:00:00.000Z', me, 'Hello');
    expect(keys([older], [entry({ newestKnownId: 8 })])).toEqual(['m8', 'e1']);
  });

  it('counts one arrival for one of two equal texts', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello');
    const two = [entry({ key: 'e1', newestKnownId: 8 }), entry({ key: 'e2', newestKnownId: 8 })];
    expect(keys([arrived], two)).toEqual(['m9', 'e2']);
  });

  it('recognizes its own text with the signature below it', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello\n\nDana');
    expect(keys([arrived], [entry({ newestKnownId: 8, hasSignature: true })])).toEqual(['m9']);
    expect(keys([arrived], [entry({ newestKnownId: 8 })])).toEqual(['m9', 'e1']);
  });

  it('leaves out notes from the part that isn’t loaded', () => {
    const texts = [message(2, '2026-03-11T14:05:00.000Z', me), message(1, '2026-03-11T14:00:00.000Z', me)];
    const notes = [
      note(9, '2026-03-11T15:00:00.000Z'),
      note(8, '2026-03-11T14:01:00.000Z'),
      note(7, '2026-03-11T13:00:00.000Z'),
    ];
    const shownNotes = (part: { hasOlder: boolean; hasLater: boolean }) =>
      threadItems(texts, [], me, { notes, ...part })
        .map(({ key }) => key)
        .filter((key) => key.startsWith('n'));
    expect(shownNotes({ hasOlder: false, hasLater: false })).toEqual(['n7', 'n8', 'n9']);
    expect(shownNotes({ hasOlder: true, hasLater: false })).toEqual(['n8', 'n9']);
    expect(shownNotes({ hasOlder: true, hasLater: true })).toEqual(['n8']);
  });

  it('recognizes one that went out in plain characters, or as it was written', () => {
    const plain = message(9, '2026-03-11T15:00:01.000Z', me, "It's open");
    expect(keys([plain], [entry({ text: 'It’s open', newestKnownId: 8 })])).toEqual(['m9']);
    const kept = message(9, '2026-03-11T15:00:01.000Z', me, 'It’s open');
    const written = { text: 'It’s open', keepsCharacters: true, newestKnownId: 8 };
    expect(keys([kept], [entry(written)])).toEqual(['m9']);
  });

  it('drops one that seemed lost and had arrived, but never one that was refused', () => {
    const arrived = message(9, '2026-03-11T15:00:01.000Z', me, 'Hello');
    const failed = { newestKnownId: 8, state: 'failed' } as const;
    expect(keys([arrived], [entry({ ...failed, isUnsure: true })])).toEqual(['m9']);
    expect(keys([arrived], [entry({ ...failed, isUnsure: false })])).toEqual(['m9', 'e1']);
  });
});

describe('a failed text', () => {
  const failed = { ...message(1, '2026-03-11T14:00:00.000Z', me, 'Hello'), Status: 'phone_unreachable' };

  it('can be sent again, unless they have opted out or nobody here wrote it', () => {
    expect(mayBeSentAgain(failed)).toBe(true);
    expect(mayBeSentAgain({ ...failed, Status: 'unknown' })).toBe(true);
    expect(mayBeSentAgain({ ...failed, Status: 'delivered' })).toBe(false);
    expect(mayBeSentAgain({ ...failed, Status: 'opted_out' })).toBe(false);
    expect(mayBeSentAgain({ ...failed, Origin: 'automatic' })).toBe(false);
    expect(mayBeSentAgain({ ...failed, IsInbound: true })).toBe(false);
  });

  it('was sent again when a later text of ours says the same, or its beginning', () => {
    const again = message(2, '2026-03-11T14:01:00.000Z', me, 'Hello');
    expect([...sentAgain([again, failed])]).toEqual([1]);
    expect([...sentAgain([{ ...again, Message: 'Hello there' }, failed])]).toEqual([]);
    const long = { ...failed, Message: 'word '.repeat(60) };
    const cut = { ...again, Message: long.Message.slice(0, 160) };
    expect([...sentAgain([cut, long])]).toEqual([1]);
    expect([...sentAgain([{ ...again, Message: 'word' }, long])]).toEqual([]);
  });
});
