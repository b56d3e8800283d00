import { expect, it } from 'vitest';
import type { TextMessage } from '../../../contract/conversations.ts';
import { answerSince } from './overtaken.ts';

const me = 1;

function text(id: number, over: Partial<TextMessage>): TextMessage {
  return {
    TextMessageID: id,
    IsInbound: false,
    Message: `text ${id}`,
    CreateTimestamp: '2026-03-11T15:00:00.000Z',
    Mms: false,
    MmsOutboundMedia: [],
    Media: [],
    ExplicitStatus: null,
    Status: 'sent',
    StatusTimestamp: null,
    Segments: 1,
    Credits: 1,
    Origin: 'conversation',
    SentBy: { UserID: 2, Name: 'Marcus Bell' },
    ...over,
  };
}

it('is a text of a colleague after what was read, and nothing else', () => {
  const inbound = text(6, { IsInbound: true, Origin: 'inbound', SentBy: null });
  const automatic = text(7, { Origin: 'automatic', SentBy: null });
  const broadcast = text(8, { Origin: 'broadcast' });
  const own = text(9, { SentBy: { UserID: me, Name: 'Dana' } });
  expect(answerSince([own, broadcast, automatic, inbound, text(5, {})], 5, me)).toBeUndefined();
  expect(answerSince([own, text(8, {}), inbound], 5, me)?.TextMessageID).toBe(8);
  expect(answerSince([text(8, {})], undefined, me)).toBeUndefined();
});
